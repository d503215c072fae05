import { BASIC_HAN_RANGES, COMMON_HAN_RANGE, KANA_RANGES } from '../../../language/scripts.js';
import { keepAuthorLines } from '../../../language/speakers.js';
import { readStatementTerms } from '../../../language/words/terms.js';
import { isQuestion, sentencesOf } from '../../../text/sentences.js';
import { readPaths } from '../../../wm/paths.js';
import { formAnswers, refusalReason, unquotedUserText, userWrittenText } from '../../log/harness.js';
import { documentTitle, messageProse } from '../../log/prose.js';
import { messageText, type SessionMessage, type ToolCallPart, withoutBase64 } from '../../message.js';
import { type CallWithResult, commandOfCall, type NumberedMessage } from './calls.js';
import { fileAccesses, type PersonNamedPath } from './files.js';
import type { LedgerEntry } from './ledger.js';
import {
  findExplicitFacts,
  findFactWithKind,
  findPlainStatementFacts,
  isBareYes,
  leavesQuestionOpen,
  OPEN_ANSWER_WORDS,
  shortenItem,
  statesFactWithValue,
} from './statements.js';

const FIRST = 5;
/**
 * Maximum lengths in the Working Memory, in characters: of a request (`LONGEST_REQUEST`) and of a whole task
 * (`LONGEST_TASK`).
 */
const LONGEST_REQUEST = 500;
const LONGEST_TASK = 1_200;
/** Maximum length of a message that only asks questions, in characters. A longer message also describes a task. */
const LONGEST_QUESTION = 120;
/** A text needs at least this number of words to describe the work. */
const FEWEST_WORDS = 4;
const CORRECTION =
  /^(?:no[,.!]|nope\b|wrong\b|that'?s (?:wrong|not)|not what i|stop(?=[,.!]|\s(?:it|that|this|\p{L}+ing)\b|$)|undo\b|revert\b|please (?:undo|revert)\b)|^(?:不对|错了|不是|不行|撤销|还原)/iu;

/**
 * Reads the conversation between users and the agent.
 * @param open questions of earlier messages that still have no answer
 * @param isWorkshop true in a coding session: an ordinary statement is then not taken as a lasting fact
 */
export function readTurns(
  messages: readonly NumberedMessage[],
  open: readonly LedgerEntry[],
  isWorkshop: boolean,
): TurnReader {
  const reader = new TurnReader(open, isWorkshop);
  for (const each of messages) reader.read(each);
  return reader;
}

/** True if the agent works on files in a conversation: it reads or changes files, runs commands or shows code. Pure. */
export function isCodingSession(messages: readonly SessionMessage[], calls: readonly CallWithResult[]): boolean {
  return (
    calls.some((call) => commandOfCall(call.call) !== '' || fileAccesses(call).length > 0) ||
    messages.some((message) => message.role === 'assistant' && /^ {0,3}(?:```|~~~)/mu.test(messageText(message)))
  );
}

export type TurnFindings = TurnReader;

/** Reads a conversation and collects what belongs into each section of the Working Memory, oldest first. */
class TurnReader {
  /** Facts from the messages: decisions, rules and values. */
  facts: LedgerEntry[] = [];
  /** Tasks that users requested. */
  readonly tasks: LedgerEntry[] = [];
  /** Corrections by users. */
  readonly corrections: LedgerEntry[] = [];
  readonly #first: LedgerEntry[] = [];
  /**
   * First requests that may be pasted, because no word in them was certainly typed by a person. For the title, these
   * requests come after all other first requests.
   */
  readonly #given: LedgerEntry[] = [];
  /** Paths of files that users named. */
  readonly named: PersonNamedPath[] = [];
  lastRequest: string | undefined;
  /** The request before the last one, if the last one is too short to be understood alone. */
  requestBefore: string | undefined;
  lastAnswer: string | undefined;
  /** Questions without an answer. */
  open: readonly LedgerEntry[];
  /** The user's last message, if it only asked questions. It becomes a task if a file is changed after it. */
  #wish: LedgerEntry | undefined;
  /** The offer at the end of the agent's last message. A simple "yes" accepts it. */
  #offer = NO_OFFER;

  constructor(
    open: readonly LedgerEntry[],
    private readonly isWorkshop: boolean,
  ) {
    this.open = open.filter(({ asks }) => asks !== undefined);
  }

  /** The first requests of users, for the title. */
  get firstRequests(): readonly LedgerEntry[] {
    return [...this.#first, ...this.#given];
  }

  read({ message, at }: NumberedMessage): void {
    const { role, parts } = message;
    if (role === 'user') this.#user(withoutBase64(unquotedUserText(messageText(message))), at);
    else if (role === 'assistant') this.#agent(messageText(message), at);
    for (const part of parts) {
      if (part.type === 'tool_result') this.#toolAsked(part.output, at);
      else if (part.type === 'tool_call') this.#changes(part);
    }
  }

  /** Reads what a person answered to a tool: a reason for a refusal, or answers in a form. */
  #toolAsked(output: string, at: number): void {
    this.#user(userWrittenText(refusalReason(output)), at);
    for (const [question, answer] of formAnswers(output)) {
      const lines = answer.replace(/\r\n?/gu, '\n');
      const said = lines.includes('\n') ? messageProse(lines) : answer;
      if (sentencesOf(said).some(isQuestion)) this.#ask('user', said, at);
      else if (isDecisionAnswer(said)) this.facts.push(makeChoiceFact(question, said, at));
    }
  }

  #user(whole: string, at: number): void {
    if (whole === '') return;
    this.named.push(
      ...readPaths(sentencesOf(whole).join('\n'))
        .filter(isFile)
        .map((path) => ({ path, at })),
    );
    const text = messageProse(whole);
    const sentences = sentencesOf(text);
    if (isBareYes(text) || pointsOnly(text)) {
      this.#agreed(text, at);
      return;
    }
    this.#wish = undefined;
    if (sentences.every((each) => /[:：]$/u.test(each))) this.#gave(whole, at);
    else this.#said(text, sentences, new Set(sentencesOf(messageProse(keepAuthorLines(whole), true))), at);
  }

  /** @param typed sentences that a person certainly typed. Other sentences may be pasted, so no facts are taken from them. */
  #said(text: string, sentences: readonly string[], typed: ReadonlySet<string>, at: number): void {
    this.#answerTo(text, sentences, at);
    const asked: string[] = [];
    for (const sentence of sentences) {
      const facts = typed.has(sentence) ? this.#factsOf(sentence, at) : [];
      this.facts.push(...facts);
      if (facts.length === 0) asked.push(sentence);
    }
    for (const sentence of sentences) {
      if (isQuestion(sentence)) this.#ask('user', sentence, at);
    }
    this.#asked(shortenItem(sentences.join(' '), LONGEST_REQUEST));
    // A message without a typed word may be pasted. Its request goes to a separate list, behind requests that were
    // certainly typed.
    const known = typed.size === 0 ? this.#given : this.#first;
    if (known.length < FIRST) {
      // Outside a coding session, leave out statements such as "the port is 8080": they do not describe the work, and they
      // may change.
      const requests = this.isWorkshop ? sentences : sentences.filter((each) => !statesFactWithValue(each));
      const best = requests.find((each) => wordCount(each) >= FEWEST_WORDS) ?? requests[0];
      if (best !== undefined) known.push({ section: 'Session Title', text: shortenItem(best), at });
    }
    const corrected = this.#corrected(sentences, at);
    this.#wished(
      asked.filter((each) => each !== corrected),
      at,
    );
  }

  /** Records a correction if the first sentence says that something was wrong. Returns that sentence. */
  #corrected(sentences: readonly string[], at: number): string | undefined {
    const [first = ''] = sentences;
    if (!CORRECTION.test(first)) return undefined;
    const said = wordCount(first) < FEWEST_WORDS ? sentences.join(' ') : first;
    this.corrections.push({ section: 'Errors & Corrections', text: `User: ${shortenItem(said, 230)}`, at });
    return first;
  }

  /**
   * Records a whole message as a task. A short message that only asks questions becomes a task only if a file is changed
   * after it.
   */
  #wished(sentences: readonly string[], at: number): void {
    const said = shortenItem(sentences.join(' '), LONGEST_TASK);
    const isAnswer = wordCount(said) < FEWEST_WORDS && !saysMuch(said) && acceptsOffer(said, this.#offer);
    if (sentences.length === 0 || !(isAnswer || saysMuch(said))) return;
    const text = isAnswer ? shortenItem(`${said} – to: ${this.#offer.text}`, LONGEST_REQUEST) : said;
    const task: LedgerEntry = { section: 'Task & Goals', text, at };
    if (sentences.every(isQuestion) && text.length <= LONGEST_QUESTION) this.#wish = task;
    else this.tasks.push(task);
  }

  #changes(call: ToolCallPart): void {
    if (this.#wish === undefined || fileAccesses({ call }).every(({ verb }) => verb === 'read')) return;
    this.tasks.push(this.#wish);
    this.#wish = undefined;
  }

  /**
   * Facts that the user states clearly (a bullet with a kind, "always …", "remember that …"). Outside a coding session, also
   * ordinary statements.
   */
  #factsOf(sentence: string, at: number): readonly LedgerEntry[] {
    const facts = findExplicitFacts(sentence, at);
    return facts.length > 0 || this.isWorkshop ? facts : findPlainStatementFacts(sentence, at);
  }

  #agreed(text: string, at: number): void {
    const to = this.#offer.text;
    // An offer must be a question or a list of things to do: a yes to a list of completed work accepts nothing.
    const isToDo = this.#offer.isAsked || (/:/u.test(to) && !isBareYes(text));
    if (isToDo && (isClearQuestion(to) || readStatementTerms(to).length >= FEWEST_WORDS))
      this.tasks.push({
        section: 'Task & Goals',
        text: shortenItem(`${text.replace(/[.)]+$/u, '')} – to: ${to}`, LONGEST_REQUEST),
        at,
      });
    this.#asked(to === '' ? text : `${text} ("${to}")`);
    this.#answered('agent');
  }

  /** Reads a message that is only a document or pasted text, without words of the user. */
  #gave(message: string, at: number): void {
    const whole = documentTitle(message) ?? plainLine(message);
    const title = shortenItem(whole);
    this.#asked(shortenItem(whole, LONGEST_REQUEST));
    const requests = messageProse(whole) === '' ? this.#given : this.#first;
    if (requests.length < FIRST) requests.push({ section: 'Session Title', text: title, at });
    if (saysMuch(title)) this.tasks.push({ section: 'Task & Goals', text: title, at });
  }

  /**
   * Records the last request. A short one such as "commit" or "1" says little alone, so the agent's question and the request
   * before it are added.
   */
  #asked(request: string): void {
    const isShort = wordCount(request) < FEWEST_WORDS;
    this.requestBefore = isShort ? (this.lastRequest ?? this.requestBefore) : undefined;
    this.lastRequest = isShort && this.#offer.isAsked ? `${request} ("${this.#offer.text}")` : request;
  }

  #agent(text: string, at: number): void {
    const sentences = sentencesOf(text);
    const [first] = sentences;
    if (first === undefined) return;
    this.lastAnswer = shortenItem(first);
    if (!leavesQuestionOpen(text) && !sentences.every(isQuestion)) this.#answered('user');
    for (const sentence of sentences) {
      this.facts.push(...findFactWithKind(sentence, at));
    }
    const last = sentences.at(-1) ?? '';
    this.#offer = findOffer(text);
    if (isQuestion(last)) this.#ask('agent', last, at);
  }

  #ask(asks: 'user' | 'agent', sentence: string, at: number): void {
    this.open = [...this.open, { section: 'Open Issues', text: shortenItem(sentence), at, asks }];
  }

  /**
   * Takes the user's words as the answer to the agent's open questions, unless the user only asks questions. If the user
   * leaves the questions open ("later"), they wait until the user writes about them.
   */
  #answerTo(text: string, sentences: readonly string[], at: number): void {
    const about = this.open.filter(({ asks, text: asked }) => asks === 'later' && mayAnswerQuestion(text, asked));
    this.open = this.open.filter((question) => !about.includes(question));
    const asked = [...about, ...this.open.filter(({ asks }) => asks === 'agent')].at(-1);
    const answer = sentences.find((sentence) => !isQuestion(sentence));
    if (asked === undefined || answer === undefined) return;
    if (leavesQuestionOpen(text)) {
      this.open = this.open.map((each) => (each.asks === 'agent' ? { ...each, asks: 'later' } : each));
      return;
    }
    if (!this.isWorkshop && isChoiceAnswer(asked.text, answer)) this.facts.push(makeChoiceFact(asked.text, answer, at));
    this.#answered('agent');
  }

  #answered(asks: 'user' | 'agent'): void {
    this.open = this.open.filter((question) => question.asks !== asks);
  }
}

/** True for text that has no meaning without the agent's message: "yes, please do", "both". */
function pointsOnly(text: string): boolean {
  return (
    /[\p{L}\p{N}]/u.test(text) &&
    text.length <= 60 &&
    !isQuestion(text) &&
    !CORRECTION.test(text) &&
    readStatementTerms(text).length === 0
  );
}

/** True for a path with a file extension that is not an address. */
function isFile(path: string): boolean {
  return !/:\/\/|@[\w.-]+:/u.test(path) && /\.\w{1,8}$/u.test(path) && path.length <= 200;
}

/** The first line that has a letter or digit. */
function plainLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => /[\p{L}\p{N}]/u.test(line))
      ?.trim() ?? text
  );
}

/** Number of words; two Chinese or Japanese characters count as one. */
function wordCount(whole: string): number {
  const text = whole.slice(0, 1_000);
  const han = text.match(HAN)?.length ?? 0;
  return (text.replace(HAN, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}'’/._-]*/gu)?.length ?? 0) + han / 2;
}

/**
 * True if a text has more than 12 characters, so that it says more than a word or two. A Chinese character counts as two.
 */
function saysMuch(sentence: string): boolean {
  return sentence.replace(HAN, '**').length > 12;
}

const HAN = new RegExp(`[${COMMON_HAN_RANGE}${KANA_RANGES}]`, 'gu');

/** Makes a fact from a question and its answer: `Which region? – eu-west-1`. Pure. */
function makeChoiceFact(question: string, answer: string, at: number): LedgerEntry {
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
function isChoiceAnswer(question: string, answer: string): boolean {
  if (answer.length > LONGEST_ANSWER || DEPENDS.test(answer) || !isClearQuestion(question)) return false;
  const asked = new Set(readStatementTerms(question));
  if (answer.length > 2 && BARE_VALUE.test(answer)) return true;
  const said = readStatementTerms(answer);
  return said.length > 0 && said.length < asked.size && said.filter((term) => asked.has(term)).length > said.length / 2;
}

/** True if a question can be understood alone: it has at least two content words and no pronoun such as "that". Pure. */
function isClearQuestion(question: string): boolean {
  return readStatementTerms(question).length >= 2 && !POINTING.test(question);
}

/**
 * True if an answer in a form decides something. An answer that breaks off, leaves the question open or is a command to the
 * host decides nothing. Pure.
 */
function isDecisionAnswer(answer: string): boolean {
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
function mayAnswerQuestion(text: string, question: string): boolean {
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

const NO_OFFER: AgentOffer = { text: '', isAsked: false };

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
function findOffer(message: string): AgentOffer {
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
function acceptsOffer(answer: string, { text, isAsked }: AgentOffer): boolean {
  const terms = new Set(readStatementTerms(text));
  return terms.size > 1 && (isAsked || readStatementTerms(answer).some((term) => terms.has(term)));
}
