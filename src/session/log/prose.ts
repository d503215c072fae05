import { BASIC_HAN_RANGES } from '../../language/scripts.js';
import { removeFencedCode } from '../../text/sentences.js';

/**
 * Patterns of lines that a machine printed. They match the form of a line, not its words: stack frames, numbered lines,
 * lines of a diff, shell prompts, table rows, drawn frames, times of a log, JSON and code.
 */
const PRINTED: readonly RegExp[] = [
  // stack frames and places in files:
  // at f (a.js:1:2)   File "a.py", line 3   a.go:12 +0x1d   #0 0x…   a.ts:5:15: …   a.ts(5,15): …
  /^\s*(?:at\s\S.{0,300}[(:]\S*\d|File "[^"\n]+", line \d|#\d+\s+0x|\S{1,200}\.\w{1,5}(?::\d+(?::\d+)?|\(\d+,\d+\))(?::|\s\+0x|$|\s-\s))/u,
  // numbered lines and lines of a diff: 12 | x   12→ x   12  + x   + x   - x   @@ -1 +1 @@   diff --git
  /^\s*\d{1,6}\s*(?:[│|→]|\s[-+]\s|:\s{2,}|\t)|^[-+]{3}\s\S|^@@\s|^diff --git |^index [0-9a-f]{7,}|^[-+](?:\s{2,}|[^\s\p{L}\p{N}]|\w*[({=])/u,
  // shell prompts: $ npm test   me@host:~$ ls   ❯ x   PS C:\> x   (venv) $ x
  /^\s*(?:\([\w.-]+\)\s)?(?:[\w.-]+@[\w.-]+[^$#\n]{0,80}[$#%]|[$❯➜»]|PS [A-Z]:[^>\n]{0,120}>|>>>|\.\.\.|\[[^\]\n]{0,80}[~/][^\]\n]{0,80}\])\s+\S/u,
  // lines of test runners and npm: FAIL a.test.ts   > x@1.0.0 test
  /^\s*(?:FAIL|PASS|ok|not ok)\s+\S*[./\d]\S*|^> \S+@\d/u,
  // drawn frames, trees, and marks such as ✓ that programs print
  /[─━│┃┌┐└┘├┤╭╮╰╯═║]|^\s*(?:[⏺⎿✻✽●✓✔✗✘✖✕×→↳]|\p{Extended_Pictographic}\ufe0f?)\s|\u001b\[/u,
  // rows of tables
  /^\s*\|.*\||\S(?: {3,}|\t)\S.*\S(?: {3,}|\t)\S/u,
  // fields of a log: time=1 level=x
  /(?:^|\s)\w+=\S+\s+\w+=\S/u,
  // times of a log: 2026-01-05T10:00:00   10:00:00.123   [10:00:00]
  /^\s*\[?(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d:\d\d/u,
  // errors and warnings: TypeError: x   error: x   fatal: x   npm ERR! x   [ERROR] x
  /^\s*(?:(?:[\w$]+[.:]{1,2})*[A-Z]\w*(?:Error|Exception|Warning)(?:\s\[\w+\])?:\s|(?:error|fatal|warning|Error|ERROR|WARN|WARNING|FATAL|INFO|DEBUG)(?:\[\w+\])?:?\s(?<=:\s|[A-Z]\s)\S|npm (?:ERR!|error|warn)\s|\[(?:ERROR|WARN|INFO|DEBUG|error|warn|info)\])/u,
  // code and JSON
  /[;{}[\]]\s*$|^\s*[}\])]+[,;]?\s*$|^\s*"[^"\n]{1,80}":\s|^\s*<\/?[a-z][^>\n]*>|=>\s*[{(]|^\s*(?:import|export|const|let|var|function|class|def|return|public|private|package|using|#include|func|fn|pub)\s.*[=({;:"']/u,
];

/** Matches a line that is only a path, an address or an identifier. */
const ALONE = /^\s*(?:[-*]\s)?[`"'(]?(?:[a-z]+:\/\/|[~./\\]|\w:[\\/]|\S*[/\\_]\S*[/\\_.])\S*$/iu;
/** True if a line is only a path or an address. Pure. */
export function isOnlyPathOrAddress(line: string): boolean {
  return ALONE.test(line.slice(0, 600));
}

function isPrinted(line: string): boolean {
  const text = line.slice(0, 600);
  return PRINTED.some((pattern) => pattern.test(text)) || isOnlyPathOrAddress(text);
}

/**
 * The prose that a person wrote in a text, without pasted parts. If a paragraph is mostly machine output, only the plain
 * lines at its beginning and end are kept. If the text contains a document with headings, only the text before the document
 * is kept. Pure, linear.
 * @param isTyped true to keep only text that the person probably typed: also drops text with the layout of a document,
 * because another person may have written it
 */
export function messageProse(text: string, isTyped = false): string {
  if (isTyped && text.includes('</') && TAGGED.test(text.slice(0, LOOKED_AT))) return '';
  const paragraphs = removeFencedCode(beforeDocument(text.slice(0, LOOKED_AT)).split('\n'))
    .join('\n')
    .split(/\n\s*\n/u);
  return around(paragraphs, isTyped ? [...REPORTED, ...COMPOSED] : REPORTED)
    .map((paragraph) => proseIn(paragraph.split('\n').filter((line) => line.trim() !== '')))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** Maximum number of characters of a text that are read. */
const LOOKED_AT = 40_000;
/**
 * Matches a block between tags with a name of several words or in capitals, such as `<task_rules>`, each alone on its line.
 * Such a block is a prompt that was written to be used often.
 */
const TAGGED = /^<([a-z]+(?:[-_][a-z]+)+|[A-Z_]{4,})(?:\s[^>\n]*)?>[ \t]*\n[\s\S]*?^<\/\1>/mu;

/** Matches front matter with a title or a description. */
const FRONT = /^\s*---\n(?:[\w-]+:[^\n]*\n)*?(?:description|title|name):[ \t]*["']?(\S[^\n]*?)["']?[ \t]*\n/u;

/**
 * The title of a pasted document: its first heading. If this heading has only one or two words, the first line below it is
 * added. Undefined if the document has no title. Pure.
 */
export function documentTitle(text: string): string | undefined {
  const front = FRONT.exec(text.slice(0, 2_000))?.[1];
  const [head, next] = headingsOf(text.slice(0, LOOKED_AT));
  if (front !== undefined || head === undefined || next === undefined) return front;
  const below = text.slice(head.at, next.at).split('\n').slice(1);
  const first = below.find((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:```|~~~|<!--)/u.test(line))?.trim();
  return first === undefined || /\S\s+\S+\s+\S/u.test(head.title) ? head.title : `${head.title}: ${first}`;
}

function headingsOf(text: string): readonly { readonly at: number; readonly title: string }[] {
  return [...text.matchAll(/^#{1,6}[ \t]+(\S[^\n]*)$/gmu)].map(({ index, 1: title = '' }) => ({ at: index, title }));
}

/** The text before a document. A text with two headings or more contains a document. */
function beforeDocument(text: string): string {
  if (FRONT.test(text.slice(0, 2_000))) return '';
  const heads = headingsOf(text);
  return heads.length > 1 ? text.slice(0, heads[0]?.at) : text;
}

function proseIn(lines: readonly string[]): string {
  const hunk = lines.findIndex((line) => /^(?:@@\s|diff --git )/u.test(line));
  const printed = lines.map((line, at) => isPrinted(line) || (hunk >= 0 && at > hunk && /^[-+ ]/u.test(line)));
  const count = printed.filter(Boolean).length;
  if (isSetIn(lines, lines.length > 2 ? 2 : 4)) return '';
  if (count === 0) return lines.join('\n');
  if (2 * count < lines.length) return lines.filter((_, at) => !printed[at]).join('\n');
  // Drop all lines from the first to the last one that a machine printed: lines between two such lines belong to the same
  // output.
  const first = printed.indexOf(true);
  const last = printed.lastIndexOf(true);
  return lines.filter((line, at) => (at < first || at > last) && SENTENCE.test(line.slice(0, 600))).join('\n');
}

/**
 * Marks that people do not type into a prompt: special characters such as `…` and `→`, and positions in files (`a.ts:12`).
 */
const REPORTED: readonly RegExp[] = [/[\u2010-\u2015\u2022\u2026\u2192]/u, /[\w/]\.\w{1,5}:\d/u];
/** Marks that people seldom type into a prompt: bold words, long list items. */
const COMPOSED: readonly RegExp[] = [/\*\*[^*\n]+\*\*/u, /^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)])[ \t].{80}/mu];
/**
 * Maximum lengths in characters. A `message` of at most this length counts as typed by the user. In a longer message with
 * marks such as {@link REPORTED}, a `paragraph` before the first mark or after the last one counts as typed if it has at
 * most this length.
 */
const TYPED = { message: 400, paragraph: 400 };

/**
 * Returns the paragraphs of a message that count as typed. If a long message has `marks`, these are the short paragraphs
 * before the first mark and after the last one. If all marks are of one kind and near each other, they prove little. Then
 * all paragraphs count as typed.
 */
function around(paragraphs: readonly string[], marks: readonly RegExp[]): readonly string[] {
  const length = paragraphs.reduce((sum, paragraph) => sum + paragraph.length, 0);
  if (length <= TYPED.message) return paragraphs;
  const composed = paragraphs.map((paragraph) => marks.some((pattern) => pattern.test(paragraph)));
  const [first, last] = [composed.indexOf(true), composed.lastIndexOf(true)];
  const body = paragraphs.slice(first, last + 1).join('\n');
  const signs = marks.filter((pattern) => pattern.test(body)).length;
  if (first < 0 || (signs < 2 && body.length <= TYPED.paragraph)) return paragraphs;
  return paragraphs.filter((paragraph, at) => (at < first || at > last) && paragraph.length <= TYPED.paragraph);
}

/** True if all lines are indented, as in copied output and copied code. List items do not count as indented. */
function isSetIn(lines: readonly string[], spaces: number): boolean {
  const margin = new RegExp(`^(?: {${spaces},}|\\t)(?!\\s*(?:[-*+•]|\\d{1,3}[.)])\\s)`, 'u');
  return lines.length > 0 && lines.every((line) => margin.test(line));
}

/** Matches two words with a space between them, or four Chinese characters. */
const SENTENCE = new RegExp(String.raw`\p{L}[,.!?']?\s+\p{L}|[${BASIC_HAN_RANGES}]{4,}`, 'u');
