import type { Token } from '../tokens.js';
import { MONTHS, SEASONS, WEEKDAYS } from './english/words.js';
import { HOLIDAYS } from './holidays.js';

const WORDS: ReadonlySet<string> = new Set([
  ...Object.keys(MONTHS),
  ...Object.keys(WEEKDAYS),
  ...Object.keys(SEASONS),
  ...'minute hour day week weekend fortnight month quarter year'.split(' ').flatMap((unit) => [unit, `${unit}s`]),
  // Of holidays, those without another of these words in their names.
  ...'valentine easter qingming qixi halloween thanksgiving christmas xmas festival'.split(' '),
  ...'yesterday today tonight tomorrow night morning afternoon evening ago q1 q2 q3 q4 h1 h2 cw'.split(' '),
]);
const CHARACTERS = new RegExp(
  `[年月日号天周期拜季早晚夜春夏秋冬时钟]|${HOLIDAYS.map(({ chinese }) => chinese).join('|')}`,
);

/** Whether a word or CJK run can be part of a time. Every time that is understood holds such a word or a number. */
export function isTimeCue({ kind, lower }: Token): boolean {
  return kind === 'cjk' ? CHARACTERS.test(lower) : WORDS.has(lower) || /^\d/.test(lower);
}
