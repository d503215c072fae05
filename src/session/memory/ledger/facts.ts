import { isReplaced, readReplacement, replacementTerms } from '../../../memory/supersession/ended-value.js';
import { itemKey } from '../../../wm/items.js';
import { type Attribute, isSameAttribute, isSameValue, mayBeSameAttribute } from './attributes.js';
import type { Entry } from './ledger.js';
import { shorten } from './sentences.js';

/** Facts after some new ones, oldest first, and why others are gone, by their text. */
export interface Settled {
  readonly facts: readonly Entry[];
  readonly gone: ReadonlyMap<string, string>;
}

/**
 * Takes new facts in, in the order they were said: a later value of the same attribute takes the place of the earlier,
 * what is said again is as new as it was said last. Pure.
 */
export function settleFacts(before: readonly Entry[], added: readonly Entry[]): Settled {
  let facts = [...before];
  const gone = new Map<string, string>();
  for (const given of added) {
    const fact = resolved(given, facts);
    const key = itemKey(fact.text);
    const replaced = new Set(replacedBy(fact, facts));
    for (const old of replaced) if (itemKey(old.text) !== key) gone.set(old.text, reason(old, fact));
    facts = [...facts.filter((old) => !replaced.has(old) && itemKey(old.text) !== key), fact];
  }
  const kept = new Set(facts.map(({ text }) => text));
  return { facts, gone: new Map([...gone].filter(([text]) => !kept.has(text))) };
}

function reason(old: Entry, fact: Entry): string {
  const same =
    old.attribute !== undefined && fact.attribute !== undefined && isSameValue(old.attribute, fact.attribute);
  return `${same ? 'said again' : 'replaced'}: "${fact.text}"`;
}

/** "It is 7001 now": what it points back to is the attribute that was named last, or the one with the old value. */
function resolved(fact: Entry, facts: readonly Entry[]): Entry {
  const { attribute } = fact;
  if (attribute === undefined || attribute.subject.length > 0) return fact;
  const named = facts.findLast(
    (each) => each.attribute !== undefined && pointsTo(attribute, each.attribute),
  )?.attribute;
  if (named === undefined) {
    const { attribute: _, ...plain } = fact;
    return plain;
  }
  if (attribute.old !== undefined) return { ...fact, attribute: { ...named, value: attribute.value } };
  const text = shorten(`${named.name}: ${attribute.value} ("${fact.text}")`);
  return { ...fact, text, attribute: { ...named, value: attribute.value } };
}

function pointsTo({ old }: Attribute, each: Attribute): boolean {
  return old === undefined || each.value.toLowerCase() === old.toLowerCase();
}

function replacedBy(fact: Entry, facts: readonly Entry[]): readonly Entry[] {
  const { attribute } = fact;
  if (attribute !== undefined) {
    const same = facts.filter((old) => old.attribute !== undefined && isSameAttribute(old.attribute, attribute));
    if (same.length > 0) return same;
    const near = facts.filter((old) => old.attribute !== undefined && mayBeSameAttribute(old.attribute, attribute));
    const byOld = near.filter((old) => old.attribute?.value.toLowerCase() === attribute.old?.toLowerCase());
    if (byOld.length > 0) return byOld;
    if (near.length === 1) return near;
  }
  const replacement = readReplacement(fact.text);
  if (replacement === undefined) return [];
  return facts.filter((old) => isReplaced(new Set(replacementTerms(old.text)), replacement));
}
