import { hasHan } from '../../../language/scripts.js';
import { readEnded } from '../../../memory/statement/ended-value.js';
import { contentTerms } from '../../../memory/statement/terms.js';
import { itemKey } from '../../../wm/items.js';
import { type Attribute, isSameAttribute, isSameValue, mayBeSameAttribute } from './attributes.js';
import { EARLIER, type Entry } from './ledger.js';
import { areOfOthers, type Likeness, likenessOf, sharedThings } from './likeness.js';
import { shorten } from './sentences.js';
import { isWork } from './standing.js';
import { otherValue, readTopic, type Topic } from './topic.js';
import { isGermanText, readSentence, type Sentence } from './worded.js';

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
  /** What was said, without the mark of an earlier one. */
  readonly said: string;
  readonly isEarlier: boolean;
  readonly #sentences = new Map<boolean, Sentence>();
  #isGerman: boolean | undefined;
  #terms: ReadonlySet<string> | undefined;
  #topic: Topic | undefined;

  constructor(readonly entry: Entry) {
    this.isEarlier = entry.text.startsWith(EARLIER);
    this.said = this.isEarlier ? entry.text.slice(EARLIER.length) : entry.text;
    this.key = itemKey(this.said);
  }

  get topic(): Topic {
    this.#topic ??= readTopic(this.said);
    return this.#topic;
  }

  get isGerman(): boolean {
    this.#isGerman ??= isGermanText(this.said);
    return this.#isGerman;
  }

  /** Its words as those of a German statement, or of any other: of two that are compared one may show its language. */
  sentence(isGerman: boolean): Sentence {
    const known = this.#sentences.get(isGerman) ?? readSentence(this.said, isGerman);
    this.#sentences.set(isGerman, known);
    return known;
  }

  get terms(): ReadonlySet<string> {
    this.#terms ??= new Set(contentTerms(this.said));
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
    const known = (onlyCorrects ? ofSameTopic(fact, facts) : replacedBy(fact, facts)).filter(
      (old) => !areOfOthers(...sentencesOf(old, fact)),
    );
    const alike = known.length > 0 ? NONE_ALIKE : alikeTo(fact, facts);
    const replaced = known.length > 0 ? known : alike.replaced;
    if (onlyCorrects && replaced.length + alike.likely.length === 0) continue;
    for (const old of replaced) if (old.key !== fact.key) gone.set(old.entry.text, reason(old.entry, fact.entry));
    for (const old of alike.likely) gone.set(old.entry.text, `said before: "${fact.entry.text}"`);
    facts = facts
      .filter((old) => old.key !== fact.key && !replaced.includes(old))
      .map((old) => (alike.likely.includes(old) ? asEarlier(old) : old));
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
  const text = shorten(`${plain.text} (${named.name})`);
  return new Held({ ...plain, text, attribute: settled });
}

function pointsTo({ old }: Attribute, each: Attribute): boolean {
  return old === undefined || each.value.toLowerCase() === old.toLowerCase();
}

function replacedBy(fact: Held, facts: readonly Held[]): readonly Held[] {
  const byAttribute = ofSameAttribute(fact.entry.attribute, facts);
  if (byAttribute.length > 0) return byAttribute;
  const old = readEnded(fact.entry.text);
  const isEnded = ({ terms }: Held): boolean => old.filter((term) => terms.has(term)).length >= 0.6 * old.length;
  const ended = old.length === 0 ? [] : facts.filter(isEnded);
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

interface Alike {
  readonly replaced: readonly Held[];
  /** What is likely to hold no more: it stays, and is said to be from before. */
  readonly likely: readonly Held[];
}

const NONE_ALIKE: Alike = { replaced: [], likely: [] };

/** Facts of which one says another value by its likeness: those that share most, unless these are of several things. */
function alikeTo(fact: Held, facts: readonly Held[]): Alike {
  if (!isPlainStatement(fact) || isWork(fact.said)) return NONE_ALIKE;
  const found = facts
    .filter((old) => old.key !== fact.key && isPlainStatement(old) && mayTell(old, fact))
    .map((old) => ({ old, ...compared(old, fact) }))
    .filter(({ likeness }) => likeness !== 'none');
  const most = Math.max(...found.map(({ shared }) => shared));
  const best = found.filter(({ shared }) => shared === most);
  if (best.length > 2) return NONE_ALIKE;
  const isSure = ({ old, likeness }: (typeof best)[number]) => likeness === 'replaces' || old.isEarlier;
  return {
    replaced: best.filter(isSure).map(({ old }) => old),
    likely: best.filter((each) => !isSure(each)).map(({ old }) => old),
  };
}

const FACTS = 'Key Facts & Decisions';
/** Longest statements that are compared by their words, in characters; a Chinese one says more in as many. */
const LONGEST_COMPARED = 140;
const LONGEST_CHINESE = 40;
/** What is said to somebody is no statement of how things are, unless it is to be otherwise. */
const TO_SOMEBODY = /[你您]/u;

/** What was asked for is something that a plain statement or a change may tell otherwise; a Chinese request is not. */
function mayTell(old: Held, fact: Held): boolean {
  if (old.entry.section === FACTS) return true;
  return !hasHan(old.said) && !isWork(old.said) && (fact.entry.section === FACTS || fact.sentence(false).isChange);
}

/** Short, no rule, no answer with its question, and nothing that is only said to the agent. */
function isPlainStatement({ said, topic }: Held): boolean {
  const isChinese = hasHan(said);
  return (
    said.length <= (isChinese ? LONGEST_CHINESE : LONGEST_COMPARED) &&
    !topic.isRule &&
    !said.includes(' – ') &&
    (!isChinese || !TO_SOMEBODY.test(said) || topic.isChange)
  );
}

function sentencesOf(old: Held, fact: Held): readonly [earlier: Sentence, later: Sentence] {
  const isGerman = old.isGerman || fact.isGerman;
  return [old.sentence(isGerman), fact.sentence(isGerman)];
}

function compared(old: Held, fact: Held): { readonly likeness: Likeness; readonly shared: number } {
  const [earlier, later] = sentencesOf(old, fact);
  const likeness = likenessOf(earlier, later);
  return { likeness, shared: likeness === 'none' ? 0 : sharedThings(earlier, later) };
}

function asEarlier({ entry }: Held): Held {
  return new Held({ ...entry, text: shorten(`${EARLIER}${entry.text}`) });
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
