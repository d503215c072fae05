import { isAscii } from '../plain-text.js';
import { hasAny } from '../tokens.js';

/** The commonest words for times in languages that are not read: only whether a question names a time is of use. */
const WORDS = [
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
/** Of these one is in every such time that is written in ASCII: the pattern takes a millisecond to build. */
const ASCII_SIGNS =
  'hafta|bu ay|bu sene|gelecek|czoraj|dzisiaj|jutro|dnes|gar|dag|morgon|morgen|sista|uge|uke|kemarin|hari ini|besok|minggu|bulan|tahun|ieri|azi|luna |anul |eilen|huomenna|viime|ensi |tegnap|holnap|tavaly'.split(
    '|',
  );
const LETTERS = '\\w\\u00c0-\\u0dff\\u0e80-\\u1fff\\uac00-\\ud7af';
let pattern: RegExp | undefined;

/**
 * The time that a question names in a language that is not read, as written; undefined when none is known. Korean hangs
 * its particles on the word, and Thai has no spaces.
 */
export function unreadTime(question: string): string | undefined {
  if (isAscii(question) && !hasAny(question.toLowerCase(), ASCII_SIGNS)) return undefined;
  const ends = `(?![${LETTERS}])|(?=[؟،।])|(?<=[\\u0e00-\\u0e7f\\uac00-\\ud7af])`;
  pattern ??= new RegExp(`(?<![${LETTERS}])(?:${WORDS.join('|')})(?:${ends})|(?:${WORDS[2]})`, 'i');
  return pattern.exec(question.normalize('NFC'))?.[0];
}
