import type { Day } from '../../../base/clock.js';
import { type Period, thirdOf } from '../calendar.js';
import type { Expression, Meaning, Occurrence, TimeContext } from '../expression.js';
import { halfOf } from '../parts.js';
import type { Lexicon, LexiconToken } from './lexicon.js';
import { PHRASES, type PhraseMatch, type PhraseReader } from './phrases.js';

export const THIRDS = ['early', 'mid', 'late'] as const;

/** One word of a phrase: what it is called there, and what a token has to be. */
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
  /** What may or must not stand behind it, each one way to say it. */
  readonly behind: readonly Elements[];
  readonly forbids: boolean;
  readonly read: PhraseReader;
}

/** Short names of what phrases have in common. */
const SHORT: readonly (readonly [string, readonly string[]])[] = [
  ['PERIOD', ['of? the? month', 'of? the? YEAR']],
  ['DATE', ['d th? of? the? anyMonth', 'first of? the? anyMonth', 'd th? to the? d2 th? of? the? anyMonth']],
  ['YEAR', ['year4 yearEnd?', 'which~year']],
  ['WEEKDAY', ['weekday', 'short']],
  ['PARTS', ['week', 'weekday']],
];

const beginning = new WeakMap<LexiconToken['is'], readonly Pattern[]>();
let patterns: ReadonlyMap<string, readonly Pattern[]> | undefined;

/** The times that a folded text names by the phrases that all languages share. */
export function readPhrases(text: string, lexicon: Lexicon, context: PhraseContext): Expression[] {
  if (!lexicon.hasCue(text)) return [];
  const tokens = lexicon.read(text);
  const found: Expression[] = [];
  let free = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.start < free || token.is.size === 0 || /[@#/\\]/.test(text.charAt(token.start - 1))) continue;
    const expression = readAt(tokens, i, lexicon.unspaced, context);
    // "1970er", "30-Minuten", the year of 2026-04-01, a path.
    const more = lexicon.unspaced ? /^.[@/\\%]/ : /^(?:.[@/\\%]|\d-?[a-z\u00c0-\u1fff]|\d-\d\d(?!\d))/;
    if (!expression || more.test(text.slice(expression.end - 1, expression.end + 4))) continue;
    found.push(expression);
    free = expression.end;
  }
  return found;
}

/** The longest phrase that begins at a token and means something. */
function readAt(
  tokens: readonly LexiconToken[],
  i: number,
  unspaced: boolean,
  context: PhraseContext,
): Expression | undefined {
  const matches = patternsAt(tokens[i]?.is ?? new Map()).flatMap((pattern) => {
    const words = new Map<string, LexiconToken>();
    const end = follow(pattern.words, tokens, i, words);
    return end !== undefined && fits(pattern, tokens, i, end) ? { read: pattern.read, words, end } : [];
  });
  const start = tokens[i]?.start ?? 0;
  for (const { read, words, end } of matches.sort((a, b) => b.end - a.end)) {
    const meant = read({ ...context, words, before: tokens[i - 1], unspaced, start });
    // 3月末, 先月の初め
    const last = unspaced && tokens[end]?.is.has('of') ? end + 1 : end;
    const part = partAfter(tokens[last]);
    if (meant && part) return { ...partIn(meant, part), start, end: tokens[last]?.end ?? start };
    if (meant) return { ...meant, start, end: tokens[end - 1]?.end ?? start };
  }
  return undefined;
}

/** 3月末, 2025年上半期: which part of a time a word behind it takes. */
function partAfter(token: LexiconToken | undefined): ((period: Period) => Period) | undefined {
  const third = THIRDS[token?.is.get('thirdAfter') ?? -1];
  const half = token?.is.get('halvesAfter');
  if (half !== undefined) return (period) => halfOf(period, half === 0);
  return third && ((period) => thirdOf(period, third));
}

/** A part of each time that comes back. */
function partIn({ period, recurs }: Meaning, part: (period: Period) => Period): Meaning {
  const of = (occurrence: Occurrence | undefined) => occurrence && { period: part(occurrence.period) };
  const again = recurs && { recurs: { ...recurs, at: (anchor: Day) => of(recurs.at(anchor)) } };
  return { period: part(period), ...again };
}

/** The patterns that can begin with a word; asked once for each. */
function patternsAt(kinds: LexiconToken['is']): readonly Pattern[] {
  patterns ??= readPatterns();
  const known = patterns;
  const able = beginning.get(kinds) ?? [...new Set([...kinds.keys()].flatMap((kind) => known.get(kind) ?? []))];
  beginning.set(kinds, able);
  return able;
}

/** Whether what stands around the words of a phrase is as it asks. */
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

/** Where the elements end that begin at a token, the longest way; undefined where they are not there. */
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
  for (const { ways, read } of PHRASES)
    for (const said of ways) {
      const [, before = '', middle = '', sign = '', after = ''] =
        /^(?:(.*) : )?(.*?)(?: ([&!]) (.*))?$/.exec(said) ?? [];
      const behind = after === '' ? [] : variants(after).map(elementsOf);
      for (const words of variants(middle).map(elementsOf)) {
        const pattern = { before: elementsOf(before), words, behind, forbids: sign === '!', read };
        const last = words.findIndex(({ mayMiss }) => !mayMiss);
        for (const { kind } of words.slice(0, last + 1)) byFirst.set(kind, [...(byFirst.get(kind) ?? []), pattern]);
      }
    }
  return byFirst;
}

/** All ways to say it: short names replaced, either order of `a~b`. */
function variants(says: string): string[] {
  for (const [name, ways] of SHORT)
    if (says.includes(name)) return ways.flatMap((way) => variants(says.replace(name, way)));
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
