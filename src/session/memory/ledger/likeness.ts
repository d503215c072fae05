import { isOfKind, type Value } from './values.js';
import type { Sentence, Word } from './worded.js';

/** How a later statement stands to an earlier one: it `replaces` it, it is only `likely` to, or neither. */
export type Likeness = 'replaces' | 'likely' | 'none';

/** What two statements share, and which things each has for itself. */
interface Comparison {
  /** How many of the things that both are about are the same. */
  readonly shared: number;
  readonly mine: readonly (readonly Word[])[];
  readonly theirs: readonly (readonly Word[])[];
  /** So many have to be. */
  readonly least: number;
  /** Of one thing, another one is meant: the morning standup, the evening standup. */
  readonly isOtherOne: boolean;
  /** Each of them does something of its own with the things. */
  readonly isOtherDone: boolean;
}

/** Whether a later statement says another value of what an earlier one is about. Pure. */
export function likenessOf(earlier: Sentence, later: Sentence): Likeness {
  if (later.isMore || isOfOtherHead(earlier, later)) return 'none';
  if (namesOld(earlier, later)) return 'replaces';
  const typed = typedValues(earlier, later);
  if (typed === 'no value') return 'none';
  const found = compareWords(earlier, later);
  if (found.shared < found.least || found.isOtherOne) return 'none';
  const [mine, theirs] = [found.mine.length, found.theirs.length];
  // One thing differs, and it is a name: that is the value.
  const isNamed =
    typed === 'named' &&
    [...found.mine, ...found.theirs].every(([word]) => word?.isHan !== true) &&
    mine === 1 &&
    theirs === 1 &&
    ![...found.mine, ...found.theirs].flat().some(({ text }) => /['’]s$/u.test(text));
  if (typed === 'named' && !isNamed) return 'none';
  if (!isNamed && mine > 0 && theirs > 0) return 'none';
  if (later.isChange) return 'replaces';
  if (typed !== 'measured') return found.isOtherDone ? 'none' : 'likely';
  return found.isOtherDone || mine + theirs > 0 ? 'likely' : 'replaces';
}

/** Whether a later statement of change names, in Chinese, what an earlier one ends in, and the thing that it is said of. */
function namesOld(earlier: Sentence, later: Sentence): boolean {
  if (!(later.isChange || later.isDenial) || later.head === '') return false;
  const shared = sharedWith(earlier.words, later.words);
  const isNamed = earlier.values.some(({ kind, text }) => kind === 'name' && later.text.toLowerCase().includes(text));
  if (isNamed || earlier.values.length > 0) return isNamed && shared.size >= 2;
  const tail = earlier.words.slice(-2);
  return tail.length === 2 && tail.every((word) => word.isHan && shared.has(word)) && shared.size >= 4;
}

/** Whether each of two statements is about something that the other is not about. Pure. */
export function areOfOthers(earlier: Sentence, later: Sentence): boolean {
  const { mine, theirs, isOtherOne } = compareWords(earlier, later);
  if (isOtherOne || isOfOtherHead(earlier, later)) return true;
  if (typedValues(earlier, later) === 'named' && ![...mine, ...theirs].some(([word]) => word?.isHan === true))
    return false;
  return mine.length > 0 && theirs.length > 0 && !isAbbreviated(mine, theirs) && !isAbbreviated(theirs, mine);
}

/** Whether two Chinese statements begin with words that only end alike: 主库, 从库. */
function isOfOtherHead({ head: mine }: Sentence, { head: theirs }: Sentence): boolean {
  const places = [...mine].flatMap((sign, i) => {
    const k = theirs.indexOf(sign);
    return k < 0 ? [] : [{ i, k }];
  });
  const [nearest] = places.toSorted((a, b) => a.i + a.k - (b.i + b.k));
  return nearest !== undefined && nearest.i > 0 && nearest.k > 0;
}

/** `SSO` is single sign-on. */
function isAbbreviated(some: readonly (readonly Word[])[], others: readonly (readonly Word[])[]): boolean {
  const initials = some.map((run) =>
    run.flatMap(({ text }) => text.split('-').map(([letter = '']) => letter)).join(''),
  );
  return others.flat().some(({ text }) => text.length > 2 && initials.includes(text));
}

/** How many things two statements share: which of several is meant. Pure. */
export function sharedThings(earlier: Sentence, later: Sentence): number {
  return compareWords(earlier, later).shared;
}

const MEASURED = /^(?:number .+|count|frequency|version|time|date)$/u;

function typedValues(earlier: Sentence, later: Sentence): 'measured' | 'typed' | 'named' | 'no value' {
  const [is, was] = [without(later.values, earlier.values), without(earlier.values, later.values)];
  const pairs = was.filter((old) => is.some((value) => isOfKind(old.kind, value.kind)));
  const [pair] = pairs;
  const kinds = new Set(pairs.map(({ kind }) => (kind === 'time' ? 'date' : kind)));
  // Of two that differ one is a name of what it is about: version 2.1 ships on 3 March.
  if (kinds.size > 1 && !later.isChange) return 'no value';
  if (pair?.kind === 'name' && is.length > 1 && was.length > 1) return 'no value';
  if (pair !== undefined) return MEASURED.test(pair.kind) ? 'measured' : 'typed';
  const isPlain = [...earlier.values, ...later.values].every(({ kind }) => kind === 'name');
  return isPlain && later.isChange ? 'named' : 'no value';
}

function without(some: readonly Value[], others: readonly Value[]): readonly Value[] {
  const known = new Set(others.map(({ text }) => text));
  return some.filter(({ text }) => !known.has(text));
}

function compareWords(earlier: Sentence, later: Sentence): Comparison {
  const { isGerman } = later;
  const sharedMine = sharedWith(earlier.words, later.words);
  const sharedTheirs = sharedWith(later.words, earlier.words);
  const things = earlier.words.filter(
    (word) => sharedMine.has(word) && (isGerman ? word.isCapital : !word.isVerb || word.isPlaced),
  );
  const said = isOneFamily(earlier.values, later.values) ? sharedMine.size - things.length : 0;
  return {
    shared: sum(things.map(({ isHan }) => (isHan ? HAN_WEIGHT : 1))) + said * SAID_WEIGHT,
    // Two characters are enough where a statement begins with them.
    least: things[0]?.isHan === true && things[0] !== earlier.words[0] ? 2 : SAID_WEIGHT,
    mine: ownThings(earlier.words, sharedMine, isGerman),
    theirs: ownThings(later.words, sharedTheirs, isGerman),
    isOtherOne: things.some(({ modifier, stem }) => {
      const other = later.words.find((word) => word.stem === stem)?.modifier;
      return modifier !== undefined && other !== undefined && modifier !== other;
    }),
    isOtherDone: [[earlier.words, sharedMine] as const, [later.words, sharedTheirs] as const].every(([words, shared]) =>
      words.some((word) => !shared.has(word) && !word.isCapital),
    ),
  };
}

/** A character is half a word. */
const HAN_WEIGHT = 0.5;
const SAID_WEIGHT = 0.5;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** Names of one make: `gpu-02`, `gpu-07`. Then what is done with them may be all that is shared. */
function isOneFamily(some: readonly Value[], others: readonly Value[]): boolean {
  const makes = (values: readonly Value[]) => values.flatMap(({ text }) => /^\p{L}{3,}(?=.*[-_.\d])/u.exec(text) ?? []);
  const known = makes(others);
  return makes(some).some((make) => known.includes(make));
}

/** The words that stand in the other statement, too, in one form or another; Chinese characters two at a time. */
function sharedWith(words: readonly Word[], others: readonly Word[]): ReadonlySet<Word> {
  const shared = new Set<Word>();
  for (const [i, word] of words.entries()) {
    if (!word.isHan) {
      if (others.some((other) => isSameThing(word, other))) shared.add(word);
      continue;
    }
    const next = words[i + 1];
    if (next?.isHan !== true || next.at !== word.at + 1) continue;
    if (
      others.some(
        (other, k) =>
          other.text === word.text && others[k + 1]?.text === next.text && others[k + 1]?.at === other.at + 1,
      )
    )
      shared.add(word).add(next);
  }
  return shared;
}

const SHORTEST_STEM = 5;
const SHORTEST_PART = 4;

function isSameThing(word: Word, other: Word): boolean {
  if (word.stem === other.stem) return true;
  if (other.isHan) return false;
  const most = Math.min(word.stem.length, other.stem.length);
  let begun = 0;
  while (begun < most && word.stem[begun] === other.stem[begun]) begun++;
  if (begun >= SHORTEST_STEM && begun >= most * (begun > SHORTEST_STEM ? 0.6 : 0.75)) return true;
  return isCompound(word.text, other.text) || isCompound(other.text, word.text);
}

/** `Messebudget` is a budget. */
function isCompound(long: string, part: string): boolean {
  if (long.split('-').includes(part)) return true;
  if (part.length < SHORTEST_PART || long.length < part.length + 3) return false;
  return long.startsWith(part) || long.endsWith(part);
}

/** Runs of own words that name things: by their place, or by a capital. */
function ownThings(words: readonly Word[], shared: ReadonlySet<Word>, isGerman: boolean): readonly (readonly Word[])[] {
  // A part of the statement that shares nothing tells something beside it.
  const clauses = new Set([...shared].map(({ clause }) => clause));
  const runs: Word[][] = [];
  let before: Word | undefined;
  for (const [i, word] of words.entries()) {
    if (shared.has(word) || !clauses.has(word.clause)) continue;
    const isThing = word.isHan
      ? isHanThing(word, i, words, shared)
      : isGerman
        ? word.isCapital
        : word.isCapital || (!word.isVerb && (word.isPlaced || isAround(word, i, words, shared)));
    if (!isThing) continue;
    if (before !== undefined && before.at === word.at - 1) runs.at(-1)?.push(word);
    else runs.push([word]);
    before = word;
  }
  // A Chinese character alone is a thing where it tells two words apart: 导出, 导入.
  return runs.filter(([word, next]) => next !== undefined || word?.isHan !== true || isBetween(word, words, shared));
}

function isBetween(word: Word, words: readonly Word[], shared: ReadonlySet<Word>): boolean {
  return [-1, 1].every((side) =>
    words.some((other) => shared.has(other) && other.isHan && other.at === word.at + side),
  );
}

/** Before a word that is shared, in its part of the statement. */
function isAround(word: Word, i: number, words: readonly Word[], shared: ReadonlySet<Word>): boolean {
  return words.slice(i + 1).some((other) => other.clause === word.clause && shared.has(other));
}

function isHanThing(word: Word, i: number, words: readonly Word[], shared: ReadonlySet<Word>): boolean {
  let end = i;
  while (words[end + 1]?.isHan === true && words[end + 1]?.at === word.at + end + 1 - i) end++;
  const run = words.slice(i, end + 1);
  // What stands before 了 has happened.
  if (run.slice(0, 2).some(({ isVerb }) => isVerb)) return false;
  return isAround(word, i, words, shared) || run.some(({ isPlaced }) => isPlaced);
}
