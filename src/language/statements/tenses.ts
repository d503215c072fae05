import { isPastForm } from '../time/english/tense.js';
import { PatternWithWordTest } from '../tokens.js';
import { lowerCaseFirstLetter } from './plans.js';

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

const spaced = (words: string): string =>
  `(?<![\\w\\u00c0-\\u1fff-])(?:${words
    .trim()
    .split(/\s*\n\s*|\|/)
    .join('|')})(?![\\w\\u00c0-\\u1fff-])`;

let habits: RegExp | undefined;

/** Whether a statement describes a recurring event: every week, each birthday. */
export function describesHabit(text: string): boolean {
  habits ??= new RegExp(`${spaced(HABIT)}|每|毎|誕生日|いつも|必ず|生日|总是|从不|一直`, 'i');
  return habits.test(text);
}
