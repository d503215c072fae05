import { lazy } from '../../base/cache.js';
import { isAscii } from '../../language/scripts.js';
import { wordSet } from '../../language/tokens.js';
import type { Direction } from '../evidence.js';
import { differInOneSlot } from './frame.js';
import { type Preference, readStance, type Stance } from './stance.js';

/** A statement whose stance is read lazily, at the first comparison. */
export type LazyStance = () => Stance;

/** Minimum overlap (0..1) of two sets of terms that are about the same topic. */
const SAME_TOPIC = 0.5;

export function prepareStatement(text: string, entities: readonly string[]): LazyStance {
  return lazy(() => readStance(text, entities));
}

/**
 * The effect of a fact on an opinion about the same entities, by rules. A fact with the same topic and the same polarity
 * supports the opinion. A fact with a negation, an opposite or another value of the same attribute contradicts it. Any
 * other fact has no effect. Pure.
 */
export function judgeByRules(opinion: LazyStance, fact: LazyStance): Direction {
  return readRelation(opinion(), fact()).direction;
}

/**
 * Whether a fact denies an opinion directly. Another value of the same attribute does not, because both may be true.
 * Pure.
 */
export function deniesOpinion(opinion: LazyStance, fact: LazyStance): boolean {
  const { direction, isOther } = readRelation(opinion(), fact());
  return direction === 'contradicts' && isOther !== true;
}

/** Whether an opinion and a fact share half of the terms of the shorter one, or name the same axis. Pure. */
export function haveCommonTopic(opinion: LazyStance, fact: LazyStance): boolean {
  const [o, f] = [opinion(), fact()];
  return !isOfAnother(o, f) && (sharesAxis(o, f) || overlap(o.topic(), f.topic()) >= SAME_TOPIC);
}

interface Relation {
  readonly direction: Direction;
  /** Whether the only contradiction is that the fact states another value for the same attribute. */
  readonly isOther?: boolean;
}

const NEITHER: Relation = { direction: 'none' };

function readRelation(o: Stance, f: Stance): Relation {
  if (isOfAnother(o, f)) return NEITHER;
  const choice = o.choice()?.degree || f.choice()?.degree ? compareDegrees(o, f) : compareChoices(o, f);
  const byChoice: Relation = { direction: choice, isOther: !deniesChoice(o, f) };
  if (choice !== 'none' && o.choice() !== null) return byChoice;
  if (isSuperseded(o, f))
    return { direction: 'contradicts', isOther: isJudgement(o) && o.polarity() * f.polarity() > 0 };
  if (choice !== 'none') return byChoice;
  // A statement about both sides of a comparison does not decide between them.
  if (o.choice() !== null || f.choice()?.degree || isOtherPurpose(o, f)) return NEITHER;
  const sign = o.polarity() * f.polarity() * oppositeEnds(o, f);
  if (isOtherValue(o, f)) return { direction: 'contradicts', isOther: sign > 0 };
  const isDenied = isDeniedByPrefix(o, f);
  if (!isDenied && !(isSameTopic(o, f) && speaksTo(o, f))) return NEITHER;
  // Another number contradicts: `has 3 servers` does not support `has 4 servers`.
  if (sign > 0 && isOtherNumber(o, f)) return { direction: 'contradicts', isOther: true };
  return { direction: direction(isDenied ? sign < 0 : sign > 0) };
}

/**
 * Whether a choice in the fact denies the choice in the opinion. Using one option does not deny preferring the other. A few
 * common words are not enough: one side must contain all words of the other.
 */
function deniesChoice(o: Stance, f: Stance): boolean {
  const [mine, theirs] = [o.choice(), f.choice()];
  if (theirs === null) return f.polarity() < 0;
  if (mine === null) return true;
  const isOne = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => isWithin(a, b) || isWithin(b, a);
  return [
    [mine.chosen, theirs.rejected],
    [mine.rejected, theirs.chosen],
    [mine.chosen, theirs.chosen],
  ].some(([a, b]) => a !== undefined && b !== undefined && isOne(a, b));
}

/** Whether the statement expresses a judgement. A person may keep a judgement of a thing after they stop using it. */
function isJudgement(o: Stance): boolean {
  return o.axes().size > 0 || o.isFeeling() || o.isDescription();
}

/** Whether the fact is about a relative of the person: `her brother eats meat` does not say what she eats. */
function isOfAnother(o: Stance, f: Stance): boolean {
  const kin = f.kin();
  return kin !== null && !o.topic().has(kin);
}

/**
 * Whether a fact says something about the claim of the opinion. If the claim is a quality, the fact must name that quality
 * or its opposite. If it is a liking or a use, the fact must be a liking or a use, too. For any other claim, the fact must
 * have the same verb, be a liking, or describe something. Other events with the same thing do not count.
 */
function speaksTo(o: Stance, f: Stance): boolean {
  // A fact that denies something as a whole also denies a claim about a part of it.
  if (o.polarity() > 0 && f.polarity() < 0 && isWithin(f.topic(), o.topic()) && (f.isLiking() || f.isUse()))
    return true;
  if (o.axes().size > 0 && !sharesAxis(o, f)) return false;
  const isOfUse = f.isUse() || (!o.isFeeling() && tellsOfSameAct(o, f));
  if (!(o.isFeeling() || o.isUse())) return f.isLiking() || isOfUse || f.isDescription() || sharesAxis(o, f);
  return f.isLiking() || f.isWish() || isOfUse || (o.axes().size > 0 && f.isDescription());
}

/**
 * Whether the opinion's verb is also the fact's main verb and not only mentioned in it: a person who saw ducks swim has
 * not swum.
 */
function tellsOfSameAct(o: Stance, f: Stance): boolean {
  const [[verb = ''], words] = [o.words(), f.words()];
  const at = words.indexOf(verb);
  return at >= 0 && (!isAscii(verb) || words.slice(0, at).every((word) => BEFORE_VERB.has(word)));
}

/** Stems of words that may precede the main verb of a statement. */
const BEFORE_VERB: ReadonlySet<string> = wordSet(
  'ha have had be been is wa were do doe did don t doesn didn not no never longer still often usual also again can cannot could will would must should just even alreadi onli and but now sai said that he she hat ist war nicht nie noch wird kann muss a est ne',
);

/** -1 if the two statements name opposite ends (`fast`, `slow`) of an odd number of axes; else 1. */
function oppositeEnds(o: Stance, f: Stance): number {
  let sign = 1;
  for (const [axis, end] of o.axes()) {
    // A person who finds something `too short` wishes it longer, so `too short` agrees with `wants it longer`.
    const isWished = f.tooMuch().has(axis) ? o.isWish() : o.tooMuch().has(axis) && f.isWish();
    sign *= end * (f.axes().get(axis) ?? end) * (isWished && f.axes().has(axis) ? -1 : 1);
  }
  return sign;
}

/**
 * Whether one statement has a word and the other its negated form (`trusts`, `distrusts`), and the shorter one shares all
 * other words with the longer one.
 */
function isDeniedByPrefix(o: Stance, f: Stance): boolean {
  const shared = count(o.topic(), f.topic());
  if (shared === 0 || shared < Math.min(o.topic().size, f.topic().size) - 1) return false;
  return hasDenied(o.topic(), f.topic()) || hasDenied(f.topic(), o.topic());
}

function hasDenied(terms: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...terms].some((term) =>
    PREFIXES.some((prefix) => term.startsWith(prefix) && others.has(term.slice(prefix.length))),
  );
}

const PREFIXES = ['dis', 'mis', 'un', 'in', 'non'] as const;

function isOtherNumber(o: Stance, f: Stance): boolean {
  const [mine, theirs] = [o.numbers(), f.numbers()];
  return mine.size > 0 && theirs.size > 0 && count(mine, theirs) === 0;
}

/** Similarity of the topics of two statements, 0..1, to find candidates. Pure. */
export function wordSimilarity(a: LazyStance, b: LazyStance): number {
  const [mine, theirs] = [a(), b()];
  const base = overlap(mine.topic(), theirs.topic());
  const axes = sharesAxis(mine, theirs) ? SAME_AXIS_BONUS : 0;
  return Math.min(1, base + axes + (differInOneSlot(mine.words(), theirs.words()) ? ONE_SLOT_DIFFERS_BONUS : 0));
}

/**
 * Bonus for the similarity of two statements that name the same axis, such as short and long. Added to the share of common
 * terms.
 */
export const SAME_AXIS_BONUS = 0.3;
/** The same bonus for two statements that differ only in one slot. */
export const ONE_SLOT_DIFFERS_BONUS = 0.5;

/** Whether the fact says explicitly that the opinion's value was replaced: `moved from Vienna to Graz`. */
function isSuperseded(o: Stance, f: Stance): boolean {
  const ended = f.ended();
  const held = ended.filter((term) => o.said().has(term)).length;
  return held > 0 && held >= 0.6 * ended.length;
}

function direction(supports: boolean): Direction {
  return supports ? 'supports' : 'contradicts';
}

/** Compares `A rather than B` with `B rather than A`, or with a statement for or against A or B alone. */
function compareChoices(o: Stance, f: Stance): Direction {
  if (o.choice() === null && f.choice() === null) return 'none';
  // Merely mentioning one option is neither for nor against it.
  if ([o, f].some((said) => said.choice() === null && !isOfOne(said))) return 'none';
  const [mine, theirs] = [apart(o.choice() ?? alone(o)), apart(f.choice() ?? alone(f))];
  if (isTurned(mine, theirs) && !isTurned(mine, { ...theirs, chosen: theirs.rejected, rejected: theirs.chosen }))
    return direction(o.polarity() * f.polarity() < 0);
  const agree =
    overlap(mine.chosen, theirs.chosen) >= SAME_TOPIC || overlap(mine.rejected, theirs.rejected) >= SAME_TOPIC;
  const differ =
    overlap(mine.chosen, theirs.rejected) >= SAME_TOPIC || overlap(mine.rejected, theirs.chosen) >= SAME_TOPIC;
  if (agree === differ) {
    // `prefers to code in Rust than in Python` and `likes to code in Python` share "code", but "Python" is the topic.
    const liked = o.choice() === null ? mine.chosen : null;
    return liked !== null && differ && isWithin(theirs.rejected, liked) ? direction(f.polarity() < 0) : 'none';
  }
  const signs = (o.choice() === null ? 1 : o.polarity()) * (f.choice() === null ? 1 : f.polarity());
  return direction(agree === signs > 0);
}

/**
 * Compares `A is faster than B` with `B is faster than A` or `A is slower than B`. A comparison of other things has no
 * effect.
 */
function compareDegrees(o: Stance, f: Stance): Direction {
  const [mine, theirs] = [o.choice(), f.choice()];
  if (!mine?.degree || !theirs?.degree || mine.degree.of !== theirs.degree.of) return 'none';
  const isSame = isTurned(mine, { ...theirs, chosen: theirs.rejected, rejected: theirs.chosen });
  if (isSame === isTurned(mine, theirs)) return 'none';
  return direction(o.polarity() * f.polarity() * mine.degree.end * theirs.degree.end > 0 === isSame);
}

/**
 * A choice without the terms that both sides share. For coconut milk rather than dairy milk: "coconut" and "dairy", not
 * "milk".
 */
function apart(choice: Preference): Preference {
  const chosen = new Set([...choice.chosen].filter((term) => !choice.rejected.has(term)));
  const rejected = new Set([...choice.rejected].filter((term) => !choice.chosen.has(term)));
  return {
    ...choice,
    chosen: chosen.size === 0 ? choice.chosen : chosen,
    rejected: rejected.size === 0 ? choice.rejected : rejected,
  };
}

function isWithin(terms: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return terms.size > 0 && count(terms, others) === terms.size;
}

/** Whether a statement says in few words what a person thinks of a single thing. */
function isOfOne(said: Stance): boolean {
  return said.isLiking() && said.topic().size <= MOST_OF_ONE;
}

const MOST_OF_ONE = 4;

/** Whether two choices are the reverse of each other: `trusts A more than B` and `trusts B more than A`. */
function isTurned(mine: Preference, theirs: Preference): boolean {
  return overlap(mine.chosen, theirs.rejected) >= SAME_TOPIC && overlap(mine.rejected, theirs.chosen) >= SAME_TOPIC;
}

function alone(said: Stance): Preference {
  const none: ReadonlySet<string> = new Set();
  const [chosen, rejected] = said.polarity() > 0 ? [said.topic(), none] : [none, said.topic()];
  return { chosen, rejected, degree: null };
}

/** Whether two statements name different purposes: `uses A for B` and `uses A for C`. */
function isOtherPurpose(o: Stance, f: Stance): boolean {
  const [mine, theirs] = [o.purpose(), f.purpose()];
  return mine !== null && theirs !== null && count(mine, theirs) === 0;
}

/**
 * Whether two positive statements differ only in one value: `uses A for B` and `uses C for B`. The negative `does not use C
 * for B` says nothing about A.
 */
function isOtherValue(o: Stance, f: Stance): boolean {
  return o.polarity() > 0 && f.polarity() > 0 && differInOneSlot(o.words(), f.words()) && !saysTheSame(o, f);
}

/** Whether two statements mean the same in other words: `wants fast builds` and `wants quick builds`. */
function saysTheSame(o: Stance, f: Stance): boolean {
  return o.topic().size === f.topic().size && count(o.topic(), f.topic()) === o.topic().size && oppositeEnds(o, f) > 0;
}

function sharesAxis(o: Stance, f: Stance): boolean {
  for (const axis of o.axes().keys()) if (f.axes().has(axis)) return true;
  return false;
}

/**
 * Two statements are about the same topic if the terms that they share are at least these shares of the smaller and of
 * the larger topic.
 */
const SHARED = { ofSmaller: 0.75, ofLarger: 0.45 } as const;
/** Maximum number of terms in the topic of a fact, if it is compared with an opinion whose topic has only one term. */
const MOST_BESIDE_ONE = 3;

function isSameTopic(o: Stance, f: Stance): boolean {
  const shared = count(o.topic(), f.topic());
  const [smaller, larger] = [Math.min(o.topic().size, f.topic().size), Math.max(o.topic().size, f.topic().size)];
  if (shared === 0) return sharesAxis(o, f) && smaller === 0;
  // `finds opera boring` is against opera, but the rules do not know the word "boring". So they do not compare such a
  // fact.
  if (f.isFinding() && o.axes().size + f.axes().size === 0 && shared < f.topic().size) return false;
  if (smaller === 1) return f.takesSides() && larger <= (o.topic().size === 1 ? MOST_BESIDE_ONE : 2);
  return shared >= 2 && shared >= smaller * SHARED.ofSmaller && shared >= larger * SHARED.ofLarger;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size === 0 || b.size === 0 ? 0 : count(a, b) / Math.min(a.size, b.size);
}

function count(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared++;
  return shared;
}
