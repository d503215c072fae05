import { LETTER_RANGES } from '../../scripts.js';
import { blankRanges } from '../../tokens.js';
import { ALL_TIME, addDays, thirdOf, weekPeriod } from '../calendar.js';
import {
  adjacentPeriod,
  dateInMonth,
  firstOrLastDays,
  halfOf,
  nthPart,
  periodAtDistanceFrom,
  weekendOfDay,
} from '../distance.js';
import { findTimeExpressions, indexRules, type RuleIndex } from '../expression.js';
import {
  ANNOUNCED_STATEMENT_BOUND,
  afterEnd,
  beforeStart,
  SINCE_STATEMENT_BOUND,
  sinceStart,
  type TimeBoundRule,
  type TimeGrammar,
  type TimeModifier,
  UNTIL_STATEMENT_BOUND,
  untilEnd,
  widenPeriodForAround,
} from '../grammar.js';
import { CALENDAR_RULES, DATE_RULES, RELATIVE_RULES } from './rules.js';
import { detectEnglishTense, HABIT_PATTERN, isPastForm, readAmount, readOrdinal, readPartOfPeriod } from './words.js';

const WORD = `[${LETTER_RANGES}'’-]{1,24}`;
const DETERMINER = 'the|an?|my|our|his|her|its|their|your';
const PREPOSITION = 'in|on|at|of|from|during';
/** An event before a date, such as "the release of" in "three days before the release of Nov 27". */
const EVENT = `(?:(?:${DETERMINER}) (?:${WORD} ){1,3}?(?:${PREPOSITION}) )?(?:the )?`;

const EXCEPT = 'not|except(?: for)?|apart from|other than|excluding|outside(?: of)?';
const AGO = { ago: true } as const;
/**
 * For words such as "by" and "before". In a statement, a recurring name then means its next occurrence. In a question,
 * the tense decides.
 */
const DUE = { ahead: true, told: { which: 'coming' } } as const;
const NTH = 'first|1st|second|2nd|third|3rd|fourth|4th|last|final';
const SMALL = '\\d{1,3}|an?|one|two|three|four|five|six|seven|ten|(?:a )?few|(?:a )?couple of';

/** Words that narrow a time to a part of it, or move it. */
const ENGLISH_BENDS: readonly TimeModifier[] = [
  {
    words: ['early', 'late', 'mid', 'of', 'way'],
    before: ending(
      '(?:(early|late)(?: in)?(?: |-)|mid(?: |-)|(?:the )?(beginning|start|middle|end) of (?:the )?|(?:half|mid)way (?:through|into) (?:the )?)',
    ),
    apply: (period, [which, part]) => thirdOf(period, thirdNamed(which ?? part)),
  },
  {
    words: ['half'],
    before: ending('(?:the )?(first|1st|second|2nd|other|latter) half of (?:the )?'),
    apply: (period, [which]) => halfOf(period, which === 'first' || which === '1st'),
  },
  {
    words: ['of', 'in'],
    before: ending(`(?:the )?(${NTH}) (day|week|weekend|[a-z]{3,6}day) (?:of|in) (?:the )?`),
    apply: (period, [which = '', name = '']) => {
      const part = readPartOfPeriod(name);
      return part === 'month' ? undefined : nthPart(period, readOrdinal(which), part);
    },
  },
  {
    words: ['of'],
    before: ending(`(?:the )?(first|last|final) (?:(${SMALL}) )?(day|week)s of (?:the )?`),
    apply: (period, [which = '', count = 'few', unit = '']) =>
      firstOrLastDays(period, readOrdinal(which) < 0, daysOf(count, unit)),
  },
  {
    words: ['of'],
    before: ending('(?:the )?(\\d{1,2})(?:st|nd|rd|th)? of (?:the )?'),
    apply: (period, [date]) => dateInMonth(period, Number(date)),
  },
  {
    words: ['week'],
    before: ending('(?:the )?(week|weekend) (of|ending|commencing|beginning|starting) (?:on )?(?:the )?'),
    apply: ({ since, until }, [unit, side]) => {
      if (side === 'of') return unit === 'week' ? weekPeriod(since) : weekendOfDay(since);
      return side === 'ending' ? { since: addDays(until, -6), until } : { since, until: addDays(since, 6) };
    },
  },
  {
    words: ['before', 'after'],
    before: ending(`(${SMALL}) (day|week|month|year)s? (before|after) ${EVENT}`),
    counts: true,
    apply: (period, [count = '', unit = '', side]) => {
      const read = readAmount(count, unit);
      return read && periodAtDistanceFrom(period, read.count, read.unit, side === 'after' ? 1 : -1);
    },
  },
  {
    words: ['before', 'after'],
    before: ending(`(?:(?:the|last) )?(day|week|weekend|month|[a-z]{3,6}day) (before|after) ${EVENT}`),
    counts: true,
    apply: (period, [unit = '', side]) => adjacentPeriod(period, readPartOfPeriod(unit), side === 'after' ? 1 : -1),
  },
];

function daysOf(count: string, unit: string): number {
  const read = readAmount(count, unit)?.count ?? 1;
  return (typeof read === 'number' ? read : read.to) * (unit === 'week' ? 7 : 1);
}

function thirdNamed(which: string | undefined): 'early' | 'mid' | 'late' {
  if (which === undefined || which === 'middle') return 'mid';
  return which === 'late' || which === 'end' ? 'late' : 'early';
}

/** Words that bound a time. Earlier ones win. */
const ENGLISH_BOUNDS: readonly TimeBoundRule[] = [
  bound('back', ending('back (?:in|at) (?:the )?'), undefined, { told: { which: 'latest' } }),
  // "Over the weekend we hiked" means the last weekend.
  bound('over', ending('over (?:the )?'), undefined, { told: { which: 'latest', past: true } }),
  bound('less|within|under|most|no more', ending('(?:no more than|less than|within|under|at most) '), sinceStart, AGO),
  bound('more|over|least|longer', ending('(?:more than|longer than|over|at least) '), untilEnd, AGO),
  bound('not|no earlier', leading('no earlier than|not (?:earlier than|before|until)'), sinceStart),
  bound('not|no later', leading('no later than|not (?:later than|after)'), untilEnd, DUE),
  bound('not|except|apart|other|excluding|outside', leading(EXCEPT), () => ALL_TIME),
  bound(
    'after|since',
    leading('(?:on|in) (?:or|and) (?:after|since)|(?:after|since) (?:or|and)(?= (?:on|in) )'),
    sinceStart,
  ),
  bound(
    'before|including',
    leading('(?:on|in) or before|before or(?= (?:on|in) )|(?:up to|until) and including'),
    untilEnd,
  ),
  bound('as', leading('as (?:of|at)'), untilEnd, { asOf: true, ...ANNOUNCED_STATEMENT_BOUND }),
  bound(
    'around|ca|approximately|roughly',
    leading('at around|around|circa|ca\\.?|approximately|roughly'),
    widenPeriodForAround,
    {
      ahead: true,
    },
  ),
  bound('since', leading('(?:ever )?since'), sinceStart, SINCE_STATEMENT_BOUND),
  bound(
    'starting|beginning|effective',
    leading('(?:starting|beginning|effective)(?: from)?'),
    sinceStart,
    ANNOUNCED_STATEMENT_BOUND,
  ),
  {
    after: following('onwards?|(?:and|or) (?:later|(?:after|since)(?=\\s{0,3}(?:$|[?.,;!])))'),
    apply: sinceStart,
    ...ANNOUNCED_STATEMENT_BOUND,
  },
  { after: following('(?:and|or) (?:earlier|before(?=\\s{0,3}(?:$|[?.,;!])))'), apply: untilEnd },
  bound('from', leading('from'), sinceStart, {
    after: following('on(?:wards?)?|forwards?'),
    ...ANNOUNCED_STATEMENT_BOUND,
  }),
  // "The notes from Nov 3" look back, "80 seats from January 1" begin something.
  bound('from', leading('from'), undefined, { told: { bounds: 'since', which: 'nearest', ahead: true } }),
  bound('after|later|following', leading('after|later than|following'), afterEnd),
  bound('before|prior|earlier', leading('before|prior to|earlier than'), beforeStart, DUE),
  bound(
    'til|up|through|thru',
    leading('until|till|up to|(?<!(?:all|part|some|the) (?:of the )?(?:way )?)(?:through|thru)'),
    untilEnd,
    { ahead: true, ...UNTIL_STATEMENT_BOUND },
  ),
  bound('by', leading('by'), untilEnd, DUE),
  // "Since the outage on Jan 8", "before he left in November": the day of what is told belongs to the time.
  bound('since', clause('since', 1), sinceStart),
  bound('after', clause('after', 2), sinceStart),
  bound('before', clause('before', 2), untilEnd),
];

function bound(
  words: string,
  before: RegExp,
  apply: TimeBoundRule['apply'],
  more: Partial<TimeBoundRule> = {},
): TimeBoundRule {
  return { words: words.split('|'), before, apply, ...more };
}

/** Words around a time that only carry it; they are part of the expression. */
const ENGLISH_CARRIER = ending('(?:in|on|at|during|over|of|from|throughout) (?:the )?|the ');

/** A pattern for the end of a text. A space stands for white space. */
function ending(words: string): RegExp {
  return new RegExp(`(?<![${LETTER_RANGES}])(?:${words})$`.replaceAll(' ', '\\s{1,3}'));
}

/**
 * A word with a clause of up to six words between it and the time. A clause without an article or a pronoun counts only
 * from `words` words on, so "After work on Monday" is read as Monday.
 */
function clause(word: string, words: number): RegExp {
  const next = `(?! (?:what|which|who|whom|whose|when|where|why|how|do|does|did|then) ) ${WORD}`;
  const told = `(?:(?= (?:${DETERMINER}|i|we|you|he|she|it|they) )(?:${next}){1,6}?|(?:${next}){${words},6}?)`;
  const ends = `(?<! (?:${PREPOSITION}|the)) (?:(?:${PREPOSITION}|the) ){0,2}`;
  return ending(word + told + ends);
}

/** As {@link ending}; a preposition and an article may follow the words ("since about the …"). */
function leading(words: string): RegExp {
  return ending(`(?:${words}) (?:(?:in|on|at|about|during|the) ){0,2}`);
}

/** A pattern for the beginning of what follows. */
function following(words: string): RegExp {
  return new RegExp(`^\\s{1,3}(?:${words.replaceAll(' ', '\\s{1,3}')})(?![${LETTER_RANGES}])`);
}

let dates: RuleIndex | undefined;
let others: RuleIndex | undefined;

/** How English says times. */
export const ENGLISH_TIME_GRAMMAR: TimeGrammar = {
  read(text, context) {
    dates ??= indexRules(DATE_RULES);
    others ??= indexRules([...RELATIVE_RULES, ...CALENDAR_RULES]);
    const found = findTimeExpressions(text, dates, context);
    return [...found, ...findTimeExpressions(blankRanges(text, found), others, context)];
  },
  bends: ENGLISH_BENDS,
  bounds: ENGLISH_BOUNDS,
  carriers: { before: ENGLISH_CARRIER },
  ranges: {
    opens: /(?<![\w\u00c0-\u1fff])(?:from|between)\s{1,3}(?:on\s|the\s){0,2}$/,
    to: /^\s{0,3}(?:\.{2,3}|to|through|thru|until|till|up to|-|–|—|~|\/)\s{0,3}(?:on\s|the\s){0,2}$/,
    and: /^,?\s{1,3}(?:and|or|&)\s{1,3}(?:(?:in|on|at|the)\s{1,3}){0,2}$/,
    within: /^,?\s{1,3}(?:in|on|at|during|over)\s{1,3}(?:the\s{1,3})?$/,
  },
  looksBack: /\b(?:(?:of|from)\s{1,3}(?:the\s{1,3})?|about\s{1,3})$/,
  habit: HABIT_PATTERN,
  tense: detectEnglishTense,
  saysPast: (text) => isPastForm(text) && detectEnglishTense(text) === 'past',
};
