import { lazy } from '../../base/cache.js';
import { ALL_HAN_RANGES, BASIC_CJK_RANGES, isAscii, LETTER_RANGES } from '../../language/scripts.js';
import { CHINESE_INSTEAD_OF, INSTEAD_OF, readComparisons } from '../../language/statements/comparison.js';
import { stemOf } from '../../language/words/forms.js';
import { readStatementTerms } from '../../language/words/terms.js';
import { toSimplified } from '../../language/words/traditional.js';
import { endedTerms } from '../../line/statement/ended-value.js';
import { contentTerms as rootTerms } from '../../line/statement/terms.js';
import { entitySlug } from '../../text/slug.js';
import { splitClauses } from '../support/clauses.js';
import { readFrameWords } from './frame.js';
import * as lists from './words.js';

/** A preference of one option over another. */
export interface Preference {
  readonly chosen: ReadonlySet<string>;
  readonly rejected: ReadonlySet<string>;
  /**
   * The attribute that is compared (`of`), and one of its two ends: for speed, the ends are "faster" and "slower". Null for
   * a plain preference. Two comparisons can be compared if `of` is equal.
   */
  readonly degree: { readonly of: string; readonly end: 1 | -1 } | null;
}

/**
 * A statement as the rules read it: its topic, and whether it is for or against that. Each property is computed at its first
 * use.
 */
export type Stance = ReturnType<typeof readStance>;

const LONGEST = 600;
/** The border of Chinese and Latin characters, where a blank is inserted: `使用Redis做缓存` becomes three words. */
const SCRIPT_BORDER = new RegExp(`[${ALL_HAN_RANGES}](?=[a-z0-9])|[a-z0-9](?=[${ALL_HAN_RANGES}])`, 'giu');

const PURPOSE = [
  /\b(?:uses?|used|using|runs?|ran|chose|chooses|picks?|picked|prefers?|preferred|wants?|likes?|switched to|moved to|relies on|writes?|drinks?|eats?|takes?|schedules?|holds?|keeps?|favou?rs?)\s+(?<value>.+?)\s+(?:for|when|while|in|on|at|during|with|as)\s+(?<of>.+)$/i,
  /(?:favou?rite|preferred)\s+(?<of>.+?)\s+is\s+(?<value>.+)$/i,
];

/** "Do not mind" is not an aversion. */
const NOT_MINDING = /\b(?:(?:do|does|did)(?: not|n't)|never) minds?\b/gi;

/** Excludes "works on it" and "works with it", which are no praise. "It works" is. */
const WORKING_WITH = /\bwork(?:s|ing|ed)(?= (?:with|on|at|in|for|from|as|together|remotely|alone)\b)/gi;

const MENTION = new RegExp(`[@＠][${LETTER_RANGES}${BASIC_CJK_RANGES}.-]+:?`, 'g');

/** Reads a statement about some entities; each property is computed at its first use. Linear in its length. Pure. */
export function readStance(statement: string, entities: readonly string[]) {
  const text = toSimplified(beginningOf(statement)).replace(/[’]/g, "'");
  const unnamed = /[@＠]/.test(text) ? text.replace(MENTION, ' ') : text;
  const spaced = isAscii(unnamed) ? unnamed : unnamed.replace(SCRIPT_BORDER, '$& ');
  const bare = spaced
    .replace(NOT_MINDING, 'likes')
    .replace(/\bas well\b/gi, ' ')
    .replace(WORKING_WITH, 'work')
    .trim();
  const names = lazy(
    () => new Set(entities.flatMap((n) => [...entitySlug(n).split(/[-_.]/), ...readStatementTerms(n)])),
  );
  const terms = (part: string): ReadonlySet<string> => new Set(contentTerms(part).filter((term) => !names().has(term)));
  // `No longer` is not the adjective "long".
  const ends = lazy(() => axesOf(bare.replace(/\b(?:no|any) longer\b/gi, ' ')));
  const has = (words: readonly RegExp[], chinese: readonly RegExp[]): boolean =>
    (isAscii(bare) ? words : [...words, ...chinese]).some((pattern) => bare.search(pattern) >= 0);
  return {
    /** The topic: the stems of the statement, without names, negations and words of liking. */
    topic: lazy(() => terms(bare)),
    /** 1 for a positive statement, -1 for a denied one. */
    polarity: lazy(() => polarityOf(bare)),
    /** For each axis (such as short and long) in the statement: the end that it names. */
    axes: () => ends().axes,
    /** Axes of which the statement says that something is too much of one end (`too short`). */
    tooMuch: () => ends().tooMuch,
    /** The choice of `A rather than B`, if any. */
    choice: lazy(() => readChoice(bare, terms)),
    /** The purpose of a choice: B of `uses A for B`. */
    purpose: lazy(() => readPurpose(bare, terms)),
    /** Words of the statement in order, to compare sentences. */
    words: lazy(() => readFrameWords(bare)),
    numbers: lazy(() => new Set(bare.match(/\d+(?:[.:]\d+)*/g) ?? [])),
    /** Whether a person likes, dislikes, wants or uses something. A mere mention is not evidence. */
    takesSides: lazy(() =>
      has(
        [lists.ATTITUDE_WORDS, lists.NEGATION_WORDS, lists.USE_VERBS],
        [lists.CHINESE_NEGATION_WORDS, lists.CHINESE_ATTITUDE_WORDS, lists.CHINESE_USE_WORDS],
      ),
    ),
    /** Whether a person says what they like, want or think of something. */
    isLiking: lazy(() =>
      has([lists.FEELING_WORDS, lists.CHOICE_WORDS, lists.AVERSION_WORDS], [lists.CHINESE_LIKING_WORDS]),
    ),
    /** Whether a person says how they find something (`finds opera boring`). The judgement is in the word that follows. */
    isFinding: lazy(() => lists.JUDGING_VERBS.test(bare)),
    /** Whether a person likes something, not only uses it. */
    isFeeling: lazy(() => has([lists.FEELING_WORDS], [lists.CHINESE_FEELING_WORDS])),
    /** Whether a person says how they want things to be. */
    isWish: lazy(() => has([lists.WISH_WORDS], [lists.CHINESE_WISH_WORDS])),
    /** Whether the statement describes how something is. */
    isDescription: lazy(() => has([lists.DESCRIPTION_VERBS], [])),
    /** Whether a person uses, eats, plays … something. */
    isUse: lazy(() => has([lists.LIKED_USE_VERBS, lists.HABIT_WORDS], [lists.CHINESE_USE_WORDS])),
    /** The relative whom the statement is about, if any: the stem of "brother" in `her brother eats meat`. */
    kin: lazy(() => kinOf(bare)),
    /** `said`: roots of all words. `ended`: roots of the values that the statement says are over (`no longer in Vienna`). */
    said: lazy(() => new Set(rootTerms(text))),
    ended: lazy(() => endedTerms(text)),
  };
}

/** The part of a statement that is read, at most {@link LONGEST} characters; drops a word that the limit cuts. */
function beginningOf(statement: string): string {
  return statement.length <= LONGEST ? statement : statement.slice(0, LONGEST).replace(/[\p{Ll}\p{Lu}]+$/u, '');
}

function contentTerms(part: string): readonly string[] {
  const bare = part.replace(/\b(?:no|any) longer\b/gi, ' not ');
  const ofAxes = isAscii(bare)
    ? bare
    : CHINESE_AXIS_WORDS.reduce((text, [word, axis]) => text.replaceAll(word, ` ${AXIS_TERM}${axis} `), bare);
  const plain = ofAxes
    .replace(WORD, (word) => (axisOf(word) === undefined ? word : ` ${AXIS_TERM}${axisOf(word)?.[0]} `))
    .replace(lists.NEGATION_WORDS, ' ')
    .replace(lists.ATTITUDE_WORDS, ' ');
  return readStatementTerms(
    isAscii(plain)
      ? plain
      : plain.replace(lists.CHINESE_NEGATION_WORDS, ' ').replace(lists.CHINESE_ATTITUDE_WORDS, ' '),
  );
}

const OTHER_THAN = new RegExp(
  `(?:\\b(?:${INSTEAD_OF}|and not|but not)\\b|${CHINESE_INSTEAD_OF}|不仅|(?<=宁[^，,]{1,20})[,，]?也?不).*$`,
  'i',
);

/** A quick test before `KIN`, which takes a millisecond to build. */
const OWNER = /^(?:his|her|their|my|our|seine?|ihre?|son|sa|ses)\s|^[他她]的/i;
const KIN =
  /^(?:(?:his|her|their|my|our|seine?|ihre?|son|sa|ses)\s+(?:new |old |former )?|[他她]的)(\p{L}[\p{L}-]*)\s*\p{L}/iu;

function kinOf(text: string): string | null {
  const [, noun] = (OWNER.test(text) && KIN.exec(text)) || [];
  return noun === undefined ? null : stemOf(noun.toLowerCase());
}

function polarityOf(text: string): 1 | -1 {
  // In `A rather than B` the negation is about B, so it does not count. 不稳定 ("unstable") is an end of an axis, not a
  // negation.
  const main = DENYING_ENDS.reduce((left, word) => left.replaceAll(word, ' '), text.replace(OTHER_THAN, ''));
  if (countNegations(main) < 2) return isDenied(main) ? -1 : 1;
  // Two negations of one clause cancel each other out, those of two clauses do not.
  return splitClauses(main).some(isDenied) ? -1 : 1;
}

function isDenied(clause: string): boolean {
  return countNegations(clause) % 2 === 1;
}

function countNegations(clause: string): number {
  const english = clause.match(lists.NEGATION_WORDS)?.length ?? 0;
  const echoes = clause.match(lists.SECOND_NEGATION_WORDS)?.length ?? 0;
  const chinese = isAscii(clause) ? 0 : (clause.match(lists.CHINESE_NEGATION_WORDS)?.length ?? 0);
  return Math.max(english - echoes, Math.min(english, 1)) + chinese;
}

type AxisEnd = readonly [axis: number, end: 1 | -1];

const WORD = /[a-z]+/gi;
/** Term that stands for both ends of an axis in a topic. */
const AXIS_TERM = 'axis0';
const AXIS_WORDS: ReadonlyMap<string, AxisEnd> = new Map(
  lists.OPPOSITE_WORDS.flatMap(([plus, minus], axis): [string, AxisEnd][] => [
    ...plus.split(' ').map((word): [string, AxisEnd] => [word, [axis, 1]]),
    ...minus.split(' ').map((word): [string, AxisEnd] => [word, [axis, -1]]),
  ]),
);

const CHINESE_AXIS_WORDS: readonly (readonly [word: string, axis: number])[] = lists.CHINESE_OPPOSITE_WORDS.flatMap(
  (ends, axis) =>
    ends.flatMap((words) =>
      words.split(' ').map((word): [string, number] => [word, lists.OPPOSITE_WORDS.length + axis]),
    ),
).sort(([a], [b]) => b.length - a.length);

const DENYING_ENDS: readonly string[] = lists.CHINESE_OPPOSITE_WORDS.flatMap((ends) =>
  ends.flatMap((words) => words.split(' ').filter((word) => /^[不非]/u.test(word))),
);

function axisOf(written: string): AxisEnd | undefined {
  const word = written.toLowerCase();
  const base = /^(.{3,}?)(?:er|est)$/.exec(word)?.[1];
  return (
    AXIS_WORDS.get(word) ??
    (base === undefined
      ? undefined
      : (AXIS_WORDS.get(base) ??
        AXIS_WORDS.get(`${base}e`) ??
        AXIS_WORDS.get(base.replace(/i$/, 'y')) ??
        AXIS_WORDS.get(base.replace(/(.)\1$/, '$1'))))
  );
}

function axesOf(text: string) {
  const axes = new Map<number, 1 | -1>();
  const tooMuch = new Set<number>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const found = axisOf(word);
    if (found === undefined || axes.has(found[0])) continue;
    axes.set(...found);
    if (/\b(?:too|zu|trop)\s+$/i.test(text.slice(Math.max(0, index - 8), index))) tooMuch.add(found[0]);
  }
  if (isAscii(text)) return { axes, tooMuch };
  // 偏好用 ("prefers to use") is a liking. It does not contain the quality 好用 ("easy to use").
  const han = text.replaceAll('偏好', ' ');
  for (const [index, [plus, minus]] of lists.CHINESE_OPPOSITE_WORDS.entries()) {
    const found = (words: string): string | undefined => words.split(' ').find((word) => han.includes(word));
    const word = found(minus) ?? found(plus);
    if (word === undefined) continue;
    axes.set(lists.OPPOSITE_WORDS.length + index, found(minus) === undefined ? 1 : -1);
    if (text.includes(`太${word}`)) tooMuch.add(lists.OPPOSITE_WORDS.length + index);
  }
  return { axes, tooMuch };
}

/** The reason for a preference is not part of the preferred thing. */
const REASON = /[,;.，。；].*$|\b(?:so that|because|since|unless|when|although|as an?|as \w+$|for (?=\w+$))\b.*$/is;

type ReadTerms = (part: string) => ReadonlySet<string>;

function readChoice(text: string, terms: ReadTerms): Preference | null {
  for (const { better, worse, degree } of readComparisons(text)) {
    const choice = { chosen: terms(better), rejected: terms(worse.replace(REASON, '')), degree: degreeOf(degree) };
    // Both ends of one axis, such as short and long, have the same term. A choice between them is therefore read as an axis,
    // unless a degree is compared.
    const shared = [...choice.chosen].filter((term) => choice.rejected.has(term));
    const isAxis = shared.length === choice.chosen.size || shared.some((term) => term.startsWith(AXIS_TERM));
    if (choice.chosen.size > 0 && choice.rejected.size > 0 && (!isAxis || degree !== null)) return choice;
  }
  return null;
}

function degreeOf(word: string | null): Preference['degree'] {
  if (word === null) return null;
  const [axis, end] = axisOf(word) ?? [];
  if (axis !== undefined && end !== undefined) return { of: `${AXIS_TERM}${axis}`, end };
  return { of: stemOf(word.toLowerCase()), end: 1 };
}

function readPurpose(text: string, terms: ReadTerms): ReadonlySet<string> | null {
  for (const pattern of PURPOSE) {
    const { value = '', of = '' } = pattern.exec(text)?.groups ?? {};
    const purpose = terms(of);
    if (purpose.size > 0 && terms(value).size > 0) return purpose;
  }
  return null;
}
