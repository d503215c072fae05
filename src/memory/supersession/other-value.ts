import { HAN, isCapital } from '../../language/scripts.js';
import {
  ATTRIBUTE_CHINESE,
  COPULAS,
  DAY_NAMES,
  MANY_CHINESE,
  MONTH_NAMES,
  PLACE_WORDS,
  ROLE_VERBS,
  SINGLE_AT_CHINESE,
  SINGLE_CHINESE,
  SINGLE_VERBS,
  STATE_VERBS,
  STATUS_NOUNS,
} from '../../language/words/attributes.js';
import { isSameWord, joined, type Statement } from './statement.js';
import type { StatementWord } from './statement-word.js';
import { classOf, isDenied } from './value-class.js';

type Words = readonly StatementWord[];

/** What two statements share, and what each has in the one place where they differ. */
interface Slot {
  readonly before: Words;
  readonly mine: Words;
  readonly theirs: Words;
  readonly after: Words;
}

const LONGEST_VALUE = 8;
/** So many words of a statement of change may be new: more of them tell another story. */
const MOST_NEW = 5;

/** An `other date` is a value that is a date, which is not the time for which the statement holds. */
export type Comparison = 'same' | 'other value' | 'other date' | 'unsure';

/**
 * What a later statement does to an earlier one about the same subject: it says the `same`, states an `other value` of
 * an attribute that has one at a time, or nothing that is sure. The attribute is what both share around the value.
 * What one may have several of has no other value. Pure.
 */
export function compareStatements(earlier: Statement, later: Statement): Comparison {
  if (later.isOpen || earlier.isOpen) return 'unsure';
  for (const words of later.clauses) {
    const result = compareClauses(earlier, { ...later, words });
    if (result !== 'unsure') return result;
  }
  return 'unsure';
}

function compareClauses(earlier: Statement, later: Statement): Comparison {
  const slot = slotOf(earlier.words, later.words);
  if (slot.mine.length + slot.theirs.length === 0) return slot.before.length === 0 ? 'unsure' : 'same';
  // Of most pairs, nothing is the same.
  if (slot.before.length === 0 && slot.after.length < 2 && !later.isChange) return 'unsure';
  const named = attributeOf(earlier.words).some(isAttributeWord)
    ? []
    : [...slot.mine.slice(0, 2), ...slot.theirs.slice(0, 2)];
  const around = [...slot.before, ...slot.after, ...named];
  if (isMany(around) && (!isOneKnown(slot, earlier, later) || isMany(around.slice(1)))) return 'unsure';
  if (isOneValued(slot, earlier, later) || (later.isChange && isChanged(earlier, later)))
    return classOf(slot.theirs, slot) === 'date' ? 'other date' : 'other value';
  return 'unsure';
}

function slotOf(mine: Words, theirs: Words): Slot {
  const most = Math.min(mine.length, theirs.length);
  let from = 0;
  while (from < most && isSameWord(mine[from], theirs[from])) from++;
  let end = 0;
  while (end < most - from && isSameWord(mine[mine.length - 1 - end], theirs[theirs.length - 1 - end])) end++;
  // `Is called Dr. Osei`: what one is addressed by belongs to the name.
  if (TITLE.test(mine[from - 1]?.text ?? '') && mine[from]?.isName === true && theirs[from]?.isName === true) from--;
  return {
    before: mine.slice(0, from),
    mine: mine.slice(from, mine.length - end),
    theirs: theirs.slice(from, theirs.length - end),
    after: mine.slice(mine.length - end),
  };
}

const TITLE = /^(?:dr|prof|mrs?|ms|herr|frau|m|mme|mlle|familie|family|famille)$/;

/** Whether statements are of what one may have several of. */
export function isMany(words: Words): boolean {
  if (words.some(({ isUnique }) => isUnique)) return false;
  if (isChinese(words) && MANY_CHINESE.test(joined(words))) return true;
  return words.some(({ isOneOfMany }) => isOneOfMany);
}

/** `The cat weighs 4 kg`: an amount of a certain one, though one may have several. */
function isOneKnown(slot: Slot, earlier: Statement, later: Statement): boolean {
  const [mine, theirs] = [classOf(slot.mine, slot), classOf(slot.theirs, slot)];
  return slot.before.length > 1 && mine === theirs && mine.startsWith('number') && [earlier, later].every(isOfDefinite);
}

function isOfDefinite({ text }: Statement): boolean {
  return /^(?:the|der|die|das|le|la) /i.test(text);
}

function isOneValued(slot: Slot, earlier: Statement, later: Statement): boolean {
  const { before, mine, theirs } = slot;
  if (mine.length === 0 || theirs.length === 0 || Math.max(mine.length, theirs.length) > LONGEST_VALUE) return false;
  if ([mine, theirs].some((value) => isDenied(value) || value.some(({ text }) => COPULAS.has(text)))) return false;
  // `The bill of March comes to 90 euros`, and that of April to 110: two bills.
  if (mine.slice(1).some((word) => STATE_VERBS.has(word.text) && theirs.some(({ text }) => text === word.text)))
    return false;
  if (before.length === 0) return JAPANESE_SINGLE.test(joined(slot.after)) || isHolder(slot, earlier, later);
  if (isChinese(before)) return isChineseAttribute(slot, later.isChange);
  if (isEvent(slot) && !later.isChange) return false;
  if (endsInSingleVerb(before))
    // On Mondays here, on Fridays there.
    return ![...mine, ...theirs].some(({ text }) => DAY_NAMES.test(text));
  const [mineClass, theirClass] = [classOf(mine, slot), classOf(theirs, slot)];
  const isTyped = mineClass === theirClass && mineClass !== 'words';
  if (later.isChange && isTyped) return true;
  if ([mine, theirs].some(isDescription) && before.some(({ isDescribed }) => isDescribed)) return false;
  return (
    isNamedAttribute(slot, mineClass, theirClass) ||
    (isTyped && (isOnTimetable(slot, earlier) || isState(slot, mineClass, earlier)))
  );
}

/** `Lives in`, `is called` */
function endsInSingleVerb(before: Words): boolean {
  if (!SINGLE_ENDS.has(before.at(-1)?.text ?? '')) return false;
  const said = ` ${before.map(({ text }) => text).join(' ')}`;
  return SINGLE_VERBS.some((verb) => said.endsWith(` ${verb}`));
}

const SINGLE_ENDS: ReadonlySet<string> = new Set(SINGLE_VERBS.map((verb) => verb.slice(verb.lastIndexOf(' ') + 1)));

/** `The deadline is`, `is on the … plan`, `in room …`: what has one value at a time by its name. */
function isNamedAttribute({ before, after }: Slot, mine: string, theirs: string): boolean {
  const [at, name] = before.at(-1)?.isAttribute === true ? before.slice(-2) : [before.at(-1), after[0]];
  if (PLACE_WORDS.has(at?.text ?? '') && name?.isAttribute === true) return true;
  const copula = copulaOf(before);
  if (copula < 0) return false;
  // The phone is black, and the phone is in the kitchen; but the status is open, and the status is on hold.
  if (
    (mine === 'place') !== (theirs === 'place') &&
    copula === before.length - 1 &&
    !before.some(({ text }) => STATUS_NOUNS.has(text))
  )
    return false;
  return [...before.slice(0, copula), ...after.slice(-1)].some(({ isAttribute, isUnique }) => isAttribute || isUnique);
}

/** Where the copula of what stands before a value is, when it stands right before it, or one word before; else -1. */
function copulaOf(before: Words): number {
  const copula = before.findLastIndex(({ text }) => COPULAS.has(text));
  return before.length - copula <= 2 ? copula : -1;
}

/** What stands before a value of some kind says how something is, and not what happened or is done. */
function isState({ before, mine, after }: Slot, valueClass: string, earlier: Statement): boolean {
  const last = before.at(-1)?.text ?? '';
  const isPlaced = PLACE_WORDS.has(last);
  const copula = copulaOf(before);
  // `Sue is in the choir` is no place where she is.
  if (valueClass === 'place' && isPlaced) return SUBJECT.test(earlier.text);
  // In German a choir has a capital, too, but it has an article.
  if (copula >= 0) return copula > 0 || valueClass !== 'name' || (isPlaced && !/^(?:im|am|beim|au)$/.test(last));
  const states = before.filter(({ text }, i) => isStateVerb(text, before.slice(i + 1), valueClass));
  if (valueClass === 'name') return isPlaced && states.some(({ text }) => !COPULAS.has(text));
  // A number alone behind a noun names one of several: `ticket 12`.
  const isNumber = valueClass.startsWith('number') && mine.length === 1 && after.length === 0;
  const [noun] = before.slice(-1);
  const isOneOfMany =
    isNumber && noun !== undefined && !isPlaced && ![STATE_VERBS, COPULAS].some((verbs) => verbs.has(noun.text));
  if (states.length > 0) return !isOneOfMany || noun?.isName === true || noun?.isAttribute === true;
  // With its subject named, a habit is one thing's time: `The bins are emptied on Mondays`.
  if (valueClass === 'date')
    return (
      SUBJECT.test(earlier.text) ||
      DUE.test(before.findLast(({ text }) => !MONTH_NAMES.test(text))?.text ?? '') ||
      before.some(isAlways)
    );
  if (valueClass === 'ordinal') return isPlaced;
  // `Requires Python 3.12`
  if (isNumber) return noun?.isName === true && mine.some(({ text }) => text.includes('.'));
  // An amount of something is taken, waited or counted.
  return valueClass.startsWith('number') && (before.length > 1 || after.length === 0 || /[^s]s$/.test(last));
}

/** A verb that says how things are. One may have an appointment, an account and a meeting; an attribute or an amount is had once. */
function isStateVerb(verb: string, between: Words, valueClass: string): boolean {
  if (!STATE_VERBS.has(verb) || (valueClass === 'date' && /^(?:works|drives|wears|uses|sleeps|sits)$/.test(verb)))
    return false;
  const object = between.findLast(({ text }) => !PLACE_WORDS.has(text) && !MONTH_NAMES.test(text));
  // `Hat in Mathe eine Zwei` has something else in another place.
  if (!HAS.test(verb) || (object === undefined && valueClass !== 'date' && valueClass !== 'name')) return true;
  return object !== undefined && (object.isAttribute || object.text === 'lieu');
}

const HAS = /^(?:has|have|gets?|takes|needs|hat|haben|nimmt|bekommt|erhält|braucht|reçoit|a|ont)$/;

/** A statement that names its subject by a common word: `The bins`, `her desk`. */
const SUBJECT =
  /^(?:[Tt]he|[Hh]is|[Hh]er|[Oo]ur|[Mm]y|[Tt]heir|[Ii]ts|[Dd]er|[Dd]ie|[Dd]as|[Ss]ein|[Ii]hr|[Uu]nser|[Mm]ein|[Ll]e|[Ll]a|[Ll]es|[Ss]on|[Ss]a|[Nn]otre)\b|^(?!is)[a-z]{3,} is\b/;

/** `The train leaves at 7:12` */
function isOnTimetable({ mine: [time] }: Slot, earlier: Statement): boolean {
  return time !== undefined && CLOCK.test(time.text) && SUBJECT.test(earlier.text);
}

const CLOCK = /^\d{1,2}(?::\d\d|h\d{0,2})$/;
const DUE = /^(?:by|until|due|bis|spätestens|avant)$/;

function isAlways({ text }: StatementWord): boolean {
  return /^(?:always|every|each|immer|stets|jeden|jede|toujours|chaque)$/.test(text);
}

/** What stands around a value tells what happened once: `ran 10 km`, `hat 2 Äpfel gekauft`, `a payé 20 euros`. */
function isEvent({ before, after }: Slot): boolean {
  if (before.some(({ text }) => COPULAS.has(text)))
    return MOTION.test(after.at(-1)?.text ?? '') || before.some(({ text }) => FRENCH_MOTION.test(text));
  if (before.some(({ isPast }, i) => isPast && before[i - 1]?.text !== 'be')) return true;
  const auxiliary = before.findIndex(({ text }) => AUXILIARY.test(text));
  if (auxiliary < 0) return false;
  return [before[auxiliary + 1], after.at(-1)].some((word) => word !== undefined && PARTICIPLE.test(word.text));
}

const MOTION =
  /^(?:an|ab|aus|ein|los|weg|hin|zurück)?ge(?:laufen|fahren|gangen|flogen|kommen|fallen|reist|wandert|joggt|schwommen|klettert|rannt|stiegen|wesen|blieben)$/;
const FRENCH_MOTION = /^(?:allé|venu|revenu|parti|arrivé|rentré|sorti|monté|descendu|tombé|resté|retourné)e?s?$/;
const AUXILIARY = /^(?:hat|habe|haben|a|ai|ont|avons)$/;
const PARTICIPLE = /^(?:.*ge.{2,}(?:t|en)|(?:be|ver|er|ent|zer).{2,}(?:t|en)|.{2,}(?:iert|é|ée|és|(?<!lie)u|it|is|i))$/;

/** One common word, and how much it is so: `strict`, `sehr klein`. */
function isDescription(value: Words): boolean {
  const [first, second] = value;
  if (second !== undefined) return value.length === 2 && VERY.test(first?.text ?? '');
  return classOf(value) === 'words';
}

const VERY = /^(?:very|too|quite|so|really|rather|sehr|zu|ziemlich|recht|eher|très|trop|assez|plutôt|bien)$/;

function isAttributeWord(word: StatementWord): boolean {
  return word.isAttribute;
}

/** `Anneli leads the data team`, `Ruth is the head of finance`: of these there is one. */
function isHolder({ mine, theirs, after }: Slot, earlier: Statement, later: Statement): boolean {
  const isNamed = (value: Words): boolean => value.length <= 3 && value.slice(1).every(({ isName }) => isName);
  if (after.length < 2 || !isNamed(mine) || !isNamed(theirs)) return false;
  const [first] = after;
  if (first !== undefined && ROLE_VERBS.has(first.text)) return true;
  const isDefinite = (text: string): boolean => /\b(?:is|ist|est) (?:the|der|die|das|le|la|l')/i.test(text);
  return first !== undefined && COPULAS.has(first.text) && isDefinite(earlier.text) && isDefinite(later.text);
}

const JAPANESE_SINGLE = /^(?:に住んで|に勤めて|で働いて)/;
const NAME_BEGUN = /(是|叫|由)[阿小老王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗]$/;
const DOING = /.[种看吃喝玩跑买写做唱跳聊睡画拍修练逛]/;
/** What one drives, wears or uses: another one that is told of as new has come in its place. */
const HAS_ONE_CHINESE = /[开骑用穿戴租]着?(?:一?[辆台部把张套支块双件款间])?$/;
const HAN_COPULA = new RegExp(`[${HAN}]{2}(?:是|为|叫)$`);

function isChinese(words: Words): boolean {
  return words.some(({ isHan }) => isHan);
}

function isChineseAttribute(slot: Slot, isChange: boolean): boolean {
  const { before, mine, theirs, after } = slot;
  // Of two names that begin alike, only the rest differs.
  const said = joined(before).replace(NAME_BEGUN, '$1');
  // A statement that begins with a day tells what was done on it.
  if (/^[上下这本]?(?:周|星期|礼拜)$/.test(said)) return false;
  if (/[了过](?:第|大?约|大概|近|共|一共)?$/.test(said)) return false;
  const tail = joined(after);
  if (/[了过]/.test(tail) && !/[是为]$/.test(said)) return false;
  const isDoneThere =
    said.endsWith('在') && (!SINGLE_AT_CHINESE.test(tail) || [mine, theirs].some((value) => DOING.test(joined(value))));
  if ((SINGLE_CHINESE.test(said) && !isDoneThere) || ATTRIBUTE_CHINESE.test(said.replace(/(?:是|为|在|叫|:)+$/, '')))
    return true;
  const [a, b] = [mine, theirs].map((value) =>
    classOf(/^[是在为]$/.test(value[0]?.text ?? '') ? value.slice(1) : value, slot),
  );
  if (a === b && a !== 'words' && (isChange || a !== 'name')) return true;
  if (isChange && HAS_ONE_CHINESE.test(said)) return true;
  return HAN_COPULA.test(said) || (/(?:周|星期|礼拜)$/.test(said) && [mine, theirs].every(isWeekday));
}

/** What stands behind 周: a day, and its part. */
function isWeekday(value: Words): boolean {
  return (
    /^[一二三四五六日天末](?:[早晚上中下]|$)/.test(joined(value)) && !/[有去做吃看学练]/.test(joined(value.slice(2)))
  );
}

/** A statement of change names the whole attribute of the earlier one, and another value of the same sort. */
function isChanged(earlier: Statement, later: Statement): boolean {
  if (isChinese(earlier.words) && isChinese(later.words)) {
    const [of, ofLater] = [earlier, later].map(({ words }) =>
      (/^(.*?)(?:是|为)/.exec(joined(words))?.[1] ?? '').replace(/(?:使?用|采用)?的/g, ''),
    );
    return of !== undefined && ofLater !== undefined && ofLater.length >= 2 && of.endsWith(ofLater);
  }
  const [mine, theirs] = [content(earlier.words), content(later.words)];
  const old = mine.filter((word) => !theirs.some((other) => isSameWord(word, other)));
  const fresh = theirs.filter((word) => !mine.some((other) => isSameWord(word, other)));
  if (old.length === 0 || fresh.length === 0 || fresh.length > MOST_NEW) return false;
  const attribute = attributeOf(earlier.words);
  if (attribute.length === 0 || attribute.some((word) => old.includes(word))) return false;
  const isBegun = fresh[0] === later.words[0] && isCapital(later.text);
  const [a, b] = [classOf(old), isBegun ? 'name' : classOf(fresh)];
  return a === b && (a !== 'words' || attribute.some(isAttributeWord));
}

/** What a statement is about: what stands before its copula, else its purpose, else an attribute that it names. */
function attributeOf(words: Words): Words {
  const copula = words.findIndex(({ text }) => COPULAS.has(text));
  if (copula > 0) return content(words.slice(0, copula));
  const purpose = words.findIndex(({ text }) => /^(?:for|für|pour|as|als|comme)$/.test(text));
  return purpose > 0 ? content(words.slice(purpose + 1)) : words.filter(isAttributeWord);
}

function content(words: Words): Words {
  return words.filter(({ text }) => !LIGHT.test(text) && !COPULAS.has(text) && !PLACE_WORDS.has(text));
}

const LIGHT =
  /^(?:uses?|has|have|had|takes?|gets?|got|was|were|to|for|of|with|no|longer|moved|switched|changed|slipped|postponed|pushed|extended|planned|scheduled|due|set|nutzt|hat|verwendet|mit|für|von|zu|auf|gewechselt|umgestiegen|geändert|utilise|a|pour|de|passée?|changé|using|instead)$/;
