import { lazy } from '../../base/cache.js';
import { detectLanguages } from '../time/languages/detect.js';
import { isPastForm } from '../time/languages/english.js';
import { PatternWithWordTest } from '../tokens.js';

/**
 * Whether a statement describes an event, judged by the form of its first verb: `bought a bike`, `hat Brot gebacken`. The
 * statement is given without its subject. Pure.
 */
export function describesEvent(text: string): boolean {
  const first = /^[a-z]+(?=\s)/.exec(text)?.[0];
  return (first !== undefined && isPastForm(first)) || PERFECT.test(text);
}

/** The German perfect tense: `hat den Zaun repariert`, `ist nach Kiel gefahren`. */
const PERFECT = /^(?:hat|haben|ist|sind) .{0,200}(?<!\p{L})\p{Ll}*ge\p{Ll}{2,}(?:t|en)(?=$|[.,;])/u;

/** Forms of "to be" in several languages. */
const JOINS = 'is|are|ist|est|es|è|é';
/**
 * Forms of a present state: a verb at the start (`takes`, `nimmt`, `boit`), or a number after a form of "to be" (`est de 820
 * euros`).
 */
const STATE = new RegExp(`^\\p{Ll}{2,}[st]\\s|(?<!\\p{L})(?:${JOINS})\\s(?:\\p{L}{1,3}\\s)?[€$£]?\\d|是\\s?\\d`, 'u');
const JOINED = new RegExp(
  `^\\s*(\\p{L}[^,;.，。]{1,60}?)(?:\\s(?:${JOINS})\\s(?:\\p{L}{1,3}\\s)?|[是は])\\p{L}+\\s*(?:[.。]\\s*)?$`,
  'u',
);

/** The attribute to which a statement gives a one-word value: `build status` of `build status is red`. Pure. */
export function readAttributeName(text: string): string | undefined {
  return JOINED.exec(text)?.[1]?.toLowerCase();
}

/**
 * Whether a statement describes a present state, judged by its form: `takes 5 mg`, `est de 820 euros`. The statement is
 * given without its subject. Pure.
 */
export function describesState(text: string): boolean {
  return STATE.test(text);
}

const EDGE = '(?<![\\p{L}\\p{N}_-])';
const END = '(?![\\p{L}\\p{N}_-])';

/**
 * Forms of a former state. A single word is not enough: `served` may be a participle, `former` describes a present role,
 * `früher` also means `earlier`, 曾 is also a surname. So each form is a verb of a lasting state with its complement (`lived
 * in`), or must stand at the start of a statement.
 */
const PAST_FORMS = [
  `^(?:(?:he|she|it|they|we|i) )?used to (?!the${END}|an?${END}|\\p{Ll}+ing${END})\\p{Ll}{2,}`,
  `(?<!(?:is|are|was|were|be|been|get|gets|got) )used to (?:be|have|live)`,
  `back then`,
  `(?<!(?:be|been|is|are|has|have|had|never|always|['’](?:s|ve|re)) )(?:lived|resided|dwelt) (?:in|at|near|on|with|abroad)`,
  `^worked at (?:the |an? |\\p{Lu})\\p{L}*`,
  `was (?:living|working|employed|studying|based) (?:in|at|for|near|abroad)`,
  `damals`,
  `(?:wohnte|lebte|studierte)`,
  `arbeitete (?:bei|für|in|als)`,
  `(?:hat|hatte) (?:in|bei|am|an) [^,;.]{1,60} (?:gewohnt|gelebt)`,
  `autrefois`,
  `(?:habit|viv|travaill|étudi)ai(?:en)?t`,
  `a (?:habité|vécu) (?:à|en|au|aux|chez|dans)`,
  `a travaillé (?:chez|pour|comme)`,
  `viv(?:ía|ió|eva) (?:en|in|a|ad|con)`,
  `trabaj(?:aba|ó) (?:en|para|como)`,
  `(?:abitava|lavorava|morava|trabalhava) (?:in|a|ad|da|per|come|em|no|na|para|com|como)`,
  `(?:woonde|werkte) (?:in|bij|voor|als|aan|op)`,
  `(?:жил|работал)[аи]? (?:в|на|у|с)`,
];
const PAST_UNSPACED = [
  '(?:^|[，,;；。])(?:以前|过去)(?=[在是住叫用有做当])',
  '(?<![不未])曾(?:经(?![理纪济])|[在任住于])',
  '住过(?!去)|(?<![接招看对])待过(?!去)',
  '(?<!\\d|[一二两三四五六七八九十半几个])小时候|(?:大学|[中小上]学|高中|读书|年轻|学生)(?:的时候|时候|时(?![间代期刻段光]))',
  '[てで]いた(?=[。、,]|$|が|けど)|[てで]いました',
];

const PAST = new PatternWithWordTest(
  'used to|back then|lived|resided|dwelt|worked|was living|was working|was based|was employed|was studying|damals|wohnte|lebte|arbeitete|studierte|gewohnt|gelebt|autrefois|ait|aient|a habité|a vécu|a travaillé|vivía|vivió|viveva|trabaj|abitava|lavorava|morava|trabalhava|woonde|werkte|жил|работал|以前|曾|过去|住过|待过|时|いた|いました',
  new RegExp(
    [...PAST_FORMS.map((form) => (form.startsWith('^') ? form : EDGE + form) + END), ...PAST_UNSPACED].join('|'),
    'u',
  ),
);

/** Matches `formerly drove a Saab`. Excludes `formerly known as …`: something with an earlier name still exists. */
const FORMERLY = /^(?:formerly|früher) (?!known|called|named)(\p{Ll}+)/iu;

/** Whether a statement describes a former state by its words: `used to live in Porto`, 以前住在波尔图. Pure. */
export function describesFormerState(text: string): boolean {
  const verb = FORMERLY.exec(text)?.[1];
  return verb === undefined
    ? PAST.isIn(lowerCaseFirstLetter(text)) && !describesHabit(text)
    : isPastForm(verb) || /te$/.test(verb);
}

/** Words of uncertainty. Excludes `might` as a noun: "the might". */
const UNSURE =
  /(?<!\b(?:the|of|his|her|its|their|own) )\bmight \p{Ll}{2,}|(?<![\p{L}])(?:maybe|perhaps|vielleicht|peut-être|quizás|tal vez|forse|talvez|misschien|может быть|возможно)(?!\p{L})|也许|或许|かもしれない/u;

/** Whether a statement is uncertain by its own words. Pure. */
export function isUncertainStatement(text: string): boolean {
  return UNSURE.test(text);
}

/** Words of recurring events. */
const HABIT = `every|each|always|usually|never|birthday|anniversary|yearly|annual(?:ly)?|monthly|weekly|daily|jede[nrs]?|täglich|immer|geburtstag|chaque|toujours|anniversaire|cada|todos (?:los|os)|siempre|nunca|cumpleaños|ogni|sempre|compleanno|aniversário|elke|elk (?:jaar|uur|weekend|kwartaal)|iedere|altijd|nooit|verjaardag|кажд(?:ый|ую|ое|ые)|всегда|никогда|день рождения|first (?:mon|tues|wednes|thurs|fri|satur|sun)day`;

const habits = lazy(
  () =>
    new RegExp(
      `(?<![\\w\\u00c0-\\u1fff-])(?:${HABIT})(?![\\w\\u00c0-\\u1fff-])|每|毎|誕生日|いつも|必ず|生日|总是|从不|一直`,
      'i',
    ),
);

/** Whether a statement describes a recurring event: every week, each birthday. */
export function describesHabit(text: string): boolean {
  return habits().test(text);
}

/**
 * English words that can't be an infinitive: grammar words, and forms in -s, -ed and -ing. If such a word follows `will`
 * or `going to`, the text is not a plan.
 */
const NO_VERB =
  'and|or|but|nor|of|in|on|at|to|from|for|with|by|as|that|which|who|is|are|was|were|has|had|the|a|an|this|these|his|her|its|their|my|our|your|each|\\p{Ll}*(?<!s)s|\\p{Ll}*(?:ed|ing)';
/** Places that English names without an article: `is going to work` names a place, not a plan. */
const BARE_PLACES = 'bed|church|class|college|court|hospital|market|prison|school|sea|therapy|town|university|work';
const VERB = `(?:(?:also|soon|then) )?(?!(?:${NO_VERB})${END})\\p{Ll}{2,}`;
/** Excludes `will` and `plans` after a word that makes them nouns: "the will", "her plans". */
const NOUN_FOLLOWS = '(?<!(?:^|\\s)(?:a|an|the|his|her|its|their|my|our|your|of|by|against|at|own|last|free|living) )';
/**
 * Forms that mark a plan. A form is more than a single word: `will` may be a name or a testament, `set to` gives a value,
 * and 将 is a part of 麻将. So each form includes the verb that it needs. A plan in other words is recognised by its date.
 */
const ENGLISH_PLANS = [
  `${NOUN_FOLLOWS}will (?!not ${END}|only ${END})${VERB}`,
  `(?<=\\p{L})['’]ll ${VERB}`,
  `^Will (?:be|have|move|get|take|go|start|become)${END}`,
  `(?:is|are|am|['’](?:s|re|m)) going to (?!(?:${BARE_PLACES})${END})${VERB}`,
  `${NOUN_FOLLOWS}(?:plan(?:s|ning)?|intends?|intending) to ${VERB}`,
  `(?:^|(?:is|are|am|['’]s) )(?:still )?(?:considering|thinking (?:of|about)) \\p{Ll}+ing${END}(?!,)`,
  `toying with the idea`,
];
/** A German infinitive at the end of a clause. Participles are excluded: `wird` with a participle is a passive. */
const LAST_INFINITIVE =
  '(?!\\p{Ll}*ge(?!ben|hen)\\p{Ll}{3})(?!(?:be|emp|ent|er|miss|über|unter|ver|zer)\\p{Ll})\\p{Ll}{2,}(?:en|ern|eln|sein)';
const CLAUSE_END = '(?=\\s*(?:[.,;!]|$))';
const ROMANCE_INFINITIVE = "(?!entre |contre |hier )(?:se |s[’'])?\\p{Ll}{2,}(?:[aei]r|re)";
const OTHER_PLANS = [
  `(?:wird|werden) (?:[^,;.]{1,80} )?${LAST_INFINITIVE}${CLAUSE_END}`,
  `(?:hat vor|plant|erwägt|überlegt), [^;.]{0,80}zu \\p{Ll}+n${CLAUSE_END}`,
  `(?:va|vont) ${ROMANCE_INFINITIVE}`,
  `(?:prévoi(?:t|ent)|envisagent?|a l['’]intention) (?:de |d['’])${ROMANCE_INFINITIVE}`,
  `(?:va a|planea|tiene previsto|piensa|está pensando en) \\p{Ll}{2,}[aei]r(?:se)?`,
  `(?:intende|ha in programma di|sta pensando di) \\p{Ll}{2,}[aei]r(?:e|si)`,
  `(?:vai|pretende|planeja|planeia) \\p{Ll}{2,}[aei]r`,
  `is van plan`,
  `zal (?!wel )(?:[^,;.]{1,80} )?\\p{Ll}{2,}en${CLAUSE_END}`,
  `(?:собира(?:ется|ются)|планиру(?:ет|ют)|намерен[аы]?) (?:\\p{Ll}+ )?\\p{Ll}+(?:ть|ти|чь)(?:ся)?`,
  `буд(?:ет|ут)`,
];
/** Forms that mark a plan in Chinese and Japanese. They exclude 将 at the end of another word: 麻将, 名将, 上将. */
const UNSPACED_PLANS = [
  '打算(?!盘|[的，,。；;]|$)|即将|(?<![麻主大名老上中少武健干闯])将[于会要]|(?:在|正|还在)考虑',
  '(?<!てい)[うくぐすつぬぶむる](?:予定|つもり)(?:だ|です|である)?(?=[。、,]|$)|検討中',
];

const inText = (forms: readonly string[]): readonly string[] =>
  forms.map((form) => (/^(?:\^|\(\?<=)/.test(form) ? form : EDGE + form) + END);

const ENGLISH_PLAN = new PatternWithWordTest(
  "will|'ll|’ll|going to|plan|intend|considering|thinking|toying",
  new RegExp(inText(ENGLISH_PLANS).join('|'), 'u'),
);
const OTHER_PLAN = new PatternWithWordTest(
  "wird|werden|hat vor|plan|erwägt|überlegt|va|vont|prévoi|envisage|l'intention|l’intention|tiene previsto|piensa|pensando|intende|programma|pretende|zal|собира|планиру|намерен|буд|打算|将|考虑|予定|つもり|検討中",
  new RegExp([...inText(OTHER_PLANS), ...UNSPACED_PLANS].join('|'), 'u'),
);

/** Whether a statement contains a form that marks a plan, in the statement's language. Pure. */
export function describesPlan(text: string): boolean {
  const said = /^Will /.test(text) ? text : lowerCaseFirstLetter(text);
  // German has its own `will`, which means "wants".
  return OTHER_PLAN.isIn(said) || (ENGLISH_PLAN.isIn(said) && detectLanguages(said).size === 0);
}

/** Lower-cases the first letter: the capital at the start of a statement has no meaning. Pure. */
function lowerCaseFirstLetter(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
