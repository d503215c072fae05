/** Longest item, in characters. */
const LONGEST_ITEM = 240;
/** A text as an item: on one line, at most {@link LONGEST_ITEM} characters. Pure. */
export function shorten(text: string, most = LONGEST_ITEM): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/gu, ' ')
    .trim();
  const points = [...line];
  return points.length <= most ? line : `${points.slice(0, most - 1).join('')}…`;
}

/**
 * What holds from now on, by words that say so themselves: always and never where they order, what is decided, agreed or to
 * be remembered. What must be, or still is not, is most often a part of the work at hand.
 */
const RULES = [
  '(?:(?<=^|[,;:–—-]\\s?|\\b(?:please|and|but|should|must|you|we|do|i)\\s)(?:always|never)(?!\\s(?:mind|\\p{L}+ed)\\b)|(?<=^|[,;:]\\s|\\b(?:please|and)\\s)remember(?=\\s(?:that|not|never)\\b|:)|keep in mind|for the record(?!, \\p{L}+ me\\b)|(?:we|i)(?:\\shave|.ve)?\\s(?:decided|agreed)|(?:decided|agreed)(?=:)|only ever|(?<!if\\s)(?:we|you)\\smust(?:n.?t)?|from now on|going forward|i\\sprefer)',
  'ab (?:jetzt|sofort)|künftig|niemals|merk dir|denk daran|(?:entschieden|beschlossen|vereinbart|festgelegt)|(?<=^|[,;:]\\s)(?:immer|nie)',
  'désormais|dorénavant|retiens|rappelle-toi|(?:avons|on a|ai)\\s(?:décidé|convenu)|(?<=^|[,;:]\\s|soit\\s)jamais|a partir de ahora|de ahora en (?:más|adelante)|recuerda|(?:hemos\\s)?decidi(?:do|mos)|(?<=^|[,;:]\\s)(?:siempre|nunca)',
];
const RULE_CUE = new RegExp(`(?<![\\p{L}\\p{N}_\`-])(?:${RULES.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu');
const CHINESE_RULE = /记住|记一下|记下|决定|以后|今后|从现在起|务必|总是|从不|永远|绝不|禁止|约定/u;

/** Whether a sentence says itself that it holds beyond the work at hand. Pure. */
export function isRule(sentence: string): boolean {
  return RULE_CUE.test(sentence) || CHINESE_RULE.test(sentence);
}

const YES =
  /^(?:(?:ok(?:ay)?|k|yes|yep|yeah|yup|sure|right|correct|agreed|fine|good|great|perfect|please|do (?:it|that|so)|go(?: ahead| for it)?|sounds good|lgtm|make it so|ship it|proceed|continue|confirmed?|approved?|ja|genau|mach das|oui|sí|si|vale|da|да|好的?|是的?|可以|行|对|没问题|同意|确认|继续|就这样|嗯|はい|네)(?:[,.!。！，\s]+|$))+$|^(?:👍|👌|✅|🆗|💯|🙏|\s)+$/iu;

/** Whether a message only agrees. Pure. */
export function isBareYes(text: string): boolean {
  return text.length <= 60 && YES.test(text.trim());
}

const LEFT_OPEN =
  /\b(?:later|not now|not yet|not sure|don.?t know|no idea|unclear|unsure|wait(?:ing)?|depends|tbd|tba|to be (?:decided|determined|confirmed)|let me (?:check|think|ask|see)|i.?ll (?:check|ask|see|think|get back)|need to (?:check|ask|think)|will (?:check|ask)|pending|maybe|undecided|später|weiß (?:ich )?(?:noch )?nicht|mal sehen|noch (?:offen|unklar)|plus tard|je ne sais pas|más tarde|no sé)\b|待定|以后再|稍后|晚点|回头再|不知道|不确定|不清楚|再说|等一下|等等|还没|未定|看情况|问一下/iu;

/** Whether an answer leaves the question open. Pure. */
export function leavesOpen(answer: string): boolean {
  return LEFT_OPEN.test(answer.slice(0, 400));
}
