import { BASIC_HAN_RANGES } from '../../../language/scripts.js';
import { readStatementTerms } from '../../../language/words/terms.js';
import { isQuestion, sentencesOf } from '../../../text/sentences.js';
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

/** An offer at the end of an agent's message, which a user may accept or choose from. */
interface AgentOffer {
  /** The last sentence of the message, or its last list and the sentence before it. */
  readonly text: string;
  /** True if the offer is a question. */
  readonly isAsked: boolean;
}

export const NO_OFFER: AgentOffer = { text: '', isAsked: false };

/** Matches a list item: `- x`, `1. x`, `(b) x`, `- Option A: x`, `**2)** x`, `**方案1：x**`. */
const ITEM = new RegExp(
  `^\\s*(?:[-*+•#]+\\s+)?\\*{0,2}(?:\\p{L}{3,12}\\s|[${BASIC_HAN_RANGES}]{1,6}\\s?)?\\(?(?:\\d{1,2}|[A-Za-z])(?:[.):：、]|\\ufe0f?\\u20e3)\\*{0,2}\\s*\\S|^\\s*[-*+•]\\s+\\S`,
  'u',
);
/**
 * `LOOKED_AT`: number of characters that are read at the end of a message. `LONGEST_OFFER`: maximum length of an offer, in
 * characters.
 */
const LOOKED_AT = 6_000;
const LONGEST_OFFER = 400;

/** Finds the offer at the end of an agent's message. List items keep their numbers, so that "2" can be understood. Pure. */
export function findOffer(message: string): AgentOffer {
  const lines = message
    .slice(-LOOKED_AT)
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const [end = ''] = lines.slice(-1);
  const said = sentencesOf(end);
  const last = said.findLast(isQuestion) ?? said.at(-1) ?? '';
  // A question such as "Which one?" may follow the list.
  const until = lines.findLastIndex((line) => ITEM.test(line)) + 1;
  const isListed = until > 0 && until >= lines.length - 1;
  if (!isListed)
    return {
      text: shortenItem(/\((?:[a-h]|\d)\)\s/u.test(end) ? end : last, LONGEST_OFFER),
      isAsked: isQuestion(last),
    };
  const lead = lines.slice(0, until).findLastIndex((line) => !ITEM.test(line) && /^\S/u.test(line));
  const before = sentencesOf(lines[lead] ?? '').at(-1) ?? '';
  const items = lines.slice(lead + 1, until).filter((line) => ITEM.test(line));
  const listed = items.map((item) => item.replace(/\*\*|^\s*[-*+•]\s/gu, '').trim()).join('; ');
  const text = [before, listed, ...(until < lines.length ? [last] : [])].join(' ');
  return { text: shortenItem(text, LONGEST_OFFER), isAsked: isQuestion(before) || isQuestion(last) };
}

/**
 * True if a short answer accepts an offer. For that, the offer must be a question, or the answer must have a word of the
 * offer. Pure.
 */
export function acceptsOffer(answer: string, { text, isAsked }: AgentOffer): boolean {
  const terms = new Set(readStatementTerms(text));
  return terms.size > 1 && (isAsked || readStatementTerms(answer).some((term) => terms.has(term)));
}
