import { COMMON_HAN, LETTER } from '../../../language/scripts.js';
import { shownLanguages } from '../../../language/time/languages/shown.js';
import { COPULAS, SMALL_WORDS } from '../../../language/words/attributes.js';
import { stemOf } from '../../../language/words/forms.js';
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../../language/words/stop.js';
import { LABEL } from './attributes.js';
import { CHINESE_SAID, SAID, tellsOfChange, tellsOfMore } from './topic.js';
import { FIRST_HOLE, LAST_HOLE, takeValues, type Value } from './values.js';

/**
 * A statement as its words stand around its values. Which things it is about is told by place, so that no verb has to
 * be known: what stands first, behind an article or a preposition, before a copula, or between two words that both
 * statements have, and in German every word with a capital.
 */
export interface Sentence {
  readonly words: readonly Word[];
  readonly values: readonly Value[];
  readonly text: string;
  /** Its first Chinese characters. */
  readonly head: string;
  readonly isChange: boolean;
  /** It adds something to what there is. */
  readonly isMore: boolean;
  /** It says in Chinese that something is not so. */
  readonly isDenial: boolean;
  readonly isGerman: boolean;
}

export interface Word {
  readonly text: string;
  readonly stem: string;
  /** Which part of the statement it stands in. */
  readonly clause: number;
  readonly isCapital: boolean;
  readonly isHan: boolean;
  /** It stands where things stand: behind an article or a preposition, or before a copula. */
  readonly isPlaced: boolean;
  /** It stands behind a pronoun, as a verb does. */
  readonly isVerb: boolean;
  /** What stands between an article and it: the morning standup, die erste Rate. */
  readonly modifier: string | undefined;
  /** Words with a number each stand together when the numbers follow one another. */
  readonly at: number;
}

const TOKEN = new RegExp(
  `[\\ue000-\\ue0ff]|\\b\\d{4}\\b|[${COMMON_HAN}]|(?:(?![${COMMON_HAN}])[${LETTER}])(?:(?![${COMMON_HAN}])[${LETTER}'’-])*|[,;:.!?，；：。！？=→（(]`,
  'gu',
);
/** What follows says why or when, or something else. */
const CLAUSE_END =
  /^(?:[,;.!?，；。！？（(]|since|because|after|before|so|while|but|weil|da|denn|damit|nachdem|wegen|car|parce)$/iu;
const PLACING =
  /^(?:the|an?|this|these|that|our|my|your|his|her|its|their|of|for|in|at|on|with|by|from|to|per|der|die|das|den|dem|des|eine?[rnms]?|für|bei|beim|im|am|zum|zur|von|vom|mit|aus|le|la|les|un|une|du|de|des|au|aux|pour|chez|avec|el|los|las|una?|del|para|con)$/u;
const PRONOUN = /^(?:we|i|you|they|he|she|it|to|please|let'?s|should|must|will|can|wir|ich|sie|er|es|man|nous|on|je)$/u;
const LINK = /^(?:[:=→：]|[是为])$/u;
const MODIFIER = /^\p{L}[\p{L}'’-]*$/u;
const NO_MODIFIER = /^(?:current|actual|latest|next|whole|own|same|alte?[rsnm]?|aktuelle?[rsnm]?)$/u;
const BEFORE_VALUE = /^(?:on|at|in|to|from|by|with|as|up|down|out|off|over|every|within|after)$/u;
/** A verb by its form, where a preposition or a value follows. */
const VERB_FORM = /^\p{Ll}{2,}(?:[^s\P{Ll}]s|ed)$/u;
/** Chinese words that say how something is said or changed, beside those that no statement is about. */
const CHINESE_MANNER =
  /每?[一两几]?[次个些点下]|全部|这块|那边|通知|[调挪移切搬迁升降推提拉涨加减放](?:[高低长短大小迟前])?(?=[成为到了至给在\ue000-\ue0ff])|[变改换]|[成到至的就把请都也再又新级高]/gu;
const GERMAN_SMALL = new Set(
  `für wir bei im am in von zu zum zur mit aus um vor als auf an unter über nach seit bitte mein meine meinen dein ich du man es ab jetzt heute morgen und oder aber doch
  inzwischen künftig nur noch maximal mindestens alle jede jeder wieder dort hier dann sofort etwa rund`.split(/\s+/u),
);

/** Reads a statement's words around its values. @param isGerman every noun has a capital, and no name is known by it */
export function readSentence(text: string, isGerman: boolean): Sentence {
  const { values, rest } = takeValues(text.slice(0, LOOKED_AT), isGerman ? 'typed' : 'all');
  const tokens = withoutManner(rest.replace(LABEL, '').replace(TITLE, '$1 '), ' ').match(TOKEN) ?? [];
  const words: Word[] = [];
  let clause = 0;
  for (const [at, token] of tokens.entries()) {
    if (CLAUSE_END.test(token)) clause++;
    const isHan = HAN.test(token);
    if (!/[\p{L}\p{N}]/u.test(token) || isHole(token) || isSmall(token, isHan, at > 0 && /^[A-Z]$/.test(token)))
      continue;
    words.push({
      text: token.toLowerCase(),
      stem: isHan ? token : stemOf(token.toLowerCase()),
      clause,
      isHan,
      isCapital: /^\p{Lu}/u.test(token),
      at,
      ...placeOf(tokens, at, isHan),
    });
  }
  return {
    words,
    values,
    text,
    head: HAN_HEAD.exec(text)?.[1] ?? '',
    isChange: tellsOfChange(text),
    isMore: tellsOfMore(rest),
    isDenial: text.includes('不'),
    isGerman,
  };
}

const GERMAN =
  /(?<!\p{L})(?:(?:unser|mein|dein|kein|neu)e[rnms]?|unser|heißt|beträgt|läuft|liegt|wird|wurde)(?!\p{L})/iu;

/** Whether a text shows that it is German. */
export function isGermanText(text: string): boolean {
  return GERMAN.test(text) || shownLanguages(text).has('de');
}

function withoutManner(text: string, by: string): string {
  return text.replace(CHINESE_SAID, by).replace(CHINESE_MANNER, by);
}

/** What a word's neighbours tell of it. */
function placeOf(
  tokens: readonly string[],
  at: number,
  isHan: boolean,
): Pick<Word, 'isPlaced' | 'isVerb' | 'modifier'> {
  const before = (tokens[at - 1] ?? '').toLowerCase();
  const [next = '', second = ''] = tokens.slice(at + 1, at + 3);
  const isBeforeVerb = VERB_FORM.test(next) && (isHole(second) || BEFORE_VALUE.test(second));
  const isBeforeCopula = LINK.test(next) || (!isHan && COPULAS.has(next.toLowerCase()));
  return {
    isPlaced: PLACING.test(before) || isBeforeVerb || isBeforeCopula,
    isVerb: PRONOUN.test(before) || (isHole(before) && at < 3) || next === '了',
    modifier: isModifier(before, at < 2 ? ',' : (tokens[at - 2] ?? '').toLowerCase()) ? stemOf(before) : undefined,
  };
}

/** Whether a word between what begins a phrase and a noun tells which one is meant. */
function isModifier(word: string, begin: string): boolean {
  return (
    MODIFIER.test(word) &&
    !HAN.test(word) &&
    ![NO_MODIFIER, PLACING, PRONOUN].some((pattern) => pattern.test(word)) &&
    ![ENGLISH_STOP_WORDS, SMALL_WORDS, GERMAN_SMALL].some((small) => small.has(word)) &&
    (PLACING.test(begin) || CLAUSE_END.test(begin))
  );
}

const LOOKED_AT = 240;
const TITLE = /(?<!\p{L})(Dr|Prof|Mr|Mrs|Ms|Hr|Fr|St)\.\s/gu;
/** The first characters, behind words that say how it is said. */
const HAN_HEAD = new RegExp(
  `^\\P{L}*(?:(?:我们的?|咱们的?|把|请|以后|今后|现在|目前|最新|最后|记住|更正|决定|通知)[，,：:\\s]*)*([${COMMON_HAN}]{2,3})`,
  'u',
);
const HAN = new RegExp(`^[${COMMON_HAN}]$`, 'u');

function isHole(token: string): boolean {
  const code = token.charCodeAt(0);
  return code >= FIRST_HOLE && code <= LAST_HOLE;
}

function isSmall(token: string, isHan: boolean, isLabel: boolean): boolean {
  if (isHan) return CHINESE_STOP_CHARACTERS.includes(token);
  const word = token.toLowerCase();
  // A month, or a letter that tells one of several.
  if (token === 'May' || (isLabel && token !== 'I')) return false;
  return [SAID, ENGLISH_STOP_WORDS, SMALL_WORDS, COPULAS, GERMAN_SMALL].some((words) => words.has(word));
}
