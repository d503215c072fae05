import { memoize } from '../../../base/cache.js';
import type { Day } from '../../../base/clock.js';
import { LETTER_RANGES } from '../../scripts.js';
import { halfOf, type Period, thirdOf, weekendOfDay, weekPeriod } from '../calendar.js';
import { BOUNDS, type TimeBoundRule, type TimeGrammar, type TimeModifier } from '../grammar.js';
import { CHINESE, CHINESE_GRAMMAR } from './chinese.js';
import type { Language } from './detect.js';
import { ENGLISH, ENGLISH_GRAMMAR } from './english.js';
import { Lexicon, PATTERN_WITHOUT_MATCH, readPhrases } from './reader.js';
import {
  BOUND_COLUMNS,
  DUTCH,
  FRENCH,
  GERMAN,
  ITALIAN,
  JAPANESE,
  PERIOD_THIRD_NAMES,
  PORTUGUESE,
  RUSSIAN,
  SPANISH,
  TIME_UNIT_COLUMNS,
  type TimeWords,
} from './words.js';

/** Builds the grammar of a language from its words. */
function grammarOf(words: TimeWords, own: Partial<TimeGrammar> = {}): TimeGrammar {
  const lexicon = new Lexicon(words);
  const [space, edge] = lexicon.unspaced ? ['の?', ''] : ["(?:\\s{1,3}|(?<=['’]))", `(?<![${LETTER_RANGES}-])`];
  const ending = (source: string) => new RegExp(`${edge}(?:${source})$`.replaceAll('_', space));
  const beginning = (source: string) => new RegExp(`^(?:${source})`.replaceAll('_', space));
  const anywhere = (source: string) =>
    new RegExp((lexicon.unspaced ? source : `${edge}${source}(?![${LETTER_RANGES}])`).replaceAll('_', space));
  const [the, within] = [`(?:${lexicon.anyOf('the')}_)?`, `(?:${lexicon.anyOf('in', 'on', 'of', 'dayWord')}_)?`];
  const [present, past] = [anywhere(lexicon.anyOf('present')), anywhere(lexicon.anyOf('past'))];
  const isAhead = (text: string) => !past.test(text) && present.test(text);
  const of = lexicon.anyOf('of');
  const from = ending(`${lexicon.anyOf('from')}_${the}`);
  const thirds = lexicon.entries('third').map((third) => `(${third})`);
  const third: TimeModifier = {
    before: ending(`(?:${thirds.join('|') || PATTERN_WITHOUT_MATCH})(?:(?<=-)|(?:_${of})?_${the})`),
    apply: (period, groups) => thirdOf(period, PERIOD_THIRD_NAMES[groups.findIndex(Boolean)] ?? 'mid'),
  };
  // The week or weekend of a day: "die Woche vom 24. November", "das Wochenende vom 2. Mai".
  const dayIn = (unit: 'week' | 'weekend', near: (day: Day) => Period): TimeModifier => {
    const name = lexicon.entries('unit')[TIME_UNIT_COLUMNS.indexOf(unit)] ?? PATTERN_WITHOUT_MATCH;
    return {
      before: ending(`(?:${name})_${lexicon.anyOf('of', 'from')}_${the}`),
      apply: ({ since, until }) => (since === until ? near(since) : undefined),
    };
  };
  const [firstHalf = PATTERN_WITHOUT_MATCH, secondHalf = PATTERN_WITHOUT_MATCH] = lexicon.entries('halves');
  const half: TimeModifier = {
    before: ending(`(?:(${firstHalf})|${secondHalf})(?:_${of})?_${the}`),
    apply: (period, [first]) => halfOf(period, first !== undefined),
  };
  const carriers = lexicon.anyOf('in', 'on', 'of', 'dayWord');
  return {
    read: (text, context) => readPhrases(text, lexicon, { ...context, isAhead: () => isAhead(text) }),
    mayNameDay: (text) => lexicon.hasDayCue(text),
    bends: [dayIn('weekend', weekendOfDay), dayIn('week', weekPeriod), half, third],
    bounds: BOUND_COLUMNS.flatMap((kind): TimeBoundRule[] => [
      { ...BOUNDS[kind], ...hintsOf(lexicon.entries(kind)), before: ending(`${lexicon.anyOf(kind)}_${the}${within}`) },
      { ...BOUNDS[kind], opens: true, after: beginning(lexicon.anyOf(`${kind}After`)) },
    ]),
    carriers: { before: ending(`${carriers}_${the}|${lexicon.anyOf('the')}_`) },
    ranges: {
      opens: ending(`${lexicon.anyOf('from', 'between')}_${the}`),
      to: beginning(`(?:_${lexicon.anyOf('to')}_${within}${the}|\\s?[-–—]\\s?)$`),
      and: beginning(`,?_${lexicon.anyOf('and')}_${within}${the}$`),
      within: beginning(`,?_${within}${the}$`),
    },
    // "Jedes Jahr im August".
    habit: anywhere(`${lexicon.anyOf('every')}_${lexicon.anyOf('unit', 'plural')}`),
    // "The notes from 3 March" may be past or planned, whatever the verb.
    tense: (text, { start }) => {
      if (past.test(text)) return 'past';
      return present.test(text) && !from.test(text.slice(0, start)) ? 'ahead' : 'unsaid';
    },
    ...own,
  };
}

/**
 * The letters with which each entry begins, for a quick test before the pattern. If one entry does not begin with
 * letters, the result is empty and there is no quick test.
 */
function hintsOf(entries: readonly string[]): Pick<TimeBoundRule, 'words'> {
  const words = entries.map((entry) => (/^[a-z\u0400-\u04ff]+(?![a-z\u0400-\u04ff?])/.exec(entry) ?? [''])[0]);
  return words.includes('') ? {} : { words };
}

const TABLES: Readonly<Record<Language | 'en' | 'zh', readonly [words: TimeWords, own?: Partial<TimeGrammar>]>> = {
  en: [ENGLISH, ENGLISH_GRAMMAR],
  zh: [CHINESE, CHINESE_GRAMMAR],
  de: [GERMAN],
  fr: [FRENCH],
  es: [SPANISH],
  pt: [PORTUGUESE],
  it: [ITALIAN],
  nl: [DUTCH],
  ru: [RUSSIAN],
  ja: [JAPANESE],
};

/** The grammar of a language, built once. */
export const timeGrammarOf = memoize((language: Language | 'en' | 'zh') => grammarOf(...TABLES[language]));
