import { isPastForm } from '../time/english/tense.js';
import { Cued } from '../tokens.js';

/** Whether a statement without its subject tells by the form of its first verb of what happened: `bought a bike`, `hat Brot gebacken`. Pure. */
export function tellsOfHappening(text: string): boolean {
  const first = /^[a-z]+(?=\s)/.exec(text)?.[0];
  return (first !== undefined && isPastForm(first)) || PERFECT.test(text);
}

/** `Hat den Zaun repariert`, `ist nach Kiel gefahren`. */
const PERFECT = /^(?:hat|haben|ist|sind) .{0,200}(?<!\p{L})\p{Ll}*ge\p{Ll}{2,}(?:t|en)(?=$|[.,;])/u;

/** Verbs that only join. */
const JOINS = 'is|are|ist|est|es|è|é';
/** What is so: `takes`, `nimmt`, `boit`, or a value right after a verb that only joins. */
const STATE = new RegExp(`^\\p{Ll}{2,}[st]\\s|(?<!\\p{L})(?:${JOINS})\\s(?:\\p{L}{1,3}\\s)?[€$£]?\\d|是\\s?\\d`, 'u');
const JOINED = new RegExp(
  `^\\s*(\\p{L}[^,;.，。]{1,60}?)(?:\\s(?:${JOINS})\\s(?:\\p{L}{1,3}\\s)?|[是は])\\p{L}+\\s*(?:[.。]\\s*)?$`,
  'u',
);

/** What a statement gives a value of one word: `build status` of `build status is red`. Pure. */
export function attributeOf(text: string): string | undefined {
  return JOINED.exec(text)?.[1]?.toLowerCase();
}

/** Whether a statement without its subject shows by its form that it tells of what is so: `takes 5 mg`, `est de 820 euros`. Pure. */
export function tellsOfState(text: string): boolean {
  return STATE.test(text);
}

const PAST = new Cued(
  'used to|former|previously|back then|lived|resided|dwelt|worked|studied|stayed|taught|served|was living|was working|was based|was employed|was studying|ehemals|damals|wohnte|lebte|arbeitete|studierte|gewohnt|gelebt|gearbeitet|studiert|autrefois|ait|aient|früher|a habité|a vécu|a travaillé|a étudié|vivía|vivió|trabaj|abitava|viveva|lavorava|morava|trabalhava|woonde|werkte|vroeger|жил|работал|раньше|以前|曾|过去|当年|那时|住过|待过|工作过|いた|时',
  /\b(?:used to|formerly|previously|former(?!ly)|back then|(?<!\b(?:has|have|had|'s|'ve) )(?:lived|resided|dwelt|worked|studied|stayed|taught|served)|was (?:living|working|based|employed|studying)|ehemals|damals|wohnte|lebte|arbeitete|studierte|(?:hat|hatte) .{1,60}\b(?:gewohnt|gelebt|gearbeitet|studiert)|autrefois|viv(?:ía|ió|eva)|trabaj(?:aba|ó)|abitava|lavorava|morava|trabalhava|woonde|werkte|vroeger)(?![\w\u00c0-\u1fff])|früher|\ba (?:habité|vécu|travaillé|étudié)|^(?!fait|sait|plaît|connaît|paraît|naît)[a-zà-ÿ]{2,}(?<![eid]r)ai(?:en)?t(?=\s)|(?<![\u0400-\u04ff])(?:жил[аи]?|работал[аи]?|раньше)(?![\u0400-\u04ff])|以前|曾|过去|当年|那时|[住待]过|工作过|[てで]いた|(?:大学|[中小上]学|高中|读书|年轻|学生)的?时候?|小时候/i,
);

/** Whether a statement tells by its words of what was once and is no more: `used to live in Porto`, 以前住在波尔图. Pure. */
export function tellsOfFormerState(text: string): boolean {
  return PAST.isIn(text);
}

/** Words by which a statement shows that what it says is planned or only thought of, and those of what comes back. */
const PLAN = `will|won't|shall|'ll|is going to|are going to|going to|plans? to|plans? on|planning to|planned (?:for|on|to)|intends? to|scheduled (?:for|to|on)|is due|due (?:on|in|to)|set to|booked for|fixed for|arranged for|is to|are to
(?:wird|(?<!(?:darf|dürfen|muss|müssen|kann|können|soll|sollen) .{0,60})werden)(?!.{1,80}(?:ge\\S{2,}(?:t|en)|(?:be|ver|er|ent|zer)\\S{2,}t|iert)\\s*(?:[.,;!]|$))|plant|geplant|vorgesehen|vorhat|hat vor
va|vont|prévoit|prévue?|compte|a l'intention de|planifiée?
planea|tiene previsto|piensa ir|intende|ha in programma|pretende|planeja|planeia|is van plan|zal|собирается|планирует|намерен[аы]?|будет`;
const WISH = `considers? (?:moving|buying|leaving|going|switching|taking|selling|changing|getting|a|an|the)|considering|thinking (?:about|of)|might|maybe|perhaps|toying with|dreams of|hopes? to|hoping to|would like to|wonders?
überlegt|vielleicht|möchte|erwägt
envisage|peut-être|pourrait|aimerait
quizás|tal vez|le gustaría|está pensando|forse|vorrebbe|sta pensando|talvez|gostaria|misschien|overweegt|может быть|возможно|думает о|хотел[аи]? бы`;
const UNSPACED =
  '打算|计划(?!是)|準備|准备(?!好)|将(?:要|会|于|在)?|預計|预计|预定|定于|约了|安排在|要去|要在|会在|予定|つもり|する計画';
const THOUGHT = '考虑|可能|也许|或许|希望|想去|想要去|犹豫|かもしれない|検討中|たいと';
const HABIT = `every|each|always|usually|never|birthday|anniversary|yearly|annual(?:ly)?|monthly|weekly|daily|jede[nrs]?|täglich|immer|geburtstag|chaque|toujours|anniversaire|cada|todos (?:los|os)|siempre|nunca|cumpleaños|ogni|sempre|compleanno|aniversário|elke?|iedere|altijd|nooit|verjaardag|кажд(?:ый|ую|ое|ые)|всегда|никогда|день рождения|first (?:mon|tues|wednes|thurs|fri|satur|sun)day`;

const spaced = (words: string): string =>
  `(?<![\\w\\u00c0-\\u1fff-])(?:${words
    .trim()
    .split(/\s*\n\s*|\|/)
    .join('|')})(?![\\w\\u00c0-\\u1fff-])`;

let plans: RegExp | undefined;
let wishes: RegExp | undefined;
let habits: RegExp | undefined;

/** Whether a statement tells of what is to come, as far as its words say so. */
export function tellsOfPlan(text: string): boolean {
  plans ??= new RegExp(`${spaced(PLAN)}|${UNSPACED}`, 'i');
  return plans.test(text) || tellsOfWish(text);
}

/** Whether it is only thought of. */
export function tellsOfWish(text: string): boolean {
  wishes ??= new RegExp(`${spaced(WISH)}|${THOUGHT}`, 'i');
  return wishes.test(text);
}

/** Whether a statement tells of what comes back: every week, each birthday. */
export function tellsOfHabit(text: string): boolean {
  habits ??= new RegExp(`${spaced(HABIT)}|每|毎|誕生日|いつも|必ず|生日|总是|从不|一直`, 'i');
  return habits.test(text);
}
