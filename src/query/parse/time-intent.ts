/** How a question uses the time that it names. */
export type TimeIntent =
  /** It asks for all events of the time: "what did we work on last week". */
  | 'events'
  /** It asks for the state at that time, whenever that state began: "where were the backups in March". */
  | 'state'
  | null;

// Lower-case text and no classes of Unicode: compiling those takes ten times as long as reading a question.
const WORD = '[^\\s,;:()"]+';
const STATES = [
  `\\b(?:was|were) (?:the|a|an|his|her|their|our|my|its|your|[^\\s,;:()"]+['’]s?) `,
  `\\bdid ${WORD}(?: ${WORD})? (?:use|own|like|want|prefer|cost|weigh|believe|think)\\b`,
  `\\bwhere did ${WORD}(?: ${WORD})? (?:live|work|sit|sleep|study)\\b`,
  `\\bwhich ${WORD}(?: ${WORD})?$`,
  '\\b(?:wo|wer|wem|welche[rs]?|wie) .{0,40}?\\b(?:war|waren|hatten?|wohnten?|lebten?|arbeiteten?|hieß|lag(?:en)?|hing(?:en)?|stand(?:en)?|kosteten?|galt|nutzten?|fuhr)\\b|\\bwas (?:kosteten?|galt|wog) ',
  // French has a tense for it.
  '^(?:où|qui|quel(?:le)?s?|combien|comment) .{0,40}?(?<!\\S)(?!fait|sait)\\S{2,}ai(?:en)?t(?:\\s|$)',
].map((source) => new RegExp(source));
const EVENTS = [
  // One word that says what was done, and nothing that it was done to.
  `\\bwhat(?: else)? (?:did|have|has|had) (?:${WORD} ){1,2}?${WORD}(?: (?:on|about|up|out|to|for|with|at))?$`,
  `\\bwhat(?: else)? (?:has |have |had |got |was |were )?${WORD}$`,
  "\\b(?:passiert|geschehen|s'est(?:-il)?(?: passé)?(?: derni(?:er|ère))?|pasó|pasado|successo|aconteceu|gebeurd)$|(?:произошло|случилось)$",
  '\\bwas (?:war|waren|geschah|gab es|(?:habe ich|haben wir) (?:alles )?(?:gemacht|getan))(?: los)?$',
  '(?:做|干|忙|聊|讨论|发生|改|买|学|读|写|看)[了过]?(?:(?:些|了些)?什么|哪些(?:话题|事|内容))',
].map((source) => new RegExp(source));
const CHINESE_STATE = /是(?:什么|谁|多少|哪)|用(?:的)?(?:是)?什么|在哪|住哪/;

/**
 * Reads how a question uses its time.
 * @param text the question without the words of its time
 */
export function readTimeIntent(text: string): TimeIntent {
  const [said = ''] = /^.*[^\s?？!.。]/s.exec(text) ?? [];
  const plain = said
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ (?:in|on|at|around|during|over|since|by)$/, '');
  if (STATES.some((pattern) => pattern.test(plain))) return 'state';
  if (EVENTS.some((pattern) => pattern.test(plain))) return 'events';
  return CHINESE_STATE.test(plain) && !/[了过]/.test(plain) ? 'state' : null;
}
