import { statementTerms } from '../../../language/words/terms.js';
import { sentencesOf } from '../../../text/sentences.js';
import type { Entry } from './ledger.js';
import { LEFT_OPEN, shorten } from './statements.js';

/** What was decided by the answer to a question, with both. Pure. */
export function choice(question: string, answer: string, at: number): Entry {
  // Of a long question what it asks at last is kept: the answer stands at the end.
  const asked = question.length <= LONGEST_ASKED ? question : (sentencesOf(question).at(-1) ?? question);
  return { section: 'Key Facts & Decisions', text: shorten(`${shorten(asked, LONGEST_ASKED)} – ${answer}`, 400), at };
}

const LONGEST_ASKED = 200;

/** Whether a short answer says what was chosen: a value, or nothing but words of the question, which says what it is about. Pure. */
export function isChoice(question: string, answer: string): boolean {
  if (answer.length > LONGEST_ANSWER || DEPENDS.test(answer) || !isClearQuestion(question)) return false;
  const asked = new Set(statementTerms(question));
  if (answer.length > 2 && BARE_VALUE.test(answer)) return true;
  const said = statementTerms(answer);
  return said.length > 0 && said.length < asked.size && said.filter((term) => asked.has(term)).length > said.length / 2;
}

/** Whether a reader can place a question: it names what it is about, points to nothing, and asks for no leave to go on. Pure. */
export function isClearQuestion(question: string): boolean {
  return statementTerms(question).length >= 2 && !POINTING.test(question);
}

/**
 * Whether what somebody answered in a form decides something: it does not break off, leave it open, nor have the host go on.
 * Pure.
 */
export function isDecision(answer: string): boolean {
  const isOpen = LEFT_OPEN.test(answer) && statementTerms(answer.replace(LEFT_OPEN, ' ')).length === 0;
  return answer !== '' && !isOpen && !DEPENDS.test(answer) && !COMMANDS.test(answer);
}

const LONGEST_ANSWER = 120;
/** It has the host go on with a command of its own. */
const COMMANDS = /(?<!\S)\/[a-z][\w-]*(?::[\w-]+)*$/u;
/** It breaks off, or goes on with something else. */
const DEPENDS = /(?:[:,…]|\.\.\.?)\s*$/u;
const POINTING = /(?<!\p{L})(?:this|that|these|those|it|they|them|me)(?!\p{L})|[这那它]/iu;

/** A name or a number alone: `eu-west-1`. */
const BARE_VALUE = /^(?=.*[\d_/@-])[\p{L}\d@/][^\s,]*(?: [^\s,]+){0,2}(?<![.!?。！？])$/u;

/** Whether a text is a bare value, or has two of the words of a question that carry its meaning, or all of them. Pure. */
export function isAbout(text: string, question: string): boolean {
  if (BARE_VALUE.test(text.trim())) return true;
  const said = new Set(statementTerms(text));
  const terms = [...new Set(statementTerms(question))];
  const shared = terms.filter((term) => said.has(term)).length;
  return shared > 0 && shared >= Math.min(2, terms.length);
}
