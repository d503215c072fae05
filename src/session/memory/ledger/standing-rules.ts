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
export function findRules(sentence: string): readonly string[] {
  const language = ANSWERED_IN.exec(sentence)?.[0];
  if (language !== undefined) return [language];
  const known = REMEMBER.exec(sentence);
  if (known !== null) return [sentence, sentence.slice(known.index)];
  return statesRule(sentence) || (FORBIDS.test(sentence) && !OF_NOW.test(sentence)) ? [sentence] : [];
}
