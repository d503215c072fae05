import { COMMON_HAN_RANGE, KANA_RANGES } from '../../../language/scripts.js';
import { statesLastingRule } from '../../../language/statements/durable.js';
import { endedTerms } from '../../../line/statement/ended-value.js';
import { parseStatement } from '../../../line/statement/statement.js';
import { readValues } from '../../../line/statement/values.js';
import { NO_TIME_READER } from '../../../line/validity.js';
import { parseBullet } from '../../../markdown/bullet.js';
import { type ThreadFact, threadEntries } from '../../../memory/threads/threads.js';
import { isQuestion } from '../../../text/sentences.js';
import { itemKey } from '../../../wm/document.js';
import { isOnlyPathOrAddress } from '../../log/prose.js';
import type { LedgerEntry } from './ledger.js';

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
function factFromSentence(sentence: string, at: number): LedgerEntry {
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

/** Makes a pattern for whole words: they are not part of a longer word, a path or an option. */
const alone = (words: string): string => `(?<![\\p{L}\\p{N}_\`-])(?:${words})(?![\\p{L}\\p{N}_-])`;

/**
 * Words that introduce a lasting rule: "always" and "never" in an order, "decided", "agreed". The list leaves out "must" and
 * "still not", because these are mostly about the current work. It also excludes descriptions of code: "is defined, but
 * never read".
 */
const ORDERS = [
  '(?:(?<=^|[,;:–—-]\\s?|\\b(?:please|should|must|you|do)\\s|\\b(?:we|i)\\s(?=always)|\\b(?:and|but)(?<!\\b(?:is|are|was|were|it|i|he|she|they)\\s.{0,80})\\s)(?:always|never)(?=\\s[\\p{L}`"@])(?!\\s(?:mind|\\p{L}+(?:ed|[^su]s))\\b)|for the record(?!, \\p{L}+ me\\b)|(?:we|i)(?:\\shave|.ve)?\\s(?:decided|agreed)|(?:decided|agreed)(?=:)|only ever|(?<!if\\s)(?:we|you)\\smust(?:n.?t|\\s(?:not|only))|from now on|going forward|i(?:.?d|\\swould)?\\sprefer(?!\\s(?:if|it|that|this|the)\\b))',
  'ab (?:jetzt|sofort)|künftig|niemals|merk dir|denk daran|(?:entschieden|beschlossen|vereinbart|festgelegt)|(?<=^|[,;:]\\s)(?:immer|nie)',
  'désormais|dorénavant|retiens|rappelle-toi|(?:avons|on a|ai)\\s(?:décidé|convenu)|(?<=^|[,;:]\\s|soit\\s)jamais|a partir de ahora|de ahora en (?:más|adelante)|recuerda|(?:hemos\\s)?decidi(?:do|mos)|(?<=^|[,;:]\\s)(?:siempre|nunca)',
];
/**
 * Chinese words that introduce a rule, at the beginning of a clause or next to the verb of an order. Does not match 完成以后
 * ("after it is done") and 前端总是报错 ("the front end always fails").
 */
const CHINESE_ORDERS =
  '(?<=^|[，,、。；;：:！!\\s]|请你?|你|要|但|也)(?:记住(?!用户|你)|记一下|记下|务必|从现在起|今后|以后(?![的还会可再]))|(?:永远|绝对?|总是|始终|一律)(?:不要|不能|不准|要|用|使用|先)|我们?(?:已经|都)?(?:决定|约定)|(?:决定|约定)(?=[：:])|(?<=^|[，,；;])(?:禁止|绝不|从不)';

/**
 * "Remember" as an order to the agent. Does not match what a program should remember, or what the speaker does not remember.
 */
const REMEMBER =
  /(?<=^|[,;:.!–—-]\s|\b(?:please|also|(?<!\bto \p{L}{1,20} )and|but|so|still)\s)(?:remember(?!,|\s(?:to|when|how|if|what|where|which|why|who|me|the last|last)\b)|keep in mind)(?=[:\s]\s*\S)/iu;
/** Matches a rule that the agent must ask the speaker before it does something. */
const CONSENT =
  /\b(?:never|don.?t|do not|not)\b.{2,80}\b(?:without|unless|until)\s(?:my|i|me|asking|explicit|approval|permission|confirm\p{L}*|discuss\p{L}*)(?!\p{L})|\b(?:ask|confirm|check|discuss)\s(?:it\s)?(?:with\s)?me\b.{0,60}\sbefore\s\p{L}+ing\b/iu;
/** Matches an order for something that happens again and again: "after each change …". */
const EACH_TIME =
  /(?:(?:^|[,;–—-]\s|\b(?:but|and|please)\s)(?:do not|don.?t|make sure|you (?:should|must)|i don.?t want to|please)\b|^i think we should\b|\bno need to\b).*\b(?:(?:every|each) time|(?:after|before|on) (?:each|every|any)\s\p{L})|^\p{L}+\s(?:\S+\s){0,8}?(?:after|before) (?:each|every)\s(?!second|other|third)\p{L}/iu;
/**
 * Matches a sentence about a thing that the speaker never wants: "I don't want emojis". A sentence with "that" or "the"
 * refers to the current work and does not match.
 */
const UNWANTED =
  /^(?:\p{L}+,?\s){0,2}?(?:i|we) (?:really |also )?(?:don.?t|do not) (?:want|need) (?!(?:to|the|that|this|these|those|it|them|any(?:thing)?|your?|my|our|a|an)\b)\p{L}/iu;
/**
 * Matches a rule about all things of one kind: "all functions must …". A sentence with "the", "these" or "of them" refers to
 * the current work and does not match.
 */
const EVERY_ONE =
  /^(?:all|every|each|any|no)\s(?!(?:of|the|we|you|i|this|that|these|those|my|your|our|its|other)\b)(?:[\p{L}\p{N}_'’-]+\s){1,4}?(?:must|needs? to|ha(?:s|ve) to)\b|^tod[oa]s?\s(?!est[oa]s|es[oa]s)(?:\S+\s){0,4}?(?:(?:se )?deben?|tienen? que|van a)\s|^(?:所有|每次|任何)[^，。；？！\s]{1,24}(?:都要|都应该?|应该都|都必须|必须|都?不[要能得]|只能|都[用放走])(?!改|修)/iu;
/**
 * Matches a sentence that names a tool which the speaker uses: "we use pnpm". A name with an article does not match, because
 * it refers to a thing of this conversation: "we use the script".
 */
const USES =
  /^(?:we|i)(?:.?re| are|.?m| am)?\s(?:(?:only|always|now|currently)\s)?(?:use|using)\s(?!(?:to|of|the|an?|this|that|these|those|it|them|my|our|your|its|some|same|different)\b)\S+(?:\s\S+){0,7}$/iu;
/** Matches a sentence that names the language in which the speaker wants answers. */
const ANSWERED_IN =
  /\b(?:answer|reply|respond|speak|talk)\b.{0,20}\sin\s(?:english|german|french|spanish|chinese|japanese|portuguese|russian|italian)\b|请?(?:使?用|以)?(?:中文|英文|英语|日语)(?:来|再次)?(?:回答|回复|交流|对话|交互|沟通|跟我(?:说|对话))|日本語で(?:答|返|回|話|応)\p{L}*/iu;

const SAYS_SO = new RegExp(`${alone(ORDERS.join('|'))}|${CHINESE_ORDERS}`, 'iu');
const RULES = [SAYS_SO, REMEMBER, CONSENT, EACH_TIME, UNWANTED, EVERY_ONE, USES, ANSWERED_IN];

/**
 * Matches an order not to do something: "don't add comments". Such an order lasts; an order to do something is done once. An
 * order about a thing with an article does not match, because it refers to the current work: "don't change the title".
 */
const FORBIDS =
  /(?:^|[,;:–—-]\s|\bplease\s|\b(?:and|but)(?<!\b(?:is|are|was|were|they|it)\s.{0,80})\s)(?:do not|don.?t)\s(?!(?:forget|worry|know|think|see|understand|mind|hesitate|want|need|like|have|get|care|just|even|stop|you)\b)\p{L}+(?:\s(?:to|at|in|on|with|about|from))?\s(?!(?:the|this|that|these|those|my|our|your|its|his|her|it|them|him|me|us|an?|any(?:thing|more)?|so|too|all|both|again)\b)[\p{L}`"']/iu;
/** Matches a sentence that is about the current step. */
const OF_NOW = /\b(?:yet|now|right away|again|until|first|just|only|for now|this time)\b/iu;

/** True if a sentence states a rule that lasts longer than the current work. Pure. */
export function statesRule(sentence: string): boolean {
  return RULES.some((pattern) => pattern.test(sentence));
}

/**
 * The rules in a sentence, the most probable text of the rule first. If the sentence names the language of answers, only
 * that part is returned. If it has "remember", the text from "remember" on is the second possibility. Pure.
 */
function findRules(sentence: string): readonly string[] {
  const language = ANSWERED_IN.exec(sentence)?.[0];
  if (language !== undefined) return [language];
  const known = REMEMBER.exec(sentence);
  if (known !== null) return [sentence, sentence.slice(known.index)];
  return statesRule(sentence) || (FORBIDS.test(sentence) && !OF_NOW.test(sentence)) ? [sentence] : [];
}

/** Maximum number of facts that are kept and compared: several times as many as the section has room for. */
const MOST_HELD = 600;
/** All facts of a session get the same day. Only their order shows which one is later. */
const DAY = '2000-01-01';

/**
 * Adds new facts in the order of the messages. A repeated fact moves to its latest place. A fact is removed only if the
 * words of later facts end all its clauses. If there are too many facts, the oldest are removed. Pure.
 * @returns `facts`, oldest first; `gone`: the reason why a fact was removed, by its text. Facts that were dropped because
 * there were too many are not in `gone`.
 */
export function settleFacts(before: readonly LedgerEntry[], added: readonly LedgerEntry[]) {
  const byKey = new Map<string, LedgerEntry>();
  for (const entry of [...before, ...added]) {
    const key = itemKey(entry.text);
    byKey.delete(key);
    byKey.set(key, entry);
  }
  const said = [...byKey.values()].slice(-MOST_HELD).map(statedOf);
  const gone = new Map<string, string>();
  for (const [{ entry }, strands] of threadEntries(said, { day: DAY })) {
    const by = strands[0]?.newerEntry?.fact.entry.text;
    if (by !== undefined && strands.every(({ settledBy }) => settledBy === 'words'))
      gone.set(entry.text, `replaced: "${by}"`);
  }
  return { facts: said.flatMap(({ entry }) => (gone.has(entry.text) ? [] : [entry])), gone };
}

function statedOf(entry: LedgerEntry, line: number): ThreadFact & { readonly entry: LedgerEntry } {
  const text = entry.text.replace(/[.。!！]$/u, '');
  const statement = parseStatement(text, DAY, NO_TIME_READER, []);
  return { entry, id: String(line), kind: 'world', day: DAY, path: '', line, text, subjects: [], statement };
}
