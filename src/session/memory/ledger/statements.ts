import { COMMON_HAN_RANGE, KANA_RANGES } from '../../../language/scripts.js';
import { statesLastingRule } from '../../../language/statements/durable.js';
import { parseBullet } from '../../../markdown/bullet.js';
import { endedTerms } from '../../../memory/statement/ended-value.js';
import { readValues } from '../../../memory/statement/values.js';
import { isQuestion } from '../../../text/sentences.js';
import { isOnlyPathOrAddress } from '../../log/prose.js';
import type { LedgerEntry } from './ledger.js';
import { findRules } from './standing-rules.js';

/**
 * The fact that a sentence states clearly: a bullet with a kind (`W @Peter: lives in Graz`), or a rule that lasts longer
 * than the current work. Pure.
 */
export function findExplicitFacts(sentence: string, at: number): readonly LedgerEntry[] {
  const typed = findFactWithKind(sentence, at);
  if (typed.length > 0) return typed;
  const rule = sentence.length > LONGEST ? undefined : findRules(sentence).find(isSelfContained);
  return rule === undefined ? [] : [factFromSentence(rule, at)];
}

/** The fact that an ordinary sentence states outside a coding session: how something is, or how it should be. Pure. */
export function findPlainStatementFacts(sentence: string, at: number): readonly LedgerEntry[] {
  return isTold(sentence) && !STANDS_FOR.test(sentence) && isSelfContained(sentence)
    ? [factFromSentence(sentence, at)]
    : [];
}

function isTold(sentence: string): boolean {
  return statesFactWithValue(sentence) || statesLastingRule(sentence) || endedTerms(sentence).length > 0;
}

/** Makes a fact from a sentence. Pure. */
export function factFromSentence(sentence: string, at: number): LedgerEntry {
  return { section: 'Key Facts & Decisions', text: shortenItem(sentence), at };
}

/** Matches a sentence that can't be understood without the text before it ("because …"), or that breaks off. */
const DEPENDS =
  /^\s*[^\p{L}@#`]|^(?:and|but|or|so that|(?:\p{L}+ly\s)?because|which|where|than|then|rather|e\.?g|i\.?e)\b|(?:[:,…：，]|\.\.\.?)\s*$/iu;
const POINTS_BACK =
  /(?<!\p{L}|^(?:please )?(?:remember|keep in mind) (?=that (?!for\b)))(?:the (?:following|above)|this(?! is (?:an?|just|only)\b)|that|these|those|(?<=^(?:\S+\s){0,4})(?:it|they|them))(?!\p{L})(?!\s+\p{L}+\s+(?:is|are|must|has|repo|project)\b)|[这那](?:些|个|样|[里边])?(?![\p{L}]{0,2}(?:项目|仓库|工程))/iu;
/**
 * Matches a pronoun anywhere in a sentence. In an order it mostly refers to a word of the same sentence; in an ordinary
 * statement it may refer to anything.
 */
const STANDS_FOR = /(?<!\p{L})(?:it|they|them)(?!\p{L})/iu;
const FOUR_WORDS = new RegExp(String.raw`(?:[\p{L}\p{N}]\S*\s+){2}\S|[${COMMON_HAN_RANGE}${KANA_RANGES}]{3,}`, 'u');

/** Maximum length of a sentence, in characters. A longer text is not a sentence. */
const LONGEST = 600;

/** True if a sentence can be understood without the text around it. Pure. */
function isSelfContained(sentence: string): boolean {
  return (
    sentence.length <= LONGEST &&
    !isQuestion(sentence) &&
    !isOnlyPathOrAddress(sentence) &&
    FOUR_WORDS.test(sentence) &&
    !DEPENDS.test(sentence) &&
    !POINTS_BACK.test(sentence)
  );
}

/**
 * The fact in a sentence that is a bullet with a kind, such as `W @Peter: lives in Graz`. The bullet must have an entity or
 * a confidence. Without them, the letter of the kind may be an ordinary word, as "O" is in many languages.
 */
export function findFactWithKind(sentence: string, at: number): readonly LedgerEntry[] {
  const parsed = parseBullet(sentence);
  if (parsed.type !== 'fact' || (parsed.bullet.entities.length === 0 && parsed.bullet.confidence === null)) return [];
  return [factFromSentence(`${parsed.bullet.kind} ${parsed.bullet.statement}`, at)];
}

/** Maximum length of an item, in characters. */
const LONGEST_ITEM = 240;
/** Shortens a text to one line of at most `most` characters. Pure. */
export function shortenItem(text: string, most = LONGEST_ITEM): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= most) return line;
  const points = [...line];
  return points.length <= most ? line : `${points.slice(0, most - 1).join('')}…`;
}

const YES =
  /^(?:(?:ok(?:ay)?|k|yes|yep|yeah|yup|sure|right|correct|agreed|fine|good|great|perfect|please|do (?:it|that|so)|go(?: ahead| for it)?|sounds good|lgtm|make it so|ship it|proceed|continue|confirmed?|approved?|ja|genau|mach das|oui|sí|si|vale|da|да|好的?|是的?|可以|行|对|没问题|同意|确认|继续|就这样|嗯|はい|네)(?:[,.!。！，\s]+|$))+$|^(?:👍|👌|✅|🆗|💯|🙏|\s)+$/iu;

/** True if a message only agrees. Pure. */
export function isBareYes(text: string): boolean {
  return text.length <= 60 && YES.test(text.trim());
}

/** Words that leave a question open. */
export const OPEN_ANSWER_WORDS =
  /\b(?:later|not now|not yet|not sure|don.?t know|no idea|unclear|unsure|wait(?:ing)?|depends|tbd|tba|to be (?:decided|determined|confirmed)|let me (?:check|think|ask|see)|i.?ll (?:check|ask|see|think|get back)|need to (?:check|ask|think)|will (?:check|ask)|pending|maybe|undecided|später|weiß (?:ich )?(?:noch )?nicht|mal sehen|noch (?:offen|unklar)|plus tard|je ne sais pas|más tarde|no sé)\b|待定|以后再|稍后|晚点|回头再|不知道|不确定|不清楚|再说|等一下|等等|还没|未定|看情况|问一下/iu;

/** True if an answer leaves the question open. Pure. */
export function leavesQuestionOpen(answer: string): boolean {
  return OPEN_ANSWER_WORDS.test(answer.slice(0, 400));
}

const HAN = new RegExp(`[${COMMON_HAN_RANGE}]`, 'u');
const JAPANESE = new RegExp(`[${KANA_RANGES}]`, 'u');
/** Matches the name of a file. A file is something to work on, not the value of a statement. */
const FILE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|md|json|ya?ml|toml|vue|s?css|html?|c|h|cpp|sh|sql|txt|lock|csv|log)$/u;
/** Maximum length of a sentence that may state a lasting fact, in characters. A Chinese character counts as four. */
const MOST_STANDING = 160;

/**
 * Matches a word that names one thing: a number, a word with a digit, a sign or a capital letter inside it, or a text in
 * backticks.
 */
const NAMED = /^(?:\d+|\S*(?:\p{L}[\d_./:@#-]+[\p{L}\d]|\d[_./:@-]*[\p{L}\d]|[#@/]\p{L}|\p{Ll}\p{Lu}|%)\S*|`[^`]+`)$/u;
/**
 * Matches a statement whose value is a name: "the database is Postgres", "it runs on Fly". Also a person with a verb: "Anna
 * moves the …".
 */
const IS_NAME =
  /\s(?:is|are|[:=→]|on|at|in|by|with|to|uses?)\s\p{Lu}[\p{L}\d]+[.!]?$|^\p{Lu}\p{L}+\s\p{Ll}{3,}s\s(?:off\s)?the\s/u;
/** Matches a sentence that begins with a subject and a verb. The ending of a word shows that it is a verb. */
const STATES =
  /^(?:(?:ok(?:ay)?|so|also|btw|fyi|actually|\p{L}+:),?\s)?(?:(?!(?:this|that|it|there|what|which|i|you|if|when|how|why|let['’]?s)\b)[\p{L}\d_./@#'’-]+\s){1,6}?(?:is|are|has|have|must|will|may|can|\p{Ll}{3,}(?<!s)s|\p{Ll}{2,}ed)\s/iu;
/** Matches a Chinese verb such as 是 ("is"), a Latin letter or a digit. */
const CHINESE_VALUE = /\p{L}[是由叫归为在用]\p{L}|[A-Za-z\d]/u;
/** Maximum number of words of a sentence that may state a lasting fact. */
const MOST_WORDS = 14;

/** True if a short sentence states a lasting fact with a value: "the port is 8080". Pure. */
export function statesFactWithValue(text: string): boolean {
  if (text.length > MOST_STANDING) return false;
  if (HAN.test(text)) return text.length <= MOST_STANDING / 4 && CHINESE_VALUE.test(text) && !JAPANESE.test(text);
  const words = text.replace(/[.!]+$/u, '').split(/\s+/u);
  return (
    words.length > 2 &&
    words.length <= MOST_WORDS &&
    STATES.test(text) &&
    (readValues(text).length > 0 ||
      IS_NAME.test(text) ||
      words.slice(-3).some((word) => NAMED.test(word) && !FILE.test(word)))
  );
}
