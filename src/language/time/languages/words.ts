import { isAscii } from '../../scripts.js';
import type { RangeInText } from '../../tokens.js';
import type { TextAroundMatch, TimeContext } from '../expression.js';

/** The units in the order in which {@link TimeWords.units} lists their words. */
export const TIME_UNIT_COLUMNS = [
  'hour',
  'day',
  'week',
  'weekend',
  'month',
  'half',
  'quarter',
  'year',
  'minute',
  'fortnight',
] as const;

export const PERIOD_THIRD_NAMES = ['early', 'mid', 'late'] as const;

export const BOUND_COLUMNS = ['since', 'onward', 'starting', 'until', 'before', 'after', 'around'] as const;

/** The rows of a word table, each with its columns. The comment above a row describes its columns, separated by `·`. */
export const WORD_TABLE_ROWS = [
  // Columns: the five days from the day before yesterday to the day after tomorrow, the days three days away · last night · a part of the day, after a
  // day · words that only look like one of these days.
  ['days', ['named', 'night', 'part', 'none']],
  // Columns: "before last", "last", "this", "next", "after next" · "last" before a number or a plural · "last" before a unit
  // that is counted back from today · "next" before a number.
  ['which', ['which', 'lasts', 'rolling', 'nexts']],
  // Columns: hour, day, week, weekend, month, half-year, quarter, year, minute, fortnight · their plurals.
  ['units', ['unit', 'plural']],
  // Columns: one, two … · a few · first to fourth · the first of a month · one and a half, two and a half · "and a half"
  // after the unit.
  ['numbers', ['number', 'few', 'ordinal', 'first', 'oneHalf', 'andHalf']],
  // Columns: "ago" before the number · "ago" after the number · "in" before a number, for the future · "about" · "in" after
  // the number, for the future · "in" that means the future only in a text about the future.
  ['counted', ['agoBefore', 'agoAfter', 'ahead', 'about', 'aheadAfter', 'maybeAhead']],
  // Columns: Monday to Sunday · short names of weekdays, which are also ordinals.
  ['weekdays', ['weekday', 'short']],
  // Columns: January to December · their short forms, derived from the first column · a month and "week" in one word · a
  // month and "half" in one word.
  ['months', ['month', 'monthShort', 'monthWeek', 'monthHalf']],
  // One column: Christmas, New Year's Eve, New Year, Easter, the 24th, 25th and 26th of December, Orthodox Christmas and
  // Easter, the first days of January, with their prepositions; then the other holidays in the order of `HOLIDAYS`.
  ['feasts', ['feast']],
  // Columns: spring to winter · names of seasons that are times even without a word before them.
  ['seasons', ['season', 'alone']],
  // Columns: words before a month or year · words before a weekday · words between a part and its whole · articles · words
  // before a weekday that make it a habit or a name · "every".
  ['signs', ['in', 'on', 'of', 'the', 'habit', 'every']],
  // Columns: signs after the number of a day · signs between numbers, besides / and . · words after a year · the word before
  // a day number that ends a phrase · another word before a day number · the days of a month in words.
  ['dates', ['th', 'joint', 'yearEnd', 'dateSign', 'dayWord', 'dayNamed']],
  // Columns: "from" · "to" · "and" · words that open a range whose ends are joined by "and", such as "between".
  ['ranges', ['from', 'to', 'and', 'between']],
  // Columns: "early", "mid" and "late" before the time · the same after the time · "first half" and "second half" before the
  // time · the same after the time · a half of the calendar year.
  ['parts', ['third', 'thirdAfter', 'halves', 'halvesAfter', 'halfYear']],
  // Columns: the first and the last part of a period, before a number · a month or year of today, before a part · the present
  // day in another year · words after a number of the last days · "more than", after the unit · the week of a day.
  ['around', ['edge', 'partOf', 'same', 'tail', 'over', 'thatWeek']],
  // Columns of English: "the other day" · twenty to ninety · halves of a year.
  ['english', ['recent', 'tens', 'halfNamed']],
  // One column: the years from the year before last to the year after next, the year three years ago.
  ['yearNames', ['yearNamed']],
  ['bounds', BOUND_COLUMNS],
  [
    'boundsAfter',
    ['sinceAfter', 'onwardAfter', 'startingAfter', 'untilAfter', 'beforeAfter', 'afterAfter', 'aroundAfter'],
  ],
  // Columns: words of the present or future tense · words of the past tense. If a text has both, it is in the past tense.
  ['tense', ['present', 'past']],
] as const;

type Row = (typeof WORD_TABLE_ROWS)[number][0];
export type WordTableColumn = (typeof WORD_TABLE_ROWS)[number][1][number];

/**
 * The time words of one language, folded (see {@link foldAccents}). Columns are separated by ` / `. Entries of a column are
 * separated by spaces; each is a pattern without capturing groups, and `_` stands for white space.
 */
export type TimeWords = { readonly [row in Row]?: string } & {
  /** Whether the language is written without spaces between words. */
  readonly unspaced?: true;
  /** Suffixes of a month that name its week or its half in one word: "Märzwoche", "Märzhälfte". */
  readonly ofMonth?: readonly [week: string, half: string];
  /** A pattern of numerals that are no digits. */
  readonly numerals?: string;
  /** English: no word ends with an apostrophe before the next word, and a year may be '25. */
  readonly isEnglish?: true;
  readonly edges?: WordEdges;
  /**
   * Whether a phrase is meant as a time in its text. If missing, every phrase is, but of the bare names only feasts,
   * quarters and halves.
   */
  isTime?(match: PhraseMatch): boolean;
};

/** Whether the characters at the edges of a time belong to longer words, in a language without spaces. */
interface WordEdges {
  /** Whether the last character of a time begins a longer word that goes on with `after`. */
  opensWord(character: string, after: string): boolean;
  /** Whether the first character of a time ends a word that begins in `before`. */
  closesWord(character: string, before: string, after: string): boolean;
  /** A pattern that the text after the name of a weekday fulfils. */
  readonly weekday: string;
}

/** A word, number or sign of a text. */
export interface LexiconToken extends RangeInText {
  readonly text: string;
  /**
   * The kinds of the token, each with a value. The value of a word is its index in its column of the table. The value of a
   * number is the number.
   */
  readonly is: ReadonlyMap<string, number>;
}

/** The match of a phrase: `words` gives the token for each name in the phrase, `before` the token before the match. */
export interface PhraseMatch extends TimeContext {
  readonly words: ReadonlyMap<string, LexiconToken>;
  readonly before: LexiconToken | undefined;
  readonly unspaced: boolean;
  readonly table: TimeWords;
  readonly around: TextAroundMatch;
  readonly start: number;
  /** Whether the phrase is a bare name, which may also mean something else. */
  readonly isBareName: boolean;
  /** Whether the text is in the present or future tense. */
  readonly isAhead: () => boolean;
}

/**
 * Folds a text for comparison with these words: small letters without accents, ё as е. Positions stay. People often omit
 * accents.
 */
export function foldAccents(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // İ is the only capital that becomes longer in lower case.
  return text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replace(/[\u00e0-\u017fё]/g, plainLetter);
}

function plainLetter(letter: string): string {
  return letter === 'ё' ? 'е' : letter.normalize('NFD').charAt(0);
}

/** Patterns for weekdays that may form one word with a part of the day: "Sonntagabend". */
function weekdaysWith(part: string, names: string): string {
  return names.replace(/\S+/g, (name) => `(?:${name})${part}?`);
}

export const GERMAN: TimeWords = {
  days: `vorgestern gestern heute morgen ue?bermorgen / letzte_nacht vergangene_nacht heute_nacht / frue?h vormittag mittag nachmittag abend nacht am_morgen am_vormittag am_nachmittag am_abend / guten_morgen gute_morgen am_morgen jeden_morgen den_morgen der_morgen`,
  which: `vorletzte[nrms]? (?:letzte|vorige|vergangene)[nrms]? diese[nrms]? (?:nae?chste|kommende)[nrms]? ue?bernae?chste[nrms]? / letzten? vergangenen? /  / nae?chsten kommenden`,
  units: `stunde tag(?:es)? woche wochenendes? monats? halbe[ns]?_jahr(?:es)? quartals? jahr(?:es)? / stunden tagen? wochen wochenenden? monaten? halbe_jahre quartalen? jahren?`,
  numbers: `ein(?:e[mnrs]?)? zwei drei vier fue?nf sechs sieben acht neun zehn elf zwoe?lf dreizehn vierzehn fue?nfzehn sechzehn siebzehn achtzehn neunzehn zwanzig / ein_paar einigen? mehreren wenigen / erste[nrms]? zweite[nrms]? dritte[nrms]? vierte[nrms]? / erste[nr] / anderthalb|eineinhalb zweieinhalb dreieinhalb`,
  counted: 'vor /  /  / etwa ca circa rund ungefae?hr gut knapp /  / in',
  weekdays: weekdaysWith(
    '(?:vormittag|mittag|nachmittag|abend|nacht|morgen)',
    'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag',
  ),
  months:
    'januars?|jae?nners? februars? maerz|marz|mrz aprils? mai junis? julis? augusts? septembers? oktobers? novembers? dezembers?',
  ofMonth: ['woche', 'hae?lfte'],
  seasons: 'frue?hling|frue?hjahr sommer herbst winter',
  feasts: `(?:(?:an|zu|ue?ber)_)?weihnachten (?:(?:an|zu|ue?ber)_)?silvester (?:an|zu)_neujahr (?:(?:an|zu|ue?ber)_)?ostern (?:(?:an|am)_)?heilig(?:e[rn]_)?_?abend (?:am_)?(?:1\\._|ersten?_)weihnachts(?:feier)?tag (?:am_)?(?:2\\._|zweiten?_)weihnachts(?:feier)?tag`,
  signs: `im im_laufe in fue?r zum jahre? wae?hrend / am ue?bers / des der im in vom / der die das den dem des / jede[nrms]? immer der die das ein(?:en)? schwarze[rn]? casual / jede[nrms]? alle`,
  dates: '\\. /  /  / am zum dem bis_zum',
  ranges: 'vom von zwischen / bis bis_zum zum / und / zwischen',
  parts:
    '(?:zu_)?(?:anfang|beginn)|frue?hen? mitte (?:am_)?ende|spae?ten? /  / (?:erste[nr]?|1\\.)_hae?lfte zweite[nr]?_hae?lfte|2\\._hae?lfte|andere[nr]?_hae?lfte /  / halbjahr(?:es)?',
  bounds: `seit /  / ab / bis bis_zu[mr] bis_einschliesslich (?:bis_)?spae?testens / vor / nach / (?:rund_)?um ungefae?hr gegen`,
  tense: `werden? wird steht stehen ist sind passiert habe haben hat muss mue?ssen soll sollen kommt geplant mache machen gibt / war(?:en)? wurden? hatten? kam(?:en)? geschah lief(?:en)? schrieb(?:en)? fand(?:en)? traf(?:en)? sah(?:en)? assen? sprach(?:en)? blieb(?:en)? machten? kauften? sagten? ha(?:be|ben|bt|st|t)_.{0,60}geplant gab ging(?:en)? (?:auf|an|ab|aus|ein|vor|zu|mit)?ge(?!plant)[a-z]{2,}(?:t|en) (?<!(?:was|wer)_)(?:be|ent|er|ver|zer)[a-z]{3,}(?:t|(?<!ung)en) (?<!was_)[a-z]+iert`,
};

export const DUTCH: TimeWords = {
  days: `eergister(?:en)?(?:avond|ochtend|middag|morgen|nacht)? gister(?:en)?(?:avond|ochtend|middag|morgen)? vandaag|van(?:morgen|ochtend|middag|avond) morgen overmorgen / vannacht (?:afgelopen|vorige)_nacht gister(?:en)?nacht / ochtend vroeg middag avond nacht / goede_morgen goeie_morgen de_morgen elke_morgen iedere_morgen`,
  which: `voorvorige?|eervorige? vorige?|verleden|afgelopen|voorbije|laatste deze|dit volgende?|(?:aan)?komende?|aanstaande / afgelopen laatste voorbije / afgelopen laatste / komende volgende`,
  units: `uur dag week weekend|weekeinde maand half_jaar kwartaal jaar / uren dagen weken weekend(?:s|en)|weekeinden maanden (?!) kwartalen jaren`,
  numbers: `een twee drie vier vijf zes zeven acht negen tien|een_tiental elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig / een_paar paar enkele enige meerdere / eerste tweede derde vierde / eerste / anderhal[vf]e? tweeenhalve?`,
  counted: ' / geleden terug /  / ongeveer /  / over',
  weekdays: weekdaysWith(
    '(?:ochtend|morgen|middag|avond|nacht)',
    'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  ),
  months: 'januari februari maart|mrt april mei juni juli augustus september oktober november december',
  seasons: 'lente|voorjaar zomer herfst|najaar winter',
  feasts:
    '(?:met|rond|voor)_(?:de_)?kerst(?:mis)?|kerstmis (?:met|op)_(?:oud_en_nieuw|oudejaarsavond)|oudejaarsavond (?:met|op)_nieuwjaar(?:sdag)? (?:met|rond)_(?:de_)?pasen (?:op_)?kerstavond (?:op_)?(?:1e_|eerste_)kerstdag (?:op_)?(?:2e_|tweede_)kerstdag',
  signs: 'in tijdens gedurende voor / op in / van in / de het / elke iedere de het een zwarte / elke? iedere?',
  dates: `e ste de / - /  / op_de /  / eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde dertiende veertiende vijftiende zestiende zeventiende achttiende negentiende twintigste eenentwintigste tweeentwintigste drieentwintigste vierentwintigste vijfentwintigste zesentwintigste zevenentwintigste achtentwintigste negenentwintigste dertigste eenendertigste`,
  ranges: 'van tussen / tot_en_met t/m tot / en / tussen',
  parts: 'begin|vroeg half|medio|midden eind|einde|laat /  / eerste_helft tweede_helft /  / halfjaar',
  bounds: 'sinds /  / vanaf / tot tot_en_met t/m uiterlijk / voor / na / rond omstreeks',
  tense: `zal zullen wordt worden gaat gaan ga is zijn staat moet moeten heeft hebben heb doen doe komt komen gebeurt / was waren kwam(?:en)? schreef gebeurden? belden? zaten? zagen? zei(?:den)? he(?:b|bt|bben|eft)_.{0,60}gepland werd(?:en)? had(?:den)? ging(?:en)? deed deden (?:aan|af|door|in|mee|na|om|op|over|toe|uit|voor|weg)?ge(?!pland|beurt)[a-z]{2,}(?:t|d|n) (?:be|ont|ver)[a-z]{3,}(?:t|d|n)`,
};

export const FRENCH: TimeWords = {
  days: `avant(?:-|_)hier hier aujourd['’]hui|ce_matin|ce_soir|cet(?:te)?_apres-midi demain apres-demain / (?:la_)?nuit_derniere cette_nuit / (?:au_|dans_la_)?(?:matin|matinee|midi|soir|soiree|apres-midi|nuit)`,
  which: `avant-dernie(?:re|r) dernie(?:re|r)|passee? ce|cet|cette prochaine? / derniere?s passee?s /  / prochaine?s`,
  units: `heure jour|journee semaine week-?end mois (?!) trimestre an|annee / heures jours semaines week-?ends mois (?!) trimestres ans|annees`,
  numbers: `une? deux trois quatre cinq six sept huit neuf dix|une_dizaine_de onze douze|une_douzaine_de treize quatorze quinze|une_quinzaine_de seize dix-sept dix-huit dix-neuf vingt / quelques plusieurs / premiere? deuxieme|seconde? troisieme quatrieme / premier /  / et_demie?`,
  counted: '(?:il_)?y_a /  / dans / environ',
  weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
  months: 'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  seasons: 'printemps ete automne hiver',
  feasts: `(?:(?:a|pour|a_la)_)?noel (?:(?:a|pour)_)?la_saint-sylvestre|(?:au_)?reveillon (?:au|le)_(?:jour_de_l['’]|nouvel_)an (?:(?:a|pour)_)?paques`,
  signs: `en au pour pendant durant courant / ce pour de du / de du d['’] au_mois_de au_cours_de / le la les l['’] ces / chaque le les tous_les un quelque / chaque tous_les toutes_les`,
  dates: 'er e /  /  / le',
  ranges: "du de entre / au a jusqu['’]au / et / entre",
  parts:
    '(?:au_)?debut mi-|milieu|au_milieu (?:a_la_|en_)?fin /  / premiere_(?:moitie|quinzaine) (?:seconde|deuxieme)_(?:moitie|quinzaine) /  / semestre',
  bounds: `depuis /  / a_partir_d[eu] des / jusqu['’]au? jusqu['’]en d['’]ici d['’]ici_a / avant / apres / vers autour_d[eu] aux_alentours_d[eu]`,
  tense: `va vais vont vient viennent se_passe arrive ai-je as-tu a-t-on avons-nous avez-vous est sont sera seront doit dois devons faut prevue?s? fais faisons [a-z]{2,}(?:erai|era|erons|eront) / (?:j['’])?(?:ai|as|a|avons|avez|ont)(?:(?:-t)?-(?:je|tu|il|elle|on|nous|vous|ils|elles))?_(?:(?:bien|deja|tout)_)?(?!(?:une|les?|des?|que|quelle|notre|votre|tous?|table)(?![a-z]))[a-z]{2,}(?:ee?s?|is|i|it|us?|ert) (?:est|sont|sommes|suis)(?:-(?:il|elle|on|nous|je|ce))?_(?:alle|venu|arrive|parti|passe|sorti|rentre|reste)e?s? (?:etai|avai)(?:en)?[ts] (?:eti|avi)(?:ons|ez) (?!parfait)[a-z]{3,}(?:ait|aient) ete`,
};

export const SPANISH: TimeWords = {
  days: `anteayer|antier|antes_de_ayer ayer hoy|esta_(?:manana|tarde|noche) manana pasado_manana / anoche la_noche_pasada / (?:por|a|en|de)_la_(?:manana|tarde|noche) al_mediodia noche tarde temprano / la_manana cada_manana una_manana`,
  which:
    'antepasad[oa] pasad[oa]|ultim[oa] est[ea] proxim[oa]|que_viene / ultim[oa]s pasad[oa]s / ultim[oa] / proxim[oa]s',
  units: `hora dia semana fin_de_semana|finde mes medio_ano trimestre ano / horas dias semanas fines_de_semana meses (?!) trimestres anos`,
  numbers: `una?|uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte / un[oa]s un[oa]s_(?:poc|cuant)[oa]s algun[oa]s vari[oa]s poc[oa]s un_par_de / primer[oa]? segund[oa] tercer[oa]? cuart[oa] / primero /  / y_medi[oa]`,
  counted: 'hace / atras / dentro_de / como un[oa]s casi',
  weekdays: 'lunes martes miercoles jueves viernes sabado domingo',
  months: 'enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre',
  seasons: 'primavera verano otono invierno',
  feasts: `(?:en|por|para)_navidad(?:es)?|navidad (?:en|por)_nochevieja|nochevieja (?:en|por)_(?:ano_nuevo|nochevieja_y_ano_nuevo) (?:en|por)_(?:semana_santa|pascua)`,
  signs:
    'en para por durante / el del al este / de del en / el la los las / cada los todos_los un algun / cada todos_los todas_las',
  dates: '[oº°] /  /  / el / dia',
  ranges: 'del? desde entre / al? hasta / y e / entre',
  parts:
    '(?:a_)?(?:principios|comienzos|inicios) (?:a_)?mediados (?:a_)?(?:finales|fines) /  / primera_(?:mitad|quincena) segunda_(?:mitad|quincena) /  / semestre',
  bounds: `desde /  / a_partir_del? / hasta / antes_del? / despues_del? tras / alrededor_del? en_torno_al? hacia cerca_del?`,
  tense: `voy vamos va sera es hay pasa viene vienen llega empieza tengo tenemos tiene tienen debo debemos hago hacemos toca / fue fui fueron paso pasaba vino vinieron escribio llego salio decidio compro estaba(?:n|mos)? hizo hice hicimos hicieron hubo dij[a-z]+ estuv[a-z]+ tuv[a-z]+ [a-z]+(?:aron|ieron|aste|iste)`,
};

export const PORTUGUESE: TimeWords = {
  days: `anteontem|antes_de_ontem ontem hoje|esta_(?:manha|tarde|noite) amanha depois_de_amanha / (?:n?a_)?noite_passada / (?:a|de|pela|da)_(?:manha|tarde|noite) cedo`,
  which:
    'retrasad[oa] passad[oa]|ultim[oa] [dn]?es[ts][ea] proxim[oa]|que_vem / ultim[oa]s passad[oa]s / ultim[oa] / proxim[oa]s',
  units: `hora dia semana (?:fim|final)_de_semana|fds mes meio_ano trimestre ano / horas dias semanas (?:fins|finais)_de_semana meses (?!) trimestres anos`,
  numbers: `uma? dois|duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte / algumas|alguns umas|uns vari[oa]s pouc[oa]s um_par_de / primeir[oa] segund[oa] terceir[oa] quart[oa] / primeiro /  / e_mei[oa]`,
  counted: 'ha faz / atras / daqui_a / cerca_de uns umas',
  weekdays: `segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo / segunda terca quarta quinta sexta`,
  months: 'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  seasons: 'primavera verao outono inverno',
  feasts: `(?:no|pelo|para_o)_natal (?:n[ao]|pel[ao])_(?:passagem_de_ano|reveillon) no_ano_novo (?:na|pela)_pascoa`,
  signs: `em no na para durante / na no nesta neste da do ate para / d[eoa] ao_longo_de / [oa]s? / cada toda todo as aos todas_as uma um / cada tod[oa] todos_os todas_as`,
  dates: '[oº°] /  /  /  / dia',
  ranges: 'd[eoa] desde entre / ao? ate / e / entre',
  parts:
    'inicio|comeco (?:em_)?meados fim|final /  / primeira_(?:metade|quinzena) segunda_(?:metade|quinzena) /  / semestre',
  bounds: `desde /  / a_partir_d[eoa] / ate / antes_d[eoa] / depois_d[eoa] apos / por_volta_d[eoa] perto_d[eoa] em_torno_d[eoa]`,
  tense: `vou vamos vai sera acontece vem chega comeca tem temos tenho devo preciso marcad[oa] faco fazemos / foi fui foram veio vieram esteve estavamos acontecia [a-z]{3,}[cvrt]eu fiz fez fizemos houve estava era estive(?:mos|ram)? [a-z]+(?:ou|aram|eram|iram|ava)`,
};

export const ITALIAN: TimeWords = {
  days: `(?:l['’])?altro_ieri|(?:l['’])?altroieri|avantieri|ieri_l['’]altro ieri oggi|stamattina|stasera|stamani domani dopo_?domani / la_notte_scorsa la_scorsa_notte stanotte / mattina pomeriggio sera notte`,
  which: `penultim[oa] scors[oa]|passat[oa]|ultim[oa] quest[oa]|quest['’] prossim[oa] / ultim[ie] scors[ie] passat[ie] / ultim[oa] / prossim[ie]`,
  units: `ora giorn(?:o|ata) settimana fine_settimana|week-?end mese mezz[oa]_anno trimestre anno / ore giorni settimane (?!) mesi (?!) trimestri anni`,
  numbers: `un(?:[oa]|['’])? due tre quattro cinque sei sette otto nove dieci|una_decina_di undici dodici tredici quattordici quindici|una_quindicina_di sedici diciassette diciotto diciannove venti / alcun[ei] qualche divers[ei] un_paio_di poch[ie] / prim[oa] second[oa] terz[oa] quart[oa] / primo /  / e_mezz[oa]`,
  counted: ' / fa or_sono / tra fra / circa',
  weekdays: 'lunedi martedi mercoledi giovedi venerdi sabato domenica',
  months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  seasons: 'primavera estate autunno inverno',
  feasts: `(?:a|per|di)_natale (?:a|per)_(?:capodanno|san_silvestro) (?:il|a)_primo_dell['’]anno (?:a|per|di)_pasqua`,
  signs: `in a ad all['’] alla nel nella nell['’] per durante / di entro per nel in lo / di del dell['’] della d['’] / il la lo l['’] i gli le / ogni il la di un una tutti_i tutte_le al / ogni tutti_i tutte_le`,
  dates: '[oº°] /  /  / il / giorno',
  ranges: "dal dall['’] da tra fra / al all['’] a / e ed / tra fra",
  parts: 'inizio meta fine /  / prima_meta seconda_meta /  / semestre',
  bounds: `da / dal dall['’] dalla / a_partire_dal? / fino_al? fino_alla fino_all['’] entro / prima_di prima_del prima_dell['’] prima_della / dopo / verso intorno_al? attorno_al?`,
  tense: `sara saranno faro faremo devo dobbiamo devi faccio facciamo fa ho hai ha abbiamo succede viene vengono arriva (?:che|chi|cosa|quando|dove|qual|c['’]|cos['’]|dov['’])_?e sono / (?:ho|hai|ha|abbiamo|avete|hanno)_(?:(?:gia|mai|poi)_)?(?!quest|tutt)[a-z]+[st][oaie] era(?:no|vamo)? stat[oaie] success[oaie] succedeva (?:venut|andat|arrivat|partit)[oaie]`,
};

const ENDING = '(?:[ыи]й|[ая]я|[ое]е|[ую]ю|[ое]й|[ое]го|[ое]м|[ыи]е|[ыи]х|[ыи]м)';
const SOFT = '[яьею]';
/** Stems of the Russian words for the days of a month: перв for "first". */
const DATES =
  'перв втор треть четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат четырнадцат пятнадцат шестнадцат семнадцат восемнадцат девятнадцат двадцат двадцать_перв двадцать_втор двадцать_треть двадцать_четверт двадцать_пят двадцать_шест двадцать_седьм двадцать_восьм двадцать_девят тридцат тридцать_перв';

export const RUSSIAN: TimeWords = {
  days: 'позавчера|позавчерашн(?:ий|его|ему|им|ем)_д(?:ень|ня|ню|нем|не) вчера|вчерашн(?:ий|его|ему|им|ем)_д(?:ень|ня|ню|нем|не) сегодня|сегодняшн(?:ий|его|ему|им|ем)_д(?:ень|ня|ню|нем|не) завтра|завтрашн(?:ий|его|ему|им|ем)_д(?:ень|ня|ню|нем|не) послезавтра / прошлой_ночью вчера_ночью сегодня_ночью / утром днем вечером ночью',
  which: `позапрошл${ENDING} прошл${ENDING}|прошедш${ENDING} эт(?:от|а|о|у|ой|ого|ом|и|их|им)|текущ${ENDING} следующ${ENDING}|будущ${ENDING}|ближайш${ENDING} / последни[ехйм] прошлы[ех] / последн(?:юю|ий|ее|ей|ем|его) / следующие|ближайшие`,
  units: `час день|дня недел[яеюи] выходны[ехм] месяц[ае]? полгода квартал[ае]? год[уа]? / час(?:а|ов) дней|дни недель выходных месяц(?:ев|ы) (?!) кварталов лет|годы`,
  numbers: `один|одн[уа]|одного дв[ае]|двух тр(?:и|ех) четыр(?:е|ех) пят[ьи] шест[ьи] сем[ьи] вос[еь]м[ьи] девят[ьи] десят[ьи] одиннадцат[ьи] двенадцат[ьи] тринадцат[ьи] четырнадцат[ьи] пятнадцат[ьи] шестнадцат[ьи] семнадцат[ьи] восемнадцат[ьи] девятнадцат[ьи] двадцат[ьи] / пар[уы] нескольк(?:о|их) / перв[а-я]{2,3} втор[а-я]{2,3} трет[а-я]{2,4} четверт[а-я]{2,3} / первого / полтор[аы]|полутора`,
  counted: ' / (?:тому_)?назад / через / примерно около',
  weekdays: 'понедельник[ау]? вторник[ау]? сред[ауые] четверг[ау]? пятниц[ауые] суббот[ауые] воскресень[еяю]',
  months: `январ${SOFT} феврал${SOFT} март[ае]? апрел${SOFT} ма[яйею] июн${SOFT} июл${SOFT} август[ае]? сентябр${SOFT} октябр${SOFT} ноябр${SOFT} декабр${SOFT}`,
  seasons: 'весн[ыуае]|весной лет[оа]|летом осен[иь]|осенью зим[ыуе]|зимой / весной летом осенью зимой',
  feasts: `(?!) (?:в_)?(?:канун_нового_года|новогодн[а-я]{2}_ночь) (?:(?:на|в|под|к)_)?нов(?:ый|ого|ому)_год[ау]? (?!) (?!) (?!) (?!) (?:(?:на|в|к)_)?рождеств(?:о|а|у|ом) (?:(?:на|в|к)_)?пасх[аиуе]`,
  signs: 'в во за на к в_течение / в во на к ко / на в /  / кажд[а-я]{2,3} черн[а-я]{2,3} / кажд[а-я]{2,3}',
  dates: `-?(?:го|е|ое) /  / год[ауе]?м? г\\.? /  /  / ${DATES.replace(/\S+/g, '$&(?:[ое]го|о?е)')}`,
  ranges: 'с со от между / по до на / и / между',
  parts:
    '(?:в_)?начал[еау] (?:в_)?середин[еуы] (?:в_)?конц[еау] /  / перв[а-я]{2,3}_половин[а-я] втор[а-я]{2,3}_половин[а-я] /  / полугоди[а-я]{1,2}',
  bounds:
    ' / с со / начиная_со? / до по вплоть_до не_позднее / перед раньше / после / около примерно_в? приблизительно_в?',
  tense: `буд(?:ет|у|ем|ут) надо нужно должн[а-я]{1,2} запланирован[а-я]{0,2} предстоит планиру[а-я]{2,4} дела(?:ю|ем|ть) / ел[аи]? [а-я]{2,}(?:л|ла|ло|ли)(?:с[ья])?`,
};

const MONTHS = '一 二 三 四 五 六 七 八 九 十 十一 十二'.split(' ').map((name, i) => `0?${i + 1}月|${name}月`);

/**
 * Matches the end of a word in Hiragana: a particle, a punctuation mark, another script, or the end of the text must
 * follow. Otherwise the word may be a part of a longer word.
 */
const END = '(?=[はのもに、。]|[^ぁ-ん]|$)';

/** Excludes the beginning of a longer name: `クリスマスカード`. */
const NO_WORD = '(?![ァ-ヺー])';

export const JAPANESE: TimeWords = {
  unspaced: true,
  days: `一昨日|おととい|おとつい 昨日|きのう${END} 今日|本日|きょう${END}|今朝|今晩|今夜 明日|あした 明後日|あさって / 昨夜 昨晩 ゆうべ / の(?:朝|昼|夜|夕方|晩|午前|午後) / 今日的 一日中 同年 翌年 前年 毎[日週月年] 旧正月 日曜大工 週[刊] 年[度齢] (?<!\\d)日本 月間 年間`,
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
  tense: 'ます 予定 する / まし?た った んだ [いきしけせてねめれべげえ]た(?=[?？。、のかは]|$)',
};
