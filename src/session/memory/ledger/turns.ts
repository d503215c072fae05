import { parseBullet } from '../../../markdown/bullet.js';
import { ownWords } from '../../log/harness.js';
import { plainText, type SessionMessage } from '../../message.js';
import { readAttribute } from './attributes.js';
import type { Entry } from './ledger.js';
import { hasCue, isBareYes, isQuestion, leavesOpen, sentencesOf, shorten } from './sentences.js';

/** A message with its number in the session. */
export interface Numbered {
  readonly message: SessionMessage;
  readonly at: number;
}

/** What a conversation says, by where it belongs, oldest first. */
export interface SaidInTurns {
  /** Sentences that decide, rule or name a value. */
  readonly facts: readonly Entry[];
  /** What was asked to be done. */
  readonly tasks: readonly Entry[];
  /** What a user said was wrong. */
  readonly corrections: readonly Entry[];
  /** Questions that nobody has answered, and what was said to be open. */
  readonly open: readonly Entry[];
  /** The first request and the last. */
  readonly firstRequest: Entry | undefined;
  readonly lastRequest: string | undefined;
  readonly lastAnswer: string | undefined;
}

const CORRECTION =
  /^(?:no[,.! ]|nope\b|wrong\b|that'?s (?:wrong|not)|not what i|stop\b|undo\b|revert\b|please (?:undo|revert)\b)|^(?:不对|错了|不是|不行|撤销|还原)/iu;
const OPEN =
  /\b(?:TODO|FIXME|open question|still (?:need|needs|have) to|blocked (?:by|on)|not yet (?:done|fixed|decided))\b|待办|未解决|还需要|尚未/u;
/** Courtesies that end in a question mark. */
const COURTESY =
  /\b(?:anything else|can i help|help you with|let me know|shall we continue|what(?:'s| is) next|how can i|need anything)\b|还有(?:什么|其他)|需要我(?:帮|做)/iu;

/** Reads what users and the agent say to each other. @param open questions that wait from before */
export function readTurns(messages: readonly Numbered[], open: readonly Entry[]): SaidInTurns {
  const reader = new TurnReader(open);
  for (const each of messages) reader.read(each);
  return reader;
}

class TurnReader implements SaidInTurns {
  readonly facts: Entry[] = [];
  readonly tasks: Entry[] = [];
  readonly corrections: Entry[] = [];
  firstRequest: Entry | undefined;
  lastRequest: string | undefined;
  lastAnswer: string | undefined;
  #questions: readonly Entry[];
  readonly #left: Entry[];
  /** The agent's last sentence: what a bare yes agrees to. */
  #proposal = '';

  constructor(open: readonly Entry[]) {
    this.#questions = open.filter(({ asks }) => asks !== undefined);
    this.#left = open.filter(({ asks }) => asks === undefined);
  }

  get open(): readonly Entry[] {
    return [...this.#left, ...this.#questions].toSorted((a, b) => a.at - b.at);
  }

  read({ message, at }: Numbered): void {
    if (message.role === 'user') this.#user(ownWords(plainText(message)), at, message.timestamp);
    else if (message.role === 'assistant') this.#agent(plainText(message), at, message.timestamp);
  }

  #user(text: string, at: number, said: string | null): void {
    if (text === '') return;
    const sentences = sentencesOf(text);
    if (isBareYes(text)) {
      const agreed = shorten(`${text} – to: ${this.#proposal}`);
      if (this.#proposal !== '') this.facts.push({ section: 'Key Facts & Decisions', text: agreed, at, said });
      this.#answered('agent');
      this.lastRequest = this.#proposal === '' ? text : agreed;
      return;
    }
    const answers = this.#answerTo(text, sentences, at, said);
    const facts = sentences.flatMap((sentence) => factOf(sentence, at, said));
    this.facts.push(...facts);
    for (const sentence of sentences) {
      if (isQuestion(sentence)) this.#ask('user', sentence, at, said);
      else if (OPEN.test(sentence)) this.#left.push({ section: 'Open Issues', text: shorten(sentence), at, said });
    }
    const [first = text] = sentences;
    this.lastRequest = shorten(first);
    this.firstRequest ??= { section: 'Session Title', text: shorten(first), at, said };
    if (CORRECTION.test(first)) {
      this.corrections.push({ section: 'Errors & Corrections', text: `User: ${shorten(first, 230)}`, at, said });
    } else if (
      !answers &&
      !isQuestion(first) &&
      first.length > 12 &&
      facts.every((fact) => fact.text !== shorten(first))
    ) {
      this.tasks.push({ section: 'Task & Goals', text: shorten(first), at, said });
    }
  }

  #agent(text: string, at: number, said: string | null): void {
    const sentences = sentencesOf(text);
    const [first] = sentences;
    if (first === undefined) return;
    this.lastAnswer = shorten(first);
    if (!leavesOpen(text) && !sentences.every(isQuestion)) this.#answered('user');
    for (const sentence of sentences) {
      if (OPEN.test(sentence)) this.#left.push({ section: 'Open Issues', text: shorten(sentence), at, said });
      this.facts.push(...typedFact(sentence, at, said));
    }
    const last = sentences.at(-1) ?? '';
    this.#proposal = shorten(last, 160);
    if (isQuestion(last) && !COURTESY.test(last)) this.#ask('agent', last, at, said);
  }

  #ask(asks: 'user' | 'agent', sentence: string, at: number, said: string | null): void {
    this.#questions = [...this.#questions, { section: 'Open Issues', text: shorten(sentence), at, said, asks }];
  }

  /** A user's words answer the agent's questions, unless they leave them open or ask back. */
  #answerTo(text: string, sentences: readonly string[], at: number, said: string | null): boolean {
    const asked = this.#questions.filter(({ asks }) => asks === 'agent');
    const answer = sentences.find((sentence) => !isQuestion(sentence));
    if (asked.length === 0 || answer === undefined || leavesOpen(text)) return false;
    const question = asked.at(-1)?.text ?? '';
    this.facts.push({ section: 'Key Facts & Decisions', text: shorten(`${question} – ${answer}`), at, said });
    this.#answered('agent');
    return true;
  }

  #answered(asks: 'user' | 'agent'): void {
    this.#questions = this.#questions.filter((question) => question.asks !== asks);
  }
}

function factOf(sentence: string, at: number, said: string | null): readonly Entry[] {
  const typed = typedFact(sentence, at, said);
  if (typed.length > 0) return typed;
  if (isQuestion(sentence)) return [];
  const attribute = readAttribute(sentence);
  if (attribute === undefined && !hasCue(sentence)) return [];
  const fact = { section: 'Key Facts & Decisions' as const, text: shorten(sentence), at, said };
  return [attribute === undefined ? fact : { ...fact, attribute }];
}

function typedFact(sentence: string, at: number, said: string | null): readonly Entry[] {
  const parsed = parseBullet(sentence);
  if (parsed.type !== 'fact') return [];
  const text = shorten(`${parsed.bullet.kind} ${parsed.bullet.statement}`);
  const attribute = readAttribute(parsed.bullet.statement.replace(/@/gu, '').replace(/:\s/u, ' '));
  return [{ section: 'Key Facts & Decisions', text, at, said, ...(attribute === undefined ? {} : { attribute }) }];
}
