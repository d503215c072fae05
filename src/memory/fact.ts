import { createHash } from 'node:crypto';
import type { Day } from '../base/clock.js';
import type { BulletKind } from '../markdown/bullet.js';
import { entitySlug } from '../text/slug.js';

export type FactKind = BulletKind;
export type FactKindName = 'world' | 'experience' | 'opinion' | 'observation';

/** The confidence of an opinion that states none. */
export const DEFAULT_CONFIDENCE = 0.7;

/** A typed fact as a file states it. */
export interface Fact {
  /** `f-…`; the explicit block id when there is one. */
  readonly id: string;
  readonly kind: FactKind;
  /** 0..1 for opinions, null for the others. */
  readonly confidence: number | null;
  /** Written names, each once. */
  readonly entities: readonly string[];
  /** Without kind, leading entities and block id. */
  readonly text: string;
  /** The day of the log it stands in; null on undated pages. */
  readonly day: Day | null;
}

const NAMES: Readonly<Record<FactKind, FactKindName>> = {
  W: 'world',
  B: 'experience',
  O: 'opinion',
  S: 'observation',
};

export function kindName(kind: FactKind): FactKindName {
  return NAMES[kind];
}

/**
 * What two texts must share to be the same fact: NFKC, case-folded, white space collapsed, without a block id and a
 * final `.` or `。` (design section 3).
 */
export function normaliseText(text: string): string {
  return foldCase(text.normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?:^| )\^[fo]-[0-9a-z]{13}$/, '')
    .replace(/ ?[.。]$/, '');
}

/** Upper-casing first maps what has several lower-case forms (ß and ss, σ and ς) onto one. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().normalize('NFKC');
}

/** The id of a fact: `f-` and 13 base-32 characters of a hash of kind, sorted entity slugs, normalised text and day. */
export function factId(fact: Pick<Fact, 'kind' | 'entities' | 'text' | 'day'>): string {
  const slugs = [...new Set(fact.entities.map(entitySlug))].sort();
  return `f-${hash13([fact.kind, slugs, normaliseText(fact.text), fact.day])}`;
}

/**
 * The id of a line of log text: `l-` and a hash of path and text.
 * @param occurrence how often the same text stands earlier in the same file
 */
export function logLineId(path: string, text: string, occurrence: number): string {
  return `l-${hash13([path, text, occurrence])}`;
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 13;

/** The first 65 bits of the SHA-256 of a value's JSON, in Crockford's base 32, lower-case. */
function hash13(value: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(value)).digest();
  let bits = digest.readBigUInt64BE(0) * 2n + BigInt((digest[8] ?? 0) >> 7);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = (DIGITS[Number(bits & 31n)] ?? '') + text;
    bits >>= 5n;
  }
  return text;
}
