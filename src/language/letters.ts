/**
 * Character classes as pattern text. Unicode property escapes cost up to 5 ms each when a pattern is first used, which
 * a command that runs for 60 ms cannot afford; these ranges cost nothing and are exact enough to find where words end.
 */

/** Letters, digits and `_` of every script that is written with spaces. */
export const LETTER = '\\w\\u00c0-\\u1fff';

/** CJK characters of the basic plane, with 々, 〇 and ー; rarer ones are surrogate pairs. */
export const CJK =
  '\\u2e80-\\u2fdf\\u3005\\u3007\\u3040-\\u30ff\\u3130-\\u318f\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff';

/** The beginnings of surrogate pairs of rarer Chinese characters. */
export const CJK_PAIR = '[\\ud840-\\ud8bf][\\udc00-\\udfff]';
