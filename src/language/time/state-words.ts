import { lowerCaseAscii, type RangeInText, toHalfWidth } from '../tokens.js';

/**
 * Words by which a question asks for the state at a time, if no noun follows: "what was true in May", "was still valid".
 * Without such words, a question asks for text of that time.
 */
const BESIDE_WORDS =
  /\b(?:was|were|been|held|war|waren)\s(?:[\w\u00c0-\u1fff']{1,20}\s){0,4}?(true|valid|in effect|in force|the case|wahr|gültig|der fall)(?![\w\u00c0-\u1fff])|(?<![我咱]们?[^，。？]{0,8})(?:当时|那时)|(?:是|还|还是|仍|仍然|依然)(?:有效|成立|属实)/g;

/** Questions for the state at a time as a whole. Only a time or nothing may follow "what held". */
const WHOLE = [
  '\\bwhat (?:facts |statements )?(?:held|applied)(?=\\s*(?:[?]|$|(?:as of|at|back|before|by|during|in|last|on|this|until)\\b))|\\bhow did things stand\\b|\\bhow things stood\\b',
  'was (?:galt|stimmte|traf zu)',
  "qu['’ ]?(?:est-ce qui|oi) était (?:vrai|valable|valide|en vigueur)",
  'qué (?:era (?:cierto|verdad|válido)|estaba vigente|estaba en vigor)',
  'o que (?:era (?:verdade|verdadeiro|válido)|valia|estava em vigor)',
  '(?:che )?cosa (?:era (?:vero|valido|in vigore)|valeva)',
  'wat (?:was (?:waar|geldig|van kracht)|gold)',
  'что было (?:правдой|верно|верным|истиной|в силе)',
  '[时時]?有?(?:哪些|什么|什麼)(?:事实|事實|事情|事|信息|说法|都|是|还|還|仍|仍然)*(?:有效|成立|[属屬][实實]|[为為]真的?|真的|真实的|正确的)',
  '(?:成立|有效|[属屬][实實]|[为為]真)的(?:事实|事實|事情|事|信息)',
  '何が(?:真|本当|真実|事実|有効)(?:だった|でした)(?:か)?',
];
const WHOLE_QUESTIONS = new RegExp(`(?<![\\w\\u00c0-\\u1fff])(?:${WHOLE.join('|')})(?![\\w\\u00c0-\\u1fff])`, 'g');

/** Words with which a question asks for the state at a time. */
interface StateWords extends RangeInText {
  /** Whether the words ask so only if no noun follows: "the true reason" asks for a reason. */
  readonly isOpen: boolean;
}

/** The words with which a question asks for what was true at a time, without the words between them. */
export function findStateWords(question: string): readonly StateWords[] {
  const text = lowerCaseAscii(toHalfWidth(question));
  return [BESIDE_WORDS, WHOLE_QUESTIONS].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: found, 1: last = found, index }) => {
      const end = index + found.length;
      return { start: end - last.length, end, isOpen: pattern === BESIDE_WORDS };
    }),
  );
}
