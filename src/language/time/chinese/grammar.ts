import { indexRules, type RuleIndex, scan } from '../expression.js';
import type { Grammar } from '../grammar.js';
import { CHINESE_BENDS, CHINESE_BOUNDS, CHINESE_CARRIERS } from './modifiers.js';
import { CHINESE_RULES } from './rules.js';
import { tenseOf } from './tense.js';

const HAN = /[\u4e00-\u9fff]/;
const REACH = 60;

let rules: RuleIndex | undefined;

/** How Chinese says times. */
export const CHINESE: Grammar = {
  read(text, context) {
    if (!HAN.test(text)) return [];
    rules ??= indexRules(CHINESE_RULES);
    return scan(text, rules, context);
  },
  bends: CHINESE_BENDS,
  bounds: CHINESE_BOUNDS,
  carriers: CHINESE_CARRIERS,
  ranges: {
    opens: /(?:自从|从|自|在)\s?$/,
    to: /^\s?(?:直?到|至|-|–|—|~)\s?$/,
    and: /^\s?(?:和|与|及|、)\s?$/,
    closes: /^\s?之?间/,
  },
  habit: /每/,
  tense(text, { start, end }) {
    if (!HAN.test(text)) return undefined;
    return tenseOf({ before: text.slice(Math.max(0, start - REACH), start), after: text.slice(end, end + REACH) });
  },
};
