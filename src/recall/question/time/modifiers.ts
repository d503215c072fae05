import { LETTER } from '../letters.js';
import { addDays, dayPeriod, EVER, type Period, type Span, thirdOf, weekPeriod, widen } from './calendar.js';
import { asExactAs, shift, weekend } from './distance.js';
import { amount } from './english-pattern.js';
import { ORDINALS, WEEKDAYS } from './english-words.js';
import { weekly } from './expression.js';

/** "Around" means three days on either side (design section 5). */
export const AROUND_DAYS = 3;

/** Words before a time that take a part of it or move it; the result is a period again. */
interface Bend {
  /** Of which one is in what `before` matches. */
  readonly words: readonly string[];
  readonly before: RegExp;
  apply(period: Period, groups: readonly string[]): Period | undefined;
}

/** Words around a time that make it a bound. `before` must match the text that ends there, `after` the text that begins there. */
interface Bound {
  /** Of which one is in what `before` matches; left out where looking costs as much as matching. */
  readonly words?: readonly string[];
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly asOf?: true;
  /** "From" opens a range: before one that is already complete it says nothing more. */
  readonly opens?: true;
  /** May look ahead: the tense of the question decides which occurrence of a name that comes back is meant. */
  readonly ahead?: true;
  apply(period: Period): Span;
}

const WORD = `[${LETTER}'’-]{1,24}`;
const DETERMINER = 'the|an?|my|our|his|her|its|their|your';
const PREPOSITION = 'in|on|at|of|from|during';
/** "The release of" in "three days before the release of Nov 27". */
const EVENT = `(?:(?:${DETERMINER}) (?:${WORD} ){1,3}?(?:${PREPOSITION}) )?(?:the )?`;

export const BENDS: readonly Bend[] = [
  {
    words: ['early', 'late', 'mid'],
    before: ending('(early|late)(?: in)?(?: |-)|mid(?: |-)'),
    apply: (period, [which]) => thirdOf(period, thirdNamed(which)),
  },
  {
    words: ['of'],
    before: ending('(?:the )?(beginning|start|middle|end) of (?:the )?'),
    apply: (period, [which]) => thirdOf(period, thirdNamed(which)),
  },
  {
    words: ['of'],
    before: ending('(?:the )?(first|second|third|fourth|last) (day|week|weekend)s? of (?:the )?'),
    apply: (period, [which = '', unit = '']) => nthOf(period, which, unit),
  },
  {
    words: ['of'],
    before: ending('(?:the )?(first|last) (\\d{1,2}|two|three|four|five|ten|few|couple of) (day|week)s of (?:the )?'),
    apply: (period, [which, count = '', unit = '']) => endOf(period, which === 'last', count, unit),
  },
  { words: ['of'], before: ending('(?:the )?week of (?:the )?'), apply: (period) => weekPeriod(period.since) },
  {
    words: ['before', 'after'],
    before: ending(
      `(\\d{1,3}|an?|one|two|three|four|five|six|seven|a couple of) (day|week|month|year)s? (before|after) ${EVENT}`,
    ),
    apply: (period, groups) => awayFrom(period, groups),
  },
  {
    words: ['before', 'after'],
    before: ending(`(?:the|last) (day|week|weekend|month|[a-z]{3,6}day) (before|after) ${EVENT}`),
    apply: (period, [unit, side]) => nextTo(period, unit ?? '', side === 'after' ? 1 : -1),
  },
];

export const BOUNDS: readonly Bound[] = [
  {
    words: ['not', 'no earlier'],
    before: leading('no earlier than|not (?:earlier than|before|until)'),
    apply: ({ since }) => ({ since, until: null }),
  },
  {
    words: ['not', 'no later'],
    before: leading('no later than|not (?:later than|after)'),
    ahead: true,
    apply: ({ until }) => ({ since: null, until }),
  },
  {
    words: ['not', 'except', 'apart', 'other', 'excluding', 'outside'],
    before: leading('not|except(?: for)?|apart from|other than|excluding|outside(?: of)?'),
    apply: () => EVER,
  },
  {
    words: [' or ', ' and '],
    before: leading('(?:on|in) (?:or|and) (?:after|since)'),
    apply: ({ since }) => ({ since, until: null }),
  },
  {
    words: [' or ', ' and '],
    before: leading('(?:on|in) or before|(?:up to|until) and including'),
    apply: ({ until }) => ({ since: null, until }),
  },
  { words: ['as'], before: leading('as (?:of|at)'), asOf: true, apply: ({ until }) => ({ since: null, until }) },
  { before: /(?:截至|截止到?|截止至)\s?$/, asOf: true, apply: ({ until }) => ({ since: null, until }) },
  {
    words: ['around', 'ca', 'approximately', 'roughly'],
    before: leading('at around|around|circa|ca\\.?|approximately|roughly'),
    ahead: true,
    apply: (period) => widen(period, AROUND_DAYS),
  },
  { after: /^\s?(?:前后|左右|上下)/, apply: (period) => widen(period, AROUND_DAYS) },
  { before: /(?:大约|大概|差不多)[在是]?\s?$/, apply: (period) => widen(period, AROUND_DAYS) },
  {
    words: ['since', 'starting'],
    before: leading('ever since|since|starting'),
    apply: ({ since }) => ({ since, until: null }),
  },
  {
    after: /^\s(?:onwards?|(?:and|or) (?:later|(?:after|since)(?=\s{0,3}(?:$|[?.,;!]))))(?![\w\u00c0-\u1fff])/,
    apply: ({ since }) => ({ since, until: null }),
  },
  {
    after: /^\s(?:and|or) (?:earlier|before(?=\s{0,3}(?:$|[?.,;!])))(?![\w\u00c0-\u1fff])/,
    apply: ({ until }) => ({ since: null, until }),
  },
  {
    words: ['from'],
    before: leading('from'),
    after: /^\s?(?:on(?:wards?)?|forwards?)(?![\w\u00c0-\u1fff])/,
    apply: ({ since }) => ({ since, until: null }),
  },
  { before: /(?:自从|从|自)\s?$/, opens: true, apply: ({ since }) => ({ since, until: null }) },
  { after: /^\s?(?:以来|至今|到现在|起(?![\u4e00-\u9fff])|开始)/, apply: ({ since }) => ({ since, until: null }) },
  {
    words: ['after', 'later', 'following'],
    before: leading('after|later than|following'),
    apply: ({ until }) => ({ since: addDays(until, 1), until: null }),
  },
  {
    after: /^\s?(?:之后|以后|后(?![端台面来续期天缀果悔勤]))/,
    apply: ({ until }) => ({ since: addDays(until, 1), until: null }),
  },
  {
    words: ['before', 'prior', 'earlier'],
    before: leading('before|prior to|earlier than'),
    ahead: true,
    apply: ({ since }) => ({ since: null, until: addDays(since, -1) }),
  },
  {
    after: /^\s?(?:之前|以前|前(?![后端台面任缀提置期]))/,
    apply: ({ since }) => ({ since: null, until: addDays(since, -1) }),
  },
  {
    words: ['til', 'up', 'through', 'by'],
    before: leading('until|till|up to|through|by'),
    ahead: true,
    apply: ({ until }) => ({ since: null, until }),
  },
  { before: /直?到\s?$/, after: /^\s?为止/, apply: ({ until }) => ({ since: null, until }) },
  { before: /直到\s?$/, apply: ({ until }) => ({ since: null, until }) },
  // "Since the outage on Jan 8", "before he left in November": the day of what is told belongs to the time.
  { words: ['since'], before: clause('since', 1), apply: ({ since }) => ({ since, until: null }) },
  { words: ['after'], before: clause('after', 2), apply: ({ since }) => ({ since, until: null }) },
  { words: ['before'], before: clause('before', 2), apply: ({ until }) => ({ since: null, until }) },
];

/** Words around a time that only carry it; they are part of the expression. */
export const CARRIER_BEFORE = ending('(?:in|on|at|during|over|of|from|throughout) (?:the )?|the |在');
export const CARRIER_AFTER = /^\s?(?:的时候|期间|假期|当天|那天|那几天|时候|里|内)/u;

/** "The second week of October": days 8 to 14; "the last weekend of October": the last Saturday in it, and Sunday. */
function nthOf(period: Period, which: string, unit: string): Period | undefined {
  const isLast = which === 'last';
  const before = isLast ? 0 : (ORDINALS[which] ?? 1) - 1;
  if (unit !== 'weekend') {
    const length = unit === 'week' ? 7 : 1;
    const first = isLast ? addDays(period.until, 1 - length) : addDays(period.since, before * length);
    return { since: first, until: addDays(first, length - 1) };
  }
  const saturday = isLast ? weekly(period.until, 6).period.since : weekly(addDays(period.since, 6), 6).period.since;
  return weekend(addDays(saturday, 7 * before), 0);
}

/** "The last two weeks of August", "the first three days of May". */
function endOf(period: Period, isLast: boolean, count: string, unit: string): Period | undefined {
  const read = amount(count, unit);
  if (!read) return undefined;
  const number = typeof read.count === 'number' ? read.count : read.count.to;
  const length = number * (read.unit === 'week' ? 7 : 1);
  return isLast
    ? { since: addDays(period.until, 1 - length), until: period.until }
    : { since: period.since, until: addDays(period.since, length - 1) };
}

/** "Three days before the release of Nov 27": so many units from the period's near end. */
function awayFrom(period: Period, [count = '', unit = '', side = '']: readonly string[]): Period | undefined {
  const read = amount(count, unit);
  if (!read || typeof read.count !== 'number') return undefined;
  const day =
    side === 'after' ? shift(period.until, read.count, read.unit) : shift(period.since, -read.count, read.unit);
  return asExactAs(read.unit, day);
}

/** "The week before Nov 27": the seven days; "the Friday after", "the weekend before": the nearest one on that side. */
export function nextTo(period: Period, unit: string, side: 1 | -1): Period | undefined {
  const name = unit;
  const edge = addDays(side === 1 ? period.until : period.since, side);
  if (name === 'day') return dayPeriod(edge);
  if (name === 'week')
    return side === 1 ? { since: edge, until: addDays(edge, 6) } : { since: addDays(edge, -6), until: edge };
  if (name === 'month')
    return side === 1
      ? { since: edge, until: shift(edge, 1, 'month') }
      : { since: shift(edge, -1, 'month'), until: edge };
  if (name === 'weekend') {
    const near = weekend(edge, 0);
    if (side === 1) return near;
    return near.until <= edge ? near : weekend(edge, -1);
  }
  const weekday = WEEKDAYS[name];
  return weekday === undefined ? undefined : weekly(side === 1 ? addDays(edge, 6) : edge, weekday).period;
}

function thirdNamed(which: string | undefined): 'early' | 'mid' | 'late' {
  if (which === undefined || which === 'middle') return 'mid';
  return which === 'early' || which === 'beginning' || which === 'start' ? 'early' : 'late';
}

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
