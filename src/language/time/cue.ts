import { lazy } from '../../base/cache.js';
import { isAscii } from '../scripts.js';
import { containsAnyWord, lowerCaseAscii, wordSet } from '../tokens.js';
import { dateParts, daysBetween, type Period } from './calendar.js';
import { HOLIDAYS } from './holidays.js';
import { detectLanguages } from './languages/detect.js';
import { ENGLISH, MONTHS } from './languages/english.js';

/** The time words of English that are whole words of its table. */
const WORDS = [
  ...[ENGLISH.units, ENGLISH.weekdays, ENGLISH.months, ENGLISH.seasons, ENGLISH.feasts].flatMap((row) =>
    row?.split(/ (?:\/ )?/),
  ),
  'yesterday|today|tonight|tomorrow|night|morning|afternoon|evening|ago|q[1-4]|h[12]|cw|festival',
]
  .join('|')
  .replaceAll('_', ' ');
/**
 * Numbers that may name a time although no time word is near: a year (`2025`), a date (`3/04`), an ordinal (`3rd`), a
 * short year (`'25`).
 */
const DATES =
  "(?:19|20)\\d\\d|\\d{4}(?:-?w|-\\d|[./]\\d\\d?[./])|\\d/\\d|\\d\\.\\d{4}|\\d(?:st|nd|rd|th)(?![a-z])|'\\d\\d(?!\\d)";
const cue = lazy(
  () =>
    new RegExp(
      `${DATES}|[０-９年月日号天周期拜季早晚夜春夏秋冬时钟]|${HOLIDAYS.map(({ chinese }) => chinese).join('|')}|(?<![a-z])(?:${WORDS})(?![a-z])`,
    ),
);

/** Whether a text can name a time in English, Chinese or digits. Capitals and full-width digits count too. */
export function hasTimeCue(text: string): boolean {
  // The text is lower-cased instead of using the flag `i`: V8 takes milliseconds to build a pattern that has this flag and
  // non-ASCII characters.
  return cue().test(lowerCaseAscii(text));
}

/** Whether a text may name a time in any supported language: a quick test before the readers are loaded. */
export function mayNameTimeInAnyLanguage(text: string): boolean {
  return hasTimeCue(text) || detectLanguages(text).size > 0;
}

/**
 * Words for a quick test. An English time that depends on the day of its text ("yesterday"), or that comes every year,
 * contains one of these words or the name of a month.
 */
const RELATIVE = wordSet(`
  yesterday tomorrow ago last next past previous coming upcoming earlier later following eve fortnight weekend weekends
  week weeks days month months quarter quarters half year years spring summer autumn fall winter day
  ${HOLIDAYS.flatMap(({ english }) => english.match(/(?<=^|\||^\(\?:)[a-z]+/g) ?? []).join(' ')}`);
const DAY = /\d{4}-\d{2}-\d{2}/g;
const DIGITS = /\d[-./]\d|q[1-4]|h[12]/;
const CHINESE = /[昨前去上下明后今年月日号周天季早晚春夏秋冬]|节/;

/**
 * Whether a text may name a day in a period: a quick test that costs far less than reading its times. A named month must be
 * one of the months of the period, unless the period is long.
 */
export function mayNameDayInPeriod({ since, until }: Period, text: string): boolean {
  let isIso = false;
  const rest = text
    .replace(DAY, (day) => {
      isIso ||= day >= since && day <= until;
      return ' ';
    })
    .toLowerCase();
  if (isIso || DIGITS.test(rest) || CHINESE.test(rest)) return true;
  const isLong = daysBetween(since, until) > LONG_DAYS;
  const [first, last] = [dateParts(since).month, dateParts(until).month];
  const isNear = (month: number): boolean =>
    isLong || (first <= last ? month >= first && month <= last : month >= first || month <= last);
  const words = rest.match(/[a-z]+/g) ?? [];
  if (words.some((word) => RELATIVE.has(word) || isNear(MONTHS[word] ?? 0))) return true;
  return detectLanguages(text).size > 0;
}

/** The words of an English time that may be near and ahead, and dates in digits. */
const laterCue = lazy(
  () =>
    new RegExp(
      `(?<![a-z])(?:tomorrow|tonight|next|coming|upcoming|following|weekend|fortnight|eve|in (?:\\w+ ){1,2}(?:days?|weeks?|months?)|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|${Object.keys(MONTHS).join('|')}|${HOLIDAYS.map(({ english }) => english).join('|')})(?![a-z])|\\d[-/]\\d|\\d\\.\\s?\\d\\d?\\.|\\d(?:st|nd|rd|th)(?![a-z])|[天周星期月日号]`,
    ),
);

/** Whether a text may name a day ahead, in English, Chinese or digits: a quick test before its times are read. */
export function mayNameLaterDay(text: string): boolean {
  return laterCue().test(lowerCaseAscii(text));
}

/**
 * A period of more days than this counts as having days of every month. So a text with the name of any month may name a
 * day in the period.
 */
const LONG_DAYS = 45;

/**
 * The commonest time words of unsupported languages. The times are not computed: the words only show that a question names a
 * time.
 */
const UNREAD_WORDS = [
  // Korean
  '그저께|어제|오늘|내일|모레|지난\\s?주|지난\\s?달|이번\\s?주|이번\\s?달|다음\\s?주|다음\\s?달|작년|올해|내년',
  // Vietnamese
  'hôm qua|hôm kia|hôm nay|ngày mai|(?:tuần|tháng|năm) (?:trước|này|sau)|năm ngoái',
  // Thai
  'เมื่อวาน(?:นี้|ซืน)?|วันนี้|พรุ่งนี้|(?:สัปดาห์|อาทิตย์|เดือน|ปี)(?:ที่แล้ว|ก่อน|นี้|หน้า)',
  // Arabic
  'أمس|البارحة|اليوم|غدا|غدًا|الأسبوع (?:الماضي|القادم)|الشهر (?:الماضي|القادم)|(?:العام|السنة) (?:الماضي|الماضية)',
  // Hebrew
  'אתמול|שלשום|היום|מחר|ב?שבוע (?:שעבר|הבא)|ב?חודש (?:שעבר|הבא)|ב?שנה (?:שעברה|הבאה)',
  // Hindi
  'कल|परसों|आज|पिछले (?:हफ़्ते|हफ्ते|सप्ताह|महीने|साल)|पिछली बार|अगले (?:हफ़्ते|हफ्ते|महीने|साल)',
  // Turkish
  'dün|evvelsi gün|bugün|yarın|(?:geçen|bu|gelecek|önümüzdeki) (?:hafta|ay|yıl|sene)',
  // Polish and Czech
  'przedwczoraj|wczoraj|dzisiaj|dziś|jutro|(?:zeszły|ubiegły|przyszły)m? (?:tydzień|tygodniu|miesiąc|miesiącu|rok|roku)|včera|dnes|zítra|minul[ýé] (?:týden|měsíc|rok)',
  // Swedish, Danish and Norwegian
  'i ?g[åa]r|i förrgår|i ?dag|i ?morgon|i morgen|(?:förra|sista|nästa) (?:veckan?|månaden?|året?)|(?:sidste|forrige|neste|næste) (?:uge|uke|måned|år)',
  // Ukrainian
  'позавчора|вчора|сьогодні|минул(?:ого|ому|ий|ої) (?:тижня|тижні|місяця|місяці|року|році)|наступного (?:тижня|місяця|року)',
  // Indonesian
  'kemarin|hari ini|besok|(?:minggu|bulan|tahun) (?:lalu|ini|depan)',
  // Greek
  'προχθές|χθες|χτες|σήμερα|αύριο|πέρσι|πέρυσι|(?:περασμέν|προηγούμεν|επόμεν)(?:η εβδομάδα|ο μήνα|η χρονιά|ο χρόνο)',
  // Romanian
  'alaltăieri|ieri|astăzi|azi|mâine|(?:săptămâna|luna|anul) (?:trecută?|viitoare|viitor)',
  // Finnish and Hungarian
  'toissapäivänä|eilen|tänään|huomenna|(?:viime|ensi) (?:viikolla|kuussa|vuonna)|tegnapelőtt|tegnap|holnap|tavaly|(?:múlt|jövő) (?:héten|hónapban|évben)',
];
/**
 * A quick test: every match of `UNREAD_WORDS` in ASCII text contains one of these. Building the full pattern takes a
 * millisecond.
 */
const ASCII_SIGNS =
  'hafta|bu ay|bu sene|gelecek|czoraj|dzisiaj|jutro|dnes|gar|dag|morgon|morgen|sista|uge|uke|kemarin|hari ini|besok|minggu|bulan|tahun|ieri|azi|luna |anul |eilen|huomenna|viime|ensi |tegnap|holnap|tavaly'.split(
    '|',
  );
const LETTERS = '\\w\\u00c0-\\u0dff\\u0e80-\\u1fff\\uac00-\\ud7af';
/** The match must end where a word ends, except in Korean, which attaches particles to words, and in Thai without spaces. */
const unread = lazy(() => {
  const ends = `(?![${LETTERS}])|(?=[؟،।])|(?<=[\\u0e00-\\u0e7f\\uac00-\\ud7af])`;
  return new RegExp(`(?<![${LETTERS}])(?:${UNREAD_WORDS.join('|')})(?:${ends})|(?:${UNREAD_WORDS[2]})`, 'i');
});

/** The words of a question that name a time in an unsupported language. Undefined if there are no such words. */
export function findUnsupportedTime(question: string): string | undefined {
  if (isAscii(question) && !containsAnyWord(question.toLowerCase(), ASCII_SIGNS)) return undefined;
  return unread().exec(question.normalize('NFC'))?.[0];
}
