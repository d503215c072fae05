import { isAscii } from '../../scripts.js';
import { ENGLISH_STOP_WORDS } from '../../words/stop.js';
import { MONTHS, WEEKDAYS } from './english.js';
import { foldAccents } from './words.js';

/** The languages whose times are read by tables of words. */
export const LANGUAGES = ['de', 'fr', 'es', 'pt', 'it', 'nl', 'ru', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Words that show a language. Each line: the language, short words that every text contains, and after `/` its time words.
 */
const SIGNS = `
de was an am die so in der das den dem des und sich sind wem wen wessen warum wohin womit woran woraus welchem welches deren dessen ist ich wir uns mit von zu zum zur im am vom beim ein eine einen einem einer nicht auch auf fur uber aus bei nach seit bis ab vor um wer wie wo wann welche welcher welchen habe haben hat hatte hatten war wurde wurden wird es sie er mein meine mich mir dass noch schon gibt gab steht gemacht getan neue neuen kein keine haben ins ans jetzt ihr dir du / gestern vorgestern heute morgen ubermorgen woche wochen tag tage tagen monat monaten monate jahr jahre jahren jahres letzte letzten letzter letztes letztem vorige voriges vorigen vergangene vergangenen diese diesen dieser diesem dieses nachste nachsten nachstes nachster wochenende quartal januar februar marz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag fruhling sommer herbst winter abend anfang mitte ende kommende kommenden
fr a t on qu d l c n s le la les des du un une et est que qui quoi je tu il elle on nous vous ils dans sur avec pour pas plus au aux ce cette en ma mon mes notre nos ai avons ont etait fait quand ou comment quel quelle quels quelles depuis jusqu avant apres chez sont avait ete par se sa son ses leur y / hier aujourd demain semaine semaines jour jours mois an ans annee dernier derniere derniers dernieres prochain prochaine passe passee matin soir janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche printemps ete automne hiver debut fin end trimestre mi
es a no me he el la los las un una y es que con por para del al en de se lo le me mi mis nos su sus como cuando donde quien hice hicimos fue hay este esta esto desde hasta sobre pero muy mas sin ha he hemos han tuve tuvimos era estaba nuestro nuestra cual dijo dije paso / ayer anteayer antier anoche hoy manana semana semanas dia dias mes meses ano anos pasado pasada pasados pasadas proximo proxima ultimo ultima ultimos ultimas hace atras viene enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo primavera verano otono invierno finales principios mediados trimestre noche tarde
pt o a os as um uma no me e que com por para do da dos das no na nos nas em de se eu nos meu minha foi fiz fizemos como quando onde quem ao ate desde nao mais sobre mas ja tem tinha esta este isso ele ela voce sao era nosso nossa qual quais disse pelo pela / ontem anteontem hoje amanha semana semanas dia dias mes meses ano anos passado passada passados passadas proximo proxima ultimo ultima ultimos ultimas ha janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta feira sabado domingo primavera verao outono inverno inicio fim meados atras manha noite tarde
it in a i il lo la gli le un una e che di da con per del della dei delle al alla nel nella in si mi ci ho hai ha abbiamo hanno cosa come quando dove chi non piu sono stato stata era fatto questo questa quale quali mio mia nostro nostra su sul dal dalla anche fino ma fa l altro quest nell dell all / ieri altroieri oggi domani dopodomani settimana settimane giorno giorni mese mesi anno anni scorso scorsa scorsi scorse passato prossimo prossima ultimo ultima ultimi ultime gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre lunedi martedi mercoledi giovedi venerdi sabato domenica primavera weekend estate autunno inverno inizio meta fine stamattina stasera sera mattina
nl is was we had in over die de het een en van ik wij we met voor op aan te niet dat die wat wie waar wanneer heb hebben heeft had hadden werd werden zijn ook naar bij uit om er maar nog mijn ons onze sinds tot vanaf welke hoe gedaan over als dan na voor is deze dit geen wel / gisteren gisteravond eergisteren vandaag morgen overmorgen week weken dag dagen maand maanden jaar jaren geleden vorige vorig afgelopen volgende volgend komende weekend kwartaal januari februari maart april mei juni juli augustus september oktober november december maandag dinsdag woensdag donderdag vrijdag zaterdag zondag lente zomer herfst winter begin eind half
ru и в во на не с со что кто кого кому кем чего чему чем где когда как почему зачем откуда куда сколько какого какому каким каких какую каком который которая которые которых я мы он она они это был была было были для от до по из за у к мне нам мой моя наш мои о об про но или же чем а ли какие какой какая уже ещё еще есть после перед около / вчера позавчера сегодня завтра послезавтра неделе неделя неделю недели недель день дня дней месяц месяца месяцев месяце г год года году лет назад прошлой прошлом прошлую прошлый прошлого прошлое этой этом эту следующей следующую следующем январе январь января феврале февраль февраля марте март марта апреле апрель апреля мае май мая июне июнь июня июле июль июля августе август августа сентябре сентябрь сентября октябре октябрь октября ноябре ноябрь ноября декабре декабрь декабря понедельник вторник среду четверг пятницу субботу воскресенье пятницы понедельника полгода прошлым утром вечером выходные выходных весной летом осенью зимой`;
/** Words that show English, in addition to its stop words. */
const ENGLISH_SIGNS =
  'day days week weeks weekend month months quarter year years last next met yesterday today tonight tomorrow night ago';
/** Parts of a day that form one word with a weekday: `zondagavond`, `Mittwochmorgen`. */
const PARTS_OF_DAY: Readonly<Record<string, string>> = {
  de: 'morgen vormittag mittag nachmittag abend nacht',
  nl: 'ochtend morgen middag avond nacht',
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
  const foreign = wordsOf(text).filter((word) => word.length > 1 && isForeign(word) && (signsOf(word) & KNOWN) === 0);
  if (foreign.length === 0) return shown;
  const times = foreign.filter((word) => (signsOf(word) & OF_TIME) !== 0);
  for (const line of text.split('\n')) {
    const isNear = /\d/.test(line) || (times.length > 0 && wordsOf(line).some((word) => times.includes(word)));
    if (isNear) for (const language of detectLanguages(line)) shown.add(language);
  }
  return shown;
}

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
  const most = Math.max(english, ...counts);
  // In a short text with digits, one word that shows the language is enough: "Notizen vom 14.2.". Other texts need two.
  const needed = words.size <= 3 && /\d/.test(text) ? 1 : Math.min(2, words.size);
  const enough = Math.max(needed, isLong ? SHARE * most : most);
  LANGUAGES.forEach((language, at) => {
    const count = counts[at] ?? 0;
    if (count >= enough && (count > english || isLong)) shown.add(language);
  });
  return shown;
}

/** Counts the English words among the words of a text, and the words that show each other language. */
function countSigns(words: ReadonlySet<string>, alone: boolean, isLong: boolean) {
  const counts = LANGUAGES.map(() => 0);
  let english = 0;
  for (const word of words) {
    const signs = signsOf(word);
    const shared = (signs & SHARED) !== 0;
    if (shared) english++;
    // In a long text, a word that is also English does not count for another language such as Dutch. A long English text
    // has too many such words.
    const mask = shared && isLong ? 0 : (signs & OF_TIME) | (alone ? 0 : commonIn(signs));
    const count = mask === 0 ? 0 : signsIn(word);
    for (let at = 0; mask >> at !== 0; at++) if ((mask >> at) & 1) counts[at] = (counts[at] ?? 0) + count;
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
  const mask = LANGUAGES.reduce((bits, language, at) => (shown.has(language) ? bits | (1 << at) : bits), 0);
  return (word) => (commonIn(signsOf(foldAccents(word))) & mask) !== 0;
}

/**
 * Whether a word (in small letters without accents) is without content in one of the languages: an article, a pronoun. Pure.
 */
export function isFunctionWord(word: string): boolean {
  return commonIn(signsOf(word)) !== 0;
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

let index: ReadonlyMap<string, number> | undefined;

/**
 * The languages that a word shows, as bits. A low bit means that the word is a time word of a language. One of the next
 * bits means that it is another word of a language. The highest two bits are the flags `KNOWN` and `SHARED`.
 */
function signsOf(word: string): number {
  index ??= readSigns();
  return index.get(word) ?? 0;
}

const OF_TIME = (1 << LANGUAGES.length) - 1;
/** Flag bit: the word is also English. */
const KNOWN = 1 << (2 * LANGUAGES.length);
/** Flag bit: the word counts as English. Not set for the English words "am" and "was", which are more often German. */
const SHARED = KNOWN << 1;

function commonIn(signs: number): number {
  return (signs >> LANGUAGES.length) & OF_TIME;
}

/** Whether a word shows another language and does not count as English. */
function isForeign(word: string): boolean {
  const signs = signsOf(word);
  return signs !== 0 && (signs & SHARED) === 0;
}

function readSigns(): ReadonlyMap<string, number> {
  const names: readonly string[] = LANGUAGES;
  const found = new Map<string, number>();
  const add = (word: string, sign: number) => void found.set(word, (found.get(word) ?? 0) | sign);
  for (const line of SIGNS.trim().split('\n')) {
    const name = line.slice(0, 2);
    const ofTime = 1 << names.indexOf(name);
    const parts = PARTS_OF_DAY[name]?.split(' ') ?? [];
    const [common = '', times = ''] = line.slice(3).split(' / ');
    for (const word of common.split(' ')) add(word, ofTime << LANGUAGES.length);
    for (const word of times.split(' ')) {
      add(word, ofTime);
      if (WEEKDAY.test(word)) for (const part of parts) add(word + part, ofTime);
    }
  }
  const english = [
    ...ENGLISH_STOP_WORDS,
    ...ENGLISH_SIGNS.split(' '),
    ...Object.keys(MONTHS),
    ...Object.keys(WEEKDAYS),
  ];
  for (const word of english) add(word, word === 'am' || word === 'was' ? KNOWN : KNOWN | SHARED);
  return found;
}
