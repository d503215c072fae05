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

/** What holds beyond the work at hand. */
const LASTING = [
  'remember(?! (?:our|the|this|what|when|how)\\b)|keep in mind|for the record(?!, \\p{L}+ me\\b)|decided|we(?: have|.ve)? agreed|agreed(?=:)|(?<!\\b(?:is|are|was|were|be|been|but|has|have|had|can|i)(?:\\sto)?\\s)(?:always|never)(?!\\s\\p{L}+ed\\b)|(?<!^)must|mustn.?t|only ever|from now on|no longer|going forward|deadline|due (?:date|on|by)|prefers?|preference|polic(?:y|ies)|convention|forbidden',
  'immer|niemals|nie|muss|müssen|darf|dürfen|nicht mehr|ab (?:jetzt|sofort)|künftig|entschieden|beschlossen|vereinbart|festgelegt|merk dir|denk daran|abgabetermin|frist|stichtag',
  'toujours|jamais|il faut|désormais|dorénavant|décidé|retiens|rappelle-toi|ne plus|date limite|échéance|siempre|nunca|a partir de ahora|decidi(?:do|mos)|recuerda|hay que|fecha límite',
];
const LASTING_CUE = new RegExp(`(?<![\\p{L}\\p{N}_\`-])(?:${LASTING.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu');
const CHINESE_CUE =
  /记住|记得|记一下|记下|决定|改成|改为|改到|改用|换成|换到|换用|采用|选用|选择|选定|以后|今后|从现在起|必须|一定要|务必|不要|不能|不得|不许|总是|从不|永远|绝不|禁止|截止|期限|统一|约定|规定|要求|偏好|喜欢|不再|而不是|推迟|提前|搬到|迁到|迁移到|请用|只能|只用/u;

/** Whether a sentence decides or rules beyond the work at hand, or asks to be remembered. Pure. */
export function isLasting(sentence: string): boolean {
  return LASTING_CUE.test(sentence) || CHINESE_CUE.test(sentence);
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
