import { statementTerms } from '../language/words/terms.js';
import { toSimplified } from '../language/words/traditional.js';
import type { Replacement } from './replacement.js';

/** What a statement says of one attribute: `the weekly sync is on` + `Tuesday at 10`. */
export interface StateStatement {
  readonly attribute: string;
  readonly value: ReadonlySet<string>;
}

/**
 * Attributes that have one value at a time. With a bare verb the entity is the subject (`lives in Vienna`); a form of
 * *be* needs a subject of its own, or a sentence about anything would contradict one about anything else.
 */
const STATES: readonly RegExp[] = [
  // `works on` several things at a time.
  /^(lives|works|is based|is located|is employed|studies|sleeps|sits)\s+(?:in|at|for|from|on(?<!works\s+on))\s+(.+)$/i,
  /^(costs|weighs|is called|is married to|is engaged to|reports to)\s+(.+)$/i,
  /^((?:the|its|his|her|their|my|our)\s+.{2,60}?\s(?:is|are)(?:\s(?:at|on|in|by|called|named|set to))?)\s+(.+)$/i,
  /^(住在|在)\s*(.+?)(?:工作|上班|生活)?$/,
];

/** Compares two statements about the same entity: the same attribute with another value, or unsure. Pure. */
export function compareState(
  earlier: StateStatement | undefined,
  later: StateStatement | undefined,
): 'other value' | 'unsure' {
  if (earlier === undefined || later === undefined || earlier.attribute !== later.attribute) return 'unsure';
  // A value that only says more or less than the other does not contradict it.
  const shared = [...earlier.value].filter((term) => later.value.has(term)).length;
  return shared === 0 && earlier.value.size > 0 && later.value.size > 0 ? 'other value' : 'unsure';
}

/** Whether a statement is of a value that a later one says it replaces: `lives in Vienna`, `moved from Vienna`. Pure. */
export function isOldValue(state: StateStatement | undefined, { old }: Replacement): boolean {
  return state !== undefined && state.value.size > 0 && [...state.value].every((term) => old.has(term));
}

/** Reads what a statement says of an attribute that has one value at a time, or undefined. Pure. */
export function readState(text: string): StateStatement | undefined {
  const statement = toSimplified(text)
    .replace(/^(?:@\S+[\s,:：]*)+/u, '')
    .replace(/^(?:now|currently|still)\s+/i, '');
  for (const pattern of STATES) {
    const [, attribute, rest] = pattern.exec(statement) ?? [];
    if (attribute === undefined || rest === undefined) continue;
    const value = new Set(statementTerms(rest.split(/[,;.(，；。（]/, 1)[0] ?? ''));
    return { attribute: attribute.toLowerCase().replace(/\s+/g, ' '), value };
  }
  return undefined;
}
