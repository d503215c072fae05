import { LETTER } from '../../scripts.js';
import { AFTER_IT, AROUND_IT, BEFORE_IT, type Bend, type Bound, FROM_IT_ON, UP_TO_IT } from '../bound.js';
import { addDays, EVER, thirdOf, weekPeriod } from '../calendar.js';
import { awayFrom, dateIn, endOf, halfOf, nextTo, nthOf, weekendNear } from '../parts.js';
import { amount, nthNamed, partNamed } from './pattern.js';

const WORD = `[${LETTER}'’-]{1,24}`;
const DETERMINER = 'the|an?|my|our|his|her|its|their|your';
const PREPOSITION = 'in|on|at|of|from|during';
/** "The release of" in "three days before the release of Nov 27". */
const EVENT = `(?:(?:${DETERMINER}) (?:${WORD} ){1,3}?(?:${PREPOSITION}) )?(?:the )?`;

const NTH = 'first|1st|second|2nd|third|3rd|fourth|4th|last|final';
const SMALL = '\\d{1,3}|an?|one|two|three|four|five|six|seven|ten|(?:a )?few|(?:a )?couple of';

/** Words that take a part of a time, or move it. */
export const ENGLISH_BENDS: readonly Bend[] = [
  {
    words: ['early', 'late', 'mid', 'of'],
    before: ending('(?:(early|late)(?: in)?(?: |-)|mid(?: |-)|(?:the )?(beginning|start|middle|end) of (?:the )?)'),
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
      const part = partNamed(name);
      return part === 'month' ? undefined : nthOf(period, nthNamed(which), part);
    },
  },
  {
    words: ['of'],
    before: ending(`(?:the )?(first|last|final) (?:(${SMALL}) )?(day|week)s of (?:the )?`),
    apply: (period, [which = '', count = 'few', unit = '']) => endOf(period, nthNamed(which) < 0, daysOf(count, unit)),
  },
  {
    words: ['of'],
    before: ending('(?:the )?(\\d{1,2})(?:st|nd|rd|th)? of (?:the )?'),
    apply: (period, [date]) => dateIn(period, Number(date)),
  },
  {
    words: ['week'],
    before: ending('(?:the )?(week|weekend) (of|ending|commencing|beginning|starting) (?:on )?(?:the )?'),
    apply: ({ since, until }, [unit, side]) => {
      if (side === 'of') return unit === 'week' ? weekPeriod(since) : weekendNear(since);
      return side === 'ending' ? { since: addDays(until, -6), until } : { since, until: addDays(since, 6) };
    },
  },
  {
    words: ['before', 'after'],
    before: ending(`(${SMALL}) (day|week|month|year)s? (before|after) ${EVENT}`),
    counts: true,
    apply: (period, [count = '', unit = '', side]) => {
      const read = amount(count, unit);
      return read && awayFrom(period, read.count, read.unit, side === 'after' ? 1 : -1);
    },
  },
  {
    words: ['before', 'after'],
    before: ending(`(?:(?:the|last) )?(day|week|weekend|month|[a-z]{3,6}day) (before|after) ${EVENT}`),
    counts: true,
    apply: (period, [unit = '', side]) => nextTo(period, partNamed(unit), side === 'after' ? 1 : -1),
  },
];

function daysOf(count: string, unit: string): number {
  const read = amount(count, unit)?.count ?? 1;
  return (typeof read === 'number' ? read : read.to) * (unit === 'week' ? 7 : 1);
}

function thirdNamed(which: string | undefined): 'early' | 'mid' | 'late' {
  if (which === undefined || which === 'middle') return 'mid';
  return which === 'late' || which === 'end' ? 'late' : 'early';
}

/** Words that bound a time. Earlier ones win. */
export const ENGLISH_BOUNDS: readonly Bound[] = [
  { words: ['back'], before: ending('back (?:in|on|at) (?:the )?'), told: { which: 'latest' }, apply: undefined },
  {
    words: ['less', 'within', 'under', 'most', 'no more'],
    before: ending('(?:no more than|less than|within|under|at most) '),
    ago: true,
    apply: FROM_IT_ON,
  },
  {
    words: ['more', 'over', 'least', 'longer'],
    before: ending('(?:more than|longer than|over|at least) '),
    ago: true,
    apply: UP_TO_IT,
  },
  {
    words: ['not', 'no earlier'],
    before: leading('no earlier than|not (?:earlier than|before|until)'),
    apply: FROM_IT_ON,
  },
  {
    words: ['not', 'no later'],
    before: leading('no later than|not (?:later than|after)'),
    ahead: true,
    told: { which: 'coming' },
    apply: UP_TO_IT,
  },
  {
    words: ['not', 'except', 'apart', 'other', 'excluding', 'outside'],
    before: leading('not|except(?: for)?|apart from|other than|excluding|outside(?: of)?'),
    apply: () => EVER,
  },
  {
    words: [' or ', ' and '],
    before: leading('(?:on|in) (?:or|and) (?:after|since)|(?:after|since) (?:or|and)(?= (?:on|in) )'),
    apply: FROM_IT_ON,
  },
  {
    words: [' or ', ' and '],
    before: leading('(?:on|in) or before|before or(?= (?:on|in) )|(?:up to|until) and including'),
    apply: UP_TO_IT,
  },
  {
    words: ['as'],
    before: leading('as (?:of|at)'),
    asOf: true,
    told: { bounds: 'since', which: 'announced' },
    apply: UP_TO_IT,
  },
  {
    words: ['around', 'ca', 'approximately', 'roughly'],
    before: leading('at around|around|circa|ca\\.?|approximately|roughly'),
    ahead: true,
    apply: AROUND_IT,
  },
  {
    words: ['since'],
    before: leading('(?:ever )?since'),
    told: { bounds: 'since', which: 'latest' },
    apply: FROM_IT_ON,
  },
  {
    words: ['starting', 'beginning', 'effective'],
    before: leading('(?:starting|beginning|effective)(?: from)?'),
    told: { bounds: 'since', which: 'announced' },
    apply: FROM_IT_ON,
  },
  {
    after: /^\s(?:onwards?|(?:and|or) (?:later|(?:after|since)(?=\s{0,3}(?:$|[?.,;!]))))(?![\w\u00c0-\u1fff])/,
    told: { bounds: 'since', which: 'announced' },
    apply: FROM_IT_ON,
  },
  { after: /^\s(?:and|or) (?:earlier|before(?=\s{0,3}(?:$|[?.,;!])))(?![\w\u00c0-\u1fff])/, apply: UP_TO_IT },
  {
    words: ['from'],
    before: leading('from'),
    after: /^\s?(?:on(?:wards?)?|forwards?)(?![\w\u00c0-\u1fff])/,
    told: { bounds: 'since', which: 'announced' },
    apply: FROM_IT_ON,
  },
  // "The notes from Nov 3" look back, "80 seats from January 1" begin something.
  {
    words: ['from'],
    before: leading('from'),
    told: { bounds: 'since', which: 'nearest', ahead: true },
    apply: undefined,
  },
  { words: ['after', 'later', 'following'], before: leading('after|later than|following'), apply: AFTER_IT },
  {
    words: ['before', 'prior', 'earlier'],
    before: leading('before|prior to|earlier than'),
    ahead: true,
    told: { which: 'coming' },
    apply: BEFORE_IT,
  },
  {
    words: ['til', 'up', 'through', 'thru'],
    before: leading('until|till|up to|through|thru'),
    ahead: true,
    told: { bounds: 'until', which: 'coming' },
    apply: UP_TO_IT,
  },
  { words: ['by'], before: leading('by'), ahead: true, told: { which: 'coming' }, apply: UP_TO_IT },
  // "Since the outage on Jan 8", "before he left in November": the day of what is told belongs to the time.
  { words: ['since'], before: clause('since', 1), apply: FROM_IT_ON },
  { words: ['after'], before: clause('after', 2), apply: FROM_IT_ON },
  { words: ['before'], before: clause('before', 2), apply: UP_TO_IT },
];

/** Words around a time that only carry it; they are part of the expression. */
export const ENGLISH_CARRIER = ending('(?:in|on|at|during|over|of|from|throughout) (?:the )?|the ');

/** A pattern for the end of a text. A space stands for white space. */
function ending(words: string): RegExp {
  return new RegExp(`(?<![${LETTER}])(?:${words})$`.replaceAll(' ', '\\s{1,3}'));
}

/**
 * A word with a clause of up to six words between it and the time. "After work on Monday" is Monday: of a clause that
 * has neither an article nor a pronoun, so many words are asked.
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
