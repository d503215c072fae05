import { dropMetadata } from './metadata.js';
import { stripInjected } from './strip.js';

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
export function cleanMessage(text: string): string {
  return collapse(ownLines(text));
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

function collapse(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
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
