import { lazy, memoize } from '../../../base/cache.js';
import { isAscii } from '../../scripts.js';
import { containsAnyWord, wordList } from '../../tokens.js';
import { ENGLISH_STOP_WORDS, FUNCTION_WORDS } from '../../words/stop.js';
import { MONTHS, WEEKDAYS } from './english.js';
import { foldAccents } from './words.js';

/** The languages whose times are read by tables of words. */
export const LANGUAGES = ['de', 'fr', 'es', 'pt', 'it', 'nl', 'ru', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Time words that show a language. Japanese shows itself by its script. */
const TIME_SIGNS: Readonly<Record<Language, string>> = {
  de: 'gestern vorgestern heute morgen ubermorgen woche wochen tag tage tagen monat monaten monate jahr jahre jahren jahres letzte letzten letzter letztes letztem vorige voriges vorigen vergangene vergangenen diese diesen dieser diesem dieses nachste nachsten nachstes nachster wochenende quartal januar februar marz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag fruhling sommer herbst winter abend anfang mitte ende kommende kommenden',
  fr: 'hier aujourd demain semaine semaines jour jours mois an ans annee dernier derniere derniers dernieres prochain prochaine passe passee matin soir janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche printemps ete automne hiver debut fin end trimestre mi',
  es: 'ayer anteayer antier anoche hoy manana semana semanas dia dias mes meses ano anos pasado pasada pasados pasadas proximo proxima ultimo ultima ultimos ultimas hace atras viene enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo primavera verano otono invierno finales principios mediados trimestre noche tarde',
  pt: 'ontem anteontem hoje amanha semana semanas dia dias mes meses ano anos passado passada passados passadas proximo proxima ultimo ultima ultimos ultimas ha janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta feira sabado domingo primavera verao outono inverno inicio fim meados atras manha noite tarde',
  it: 'ieri altroieri oggi domani dopodomani settimana settimane giorno giorni mese mesi anno anni scorso scorsa scorsi scorse passato prossimo prossima ultimo ultima ultimi ultime gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre lunedi martedi mercoledi giovedi venerdi sabato domenica primavera weekend estate autunno inverno inizio meta fine stamattina stasera sera mattina',
  nl: 'gisteren gisteravond eergisteren vandaag morgen overmorgen week weken dag dagen maand maanden jaar jaren geleden vorige vorig afgelopen volgende volgend komende weekend kwartaal januari februari maart april mei juni juli augustus september oktober november december maandag dinsdag woensdag donderdag vrijdag zaterdag zondag lente zomer herfst winter begin eind half',
  ru: 'вчера позавчера сегодня завтра послезавтра неделе неделя неделю недели недель день дня дней месяц месяца месяцев месяце г год года году лет назад прошлой прошлом прошлую прошлый прошлого прошлое этой этом эту следующей следующую следующем январе январь января феврале февраль февраля марте март марта апреле апрель апреля мае май мая июне июнь июня июле июль июля августе август августа сентябре сентябрь сентября октябре октябрь октября ноябре ноябрь ноября декабре декабрь декабря понедельник вторник среду четверг пятницу субботу воскресенье пятницы понедельника полгода прошлым утром вечером выходные выходных весной летом осенью зимой',
  ja: '',
};
/** Words that show English, in addition to its stop words. */
const ENGLISH_SIGNS =
  'day days week weeks weekend month months quarter year years last next met yesterday today tonight tomorrow night ago';
/** Parts of a day that form one word with a weekday: `zondagavond`, `Mittwochmorgen`. */
const PARTS_OF_DAY: Readonly<Record<string, readonly string[]>> = {
  de: wordList('morgen vormittag mittag nachmittag abend nacht'),
  nl: wordList('ochtend morgen middag avond nacht'),
};
const WEEKDAY_PART = /[a-z](?:tag|dag|woch)[a-z]{4,}$/;
const WEEKDAY = /[a-z](?:tag|dag|woch)$/;
/** Hiragana except の, which Chinese text may contain, and words in Chinese characters that only Japanese uses. */
const JAPANESE =
  /[\u3041-\u306d\u306f-\u3096]|[年月日週曜間前後]の|[先来今毎]週|先月|来月|一昨[日年]|明後日|昨[夜晩年]|[月火水木金土日]曜|以降/;
const ENGLISH_WORDS = /\b(?:the|what|when|where|which|who|how|did|does|about)\b/g;
const NOT_ENGLISH = /[\u00c0-\u1fff\u3000-\uffff]/;
/**
 * A text of at most this many characters has one language: the one that most of its words show. A longer text has every
 * language that enough of its words show (`SHARE`).
 */
const ONE_LANGUAGE = 400;
const SHARE = 0.2;

/**
 * Detects the languages of a text line by line, because a log may have facts in several. Only lines with digits or with a
 * time word of another language are examined.
 */
export function detectLineLanguages(text: string): ReadonlySet<Language> {
  if (!text.includes('\n')) return detectLanguages(text);
  const shown = new Set<Language>(JAPANESE.test(text) ? ['ja'] : []);
  const foreign = new Set(wordsOf(text).filter(isForeign));
  const own = [...foreign].filter((word) => word.length > 1 && !signs().english.has(word));
  if (own.length === 0) return shown;
  const times = own.filter((word) => signs().time.has(word));
  const letters = [...foreign].filter((word) => word.length === 1).join('');
  const all = [...foreign].filter((word) => word.length > 1);
  for (const line of text.split('\n')) {
    const said = foldAccents(line);
    const mayShow = /\d/.test(said)
      ? containsAnyWord(said, all) || hasLetter(letters, said)
      : containsAnyWord(said, times);
    if (!mayShow) continue;
    for (const language of detectLanguages(line)) shown.add(language);
  }
  return shown;
}

/** Whether one of some letters stands alone in a folded text. */
function hasLetter(letters: string, text: string): boolean {
  return letters !== '' && letterPattern(letters).test(text);
}

const letterPattern = memoize((letters: string) => new RegExp(`(?<![a-z\\d])[${letters}](?![a-z\\u0430-\\u044f])`));

/**
 * The languages other than English that the words of a text show. A text of a single word shows every language that has it
 * as a time word.
 */
export function detectLanguages(text: string): ReadonlySet<Language> {
  const written = wordsOf(text);
  const shown = new Set<Language>(isJapanese(text) ? ['ja'] : []);
  if (!written.some(isForeign) || (text.length <= ONE_LANGUAGE && isPlainEnglish(text))) return shown;
  const words = new Set(written);
  // In a text with digits, one common word shows the language ("El 03/04/2026"). If a text is a single word, only a time
  // word shows a language, because a word such as "do" exists in several languages.
  const alone = words.size === 1 && !/\d/.test(text);
  const isLong = text.length > ONE_LANGUAGE;
  const { english, counts } = countSigns(words, alone, isLong);
  const most = Math.max(english, ...counts.values());
  // In a short text with digits, one word that shows the language is enough: "Notizen vom 14.2.". Other texts need two.
  const needed = words.size <= 3 && /\d/.test(text) ? 1 : Math.min(2, words.size);
  const enough = Math.max(needed, isLong ? SHARE * most : most);
  for (const language of LANGUAGES) {
    const count = counts.get(language) ?? 0;
    if (count >= enough && (count > english || isLong)) shown.add(language);
  }
  return shown;
}

/** Counts the English words among the words of a text, and the words that show each other language. */
function countSigns(words: ReadonlySet<string>, alone: boolean, isLong: boolean) {
  const counts = new Map<Language, number>();
  let english = 0;
  for (const word of words) {
    const isEnglish = countsAsEnglish(word);
    if (isEnglish) english++;
    // In a long text, a word that is also English does not count for another language such as Dutch. A long English text
    // has too many such words.
    if (isEnglish && isLong) continue;
    const shown = new Set([...(signs().time.get(word) ?? []), ...((!alone && signs().common.get(word)) || [])]);
    for (const language of shown) counts.set(language, (counts.get(language) ?? 0) + signsIn(word));
  }
  return { english, counts };
}

/**
 * Makes a test for words without content, such as articles, pronouns and question words. The test knows these words of
 * the languages that `text` shows. Pure.
 */
export function functionWordTest(text: string): (word: string) => boolean {
  const shown = detectLanguages(text);
  if (shown.size === 0) return () => false;
  return (word) =>
    signs()
      .common.get(foldAccents(word))
      ?.some((language) => shown.has(language)) ?? false;
}

/**
 * Whether a word (in small letters without accents) is without content in one of the languages: an article, a pronoun. Pure.
 */
export function isFunctionWord(word: string): boolean {
  return signs().common.has(word);
}

/**
 * A quick test whether a text may show a language by its words. If it is false for a text, it is false for every part of
 * that text.
 */
export function hasLanguageCue(text: string): boolean {
  return wordsOf(text).some(isForeign);
}

/** Whether a text has two words that only English has, and no letter that English lacks. Most questions do. */
function isPlainEnglish(text: string): boolean {
  return !NOT_ENGLISH.test(text) && new Set(text.toLowerCase().match(ENGLISH_WORDS)).size > 1;
}

function isJapanese(text: string): boolean {
  return !isAscii(text) && JAPANESE.test(text);
}

/** How many words a word counts as: a compound of a weekday and a part of the day (`Mittwochmorgen`) counts as two. */
function signsIn(word: string): number {
  return WEEKDAY_PART.test(word) ? 2 : 1;
}

function wordsOf(text: string): readonly string[] {
  return foldAccents(text).match(/(?<![a-z\d])[a-z\u0430-\u044f]+/g) ?? [];
}

/** The English words "am" and "was" are more often German, so they don't count as English. */
const MORE_OFTEN_GERMAN = ['am', 'was'];

const signs = lazy(() => ({
  /** The languages of which a word is a time word. */
  time: languagesByWord(TIME_SIGNS),
  /** The languages in which a word is without content. */
  common: languagesByWord(FUNCTION_WORDS),
  english: new Set([
    ...ENGLISH_STOP_WORDS,
    ...wordList(ENGLISH_SIGNS),
    ...Object.keys(MONTHS),
    ...Object.keys(WEEKDAYS),
  ]),
}));

function countsAsEnglish(word: string): boolean {
  return signs().english.has(word) && !MORE_OFTEN_GERMAN.includes(word);
}

/** Whether a word shows another language and does not count as English. */
function isForeign(word: string): boolean {
  return foreignWords().has(word);
}

const foreignWords = lazy(() => {
  const { time, common } = signs();
  return new Set([...time.keys(), ...common.keys()].filter((word) => !countsAsEnglish(word)));
});

function languagesByWord(table: Readonly<Record<Language, string>>): ReadonlyMap<string, readonly Language[]> {
  const found = new Map<string, Language[]>();
  for (const language of LANGUAGES)
    for (const listed of wordList(table[language]))
      for (const part of WEEKDAY.test(listed) ? ['', ...(PARTS_OF_DAY[language] ?? [])] : [''])
        found.set(listed + part, [...(found.get(listed + part) ?? []), language]);
  return found;
}
