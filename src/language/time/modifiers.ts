import { LETTER } from '../scripts.js';
import { addDays, EVER, type Period, type Span, thirdOf, weekPeriod, widen } from './calendar.js';
import {
  awayFrom,
  dateIn,
  endOf,
  halfOf,
  nextTo,
  nthOf,
  nthWeekday,
  thirdNamed,
  weekendNear,
} from './english/parts.js';

/** "Around" means three days on either side (design section 5). */
export const AROUND_DAYS = 3;

/** Words before a time that take a part of it or move it; the result is a period again. */
interface Bend {
  /** Of which one is in what `before` matches. */
  readonly words: readonly string[];
  readonly before: RegExp;
  /** Counts from the day itself: two days before Christmas are two before the 25th. */
  readonly counts?: true;
  apply(period: Period, groups: readonly string[]): Period | undefined;
}

/** Words around a time that make it a bound. `before` must match the text that ends there, `after` the text that begins there. */
export interface Bound {
  /** Of which one is in what `before` matches; left out where looking costs as much as matching. */
  readonly words?: readonly string[];
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly asOf?: true;
  /** "From" opens a range: before one that is already complete it says nothing more. */
  readonly opens?: true;
  /** May look ahead: the tense of the question decides which occurrence of a name that comes back is meant. */
  readonly ahead?: true;
  /** Bounds a distance from today only: "over a year ago", not "over Christmas". */
  readonly ago?: true;
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
    before: ending('(?:the )?(first|last|final) days of (?:the )?'),
    apply: (period, [which]) => endOf(period, which !== 'first', 'few', 'day'),
  },
  {
    words: ['half'],
    before: ending('(?:the )?(first|1st|second|2nd|other|latter) half of (?:the )?'),
    apply: (period, [which]) => halfOf(period, which === 'first' || which === '1st'),
  },
  {
    words: ['of', 'in'],
    before: ending('(?:the )?(first|second|third|fourth|last|final) ([a-z]{3,6}day) (?:of|in) (?:the )?'),
    apply: (period, [which = '', weekday = '']) => nthWeekday(period, which, weekday),
  },
  {
    words: ['of'],
    before: ending('(?:the )?(\\d{1,2})(?:st|nd|rd|th)? of (?:the )?'),
    apply: (period, [date]) => dateIn(period, Number(date)),
  },
  {
    words: ['ending'],
    before: ending('(?:the )?week ending (?:on )?(?:the )?'),
    apply: ({ until }) => ({ since: addDays(until, -6), until }),
  },
  {
    words: ['week'],
    before: ending('(?:the )?week (?:commencing|beginning|starting) (?:on )?(?:the )?'),
    apply: ({ since }) => ({ since, until: addDays(since, 6) }),
  },
  {
    words: ['of'],
    before: ending('(?:the )?(first|second|third|fourth|last|final) (day|week|weekend)s? of (?:the )?'),
    apply: (period, [which = '', unit = '']) => nthOf(period, which, unit),
  },
  {
    words: ['of'],
    before: ending(
      '(?:the )?(first|last|final) (\\d{1,2}|two|three|four|five|ten|few|couple of) (day|week)s of (?:the )?',
    ),
    apply: (period, [which, count = '', unit = '']) => endOf(period, which !== 'first', count, unit),
  },
  { words: ['of'], before: ending('(?:the )?week of (?:the )?'), apply: (period) => weekPeriod(period.since) },
  { words: ['weekend'], before: ending('(?:the )?weekend of (?:the )?'), apply: (period) => weekendNear(period.since) },
  {
    words: ['before', 'after'],
    before: ending(
      `(\\d{1,3}|an?|one|two|three|four|five|six|seven|a couple of) (day|week|month|year)s? (before|after) ${EVENT}`,
    ),
    counts: true,
    apply: (period, groups) => awayFrom(period, groups),
  },
  {
    words: ['before', 'after'],
    before: ending(`(?:(?:the|last) )?(day|week|weekend|month|[a-z]{3,6}day) (before|after) ${EVENT}`),
    counts: true,
    apply: (period, [unit, side]) => nextTo(period, unit ?? '', side === 'after' ? 1 : -1),
  },
];

export const BOUNDS: readonly Bound[] = [
  {
    words: ['less', 'within', 'under', 'most', 'no more'],
    before: ending('(?:no more than|less than|within|under|at most) '),
    ago: true,
    apply: ({ since }) => ({ since, until: null }),
  },
  {
    words: ['more', 'over', 'least', 'longer'],
    before: ending('(?:more than|longer than|over|at least) '),
    ago: true,
    apply: ({ until }) => ({ since: null, until }),
  },
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
    before: leading('(?:on|in) (?:or|and) (?:after|since)|(?:after|since) (?:or|and)(?= (?:on|in) )'),
    apply: ({ since }) => ({ since, until: null }),
  },
  {
    words: [' or ', ' and '],
    before: leading('(?:on|in) or before|before or(?= (?:on|in) )|(?:up to|until) and including'),
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
