import { replaceRanges, type TextRange } from './ranges.js';
import { matchEnd } from './sticky.js';
import { stripInjected } from './strip.js';

const LABELS = /(?:conversation info|conversation metadata|会话信息|对话信息|sender)/gi;
const FENCE = '```';
/** Longest label in parentheses, and longest run of white space around it, in UTF-16 units. */
const LONGEST_GAP = 300;

/** Keys of the metadata block that a chat gateway puts before a message. Three of them make a block metadata. */
const TELLING = new Set(
  'session sessionid sessionkey conversationid channel sender userid agentid timestamp timezone'.split(' '),
);
/** Keys that may stand beside them. Any other key makes the block the user's own JSON. */
const BESIDE = new Set(
  `messageid senderid chatid channelid threadid groupid accountid provider surface platform label conversationlabel
   groupsubject name username displayname id type kind locale e164`.split(/\s+/),
);

/** Removes the metadata blocks that chat gateways put around a message. The user's own JSON stays. Linear. */
export function dropMetadata(text: string): string {
  if (!text.includes(FENCE)) return text;
  return dropGatewayJson(dropLabelled(text));
}

// `Conversation info (untrusted metadata): ```json … ``` ` at the start of a line, `Sender (…): ``` … ``` ` anywhere.
function dropLabelled(text: string): string {
  const ranges: TextRange[] = [];
  let from = 0;
  for (const { index, 0: label } of text.matchAll(LABELS)) {
    if (index < from) continue;
    const isSender = label.toLowerCase() === 'sender';
    if (!isSender && !startsLine(text, index, from)) continue;
    const open = matchEnd(isSender ? FENCE_BEHIND_SENDER : FENCE_BEHIND_LABEL, text, index + label.length);
    if (open < 0) continue;
    const close = text.indexOf(FENCE, open);
    if (close < 0) break;
    from = close + FENCE.length;
    ranges.push({ start: index, end: from, by: ' ' });
  }
  return replaceRanges(text, ranges);
}

function startsLine(text: string, at: number, from: number): boolean {
  const before = text.slice(Math.max(from, at - LONGEST_GAP), at);
  return before.slice(before.lastIndexOf('\n') + 1).trim() === '';
}

const FENCE_BEHIND_LABEL = /\s{0,300}(?:\([^)]{0,298}\)\s{0,300})?:\s{0,300}```/y;
const FENCE_BEHIND_SENDER = /\s{0,300}\([^)]{0,298}\)\s{0,300}:\s{0,300}```/y;

function dropGatewayJson(text: string): string {
  const ranges: TextRange[] = [];
  for (let at = text.indexOf('```json'); at >= 0; ) {
    const close = text.indexOf(FENCE, at + FENCE.length);
    if (close < 0) break;
    const end = close + FENCE.length;
    if (isGatewayJson(text.slice(at, close))) ranges.push({ start: at, end, by: ' ' });
    at = text.indexOf('```json', end);
  }
  return replaceRanges(text, ranges);
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

/**
 * Prepares the search query for a user's message: its text without injected blocks, metadata blocks, a leading timestamp and
 * tool placeholders, white space collapsed, cut to the first {@link LONGEST_QUERY} units. Source of the rules: the seed's
 * query preparation. Linear.
 * @returns with lengths in UTF-16 units: of the cleaned text before the cut, and of `query`
 */
export function prepareQuery(text: string) {
  const clean = linesOfSender(text).replaceAll('\0', '').replace(/\s+/g, ' ').trim();
  // Do not cut a surrogate pair.
  const cut = /[\ud800-\udbff]/.test(clean[LONGEST_QUERY - 1] ?? '') ? LONGEST_QUERY - 1 : LONGEST_QUERY;
  const truncated = clean.length > LONGEST_QUERY;
  const query = truncated ? clean.slice(0, cut).trimEnd() : clean;
  return { query, truncated, originalChars: clean.length, finalChars: query.length };
}

/** A message as its sender wrote it: {@link prepareQuery} without the cut, with its line breaks and white space. */
export function linesOfSender(text: string): string {
  const own = stripInjected(text).trim();
  if (TOOL_PLACEHOLDER.test(own)) return '';
  const summary = compactorSummary(own);
  if (summary !== undefined) return summary;
  // The removed metadata may have split a tag; strip again.
  const bare = dropMetadata(own).trimStart().replace(TIMESTAMP, '');
  return stripInjected(bare.replace(/^\[Subagent Context\]\s*/i, ''));
}

// `[tool: exec]`, `[toolUse: write_file]`: a placeholder for a call.
const TOOL_PLACEHOLDER = /^\[tool(?:use)?:[^\]]+\]$/i;

// `System: [2026-04-10] Compacted <summary>`, all on one line.
function compactorSummary(text: string): string | undefined {
  const head = /^System:\s*\[[^\n]*?\]\s*Compacted/i.exec(text);
  const summary = head ? text.slice(head[0].length).trim() : '';
  return summary === '' || summary.includes('\n') ? undefined : summary;
}

const DATE = String.raw`(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4})`;
const TIME = String.raw`[T ]\s?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d{1,2}:?\d{0,2}))?`;
const ZONE = String.raw` [A-Za-z]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?`;
const TIMESTAMP = new RegExp(String.raw`^\[(?:[A-Za-z]{3,9},? )?${DATE}(?:${TIME})?(?:${ZONE})?\]\s*`);
