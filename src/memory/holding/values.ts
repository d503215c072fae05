import { HAN } from '../../language/scripts.js';
import { PLACE_WORDS } from '../../language/words/attributes.js';
import { isHan } from '../../language/words/states.js';
import { replacementTerms } from '../supersession/ended-value.js';

const NO_VALUE =
  /^(?:I|I'm|Euro|Uhr|Prozent|Stunden?|Minuten?|Tagen?|Tage|Wochen?|Monat(?:e|s|en)?|Jahre?n?|Mal|Kilo|Meter|Liter|Grad|Dr|Mr|Mrs|Ms|Prof|St|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July|Aug(?:ust)?|Sept(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)$/;
/** A noun with a German article is no name, though it has a capital. */
const VALUE =
  /(?<![\p{L}\p{N}'’-]|(?<!\p{L})(?:de[rmns]|die|das|eine?[nmrs]?|(?:sein|ihr|mein|unser)e?[nmrs]?|[ai]m|zu[mr]|beim|vom) )(?:[@＠][\p{L}\p{N}_.-]+|\p{Lu}[\p{L}\p{N}'’&-]*(?![\p{L}\p{N}]))|(?<![A-Za-z\d.])(?:\d[\d.,:]*\d|\d)(?![A-Za-z\d])/gu;
const BEGINS_WITH_NAME = /^\p{Lu}[\p{L}'’-]*(?<!s) (?:(?:&|and|\p{Lu}\S*) )*(?:has|was|will|took|bought|\p{Ll}+s)\b/u;
const DATE =
  /\b\d{4}-\d\d-\d\d\b|\b(?:19|20)\d\d\b|\d+ ?[年月日号]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d+(?:[–-]\d+)?|\b\d+(?:\.|st|nd|rd|th)? (?=\p{Lu}\p{Ll}{2,}(?:r|y|ch|il|i|t|ne|e)\b)|[A-Za-z]-\d+/gu;

/** The names and numbers of a statement: its values, where it states any. Dates are none. */
export function valuesOf(text: string): ReadonlySet<string> {
  const bare = text.replace(DATE, ' ');
  const found = [...bare.matchAll(VALUE)].filter(
    ({ 0: word, index }) => !NO_VALUE.test(word) && (index > 0 || /^[@＠\d]/.test(word) || BEGINS_WITH_NAME.test(bare)),
  );
  return new Set(found.map(([word]) => word.toLowerCase()));
}

function isNumber(value: string): boolean {
  return /^\d/.test(value);
}

/** 孩子在一小上学, 孩子转学到育才: begun by the same word, with another one in common; 用随手记记账, 记账换成表格: with one elsewhere. */
export function isOfSameThing(one: string, other: string): boolean {
  if (!isHan(one) || !isHan(other) || /过敏|生日/.test(one + other)) return false;
  if (one.slice(0, 2) === other.slice(0, 2)) {
    const rest = other.slice(2);
    return [...one.slice(2)].some((each) => isHan(each) && rest.includes(each) && !FORM_CHINESE.includes(each));
  }
  // What one learns or likes is of another matter than what one is.
  if (/^(?:在?学|会|喜欢|参加)/.test(other)) return false;
  return wordsOf(one).some((word) => other.includes(word));
}

const FORM_CHINESE = '在到了的是有和与不一';

/** Two characters side by side that may be a word. */
function wordsOf(text: string): readonly string[] {
  return Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)).filter(
    (pair) => HAN_PAIR.test(pair) && !NO_WORD.test(pair),
  );
}

const HAN_PAIR = new RegExp(`^[${HAN}]{2}$`);
const NO_WORD =
  /[在到了的是有和与不一每个这那就也都已把被给由]|现在|如今|开始|今[天年]|自己|公司|孩子|家里|先生|女士|喜欢|爱好|认识|朋友|同事/;

/** `Flat` and `flatmate` */
function isBegunBy(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 3 && long.startsWith(short);
}

/** A statement with its names and numbers, and its terms. */
export interface Valued {
  readonly fact: { readonly text: string };
  readonly values: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
}

/** Whether a statement of a turn puts another value in the place of an earlier one's. @param isEvent what happened has to have put it there */
export function putsOther(later: Valued, earlier: Valued, isEvent: boolean): boolean {
  if (!hasOtherValue(later, earlier)) return false;
  // `Got a flat tyre in Ghent` has not.
  if (isEvent && !putsSomewhere(later.fact.text) && !standsBefore(later, earlier)) return false;
  return (
    hasSameRate(later, earlier) ||
    sharedTerms(later, earlier) > 0 ||
    [...later.values].some((value) => earlier.values.has(value))
  );
}

/** Whether a statement has another value in the midst of the same words. */
export function statesOther(later: Valued, earlier: Valued): boolean {
  if (!hasOtherValue(later, earlier)) return false;
  return hasSameRate(later, earlier) || sharedTerms(later, earlier) > 1;
}

function hasSameRate(one: Valued, other: Valued): boolean {
  const rate = rateOf(one.fact.text);
  return rate !== undefined && rate === rateOf(other.fact.text);
}

/** Whether all values of a statement are those of an old one that another has replaced. A number alone says too little. */
export function isOfValue(one: Valued, old: Valued, by: Valued): boolean {
  // Whom it mentions is no value of its own.
  if (![...one.values].every((value) => !/^[@＠]/.test(value) && old.values.has(value) && !by.values.has(value)))
    return false;
  if ([...one.values].some((value) => !isNumber(value))) return true;
  return [...one.terms].some((term) => old.terms.has(term) && !one.values.has(term));
}

/** How many words both have that are no values, and say of what these are. */
function sharedTerms(one: Valued, other: Valued): number {
  const values = new Set([...one.values, ...other.values].flatMap((value) => replacementTerms(value)));
  const telling = ({ terms }: Valued): readonly string[] =>
    [...terms].filter((term) => !values.has(term) && !VAGUE.has(term) && !PLACE_WORDS.has(term));
  const theirs = telling(other);
  return telling(one).filter((term) => theirs.some((each) => each === term || isBegunBy(each, term))).length;
}

/** Other values of one sort: names, or numbers of the same. */
function hasOtherValue({ fact: one, values: mine }: Valued, { fact: other, values: theirs }: Valued): boolean {
  const all = [...mine, ...theirs];
  if (mine.size === 0 || theirs.size === 0) return false;
  const common = [...mine].filter((value) => theirs.has(value));
  if (!all.some(isNumber)) return common.length === 0;
  // `Node 18` and `Node 20`, `12 Mill Road` and `48 Mill Road`
  if (common.some(isNumber) || !all.every((value) => isNumber(value) || common.includes(value))) return false;
  const [around, same] = [besideNumbers(one.text), besideNumbers(other.text)];
  return around.some((word) => same.includes(word));
}

/** `Desk 22`: a word of the earlier one stands right before its value. */
function standsBefore({ fact }: Valued, earlier: Valued): boolean {
  return [...fact.text.matchAll(BEFORE_VALUE)].some(([, noun = '']) =>
    replacementTerms(noun).some((term) => earlier.terms.has(term)),
  );
}

/** `Upped the practice to 35 minutes`, `went into Bitwarden` */
export function putsSomewhere(text: string): boolean {
  return PUT_TO.test(text);
}

/** Whether a statement tells of what stays so wherever one is. */
export function isOrigin(text: string): boolean {
  return ORIGIN.test(text);
}

/** The words that stand right before and right after its numbers: `minutes` of 35, `desk` of 22. */
function besideNumbers(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(/(?:(\p{L}+) ?)?\d[\d.,:]* ?(\p{Ll}[a-zß-ÿ]*|\p{Lo}{2})?/gu)].flatMap(
    ([, before = '', after = '']) => [before, after].filter((word) => word.length > 1 && !BESIDE_ANY.test(word)),
  );
}

const BESIDE_ANY =
  /^(?:the|an?|is|are|to|at|in|on|for|of|by|from|was|has|takes?|and|or|with|about|around|than|up|uses|into|goes)$/;

/** `35 minutes a day`: its unit. */
function rateOf(text: string): string | undefined {
  return /\d (\p{Ll}+) (?:a|per) (?:day|week|month|year)\b/u.exec(text)?.[1];
}

const PUT_TO = /\b(?:to|into|over to|auf) (?:class |the )?(?:\p{Lu}|\d)/u;

const BEFORE_VALUE = /(\p{Ll}{3,})(?: (?:with|at|of|from|for|by|bei|von|mit|chez))? (?=\p{Lu}|\d)/gu;

/** Whether a word says too little of what a statement is of. @param term a stem */
export function isVague(term: string): boolean {
  return VAGUE.has(term);
}

/** Stems that two statements may share though they are of different things. */
const VAGUE: ReadonlySet<string> = new Set(
  `ist sind hat haben wird war seit jetzt nun mit für von vom bei beim zu zum zur nach auf aus im in um ab bis und oder nicht est sont ont avec pour chez dans depuis
  es está con para desde por per con da dal na no em com voor met van naar sinds sich se si diesem dieser dieses
  dai week month year time hour now euro percent new old on two three part thing person peopl work`.split(/\s+/),
);
const ORIGIN = /\b(?:from|born|grew up|native|family|mother|father|parents?|sister|brother|son|daughter|friend)\b/i;
