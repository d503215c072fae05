import { lazy } from '../../base/cache.js';
import { foldText, isAscii, startsWithCapital } from '../scripts.js';
import { detectLanguages } from '../time/languages/detect.js';
import { AnyWordTest, wholeWordPattern, wordSet } from '../tokens.js';

/**
 * Words for the present. In a question they ask for the current state and are no keywords; in a statement they mark a new
 * state. If one phrase is the beginning of another, the longer one must come first.
 */
const SPACED =
  `right now|as of now|just now|now|currently|at the moment|at this moment|at this point|at present|presently|nowadays|these days|for the time being|by now
zur zeit|zurzeit|derzeit|jetzt|im moment|momentan|gegenwärtig|aktuell|heutzutage|inzwischen|mittlerweile|im augenblick|dieser tage
maintenant|en ce moment|actuellement|désormais|dorénavant|à présent|pour l'instant|pour le moment|à l'heure actuelle|ces jours-ci|de nos jours
ahora mismo|ahora|actualmente|en este momento|hoy en día|hoy día|por ahora|de momento|en la actualidad|estos días
in questo momento|attualmente|al momento|adesso|oggigiorno|ormai
neste momento|no momento|agora|atualmente|hoje em dia|por enquanto
op dit moment|momenteel|tegenwoordig|vandaag de dag
в настоящее время|на данный момент|сейчас|теперь|в данный момент
w tej chwili|obecnie|teraz|aktualnie|şu anda|şu an|şimdi|günümüzde`.split(/[|\n]/);

const UNSPACED = '目前|现在|現在|如今|眼下|当前|當前|此刻|当下|這陣子|这阵子|这段时间|今のところ|지금|현재|요즘';

/** Every word for the present contains one of these. This test is cheaper than building the pattern. */
const SIGNS = new AnyWordTest(
  `now|current|moment|present|these days|time being|zeit|jetzt|momentan|gegenwärtig|aktuell|mittlerweile|inzwischen|augenblick|dieser tage|maintenant|actuel|désormais|dorénavant|présent|instant|ces jours|nos jours|ahora|actual|hoy|estos días|adesso|attual|oggi|ormai|agora|atual|hoje|enquanto|tegenwoordig|vandaag|время|данный|сейчас|теперь|chwili|obecnie|teraz|aktualnie|şu |şimdi|günümüz|${UNSPACED}`,
);

const AT_EDGE = "(?<![\\w\\u00c0-\\u1fff'’-])";
const escaped = SPACED.map((words) => words.replaceAll(' ', '\\s+').replaceAll("'", "['’]"));
/** Matches every word for the present in a text. */
const nowPattern = lazy(
  () => new RegExp(`${AT_EDGE}(?:${escaped.join('|')})(?![\\w\\u00c0-\\u1fff-])|${UNSPACED}`, 'gi'),
);

/** The positions of words for the present that are not part of a name ("Apocalypse Now"). */
export function findWordsForNow(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!SIGNS.isIn(text)) return [];
  return [...text.matchAll(nowPattern())]
    .filter(
      ({ 0: found, index }) =>
        !startsWithCapital(found) || !startsWithCapital(text.slice(0, index).trimEnd().split(/\s/).at(-1) ?? ''),
    )
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

const PAST_QUESTION =
  /(?<![\w\u00c0-\u1fff])(?:was|were|did|had|used to|has been|have been|waren|hatten?|wohnten?|lebten?|arbeiteten?|hieß|hing|fuhr|trug|galt|kostete|nutzte|früher|gewohnt|gelebt|(?:ét|av|habit|viv|travaill|condui[st]|coût|utilis|s'appel|jou|us)ai(?:en)?t|estaba|vivía|tenía|trabajaba|costaba|autrefois|abitava|viveva|lavorava|aveva|costava|morava|trabalhava|tinha|custava|woonden?|werkten?|kostten?|heette|vroeger|жил[аи]?|был[аои]?|работал[аи]?|раньше)(?![\w\u00c0-\u1fff])|[住去来用做待当学说买养吃见换叫][过過](?![敏程期滤渡])|(?<![为為除])了(?![吗嗎没沒解])|(?<![\d点號号日周天月年一二三四五六七八九十])(?:以前|之前)|当时|曾(?:经(?!理)|[在任住])|原来|[学时]的?[時时]候|[学年]时|小时候|ていた|でいた|ていました|でいました|でした|だった/i;

/**
 * Past forms of other languages that are also English nouns (German `war`). They count only if other words show that the
 * question is not English.
 */
const PAST_BESIDE_ENGLISH = /(?<![\w\u00c0-\u1fff])(?:war|stand|lag|era)(?![\w\u00c0-\u1fff])/i;

/** Whether a question is in the past tense, so that it does not ask for the current state. */
export function isPastQuestion(text: string): boolean {
  if (PAST_BESIDE_ENGLISH.test(text) && detectLanguages(text).size > 0) return true;
  return PAST_QUESTION.test(GERMAN_WHAT.test(text) ? text.slice(3) : text);
}

/** A German question that begins with "was", which means "what" here: `Was zahlt …?`. */
const GERMAN_WHAT = /^was (?!(?:it|that|what|not|left|most|best|last)\b)\p{Ll}+(?:t|en)\s/iu;

const LEAST = 4;

/** Names of weekdays and their short forms, without diacritics. */
const WEEKDAYS = wordSet(`
  monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
  maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo
  lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
  lunes martes miercoles jueves viernes sabado domingo mie jue vie sab dom
  segunda-feira terca-feira quarta-feira quinta-feira sexta-feira segunda terca quarta quinta sexta seg ter qua qui sex
  lunedi martedi mercoledi giovedi venerdi gio
  понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
  星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 周一 周二 周三 周四 周五 周六 周日 周天
  週一 週二 週三 週四 週五 週六 週日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 月 火 水 木 金 土 日
  월요일 화요일 수요일 목요일 금요일 토요일 일요일
`);

const IN_ASCII = new AnyWordTest([...WEEKDAYS].filter((name) => name.length >= LEAST && isAscii(name)).join('|'));

/** Whether a text may contain a weekday name of at least four letters: a quick test. */
export function mayNameWeekday(text: string): boolean {
  return !isAscii(text) || IN_ASCII.isIn(text);
}

/** Whether a text is only a weekday name or its short form, in any supported language. */
export function isWeekday(text: string): boolean {
  const plain = foldText(text);
  return WEEKDAYS.has(plain.endsWith('.') || plain.endsWith('。') ? plain.slice(0, -1) : plain);
}

/** Matches words for yearly events, or for "every year". */
const EVERY_YEAR = wholeWordPattern(
  `born birthdays? birthday's anniversar(?:y|ies) every each yearly annual(?:ly)?
  geburtstage? geboren jahrestag jährlich jede[nsmr]? anniversaire née? nés chaque tous_les annuel(?:le)?
  cumple\\S* naci[óod]\\S* aniversário aniversario cada todos_los todos_os anual nasce\\S* complean\\S* compie nat[oa] ogni annuale
  verjaar\\S* jarig geboren elke? jaarlijks день_рождения дня_рождения родил\\S* годовщин\\S* кажд\\S* ежегодн\\S*`,
  '生日|出生|生まれ|誕生日|周年|[纪紀记]念日|记念日|每年|毎年|생일|매년',
);
const WHO = wholeWordPattern(
  'who whose whom wer wessen wem qui quién quiénes de_quién chi wie кто кого кому чей чья чьё quem',
  '[谁誰]|누구',
);

/** Whether a text is about something that comes every year: a birthday, "every 1 April". */
export function isAboutYearlyEvent(text: string): boolean {
  return EVERY_YEAR.test(text);
}

/** Replaces "every year" in a Chinese text by spaces. Directly after 每年, as in `每年6月1日`, a date is not read. */
export function withoutYearlyWord(text: string): string {
  return text.replace(/[每毎]年/g, '  ');
}

/** Whether a question asks for a person by a yearly day and not for the date: "Who was born on February 17?". */
export function asksForPersonByDay(question: string): boolean {
  return WHO.test(question) && EVERY_YEAR.test(question);
}
