import { findMatchEnd, replaceRanges, type TextRange } from './ranges.js';
import { stripInjected } from './strip.js';

const LABELS = /(?:conversation info|conversation metadata|会话信息|对话信息|sender)/gi;
const FENCE = '```';
/**
 * How far before a label we search for the start of the line, in UTF-16 units. This limit keeps the time linear. The
 * patterns below have about the same limit for the white space and the text in parentheses after a label.
 */
const LONGEST_GAP = 300;

/**
 * Keys that are typical of the metadata that a chat gateway puts before a message. A block of JSON counts as metadata
 * if it has at least three of these keys, and otherwise only keys of {@link BESIDE}.
 */
const TELLING = new Set(
  'session sessionid sessionkey conversationid channel sender userid agentid timestamp timezone'.split(' '),
);
/** Other keys that metadata may contain. With any further key, the block is the user's own JSON. */
const BESIDE = new Set(
  `messageid senderid chatid channelid threadid groupid accountid provider surface platform label conversationlabel
   groupsubject name username displayname id type kind locale e164`.split(/\s+/),
);

/** Removes the blocks of metadata that chat gateways put around a message. The user's own JSON stays. Takes linear time. */
export function dropGatewayMetadata(text: string): string {
  if (!text.includes(FENCE)) return text;
  return dropGatewayJson(dropLabelled(text));
}

// Removes blocks of code that follow a label: `Conversation info (untrusted metadata): ```json … ``` ` at the start of a
// line, `Sender (…): ``` … ``` ` anywhere.
function dropLabelled(text: string): string {
  const ranges: TextRange[] = [];
  let from = 0;
  for (const { index, 0: label } of text.matchAll(LABELS)) {
    if (index < from) continue;
    const isSender = label.toLowerCase() === 'sender';
    if (!isSender && !startsLine(text, index, from)) continue;
    const open = findMatchEnd(isSender ? FENCE_BEHIND_SENDER : FENCE_BEHIND_LABEL, text, index + label.length);
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

/** Maximum length of a query, in UTF-16 units. */
export const MAX_QUERY_CHARACTERS = 4000;

/**
 * Turns a user's message into a search query. Removes injected blocks, metadata, a time stamp at the start and
 * placeholders of tools. Replaces each run of white space by one space, and cuts the text to {@link MAX_QUERY_CHARACTERS}
 * units. Takes linear time. Source of the rules: query preparation in the project's first specification.
 * @returns the query; the lengths of the text before and after the cut, in UTF-16 units
 */
export function prepareQuery(text: string) {
  const clean = readUserMessage(text).replaceAll('\0', '').replace(/\s+/g, ' ').trim();
  // Never cut between the two halves of a character above U+FFFF.
  const cut = /[\ud800-\udbff]/.test(clean[MAX_QUERY_CHARACTERS - 1] ?? '')
    ? MAX_QUERY_CHARACTERS - 1
    : MAX_QUERY_CHARACTERS;
  const truncated = clean.length > MAX_QUERY_CHARACTERS;
  const query = truncated ? clean.slice(0, cut).trimEnd() : clean;
  return { query, truncated, originalChars: clean.length, finalChars: query.length };
}

/**
 * The part of a message that the user wrote. Removes the same text as {@link prepareQuery}, but keeps line breaks and
 * white space, and does not cut long messages.
 */
export function readUserMessage(text: string): string {
  const own = stripInjected(text).trim();
  if (TOOL_PLACEHOLDER.test(own)) return '';
  const summary = compactorSummary(own);
  if (summary !== undefined) return summary;
  // Removing metadata may have joined the two halves of a tag. So strip again.
  const bare = dropGatewayMetadata(own).trimStart().replace(TIMESTAMP, '');
  return stripInjected(bare.replace(/^\[Subagent Context\]\s*/i, ''));
}

// `[tool: exec]`, `[toolUse: write_file]`: text that stands for a tool call.
const TOOL_PLACEHOLDER = /^\[tool(?:use)?:[^\]]+\]$/i;

// The summary in a message `System: [2026-04-10] Compacted <summary>`, which must be on one line.
function compactorSummary(text: string): string | undefined {
  const head = /^System:\s*\[[^\n]*?\]\s*Compacted/i.exec(text);
  const summary = head ? text.slice(head[0].length).trim() : '';
  return summary === '' || summary.includes('\n') ? undefined : summary;
}

const DATE = String.raw`(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4})`;
const TIME = String.raw`[T ]\s?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d{1,2}:?\d{0,2}))?`;
const ZONE = String.raw` [A-Za-z]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?`;
const TIMESTAMP = new RegExp(String.raw`^\[(?:[A-Za-z]{3,9},? )?${DATE}(?:${TIME})?(?:${ZONE})?\]\s*`);
