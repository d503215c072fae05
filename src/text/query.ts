import { stripInjected } from './strip.js';

const LABELS = /(?:conversation info|conversation metadata|会话信息|对话信息|sender)/gi;
const FENCE = '```';
/** Longest label in parentheses, and longest run of white space around it, in UTF-16 units. */
const LONGEST_GAP = 300;

/** Keys of the block that a chat gateway puts before a message. Three of them make a block metadata. */
const TELLING = new Set(
  'session sessionid sessionkey conversationid channel sender userid agentid timestamp timezone'.split(' '),
);
/** Keys that may stand beside them. Any other one makes the block the user's own JSON. */
const BESIDE = new Set(
  `messageid senderid chatid channelid threadid groupid accountid provider surface platform label conversationlabel
   groupsubject name username displayname id type kind locale e164`.split(/\s+/),
);

/** Removes the metadata blocks that chat gateways put around a message. JSON of the user's own stays. Linear. */
export function dropMetadata(text: string): string {
  if (!text.includes(FENCE)) return text;
  return dropGatewayJson(dropLabelled(text));
}

// `Conversation info (untrusted metadata): ```json … ``` ` at the start of a line, `Sender (…): ``` … ``` ` anywhere.
function dropLabelled(text: string): string {
  let kept = '';
  let from = 0;
  for (const match of text.matchAll(LABELS)) {
    if (match.index < from) continue;
    const sender = match[0].toLowerCase() === 'sender';
    if (!sender && !startsLine(text, match.index, from)) continue;
    const open = fenceBehindLabel(text, match.index + match[0].length, sender);
    if (open === undefined) continue;
    const close = text.indexOf(FENCE, open);
    if (close < 0) break;
    kept += `${text.slice(from, match.index)} `;
    from = close + FENCE.length;
  }
  return kept + text.slice(from);
}

function startsLine(text: string, at: number, from: number): boolean {
  for (let i = at - 1; i >= from && at - i < LONGEST_GAP; i--) {
    if (text[i] === '\n') return true;
    if (!/\s/.test(text[i] ?? '')) return false;
  }
  return true;
}

// The index behind the opening fence, if a label that ends at `from` is followed by one.
function fenceBehindLabel(text: string, from: number, parenthesesNeeded: boolean): number | undefined {
  let at = skipSpace(text, from);
  const labelled = text[at] === '(';
  if (labelled) {
    const close = text.slice(at, at + LONGEST_GAP).indexOf(')');
    if (close < 0) return undefined;
    at = skipSpace(text, at + close + 1);
  }
  if ((parenthesesNeeded && !labelled) || text[at] !== ':') return undefined;
  at = skipSpace(text, at + 1);
  return text.startsWith(FENCE, at) ? at + FENCE.length : undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < from + LONGEST_GAP && /^\s$/.test(text[at] ?? '')) at++;
  return at;
}

function dropGatewayJson(text: string): string {
  let kept = '';
  let from = 0;
  let at = text.indexOf('```json');
  while (at >= 0) {
    const close = text.indexOf(FENCE, at + FENCE.length);
    if (close < 0) break;
    const end = close + FENCE.length;
    if (isGatewayJson(text.slice(at, close))) {
      kept += `${text.slice(from, at)} `;
      from = end;
    }
    at = text.indexOf('```json', end);
  }
  return kept + text.slice(from);
}

function isGatewayJson(json: string): boolean {
  const keys = new Set(
    [...json.matchAll(/"([\w-]{1,40})"\s{0,20}:/g)].map((m) => (m[1] ?? '').replace(/[_-]/g, '').toLowerCase()),
  );
  const telling = [...keys].filter((key) => TELLING.has(key));
  return telling.length >= 3 && [...keys].every((key) => TELLING.has(key) || BESIDE.has(key));
}

/** The longest query, in UTF-16 units. */
export const LONGEST_QUERY = 4000;

export interface PreparedQuery {
  readonly query: string;
  readonly truncated: boolean;
  /** Lengths in UTF-16 units: of the cleaned text before the cut, and of `query`. */
  readonly originalChars: number;
  readonly finalChars: number;
}

/**
 * What to search for on behalf of a user's message: its text without injected blocks, metadata blocks, a leading
 * timestamp and tool placeholders, white space collapsed, cut to {@link LONGEST_QUERY} from its head.
 * Source of the rules: the seed's query preparation. Linear.
 */
export function prepareQuery(text: string): PreparedQuery {
  const clean = cleanMessage(text);
  // Half of a surrogate pair is no character.
  const cut = /[\ud800-\udbff]/.test(clean[LONGEST_QUERY - 1] ?? '') ? LONGEST_QUERY - 1 : LONGEST_QUERY;
  const truncated = clean.length > LONGEST_QUERY;
  const query = truncated ? clean.slice(0, cut).trimEnd() : clean;
  return { query, truncated, originalChars: clean.length, finalChars: query.length };
}

/** A message as it was meant by its sender: {@link prepareQuery} without the cut. */
function cleanMessage(text: string): string {
  return ownLines(text).replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

/** {@link cleanMessage} with its line breaks and white space. */
export function ownLines(text: string): string {
  const own = stripInjected(text).trim();
  if (isToolPlaceholder(own)) return '';
  const summary = compactorSummary(own);
  if (summary !== undefined) return summary;
  // What is removed may have stood in the middle of a tag.
  return stripInjected(dropPrefixes(dropMetadata(own)));
}

// `[tool: exec]`, `[toolUse: write_file]`: stands for a call, says nothing.
function isToolPlaceholder(text: string): boolean {
  return /^\[tool(?:use)?:/i.test(text) && text.indexOf(']') === text.length - 1 && /:[^\]]/.test(text);
}

// `System: [2026-04-10] Compacted <summary>`, all of it on one line behind the word.
function compactorSummary(text: string): string | undefined {
  const head = /^System:\s*\[[^\n]*?\]\s*Compacted/i.exec(text);
  const summary = head ? text.slice(head[0].length).trim() : '';
  return summary === '' || summary.includes('\n') ? undefined : summary;
}

const DATE = String.raw`(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4})`;
const TIME = String.raw`[T ]\s?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d{1,2}:?\d{0,2}))?`;
const ZONE = String.raw` [A-Za-z]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?`;
const TIMESTAMP = new RegExp(String.raw`^\[(?:[A-Za-z]{3,9},? )?${DATE}(?:${TIME})?(?:${ZONE})?\]\s*`);

function dropPrefixes(text: string): string {
  const start = text.trimStart();
  return start.replace(TIMESTAMP, '').replace(/^\[Subagent Context\]\s*/i, '');
}
