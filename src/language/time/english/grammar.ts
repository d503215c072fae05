import { blank } from '../../tokens.js';
import { indexRules, type RuleIndex, scan } from '../expression.js';
import type { Grammar } from '../grammar.js';
import { CALENDAR_RULES } from './calendar.js';
import { DATE_RULES } from './dates.js';
import { ENGLISH_BENDS, ENGLISH_BOUNDS, ENGLISH_CARRIER } from './modifiers.js';
import { RELATIVE_RULES } from './relative.js';
import { HABIT, isPastForm, tenseOf } from './tense.js';

let dates: RuleIndex | undefined;
let others: RuleIndex | undefined;

/** How English says times. */
export const ENGLISH: Grammar = {
  read(text, context) {
    dates ??= indexRules(DATE_RULES);
    others ??= indexRules([...RELATIVE_RULES, ...CALENDAR_RULES]);
    const found = scan(text, dates, context);
    return [...found, ...scan(blank(text, found), others, context)];
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
  habit: HABIT,
  tense: tenseOf,
  saysPast: (text) => isPastForm(text) && tenseOf(text) === 'past',
};
