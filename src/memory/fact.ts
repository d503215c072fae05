import { hash } from 'node:crypto';
import type { Day } from '../base/clock.js';
import type { FactKind } from '../markdown/bullet.js';
import { ORIGIN_PATTERN } from '../markdown/bullet.js';
import { entitySlug } from '../text/slug.js';

/** Default confidence of an opinion. */
export const DEFAULT_CONFIDENCE = 0.7;

/** A typed fact as a file states it. */
interface Fact {
  readonly kind: FactKind;
  /** The names of the entities, as written, without duplicates. */
  readonly entities: readonly string[];
  /** The statement, without its kind, leading entities and block id. */
  readonly text: string;
  /** Day of the log that states the fact. Null on undated pages. */
  readonly day: Day | null;
}

/**
 * Normalises a text for comparing facts: NFKC, case-folded, white space collapsed, without a block id and a final `.`
 * or `。`. Ids depend on it, so it must never change.
 */
export function normaliseText(text: string): string {
  return (ASCII.test(text) ? text.toLowerCase() : foldCase(text.normalize('NFKC')))
    .replace(WIDE_SPACE, ' ')
    .trim()
    .replace(/(?:^| )\^[fo]-[0-9a-z]{13}$/, '')
    .replace(ORIGIN_PATTERN, '')
    .replace(/ ?[.。]$/, '');
}

const ASCII = /^[\u0000-\u007f]*$/;
/** White space other than a single blank, such as a tab or two blanks. */
const WIDE_SPACE = /[^\S ]\s*| \s+/g;

/**
 * Lower-cases a text after turning it into upper case, which maps characters with several lower-case forms (ß and ss, σ and
 * ς) to one form.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/** Id of a fact: `f-` and 13 base-32 characters of a hash of kind, sorted entity slugs, normalised text and day. */
export function factId(fact: Fact): string {
  const slugs = [...new Set(fact.entities.map(entitySlug))].sort();
  return `f-${hash13([fact.kind, slugs, normaliseText(fact.text), fact.day])}`;
}

/**
 * Id of an opinion: `o-` and a hash of entities and text. It has no day: a belief stays the same however often it is
 * stated.
 */
export function opinionId({ entities, text }: Pick<Fact, 'entities' | 'text'>): string {
  const slugs = [...new Set(entities.map(entitySlug))].sort();
  return `o-${hash13(['O', slugs, normaliseText(text)])}`;
}

/**
 * Id of a line of log text: `l-` and a hash of path and text.
 * @param occurrence number of earlier lines of the file with the same text
 */
export function logLineId(path: string, text: string, occurrence: number): string {
  return `l-${hash13([path, text, occurrence])}`;
}

/** Hash of the text of a log line. It finds the line again if its page was renamed. */
export function textHash(text: string): string {
  return hash13(text);
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** First 65 bits of the SHA-256 of a value's JSON, in lower-case Crockford base 32. */
function hash13(value: unknown): string {
  const hex = hash('sha256', JSON.stringify(value), 'hex');
  let text = '';
  // Five hexadecimal digits (20 bits) are four base-32 digits: 65 bits are three groups of 20 bits and one of 5.
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

/** Citation at the end of a curated line. The first group is the cited place: `memory/2025-11-27.md#L14`. */
export const CITATION_AT_END = /\s*\(\[([^\]#]*#[^\]]*)\]\([^()]*\)(?:[,;]?\s*\[[^\]]*\]\([^()]*\))*\)\s*$/;

const MARK = /(?:^|\s)#important\b|\s*\(important\)|^important[:：]\s*|[⭐❗]|\s*!!\s*$|^重要[:：]\s*|（重要）/giu;

/** Whether the statement has a mark of importance: `#important`, `(important)`, `⭐`. */
export function isMarkedImportant(text: string): boolean {
  return text.search(MARK) >= 0;
}

/** The statement without the mark of importance, which is meant for the program only. */
export function withoutImportanceMark(text: string): string {
  const bare = text.replace(MARK, '').trim();
  return bare === '' ? text : bare;
}
