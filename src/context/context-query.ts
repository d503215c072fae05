import { asRecord, asText } from '../base/json.js';
import { keyGlob } from '../text/glob.js';
import { stripInjected } from '../text/strip.js';

/** A message as the client sent it. */
export type ChatMessage = { readonly role: string; readonly content: unknown };

/** The texts of a message, joined by line breaks. Pure. */
export function chatMessageText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: unknown) => asText(part) ?? asText(asRecord(part).text));
  return texts.filter((text) => text !== undefined).join('\n');
}

/** Matches a message that only tells the agent to go on ("continue", "ok"), in the languages that the gate knows. */
const GO_ON = new RegExp(
  String.raw`^(?:(?:please|and|so|yes|yep|yeah|ok|okay|sure|great|good|ja|oui|si|sí|sim|да|好的?|嗯|可以|行|请|你|はい|네)[\s,，、.!。]*)*` +
    '(?:continue|go on|go ahead|carry on|keep going|proceed|resume|next|do it|' +
    '继续|接着(?:做|来|写)?|往下|続けて(?:ください)?|次へ?|進めて(?:ください)?|계속(?:해|해줘|하세요)?|진행해(?:줘)?|' +
    'weiter(?: so)?|mach(?:e|en sie)? weiter|fahr(?:e|en sie)? fort|continue[zr]?|vas-y|poursui[st]|sigue|contin[uú]a|adelante|prossegu?[ie]|avanti|' +
    'продолжай(?:те)?|дальше|давай дальше)' +
    String.raw`(?:[\s,]+(?:please|then|now|bitte|por favor|s'il te plaît|пожалуйста)|下去|吧|做)*[\s.!。！…]*$`,
  'iu',
);

/**
 * The text of the user's last message. If that message only says "continue", the text of the newest earlier message that
 * says more. Pure.
 */
export function currentRequest(messages: readonly ChatMessage[]): string {
  const said = messages.filter(({ role }) => role === 'user').map(chatMessageText);
  const last = said.at(-1) ?? '';
  if (!isContinueRequest(last)) return last;
  return said.findLast((text) => text.trim() !== '' && !isContinueRequest(text)) ?? last;
}

/** Whether a message only agrees to the current task: "continue". Pure. */
export function isContinueRequest(text: string): boolean {
  return GO_ON.test(stripInjected(text).trim());
}

/** Words before an acknowledgement. */
const ASIDE = 'ok(?:ay)?|yes|yeah|great|well|so|oh|and|super|ja|gut|da|好的?|嗯|太好了';
/** What somebody is thanked for. It must not go on with a request. */
const GIVEN = '(?!.*\\b(?:and|but|please|now|und|aber|bitte)\\b)[^?？]{1,60}';
/** One to three words that name what works. */
const THING = '[\\p{L}\\p{N}-]+(?: [\\p{L}\\p{N}-]+){0,2}';
/** Matches a part of a message that only thanks, praises or says that something works, in the languages of times. */
const ACKNOWLEDGES = new RegExp(
  `^(?:(?:${ASIDE}) ?)*(?:${[
    // English
    `(?:many |big )?thanks?(?: you)?(?: (?:so much|very much|a lot|a bunch|again|all|everyone))*(?: for ${GIVEN})?|thx|ty|cheers|much appreciated|i appreciate (?:it|that)`,
    'perfect|awesome|cool|nice(?: one)?|excellent|wonderful|brilliant|amazing|lovely|(?:good|great|nice) (?:job|work)|well done|got it|all good|done|lgtm|looks good(?: to me)?',
    "(?:(?:it|that|this|everything|all)(?:'s| is| are| has)? )?(?:all |now |finally |just )*(?:works?|worked|working|fixed|solved|resolved|pass(?:es|ed)?|runs?|running|helped|did it|did the trick)(?: (?:it|that|the (?:problem|issue|bug)|now|again|fine|well|great|perfectly|like a charm|as expected|for me))*",
    `(?:the|my|our|all|all the) ${THING} (?:works?|is working|is fixed|pass(?:es)?|runs?) (?:now|again|fine|perfectly|as expected)`,
    // German, Dutch
    `(?:vielen |besten |herzlichen |tausend )?dank(?:e|eschön)?(?: (?:dir|ihnen|euch|schön|sehr|vielmals))*(?: für ${GIVEN})?|merci|perfekt|prima|toll|klasse|genial|passt|alles (?:gut|klar)`,
    '(?:(?:es|das|alles) )?(?:jetzt |nun |endlich |wieder )*(?:hat )?(?:klappt|läuft|funktioniert|geht|geklappt|geholfen)(?: (?:es|das|alles|jetzt|nun|wieder|prima|gut|super|endlich))*',
    `(?:der|die|das) ${THING} (?:klappt|läuft|funktioniert|geht) (?:jetzt|nun|wieder|endlich)(?: wieder)?`,
    'dank (?:je|u)(?: wel)?|bedankt|(?:het |alles )?werkt(?: het)?(?: nu)?',
    // French, Spanish, Portuguese, Italian
    "merci (?:beaucoup|bien|à toi|à vous)|parfait|(?:ça|tout) (?:marche|fonctionne)(?: maintenant)?|c'est (?:bon|réglé)|(?:muchas |mil )?gracias|perfecto|(?:ya |ahora )*funciona(?: ya| ahora)?|(?:muito )?obrigad[oa]|perfeito|(?:agora |já )*funciona|deu certo|grazie(?: mille)?|perfetto|(?:ora |adesso )?funziona(?: ora| adesso)?",
    // Russian, Japanese, Chinese
    '(?:большое |огромное )?спасибо(?: большое| огромное)?|отлично|(?:всё |теперь )*(?:за)?работает(?: теперь)?|получилось',
    'ありがとう(?:ございま(?:す|した))?|助かりました|(?:動き|直り|でき)ました|完璧(?:です)?',
    '(?:非常|十分)?(?:感谢|谢谢|多谢)(?:你们?|您|大家|啦|了)*|太棒了|完美|(?:现在|终于|已经|都|全部|这次|测试|问题|代码|服务)*(?:可以|好|行|能用|正常|解决|修好|通过|成功|搞定|没问题|没事)了?啦?',
  ].join('|')})?$`,
  'iu',
);
/** Emoji, and characters that are not visible. */
const SIGNS = /[\p{Extended_Pictographic}\p{Default_Ignorable_Code_Point}]+/gu;
/** Maximum length of an acknowledgement, in characters. */
const LONGEST_ACKNOWLEDGEMENT = 200;

/** Whether a message only thanks, or only says that something works. Such a message asks for no memory. Pure. */
export function asksNothing(text: string): boolean {
  const said = stripInjected(text).replace(/[’‘]/g, "'").replace(SIGNS, '!').trim();
  if (said.length > LONGEST_ACKNOWLEDGEMENT) return false;
  return said.split(/[\n,;:.!…—–，、。！；]/u).every((part) => ACKNOWLEDGES.test(part.replace(/\s+/g, ' ').trim()));
}

/**
 * Whether a session's key matches one of the patterns of a setting. Pure. The time grows only linearly with the length of
 * the key.
 */
export function matchesSessionKeyPattern(key: string | undefined, patterns: readonly string[]): boolean {
  if (key === undefined || key === '') return false;
  return patterns.some((pattern) => keyGlob(pattern).test(key));
}
