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

/**
 * Whether a session's key matches one of the patterns of a setting. Pure. The time grows only linearly with the length of
 * the key.
 */
export function matchesSessionKeyPattern(key: string | undefined, patterns: readonly string[]): boolean {
  if (key === undefined || key === '') return false;
  return patterns.some((pattern) => keyGlob(pattern).test(key));
}
