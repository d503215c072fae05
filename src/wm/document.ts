import { addToGroup } from '../base/order.js';
import type { Heading as Block } from '../markdown/block.js';
import { scanMarkdown } from '../markdown/scan.js';
import { estimateTokens } from '../text/tokens.js';

/**
 * The names of the seven sections of a Working Memory, in their fixed order. The names and their order come from
 * Working Memory v2, the reference for our Working Memory.
 */
export const SECTION_NAMES = [
  'Session Title',
  'Current State',
  'Task & Goals',
  'Key Facts & Decisions',
  'Files & Context',
  'Errors & Corrections',
  'Open Issues',
] as const;

export type SectionName = (typeof SECTION_NAMES)[number];

/** The intended content of each section, for the template and the prompts. */
export const SECTION_DESCRIPTIONS: Readonly<Record<SectionName, string>> = {
  'Session Title': 'Short and distinctive title of 5-10 words, dense with information',
  'Current State': 'What is being worked on now, what is still to do, next steps',
  'Task & Goals': 'What the user wants, design decisions that matter, context that explains them',
  'Key Facts & Decisions': 'Conclusions, technical choices with their reasons, preferences and constraints of the user',
  'Files & Context': 'Important files, functions and modules with their paths',
  'Errors & Corrections': 'Errors met and their fixes, corrections by the user, approaches that failed',
  'Open Issues': 'Unresolved questions, blockers, risks ahead',
};

/** A record with one value for each section, in order. */
export function bySectionName<T>(value: (name: SectionName) => T): Readonly<Record<SectionName, T>> {
  return {
    'Session Title': value('Session Title'),
    'Current State': value('Current State'),
    'Task & Goals': value('Task & Goals'),
    'Key Facts & Decisions': value('Key Facts & Decisions'),
    'Files & Context': value('Files & Context'),
    'Errors & Corrections': value('Errors & Corrections'),
    'Open Issues': value('Open Issues'),
  };
}

const SEED_ABOUT: readonly string[] = [
  '简短独特的 5-10 词标题,信息密集',
  '当前工作状态、待完成任务、下一步',
  '用户目标、关键设计决策、解释性上下文',
  '重要结论、技术选择及理由、用户偏好与约束',
  '重要文件 / 函数 / 模块及路径',
  '遇到的错误及修复、用户纠正、失败方案',
  '未解决问题、阻塞项、后续风险',
];

/**
 * The description lines of our template and of the original Chinese one, in the form that {@link normaliseDescription}
 * returns.
 */
const TEMPLATE_DESCRIPTIONS: ReadonlySet<string> = new Set(
  [...SEED_ABOUT, ...Object.values(SECTION_DESCRIPTIONS)].map(normaliseDescription),
);

/** Removes emphasis, full-width forms and case from a description line. */
function normaliseDescription(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[_*\s]+|[_*\s.]+$/gu, '');
}

const BY_WORDS: ReadonlyMap<string, SectionName> = new Map(SECTION_NAMES.map((name) => [headingWords(name), name]));
const TITLE_WORDS = headingWords('Working Memory');

/**
 * The section that a heading or the key of an operation names. Ignores case, `&` or "and", plurals, emphasis, numbering
 * and closing punctuation, so that a slightly different heading still names the section.
 */
export function findSection(heading: string): SectionName | undefined {
  return heading.length > 80 ? undefined : BY_WORDS.get(headingWords(heading));
}

/** Whether a heading is the document's own title, `Working Memory`. */
export function isDocumentTitle(heading: string): boolean {
  return heading.length <= 80 && headingWords(heading) === TITLE_WORDS;
}

function headingWords(heading: string): string {
  const words =
    heading
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words
    .filter((word) => word !== 'and' && word !== 'amp')
    .map((word) => word.replace(/s$/u, ''))
    .join(' ');
}

export type SectionBodies = Readonly<Record<SectionName, string>>;

/** A parsed Working Memory. Every line of the text is in one of its parts. */
export type ParsedDocument = ReturnType<typeof parseDocument>;

/** The section for text without a section heading. Its guard rejects updates that lose facts. */
const HOME: SectionName = 'Key Facts & Decisions';

/**
 * Reads a Working Memory, or any older free-form summary, and keeps every line. A heading that is nearly the name of a
 * section, or a duplicate of it, counts as that section. A heading in a fence is text. Sections with other names,
 * and text before the first section, are kept.
 */
export function parseDocument(text: string | null) {
  const source = (text ?? '').replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const lines = source.split('\n');
  const dividers = readHeadings(source).filter((heading) => heading.root && heading.depth < 3);
  const headingLines = new Set<number>();
  const own = new Map<SectionName, string[]>();
  const placed = new Map<SectionName, string[]>();
  let current: SectionName | undefined;
  addToGroup(placed, HOME, bodyOf(lines, 0, dividers[0]?.startLine ?? lines.length));
  dividers.forEach((heading, index) => {
    const body = bodyOf(lines, heading.endLine + 1, dividers[index + 1]?.startLine ?? lines.length);
    const name = findSection(heading.text);
    if (name !== undefined || isDocumentTitle(heading.text)) {
      for (let line = heading.startLine; line <= heading.endLine; line++) headingLines.add(line);
    }
    if (name !== undefined) {
      current = name;
      addToGroup(own, name, body);
      addToGroup(placed, name, body);
    } else if (isDocumentTitle(heading.text)) addToGroup(placed, HOME, body);
    else addToGroup(placed, homeOf(current, dividers, index), foreignSection(heading, body));
  });
  return {
    /** The text of each section that exists. Sections of the same name are joined in order. */
    sections: new Map([...own].map(([name, parts]) => [name, join(parts)])),
    /**
     * The whole text, divided among the seven sections. A section with another name becomes a `###` part of the section
     * before or after it. Other text is under Key Facts.
     */
    bodies: bySectionName((name) => closeBlocks(join(placed.get(name) ?? []))),
    /** Line numbers of our own headings, which are not content. 0-based. */
    headingLines,
    /** The text with LF ends and without a byte order mark, line by line. */
    lines,
  };
}

/** Whether a text is a Working Memory: it has the heading of at least one of the seven sections. */
export function isWorkingMemory(text: string | null): boolean {
  return parseDocument(text).sections.size > 0;
}

/** Renders the whole document: the seven sections in order, each with its heading even when it is empty. */
export function renderDocument(bodies: SectionBodies): string {
  return `${renderSections(bodies, SECTION_NAMES)}\n`;
}

/** Renders the named sections for a prompt. */
export function renderSections(bodies: SectionBodies, names: readonly SectionName[]): string {
  const parts = names.map((name) => (bodies[name] === '' ? `## ${name}` : `## ${name}\n${bodies[name]}`));
  return `# Working Memory\n\n${parts.join('\n\n')}`;
}

// Returns the section to which a section with another name is added. This is usually the section before it. But Session
// Title has only one line, so after Session Title it is the next section. If neither exists, it is Key Facts.
function homeOf(current: SectionName | undefined, dividers: readonly HeadingLine[], index: number): SectionName {
  if (current !== undefined && current !== 'Session Title') return current;
  if (current === undefined) return HOME;
  const next = dividers.slice(index + 1, index + 50).map((heading) => findSection(heading.text));
  return next.find((name) => name !== undefined && name !== 'Session Title') ?? HOME;
}

function foreignSection(heading: HeadingLine, body: string): string {
  const title = heading.text.split('\n').map((line) => `### ${line}`.trimEnd());
  return [...title, body].filter((part) => part !== '').join('\n');
}

function bodyOf(lines: readonly string[], from: number, to: number): string {
  return trimBody(lines.slice(from, to).join('\n'));
}

function join(parts: readonly string[]): string {
  const joined = parts
    .filter((part) => part !== '')
    .map((part, index) => (index < parts.length - 1 ? closeBlocks(part) : part))
    .join('\n\n');
  return parts.length > 1 ? withoutNewHeadings(joined) : joined;
}

// Joining texts can create a heading that none of them had. Example: if `2) a` follows indented code, the Markdown
// parser (`remark`) takes it for a paragraph. A line of dashes below this paragraph makes it a heading. This function indents such a line of
// dashes, so that there is no new heading.
function withoutNewHeadings(joined: string): string {
  const lines = joined.split('\n');
  for (const { root, depth, endLine } of readHeadings(joined)) {
    if (root && depth < 3) lines[endLine] = `    ${lines[endLine] ?? ''}`;
  }
  return lines.join('\n');
}

/** If a section has this number of bullets or tokens, the model is asked to merge and shorten its items. */
const CONSOLIDATE_BULLETS = 25;
const CONSOLIDATE_TOKENS = 1_500;
/** Budgets in tokens. Nothing enforces them: a section or document over budget is reported, never cut. */
export const SECTION_TOKEN_BUDGET = 2_000;
const DOCUMENT_BUDGET = 12_000;

/**
 * One line for each section that should be consolidated or is over its budget, and one if the whole document is over
 * its budget. Errors & Corrections is append-only, so its line never asks to consolidate it.
 */
export function sizeReminders(bodies: SectionBodies): readonly string[] {
  const reminders: string[] = [];
  let total = 0;
  for (const name of SECTION_NAMES) {
    const bullets = contentItems(bodies[name]).length;
    const tokens = estimateTokens(bodies[name]);
    total += tokens;
    const reminder = sectionReminder(name, bullets, tokens);
    if (reminder !== undefined) reminders.push(reminder);
  }
  if (total > DOCUMENT_BUDGET) {
    reminders.push(`The document has about ${total} tokens, over its budget of ${DOCUMENT_BUDGET}.`);
  }
  return reminders;
}

function sectionReminder(name: SectionName, bullets: number, tokens: number): string | undefined {
  const size = `"${name}" has ${bullets} bullets and about ${tokens} tokens`;
  const over = tokens > SECTION_TOKEN_BUDGET ? `, over its budget of ${SECTION_TOKEN_BUDGET} tokens` : '';
  if (name === 'Errors & Corrections') {
    return over === '' ? undefined : `${size}${over}. It is append-only: keep new entries short.`;
  }
  if (bullets < CONSOLIDATE_BULLETS && tokens < CONSOLIDATE_TOKENS) return undefined;
  return (
    `${size}${over}. It must be consolidated with UPDATE: group by topic, keep every name, date, path and exact value, ` +
    `aim for at most ${CONSOLIDATE_BULLETS} bullets and ${CONSOLIDATE_TOKENS} tokens.`
  );
}

/** A heading of a Markdown text. `startLine` and `endLine` are 0-based and inclusive. */
interface HeadingLine {
  readonly depth: number;
  /**
   * Source text of the heading, trimmed and without its `#`. The lines of a setext heading are joined by a line feed.
   */
  readonly text: string;
  readonly startLine: number;
  /** Last line of the heading. It includes the underline of a setext heading. */
  readonly endLine: number;
  /** False inside a list item or a block quote. Such a heading does not divide the document. */
  readonly root: boolean;
}

/**
 * The headings of `text` (line ends LF), as the parser mdast finds them. Lines in fences, HTML blocks and indented code
 * are not headings. Our line scanner finds the same headings, a hundred times as fast.
 */
export function readHeadings(text: string): readonly HeadingLine[] {
  const { lines, blocks } = scanMarkdown(NO_FRONT_MATTER + text);
  const headings: HeadingLine[] = [];
  let lastLineOfItems = 0;
  for (const block of blocks) {
    if (block.type === 'item') lastLineOfItems = Math.max(lastLineOfItems, block.endLine);
    if (block.type !== 'heading') continue;
    const quoted = /^ {0,3}>/u.test(lines[block.startLine - 1] ?? '');
    headings.push(toHeading(block, !quoted && block.startLine > lastLineOfItems));
  }
  return headings;
}

// This text is put before a body that is parsed alone. The body is not the beginning of a file, so a `---` on its first
// line must not be read as front matter.
const NO_FRONT_MATTER = '\n';

function toHeading({ depth, text, startLine, endLine }: Block, root: boolean): HeadingLine {
  return { depth, text, startLine: startLine - 2, endLine: endLine - 2, root };
}

/**
 * The closing fence or tag that a body lacks, on its own line. Without it, a heading after the body would be part of
 * the open block. Empty if nothing is missing.
 */
function missingCloser(body: string): string {
  const { lines, blocks } = scanMarkdown(`${NO_FRONT_MATTER}${body}\n\n## end`);
  const last = blocks.at(-1);
  if (last === undefined || last.type === 'heading' || last.endLine < lines.length) return '';
  const opening = (lines[last.startLine - 1] ?? '').trimStart();
  if (last.type === 'fence') return `\n${/^(?:`{3,}|~{3,})/u.exec(opening)?.[0] ?? '```'}`;
  return `\n${htmlCloser(opening)}`;
}

/** Whether a body ends in an HTML block. Text on the next line would be part of that block. */
export function endsInHtml(body: string): boolean {
  const { lines, blocks } = scanMarkdown(NO_FRONT_MATTER + body);
  const last = blocks.at(-1);
  return last !== undefined && (last.type === 'html' || last.type === 'comment') && last.endLine >= lines.length;
}

const HTML_CLOSERS: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![cdata[', ']]>'],
  ['<?', '?>'],
  ['<script', '</script>'],
  ['<style', '</style>'],
  ['<textarea', '</textarea>'],
  ['<pre', '</pre>'],
];

function htmlCloser(opening: string): string {
  const lower = opening.slice(0, 20).toLowerCase();
  return HTML_CLOSERS.find(([open]) => lower.startsWith(open))?.[1] ?? '>';
}

/** The text of an ATX heading line, without the `#` at its beginning and end. */
export function headingText(line: string): string {
  const text = trimSpaces(trimSpaces(line).replace(/^#{1,6}/u, ''));
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end === 0 || /[ \t]/u.test(text[end - 1] ?? '') ? trimSpaces(text.slice(0, end)) : text;
}

/** Removes spaces and tabs at both ends. Other white space is text to Markdown and must stay. */
function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
  return line.slice(0, end).replace(/^[ \t]+/u, '');
}

/**
 * Makes a model's text safe inside a section: demotes headings of depth 1 and 2, and closes an open block that would
 * include the headings after it. Line ends become LF. Idempotent.
 */
export function makeContentSafe(content: string): string {
  const text = trimBody(content.replace(/\r\n?/gu, '\n'));
  return closeBlocks(demoteHeadings(text));
}

/** The body with its last open fence, comment or raw HTML block closed. */
function closeBlocks(body: string): string {
  return body + missingCloser(body);
}

/** Removes blank lines before and after a body, and white space at its end. Indentation that has a meaning stays. */
function trimBody(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end--;
  let start = 0;
  for (let at = 0; at < end && isBlank(text[at]); at++) if (text[at] === '\n') start = at + 1;
  const body = text.slice(start, end);
  return /\n[ \t]/u.test(body) || /^(?: {4}| {0,3}\t)/u.test(body) ? body : body.replace(/^ {1,3}/u, '');
}

// Whether a character is white space for Markdown. A byte order mark and a no-break space are not white space for
// Markdown. If a line begins with one of these, a `#` after it begins no heading, and this must stay so.
function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n';
}

const MAX_ROUNDS = 3;

function demoteHeadings(text: string): string {
  let demoted = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tall = readHeadings(demoted).filter((heading) => heading.depth < 3);
    if (tall.length === 0) return demoted;
    demoted = rewrite(demoted, tall);
  }
  return readHeadings(demoted).some((heading) => heading.depth < 3) ? quoteUnderlines(demoted) : demoted;
}

function rewrite(text: string, headings: readonly HeadingLine[]): string {
  const lines = text.split('\n');
  for (const { startLine, endLine, depth } of headings) {
    const line = lines[endLine] ?? '';
    if (startLine === endLine) lines[endLine] = line.replace('#', '#'.repeat(4 - depth));
    else lines[endLine] = line.replace(/(=+|-+)([ \t]*)$/u, '\\$1$2');
  }
  return lines.join('\n');
}

// Escapes every line of `=` or `-` that could underline a setext heading. {@link demoteHeadings} escapes only a few of them
// in a row. If a text has more, this function does the rest.
function quoteUnderlines(text: string): string {
  return text.replace(/^([ \t>]*)(=+|-+)[ \t]*$/gmu, '$1\\$2');
}

/** The text of one line without indentation, list markers and heading marks. `''` if it has no text (fences, rules). */
export function itemOfLine(line: string): string {
  const text = trimSpaces(line);
  const marks = MARKS.exec(text)?.[0] ?? '';
  const item = marks.includes('#') ? headingText(`# ${text.slice(marks.length)}`) : text.slice(marks.length);
  return /[\p{L}\p{N}\p{So}\p{Sc}]/u.test(item) ? item : '';
}

const MARKS = /^(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)*/u;

function isHeadingLine(text: string): boolean {
  return /^#{1,6}[ \t]/u.test(text);
}

/**
 * The items of a section that count as content: one per line, nested ones flattened, without
 * headings and without our own marker texts.
 */
export function contentItems(body: string): readonly string[] {
  const items: string[] = [];
  let described: string | undefined;
  for (const line of body.split('\n')) {
    const trimmed = trimSpaces(line);
    if (isHeadingLine(trimmed)) continue;
    const item = itemOfLine(trimmed);
    if (item === '' || isPlaceholderItem(item)) continue;
    if (items.length === 0 && described === undefined && isItalicLine(trimmed)) described = item;
    else items.push(item);
  }
  // An italic line before all other lines is the description of the section, which is not content. An italic line that
  // is the only line counts as content.
  return items.length === 0 && described !== undefined ? [described] : items;
}

/** Whether a text has anything that counts as content. */
export function hasContent(body: string): boolean {
  return contentItems(body).length > 0;
}

// The program OpenViking writes this into a section that is too large, in place of new facts. Old documents may have it.
const SENTINEL =
  '[⚠ CONSOLIDATION REQUIRED: Key Facts exceeds size limit. You MUST use UPDATE to merge and compress existing bullets before adding new facts.]';

/**
 * Whether an item is a marker text of a program, not content. The whole item must match, so that a fact that quotes or
 * imitates a marker stays a fact.
 */
export function isPlaceholderItem(item: string): boolean {
  if (item === SENTINEL) return true;
  return item.length < 200 && /^[_*]/u.test(item) && TEMPLATE_DESCRIPTIONS.has(normaliseDescription(item));
}

function isItalicLine(line: string): boolean {
  return /^(?:_[^_\s](?:.*[^_\s])?_|\*[^*\s](?:.*[^*\s])?\*)$/u.test(line);
}

/**
 * The key by which items are compared. Two items have the same key if they differ only in Unicode form, case, emphasis,
 * white space or the full stop at the end.
 */
export function itemKey(item: string): string {
  return item
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\*\*|`/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s_*]+/u, '')
    .replace(/[\s_*`.。;]{1,20}$/u, '');
}

/** Writes an item as an item of a Markdown list. Further lines are indented so that they belong to it. */
export function formatItemAsBullet(item: string): string {
  return `- ${item.split('\n').join('\n  ')}`.replace(/[ \t]+$/gmu, '');
}

/**
 * Whether `longer` begins with the whole words of `key` and goes on after them. `use redis now` does so for the key `use
 * redis`; `use rediscovery` does not.
 */
export function startsWithWholeWords(longer: string, key: string): boolean {
  return key !== '' && longer.startsWith(key) && /^[^\p{L}\p{M}\p{N}_]/u.test(longer.slice(key.length, key.length + 2));
}

/**
 * Prepares a model's text for a list. Removes its own list markers, and makes headings and open blocks harmless ({@link
 * containContent}). Does not indent lines after the first; {@link formatItemAsBullet} does. Idempotent.
 */
export function itemTextWithoutMarker(text: string): string {
  const item = text.trim().replace(MARKERS, '');
  return makeContentSafe(formatItemAsBullet(item)).slice(2).replaceAll('\n  ', '\n');
}

// The number of a list item has at most three digits here, because four digits and a full stop may be a year.
const MARKERS = /^(?:(?:[-*+•‣◦]|\d{1,3}[.)])[ \t]+)+/u;
