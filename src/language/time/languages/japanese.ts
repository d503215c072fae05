import type { TimeWords } from './words.js';

const months = (kanji: string) =>
  kanji
    .split(' ')
    .map((name, i) => `(?<![\\d十])0?${i + 1}月(?!曜)|(?<!十)${name}月(?!曜)`)
    .join(' ');

export const JAPANESE: TimeWords = {
  language: 'Japanese',
  unspaced: true,
  days: '一昨日|おととい|おとつい (?<!一)昨日|きのう 今日(?!的)|本日|きょう|今朝|今晩|今夜 明日|あした 明後日|あさって',
  night: '昨夜|昨晩|ゆうべ',
  dayPart: '(?:の(?:朝|昼|夜|夕方|晩|午前|午後))',
  which: '一昨|先々|おと 先|昨|去 今|本|この 来 再来',
  lasts: '(?:過去|ここ|直近|この|最近)',
  units: '(?!) (?!) 週(?![間末刊]) 週末 月(?![曜日間]) 半期 四半期 年(?![度齢間])',
  plurals: '時間 日間?|日 週間?|週間 週末 [かヶカヵケ箇]月間? (?!) 四半期 年間?',
  numbers: '一 二 三 四 五 六 七 八 九 十 十一 十二',
  few: '数 何',
  ordinals: '第?(?:1|一) 第?(?:2|二) 第?(?:3|三) 第?(?:4|四)',
  ago: '(?:約)?<n>_<units>前 半年前',
  ahead: '<n>_<units>後',
  weekdays: [...'月火水木金土日'].map((name) => `${name}曜(?:日|(?=[にのはがかま、。(]|$))`).join(' '),
  months: months('一 二 三 四 五 六 七 八 九 十 十一 十二'),
  seasons: '春 夏 秋 冬',
  in: '(?!)',
  on: '(?!)',
  alone: '(?=[春夏秋冬](?:に|の間|から|まで|以降|頃|ごろ))',
  habit: '毎週',
  of: '(?!)',
  the: '(?!)',
  first: '(?!)',
  spelled: { locale: 'ja', pattern: '(?:令和|平成|昭和)(?:元|\\d)' },
  th: '日',
  between: '/',
  dates: '(?:<year>_)?<month><d>日(?:(?:から|より|[~〜-])_<d2>日)? (?<![\\d/])<mm>/<dd>(?=[にのはかま、])',
  date: '(?<!月|\\d)<d>日(?=に|の|は|、|から|まで|以降)',
  yearEnd: '年',
  from: '(?!)',
  to: 'から 〜 ~ ～ より',
  and: 'と や',
  parts: '(?!) (?!) (?!)',
  partsAfter: '上旬|初旬|初め|はじめ|頭 中旬|半ば 下旬|末',
  before: { since: '(?!)', starting: '(?!)', until: '(?!)', before: '(?!)', after: '(?!)', around: '(?!)' },
  after: {
    since: 'から 以降 以来',
    until: 'まで(?:に)? 以前',
    before: 'より?前 前に',
    after: 'の後 以後 より後',
    around: 'ごろ 頃 前後 あたり',
  },
  present: 'ます 予定 する(?:の|か)?[?。]?$',
  past: 'まし?た た(?:の|か|っけ)?[?。]?$ った んだ',
};
