import type { Day } from '../../../base/clock.js';
import { addDays, type Period, thirdOf } from '../calendar.js';
import { halfOf } from '../distance.js';
import {
  mapOccurrences,
  recurringMeaning,
  type TextAroundMatch,
  type TimeContext,
  type TimeExpression,
  type TimeMeaning,
  textAroundMatch,
} from '../expression.js';
import { type Lexicon, PERIOD_THIRD_NAMES } from './lexicon.js';
import { type PhraseReader, SHORT_NAMES, TIME_PHRASES } from './phrases.js';
import type { LexiconToken, PhraseMatch } from './words.js';

/** One word of a phrase: its name in the phrase, and the kind that a token must have. */
interface Element {
  readonly name: string;
  readonly kind: string;
  readonly mayMiss: boolean;
}

type Elements = readonly Element[];
type PhraseContext = TimeContext & Pick<PhraseMatch, 'isAhead'>;

interface Pattern {
  readonly before: Elements;
  readonly words: Elements;
  /**
   * Alternatives for what follows the words. One of the alternatives must follow. If `forbids` is set, none of them may
   * follow.
   */
  readonly behind: readonly Elements[];
  readonly forbids: boolean;
  readonly read: PhraseReader;
  readonly isName: boolean;
}

const beginning = new WeakMap<LexiconToken['is'], readonly Pattern[]>();
let patterns: ReadonlyMap<string, readonly Pattern[]> | undefined;

/** Reads the times of a folded text by the phrases, which all languages share. */
export function readPhrases(written: string, lexicon: Lexicon, context: PhraseContext): TimeExpression[] {
  if (!lexicon.hasCue(written)) return [];
  const text = lexicon.words.edges ? withoutNames(written, context) : written;
  const tokens = lexicon.read(text);
  const found: TimeExpression[] = [];
  let free = 0;
  const before = lexicon.words.edges ? /[@#\\]/ : /[@#/\\]/;
  for (const [i, token] of tokens.entries()) {
    if (token.start < free || token.is.size === 0 || before.test(text.charAt(token.start - 1))) continue;
    const expression = readAt(text, tokens, i, lexicon, context, found.at(-1));
    // Excludes numbers that are a part of something longer: "1970er", "30-Minuten", the year of 2026-04-01, and paths.
    const more = lexicon.unspaced ? /^.[@/\\%]/ : /^(?:.[@/\\%]|\d-?[a-z\u00c0-\u1fff]|\d-\d\d(?!\d))/;
    if (!expression || more.test(text.slice(expression.end - 1, expression.end + 4))) continue;
    found.push(expression);
    free = expression.end;
  }
  return found;
}

/**
 * A text without known names, in a language without spaces: a name is no part of a time, except its first character (周一鸣
 * in 上周一鸣).
 */
function withoutNames(text: string, { isName }: PhraseContext): string {
  const isIn = (at: number) => isName(at) && (isName(at - 1) || !/[周月年]/.test(text.charAt(at)));
  return text.replace(/./gs, (character, at: number) => (isIn(at) ? '\ufffc' : character));
}

/** The longest phrase that begins at a token and has a meaning. */
function readAt(
  text: string,
  tokens: readonly LexiconToken[],
  i: number,
  lexicon: Lexicon,
  context: PhraseContext,
  previous: TimeExpression | undefined,
): TimeExpression | undefined {
  const matches = patternsAt(tokens[i]?.is ?? new Map()).flatMap((pattern) => {
    const words = new Map<string, LexiconToken>();
    const end = follow(pattern.words, tokens, i, words);
    return end !== undefined && fits(pattern, tokens, i, end) ? { pattern, words, end } : [];
  });
  const start = tokens[i]?.start ?? 0;
  for (const { pattern, words, end } of matches.sort((a, b) => b.end - a.end)) {
    const close = tokens[end - 1]?.end ?? start;
    const around = { ...textAroundMatch(text, start, close), previous };
    if (isCut(lexicon, text.slice(start, close), tokens[end - 1]?.is, words, around)) continue;
    const { unspaced, words: table } = lexicon;
    const said: PhraseMatch = {
      ...context,
      words,
      table,
      before: tokens[i - 1],
      around,
      unspaced,
      start,
      isBareName: pattern.isName,
    };
    const meant = isMeant(said) ? pattern.read(said) : undefined;
    if (!meant) continue;
    // A part that follows the time: 3月末, 先月の初め.
    const last = unspaced && tokens[end]?.is.has('of') ? end + 1 : end;
    const part = words.has('n') ? undefined : partAfter(text, tokens[last], lexicon);
    const parted = part && partIn(meant, part, { today: context.today, isOver: table.edges !== undefined });
    if (parted) return { ...parted, start, end: tokens[last]?.end ?? start };
    return { ...meant, start, end: close };
  }
  return undefined;
}

function isMeant(said: PhraseMatch): boolean {
  const isClear = () => !said.isBareName || CLEAR_NAMES.some((kind) => said.words.has(kind));
  return said.table.isTime?.(said) ?? isClear();
}

/** Bare names that are times in every text. */
const CLEAR_NAMES = ['feast', 'QUARTER', 'ordinal', 'halfNamed'];

/** Kinds of words after which a longer word may begin: 昨天|天气, 3日|日程. */
const WHOLE = ['th', 'named', 'part', 'season', 'thatWeek', 'halvesAfter'];

/**
 * Whether the first or last character of a time is a part of a longer word, in a language without spaces. There the word
 * for "last" stands before its time: 周五上线 names no last Friday.
 */
function isCut(
  { words: { edges } }: Lexicon,
  time: string,
  last: LexiconToken['is'] | undefined,
  words: PhraseMatch['words'],
  { before, after, position }: TextAroundMatch,
): boolean {
  if (!edges) return false;
  if ((words.get('which')?.start ?? position) !== position || edges.closesWord(time.charAt(0), before, after))
    return true;
  const isWhole = WHOLE.some((kind) => last?.has(kind)) || (words.has('n') && last?.has('units'));
  return !isWhole && edges.opensWord(time.slice(-1), after);
}

/** Reads a word that names a part of the time before it: 末 ("end") in 3月末. Returns the function that selects this part. */
function partAfter(
  text: string,
  token: LexiconToken | undefined,
  { words: { edges } }: Lexicon,
): ((period: Period) => Period) | undefined {
  if (edges?.opensWord(token?.text.at(-1) ?? '', text.slice(token?.end))) return undefined;
  const third = PERIOD_THIRD_NAMES[token?.is.get('thirdAfter') ?? -1];
  const half = token?.is.get('halvesAfter');
  if (half !== undefined) return (period) => halfOf(period, half === 0);
  return third && ((period) => thirdOf(period, third));
}

/**
 * Selects the part of a time that `part` gives, for example the end of a month. Only the tense of Chinese shows whether the
 * part of the latest month may lie ahead: on 3 December, 12月底 is the end of last December.
 */
function partIn(
  meaning: TimeMeaning,
  part: (period: Period) => Period,
  { today, isOver }: { readonly today: Day; readonly isOver: boolean },
): TimeMeaning | undefined {
  const parted = mapOccurrences(meaning, ({ period }) => ({ period: part(period) }));
  if (!parted?.recurs || !isOver) return parted;
  const { cycle, at } = parted.recurs;
  return recurringMeaning(today, cycle, (anchor) => {
    const latest = at(anchor);
    return latest && latest.period.since > anchor ? at(addDays(anchor, -cycle)) : latest;
  });
}

/** The patterns that can begin with a token of these kinds; computed once. */
function patternsAt(kinds: LexiconToken['is']): readonly Pattern[] {
  patterns ??= readPatterns();
  const known = patterns;
  const able = beginning.get(kinds) ?? [...new Set([...kinds.keys()].flatMap((kind) => known.get(kind) ?? []))];
  beginning.set(kinds, able);
  return able;
}

/** Whether the tokens around a phrase match its pattern. */
function fits(
  { before, behind, forbids }: Pattern,
  tokens: readonly LexiconToken[],
  start: number,
  end: number,
): boolean {
  const opens =
    before.length === 0 || [1, 2, 3].some((back) => back <= start && follow(before, tokens, start - back) === start);
  if (!opens || behind.length === 0) return opens;
  return behind.some((elements) => follow(elements, tokens, end) !== undefined) !== forbids;
}

/** The end of the longest match of the elements from a token on; undefined without a match. */
function follow(
  elements: Elements,
  tokens: readonly LexiconToken[],
  at: number,
  words?: Map<string, LexiconToken>,
  next = 0,
): number | undefined {
  const element = elements[next];
  if (!element) return at;
  const token = tokens[at];
  if (element.kind === 'END') return token === undefined || /^[^\w\u00c0-\u1fff]/.test(token.text) ? at : undefined;
  const end = token?.is.has(element.kind) ? follow(elements, tokens, at + 1, words, next + 1) : undefined;
  if (end !== undefined && token) words?.set(element.name, token);
  return end ?? (element.mayMiss ? follow(elements, tokens, at, words, next + 1) : undefined);
}

function readPatterns(): ReadonlyMap<string, readonly Pattern[]> {
  const byFirst = new Map<string, Pattern[]>();
  for (const { ways, read, isName } of TIME_PHRASES)
    for (const said of ways) {
      const [, before = '', middle = '', sign = '', after = ''] =
        /^(?:(.*) : )?(.*?)(?: ([&!]) (.*))?$/.exec(said) ?? [];
      const behind = after === '' ? [] : variants(after).map(elementsOf);
      for (const words of variants(middle).map(elementsOf)) {
        const pattern = { before: elementsOf(before), words, behind, forbids: sign === '!', read, isName };
        const last = words.findIndex(({ mayMiss }) => !mayMiss);
        for (const { kind } of words.slice(0, last + 1)) byFirst.set(kind, [...(byFirst.get(kind) ?? []), pattern]);
      }
    }
  return byFirst;
}

/** All variants of a phrase: short names replaced, both orders of `a~b`. */
function variants(says: string): string[] {
  for (const [name, ways] of SHORT_NAMES)
    if (says.includes(name)) return ways.flatMap((way) => variants(says.replace(name, way === '-' ? '' : way)));
  const [pair, a, b] = /(\S+)~(\S+)/.exec(says) ?? [];
  return pair === undefined
    ? [says]
    : [`${a} ${b}`, `${b} ${a}`].flatMap((order) => variants(says.replace(pair, order)));
}

function elementsOf(says: string): Element[] {
  return says
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [name = '', kind = name.replace('2', '')] = word.replace('?', '').split('=');
      return { name, kind, mayMiss: word.endsWith('?') };
    });
}
