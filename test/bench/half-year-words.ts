import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** One value of an attribute: as in a careful note, then in other words. */
export type Wordings = readonly [plain: string, varied: string, ...more: string[]];

/** The possible values of one attribute. */
export type Topic = readonly [entity: string, kind: 'O' | 'W', first: Wordings, second: Wordings, ...more: Wordings[]];

/** How people write down a state of somebody. */
export interface PageWordings {
  readonly attributes: readonly Readonly<Record<'states' | 'changes' | 'values', readonly [string, ...string[]]>>[];
  readonly stays: readonly string[];
  readonly passing: readonly string[];
  readonly plans: readonly string[];
  readonly events: readonly string[];
  readonly lasting: readonly string[];
  readonly mentions: readonly string[];
  readonly compounds: readonly { readonly text: string; readonly parts: readonly [string, string, string] }[];
}

interface HalfYearWords {
  /** Sets by name, each with the wordings of its languages. */
  readonly wordings: Readonly<Record<string, readonly PageWordings[]>>;
  readonly topics: readonly Topic[];
  readonly others: readonly [string, ...string[]];
  readonly remarks: readonly [string, ...string[]];
}

/** The words of the half-years; the file explains them. */
export const WORDS: HalfYearWords = parse(readFileSync(new URL('half-year.yaml', import.meta.url), 'utf8'));
