import { largest } from '../../base/order.js';
import { ANY_DAY, type LineClause } from './line-clause.js';
import { type ContentClause, countShared, type SupportMessage } from './message.js';
import { formsOf, hasWord, type TextWord, type WordForms } from './word-forms.js';

/** The messages that have the words of a clause, and the line to which it belongs. */
interface Carrier {
  /** The words of the whole line. */
  readonly line: WordForms;
  /** The words of all messages that the model was shown. */
  readonly shown: WordForms;
  /** Whether the line cites its sources. */
  readonly isCited: boolean;
  readonly pair: readonly SupportMessage[];
}

/** Clauses with at least this share of what the best one has of a clause may state it, where the best one only asks. */
const NEAR_BEST = 0.7;
/** Clauses with at least this share of what the best one has of a clause may deny it. */
const LEAST_DENYING = 0.5;
/** Maximum number of telling words of a short denial. */
const SHORT = 1;

/** Finds why the messages contradict a clause, although they have its words. Undefined if they do not. */
export function findContradiction(clause: LineClause, carrier: Carrier): string | undefined {
  const { pair } = carrier;
  const clauses = pair.flatMap((message) => message.clauses());
  const counted = clauses.map((each) => ({ each, count: countShared(clause, each) }));
  const most = largest(
    counted.map(({ count }) => count),
    0,
  );
  if (most === 0) return isBesidesSaid(clause, carrier) ? undefined : 'its words are not there';
  const best = counted.filter(({ count }) => count === most).map(({ each }) => each);
  const near = counted.filter(({ count }) => count >= most * NEAR_BEST).map(({ each }) => each);
  const isOpen = !clause.isUncertainClause && !clause.hasNegation && near.every(({ said }) => said.isOpen);
  // "No" and "not yet" deny what they answer, in whatever words. In Chinese, a clause without a subject is as short.
  const mayBeShort = best.every(({ said }) => said.isOpen) || clause.sequence.some(({ isCjk }) => isCjk);
  const denying = counted
    .filter(({ each, count }) => count >= most * LEAST_DENYING || (mayBeShort && each.sequence().length <= SHORT))
    .map(({ each }) => each);
  return (
    whyDenied(clause, best, denying) ??
    (isOpen ? 'it is only asked or offered' : undefined) ??
    wrongTime(clause, pair, best) ??
    wrongSubject(clause, clauses, carrier) ??
    wrongSlot(clause, best, carrier)
  );
}

/** Whether another source that the model was shown says what a clause is about, and the clause has no values. */
function isBesidesSaid({ terms, numbers, timesOn }: LineClause, { isCited }: Carrier): boolean {
  return terms.length === 0 ? numbers.length === 0 : isCited && numbers.length + timesOn(ANY_DAY).length === 0;
}

function whyDenied(
  clause: LineClause,
  best: readonly ContentClause[],
  denying: readonly ContentClause[],
): string | undefined {
  if (clause.hasNegation) return denying.some(({ said }) => said.hasNegation) ? undefined : 'nothing denies it';
  const own = formsOf(clause.text);
  const isDeniedThere = (each: ContentClause): boolean => each.said.denied.some((word) => hasWord(own, word));
  return best.every((each) => isDeniedThere(each) || isTurned(clause.sequence, each.sequence()))
    ? 'it is denied'
    : undefined;
}

/** Whether one of two clauses has a word, and the other one this word with a prefix that denies it: likes and dislikes. */
function isTurned(one: readonly TextWord[], other: readonly TextWord[]): boolean {
  const isDeniedIn = (words: readonly TextWord[], others: readonly TextWord[]): boolean => {
    const known = new Set(others.map(({ folded }) => folded));
    return words.some(({ folded }) => !known.has(folded) && (known.has(`dis${folded}`) || known.has(`un${folded}`)));
  };
  return isDeniedIn(one, other) || isDeniedIn(other, one);
}

function wrongTime(
  clause: LineClause,
  pair: readonly SupportMessage[],
  best: readonly ContentClause[],
): string | undefined {
  const isKnown = (start: number): boolean =>
    pair.some((message) => {
      const time = clause.timesOn(message.day).find((each) => each.start === start);
      if (time === undefined) return false;
      if (message.hasTime(time)) return true;
      // The day of the message itself, unless the clause that says it names another time.
      const isOfMessage = time.spans.some(({ since, until }) => since === message.day && until === message.day);
      return isOfMessage && !best.some((each) => each.namesOtherDay());
    });
  const wrong = clause.timesOn(ANY_DAY).find(({ start }) => !isKnown(start));
  return wrong === undefined ? undefined : `${clause.text.slice(wrong.start, wrong.end)} is not there`;
}

/** Whether the messages say of something else what the clause says. */
function wrongSubject(clause: LineClause, clauses: readonly ContentClause[], { line }: Carrier): string | undefined {
  const own = formsOf(clause.text);
  const names = clause.terms.filter(({ kind }) => kind === 'name');
  const values: readonly (readonly [string, (each: ContentClause) => boolean])[] = [
    ...clause.numbers.map((number) => [number, (each: ContentClause) => each.hasNumber(number)] as const),
    ...names.map((term) => [term.written, (each: ContentClause) => each.shareOf(term) > 0] as const),
  ];
  const objects = objectsOf(clause).map(
    (word) => [word.written, (each: ContentClause) => hasWord(each.forms, word)] as const,
  );
  const isEvery = (holds: (each: ContentClause) => boolean, isWrong: (each: ContentClause) => boolean): boolean => {
    const having = clauses.filter(holds);
    return having.length > 0 && having.every(isWrong);
  };
  const wrong =
    objects.find(([, holds]) => isEvery(holds, (each) => isLedByOther(each, own, clauses))) ??
    values.find(([, holds]) => isEvery(holds, (each) => isAboutOther(each, line)));
  return wrong === undefined ? undefined : `${wrong[0]} is said of something else`;
}

function isAboutOther(each: ContentClause, line: WordForms): boolean {
  const lead = each.lead();
  return lead !== undefined && !lead.isCjk && !hasWord(line, lead);
}

/** The words of a clause that say something of its subject. Of a run of Chinese, its last characters. */
function objectsOf({ terms }: LineClause): readonly TextWord[] {
  return terms.flatMap(({ written, folded, kind }): readonly TextWord[] => {
    if (kind === 'common' || kind === 'verb') return [];
    if (kind !== 'run') return [{ written, folded, isCjk: false }];
    const characters = [...folded];
    const end = characters.slice(-2).join('');
    return characters.length < 2 ? [] : [{ written: end, folded: end, isCjk: true }];
  });
}

/**
 * Whether a clause of the sources has another subject than a line, whose own subject is that of another clause.
 */
function isLedByOther(each: ContentClause, own: WordForms, clauses: readonly ContentClause[]): boolean {
  const lead = each.lead();
  if (lead === undefined || hasWord(own, lead)) return false;
  return clauses.some((other) => {
    const named = other.lead();
    return named !== undefined && hasWord(own, named) && !hasWord(each.forms, named);
  });
}

/** Maximum number of words that stand in the place of others. */
const SLOT_WORDS = 2;

/**
 * Whether a clause is one of the sources with another value in its place: "Joost is on leave until Friday" for "Alke is on
 * leave until Friday", where Joost is named elsewhere.
 */
function wrongSlot(clause: LineClause, best: readonly ContentClause[], carrier: Carrier): string | undefined {
  const { line, shown } = carrier;
  const own = clause.sequence;
  const hasCjk = own.some(({ isCjk }) => isCjk);
  const wrong = best.find((each) => {
    if (hasCjk) return false;
    const there = each.sequence();
    const [before, after] = commonEnds(own, there, isSameWord);
    if (before + after < (own.length < 4 ? 1 : own.length / 2)) return false;
    const mine = own.slice(before, own.length - after);
    const theirs = there.slice(before, there.length - after);
    return (
      mine.length > 0 &&
      mine.length <= SLOT_WORDS &&
      theirs.length > 0 &&
      mine.some((word) => isValue(word) && hasWord(shown, word) && !hasWord(each.forms, word)) &&
      theirs.some(isValue) &&
      theirs.every((word) => !hasWord(line, word))
    );
  });
  return wrong === undefined ? undefined : 'another value stands in its place';
}

/** Whether a word may be a value: a name, a noun of German, a number. */
function isValue({ written, isCjk }: TextWord): boolean {
  return !isCjk && /[\p{Lu}\p{N}]/u.test(written);
}

/** Number of items at the beginning, and at the end, that two lists have in common. */
function commonEnds<T>(one: readonly T[], other: readonly T[], isSame: (a: T, b: T) => boolean): [number, number] {
  const most = Math.min(one.length, other.length);
  let before = 0;
  while (before < most && same(one[before], other[before], isSame)) before++;
  let after = 0;
  while (after < most - before && same(one[one.length - 1 - after], other[other.length - 1 - after], isSame)) after++;
  return [before, after];
}

function same<T>(a: T | undefined, b: T | undefined, isSame: (a: T, b: T) => boolean): boolean {
  return a !== undefined && b !== undefined && isSame(a, b);
}

function isSameWord(one: TextWord, other: TextWord): boolean {
  return (
    one.folded === other.folded ||
    (one.isCjk === other.isCjk && hasWord(formsOf(one.isCjk ? other.written : one.written), one.isCjk ? one : other))
  );
}
