import { hasHan } from '../../scripts.js';
import { nthPart } from '../distance.js';
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
import { CHINESE_RULES } from './rules.js';
import { CHINESE_WEEKDAYS, detectChineseTense, parseChineseNumber } from './words.js';

/** Words that narrow a time to a part of it: 第一周, 最后一个周五. */
const CHINESE_BENDS: readonly TimeModifier[] = [
  {
    words: ['第', '最后'],
    after: /^的?\s?(?:第([一二三四五1-5])|最后一?)个?(?:周|星期|礼拜)([一二三四五六日天末]?)/,
    apply: (period, [nth, day = '']) =>
      nthPart(period, nth ? parseChineseNumber(nth) : -1, day === '末' ? 'weekend' : (CHINESE_WEEKDAYS[day] ?? 'week')),
  },
];

/**
 * 到 after a verb of something that lasts means "until": 休假到, 住到. After other verbs it is a part of the verb: 提到, 改到, 看到.
 */
const LASTS_UNTIL =
  /(?:直|假|差|[住待呆留租干做忙用开]|期|持续|进行|工作|上班|营业|开放|有效|延长|一直|培训|实习|合同|签证|活动|展览)到\s?$/;

/** Words that bound a time. Earlier ones win. */
const CHINESE_BOUNDS: readonly TimeBoundRule[] = [
  { before: /(?:截至|截止到?|截止至)\s?$/, asOf: true, apply: untilEnd, ...UNTIL_STATEMENT_BOUND },
  { after: /^\s?(?:前后|左右|上下)/, apply: widenPeriodForAround },
  { before: /(?:大约|大概|差不多)[在是]?\s?$/, apply: widenPeriodForAround },
  { after: /^\s?(?:以来|至今|到现在)/, apply: sinceStart, ...SINCE_STATEMENT_BOUND },
  { before: /自从?\s?$/, opens: true, apply: sinceStart, ...ANNOUNCED_STATEMENT_BOUND },
  { before: /从\s?$/, after: /^\s?起/, apply: sinceStart, ...ANNOUNCED_STATEMENT_BOUND },
  { after: /^\s?(?:起(?![\u4e00-\u9fff])|开始)/, apply: sinceStart, ...ANNOUNCED_STATEMENT_BOUND },
  { before: /从\s?$/, opens: true, apply: sinceStart, told: { bounds: 'since', which: 'nearest', ahead: true } },
  { after: /^\s?(?:之后|以后|后(?![端台面来续期天缀果悔勤]))/, apply: afterEnd, ...ANNOUNCED_STATEMENT_BOUND },
  { after: /^\s?(?:之前|以前|前(?![后端台面任缀提置期]))/, apply: beforeStart, ...UNTIL_STATEMENT_BOUND },
  { before: /直?到\s?$/, after: /^\s?为止/, apply: untilEnd, ...UNTIL_STATEMENT_BOUND },
  { after: /^\s?为止/, apply: undefined, ...UNTIL_STATEMENT_BOUND },
  { before: LASTS_UNTIL, apply: untilEnd, ...UNTIL_STATEMENT_BOUND },
];

/** Words around a time that only carry it; they are part of the expression. */
const CHINESE_CARRIERS = { before: /在$/, after: /^\s?(?:的时候|期间|假期|当天|那天|那几天|时候|里|内)/ };

const REACH = 60;

let rules: RuleIndex | undefined;

/** How Chinese says times. */
export const CHINESE_TIME_GRAMMAR: TimeGrammar = {
  read(text, context) {
    if (!hasHan(text)) return [];
    rules ??= indexRules(CHINESE_RULES);
    return findTimeExpressions(text, rules, context);
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
    if (!hasHan(text)) return undefined;
    return detectChineseTense({
      before: text.slice(Math.max(0, start - REACH), start),
      after: text.slice(end, end + REACH),
    });
  },
};
