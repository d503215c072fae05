import { hash } from 'node:crypto';
import type { Day } from '../base/clock.js';
import { ORIGIN } from '../markdown/bullet.js';
import type { FactKind } from '../markdown/fact-kinds.js';
import { entitySlug } from '../text/slug.js';

/** The confidence of an opinion that states none. */
export const DEFAULT_CONFIDENCE = 0.7;

/** A typed fact as a file states it. */
export interface Fact {
  readonly kind: FactKind;
  /** Written names, each once. */
  readonly entities: readonly string[];
  /** Without kind, leading entities and block id. */
  readonly text: string;
  /** The day of the log it stands in; null on undated pages. */
  readonly day: Day | null;
}

/**
 * What two texts must share to be the same fact: NFKC, case-folded, white space collapsed, without a block id and a
 * final `.` or `。`. Ids are made of it, so it never changes.
 */
export function normaliseText(text: string): string {
  return (ASCII.test(text) ? text.toLowerCase() : foldCase(text.normalize('NFKC')))
    .replace(WIDE_SPACE, ' ')
    .trim()
    .replace(/(?:^| )\^[fo]-[0-9a-z]{13}$/, '')
    .replace(ORIGIN, '')
    .replace(/ ?[.。]$/, '');
}

const ASCII = /^[\u0000-\u007f]*$/;
/** White space that is more than one blank. */
const WIDE_SPACE = /[^\S ]\s*| \s+/g;

/** By way of upper case, which maps what has several lower-case forms (ß and ss, σ and ς) onto one. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/** The id of a fact: `f-` and 13 base-32 characters of a hash of kind, sorted entity slugs, normalised text and day. */
export function factId(fact: Fact): string {
  const slugs = [...new Set(fact.entities.map(entitySlug))].sort();
  return `f-${hash13([fact.kind, slugs, normaliseText(fact.text), fact.day])}`;
}

/** The id of an opinion: `o-` and a hash of entities and text. Without a day: it is one belief, however often it is stated. */
export function opinionId({ entities, text }: Pick<Fact, 'entities' | 'text'>): string {
  const slugs = [...new Set(entities.map(entitySlug))].sort();
  return `o-${hash13(['O', slugs, normaliseText(text)])}`;
}

/**
 * The id of a line of log text: `l-` and a hash of path and text.
 * @param occurrence how often the same text stands earlier in the same file
 */
export function logLineId(path: string, text: string, occurrence: number): string {
  return `l-${hash13([path, text, occurrence])}`;
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** The first 65 bits of the SHA-256 of a value's JSON, in Crockford's base 32, lower-case. */
function hash13(value: unknown): string {
  const hex = hash('sha256', JSON.stringify(value), 'hex');
  let text = '';
  // Five hexadecimal digits are four of base 32, so the 65 bits are 13 of these in three twenties and a five.
  for (const [from, digits] of GROUPS) {
    const bits = Number.parseInt(hex.slice(from, from + 5), 16);
    for (let digit = 0; digit < digits; digit++) text += DIGITS[(bits >> (15 - 5 * digit)) & 31] ?? '';
  }
  return text;
}

const GROUPS = [
  [0, 4],
  [5, 4],
  [10, 4],
  [15, 1],
] as const;

/** What a line that somebody curated cites at its end; the first group is the place. */
export const CITED_AT_END = /\s*\(\[([^\]#]*#[^\]]*)\]\([^()]*\)(?:[,;]?\s*\[[^\]]*\]\([^()]*\))*\)\s*$/;

const MARK = /(?:^|\s)#important\b|\s*\(important\)|^important[:：]\s*|[⭐❗]|\s*!!\s*$|^重要[:：]\s*|（重要）/giu;

/** Whether somebody has marked a statement as important. */
export function isMarkedImportant(text: string): boolean {
  return text.search(MARK) >= 0;
}

/** A statement without that mark: it was meant for us. */
export function withoutMark(text: string): string {
  const bare = text.replace(MARK, '').trim();
  return bare === '' ? text : bare;
}
