import { isReplaced, readReplacement, replacementTerms } from '../../../memory/supersession/ended-value.js';
import { itemKey } from '../../../wm/items.js';
import { type Attribute, isSameAttribute, isSameValue, mayBeSameAttribute } from './attributes.js';
import type { Entry } from './ledger.js';
import { shorten } from './sentences.js';
import { otherValue, readTopic, type Topic } from './topic.js';

/** Facts after some new ones, oldest first, and why others are gone, by their text; not those for which there is no room. */
export interface Settled {
  readonly facts: readonly Entry[];
  readonly gone: ReadonlyMap<string, string>;
}

/** Most facts that are held against a new one: several times what the section has room for. */
const MOST_HELD = 600;

/** A fact with what is compared of it. */
class Held {
  readonly key: string;
  #terms: ReadonlySet<string> | undefined;
  #topic: Topic | undefined;

  constructor(readonly entry: Entry) {
    this.key = itemKey(entry.text);
  }

  get topic(): Topic {
    this.#topic ??= readTopic(this.entry.text);
    return this.#topic;
  }

  get terms(): ReadonlySet<string> {
    this.#terms ??= new Set(replacementTerms(this.entry.text));
    return this.#terms;
  }
}

/**
 * Takes new facts in, in the order they were said: a later value of the same attribute takes the place of the earlier,
 * what is said again is as new as it was said last. Of very many the oldest go. Pure.
 */
export function settleFacts(before: readonly Entry[], added: readonly Entry[]): Settled {
  let facts = before.map((entry) => new Held(entry));
  const gone = new Map<string, string>();
  for (const given of added) {
    const { onlyCorrects, ...said } = given;
    const fact = resolved(new Held(said), facts);
    const replaced = onlyCorrects ? ofSameTopic(fact, facts) : replacedBy(fact, facts);
    if (onlyCorrects && replaced.length === 0) continue;
    for (const old of replaced) if (old.key !== fact.key) gone.set(old.entry.text, reason(old.entry, fact.entry));
    facts = facts.filter((old) => old.key !== fact.key && !replaced.includes(old));
    facts.push(fact);
    if (facts.length > MOST_HELD) facts.splice(0, MOST_HELD / 4);
  }
  const kept = new Set(facts.map(({ entry }) => entry.text));
  return {
    facts: facts.map(({ entry }) => entry),
    gone: new Map([...gone].filter(([text]) => !kept.has(text))),
  };
}

function reason(old: Entry, fact: Entry): string {
  const same =
    old.attribute !== undefined && fact.attribute !== undefined && isSameValue(old.attribute, fact.attribute);
  return `${same ? 'said again' : 'replaced'}: "${fact.text}"`;
}

/** "It is 7001 now": what it points back to is the attribute that was named last, or the one with the old value. */
function resolved(fact: Held, facts: readonly Held[]): Held {
  const { attribute, ...plain } = fact.entry;
  if (attribute === undefined || attribute.subject.length > 0) return fact;
  const { about } = fact.topic;
  // "The box was swapped, it is nas-2" points to the box, or to nothing but itself.
  const named = facts.findLast(({ entry }) =>
    entry.attribute === undefined
      ? false
      : about.size === 0
        ? pointsTo(attribute, entry.attribute)
        : entry.attribute.subject.length > 0 && entry.attribute.subject.every((word) => about.has(word)),
  )?.entry.attribute;
  if (named === undefined) return new Held(plain);
  const settled = { ...named, value: attribute.value };
  if (attribute.old !== undefined || about.size > 0) return new Held({ ...plain, attribute: settled });
  const text = shorten(`${named.name}: ${attribute.value} ("${plain.text}")`);
  return new Held({ ...plain, text, attribute: settled });
}

function pointsTo({ old }: Attribute, each: Attribute): boolean {
  return old === undefined || each.value.toLowerCase() === old.toLowerCase();
}

function replacedBy(fact: Held, facts: readonly Held[]): readonly Held[] {
  const byAttribute = ofSameAttribute(fact.entry.attribute, facts);
  if (byAttribute.length > 0) return byAttribute;
  const replacement = readReplacement(fact.entry.text);
  const ended = replacement === undefined ? [] : facts.filter(({ terms }) => isReplaced(terms, replacement));
  return ended.length > 0 ? ended : ofSameTopic(fact, facts);
}

/** Facts about the same with another value; those that say more or less of what it is about only when there is one. */
function ofSameTopic({ topic }: Held, facts: readonly Held[]): readonly Held[] {
  const near: Held[] = [];
  const same: Held[] = [];
  for (const old of facts) {
    const effect = otherValue(old.topic, topic);
    if (effect === 'same') same.push(old);
    else if (effect === 'near') near.push(old);
  }
  return same.length > 0 || near.length !== 1 ? same : near;
}

function ofSameAttribute(attribute: Attribute | undefined, facts: readonly Held[]): readonly Held[] {
  if (attribute === undefined) return [];
  const same = facts.filter(
    ({ entry }) => entry.attribute !== undefined && isSameAttribute(entry.attribute, attribute),
  );
  if (same.length > 0) return same;
  const near = facts.filter(
    ({ entry }) => entry.attribute !== undefined && mayBeSameAttribute(entry.attribute, attribute),
  );
  const byOld = near.filter(({ entry }) => entry.attribute?.value.toLowerCase() === attribute.old?.toLowerCase());
  if (byOld.length > 0) return byOld;
  return near.length === 1 ? near : [];
}
