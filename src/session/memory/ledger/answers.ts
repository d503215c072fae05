import { readStatementTerms } from '../../../language/words/terms.js';
import { sentencesOf } from '../../../text/sentences.js';
import type { LedgerEntry } from './ledger.js';
import { OPEN_ANSWER_WORDS, shortenItem } from './statements.js';

/** Makes a fact from a question and its answer: `Which region? – eu-west-1`. Pure. */
export function makeChoiceFact(question: string, answer: string, at: number): LedgerEntry {
  // A long question is shortened to its last sentence, so that the answer still fits.
  const asked = question.length <= LONGEST_ASKED ? question : (sentencesOf(question).at(-1) ?? question);
  return {
    section: 'Key Facts & Decisions',
    text: shortenItem(`${shortenItem(asked, LONGEST_ASKED)} – ${answer}`, 400),
    at,
  };
}

const LONGEST_ASKED = 200;

/**
 * True if a short answer to a clear question is a choice: only a value (`eu-west-1`), or mostly words of the question. Pure.
 */
export function isChoiceAnswer(question: string, answer: string): boolean {
  if (answer.length > LONGEST_ANSWER || DEPENDS.test(answer) || !isClearQuestion(question)) return false;
  const asked = new Set(readStatementTerms(question));
  if (answer.length > 2 && BARE_VALUE.test(answer)) return true;
  const said = readStatementTerms(answer);
  return said.length > 0 && said.length < asked.size && said.filter((term) => asked.has(term)).length > said.length / 2;
}

/** True if a question can be understood alone: it has at least two content words and no pronoun such as "that". Pure. */
export function isClearQuestion(question: string): boolean {
  return readStatementTerms(question).length >= 2 && !POINTING.test(question);
}

/**
 * True if an answer in a form decides something. An answer that breaks off, leaves the question open or is a command to the
 * host decides nothing. Pure.
 */
export function isDecisionAnswer(answer: string): boolean {
  const isOpen =
    OPEN_ANSWER_WORDS.test(answer) && readStatementTerms(answer.replace(OPEN_ANSWER_WORDS, ' ')).length === 0;
  return answer !== '' && !isOpen && !DEPENDS.test(answer) && !COMMANDS.test(answer);
}

const LONGEST_ANSWER = 120;
/** Matches a text that ends with a slash command to the host. */
const COMMANDS = /(?<!\S)\/[a-z][\w-]*(?::[\w-]+)*$/u;
/** Matches a text that breaks off or announces more text: it ends with a colon, a comma or an ellipsis. */
const DEPENDS = /(?:[:,…]|\.\.\.?)\s*$/u;
const POINTING = /(?<!\p{L})(?:this|that|these|those|it|they|them|me)(?!\p{L})|[这那它]/iu;

/** Matches an answer that is only a name or a number: `eu-west-1`. */
const BARE_VALUE = /^(?=.*[\d_/@-])[\p{L}\d@/][^\s,]*(?: [^\s,]+){0,2}(?<![.!?。！？])$/u;

/**
 * True if a text may answer a question. It must be only a value, or have two content words of the question. If the question
 * has only one content word, that one is enough. Pure.
 */
export function mayAnswerQuestion(text: string, question: string): boolean {
  if (BARE_VALUE.test(text.trim())) return true;
  const said = new Set(readStatementTerms(text));
  const terms = [...new Set(readStatementTerms(question))];
  const shared = terms.filter((term) => said.has(term)).length;
  return shared > 0 && shared >= Math.min(2, terms.length);
}
