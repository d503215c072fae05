import type { TimeWords } from './words.js';

const MONTHS = '一 二 三 四 五 六 七 八 九 十 十一 十二'.split(' ').map((name, i) => `0?${i + 1}月|${name}月`);

/** Behind a word in Hiragana, which may be part of another one. */
const END = '(?=[はのもに、。]|[^ぁ-ん]|$)';

/** Not the beginning of a longer name: `クリスマスカード`. */
const NO_WORD = '(?![ァ-ヺー])';

export const JAPANESE: TimeWords = {
  unspaced: true,
  days: `一昨日|おととい|おとつい 昨日|きのう${END} 今日|本日|きょう${END}|今朝|今晩|今夜 明日|あした 明後日|あさって / 昨夜 昨晩 ゆうべ / の(?:朝|昼|夜|夕方|晩|午前|午後) / 今日的 一日中 同年 翌年 前年 毎[日週月年] 旧正月 日曜大工 週[刊] 年[度齢] 日本 月間 年間`,
  which: '一昨|先々|おと 先|昨|去 今|本|この 来 再来 / 過去 ここ 直近 この 最近 /  / 今後 これから',
  units: '(?!) (?!) 週 週末 月 半期|半年 四半期 年 / 時間 日間?|日 週間 週末 [かヶカヵケ箇]月間? (?!) 四半期 年間',
  numbers: '一 二 三 四 五 六 七 八 九 十 十一 十二 / 数 何 / 第[1一] 第[2二] 第[3三] 第[4四] /  /  / 半',
  counted: ' / 前 /  / 約 / 後',
  weekdays: [...'月火水木金土日'].map((name) => `${name}曜日|${name}曜(?=[にのはがかま、。]|$)`).join(' '),
  months: MONTHS.join(' '),
  feasts: `クリスマス${NO_WORD} 大晦日|大みそか|おおみそか (?:元日|元旦)(?!本) イースター${NO_WORD} クリスマス・?(?:イブ|イヴ)${NO_WORD} (?!) (?!) (?!) (?!) お?正月`,
  seasons: '春 夏 秋 冬 / 春に 夏に 秋に 冬に',
  signs: ' /  / の /  / 毎週',
  dates: '日 /  / 年',
  ranges: ' / から 〜 ~ より - / と や',
  parts: ' / 上旬|初旬|初め|はじめ|頭 中旬|半ば 下旬|末 /  / 前半|の前半|上半期|上期 後半|の後半|下半期|下期',
  bounds: '',
  boundsAfter: '以降 以来 / から /  / まで 以前 / より?前 / の後 以後 / ごろ 頃 前後 あたり',
  tense: 'ます 予定 する / まし?た った んだ',
  spelled: { locale: 'ja', pattern: '(?:令和|平成|昭和)(?:元|\\d)' },
};
