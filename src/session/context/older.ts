import { estimateTokens } from '../../text/tokens.js';
import { HOST_SUMMARY_ADDRESS, isHostNote, userWrittenText } from '../log/harness.js';
import { type MessagePart, messageText, withoutBase64 } from '../message.js';
import {
  countMinimumTokens,
  type FitResult,
  fitGroups,
  isUserText,
  type MessageGroup,
  makeReadableSizedMessage,
  replaceMessageParts,
  type SizedMessage,
} from './fit.js';
import { type LogSource, messagesByNewest, type PlacedMessage } from './timeline.js';

/**
 * Older turns that were chosen for the context, and their number of tokens. The Working Memory already summarises all older
 * turns.
 */
type Older = Pick<FitResult, 'units' | 'tokens'>;

const NOTHING: Older = { units: [], tokens: 0 };
/** Maximum length of a line about a call, in characters. */
const LONGEST_CALL = 160;

/** The messages of users in some logs, newest first. A message is read only when it is needed, and only once. */
export class LazyUserMessages {
  readonly #taken: SizedMessage[] = [];
  readonly #rest: Iterator<PlacedMessage>;

  /** @param read messages of these logs that were read before, newest first, as a model sees them */
  constructor(
    private readonly session: string,
    sources: readonly LogSource[],
    read: readonly SizedMessage[],
  ) {
    for (const said of read) if (isUserText(said.message)) this.#taken.push(asText(said));
    this.#rest = messagesByNewest(sources, 'user', new Set(read.map(({ age }) => age)));
  }

  /** Number of tokens of all messages of users; at most `most`, where counting stops. */
  tokens(most: number): number {
    let tokens = 0;
    for (const said of tokens < most ? this.all() : []) {
      tokens += said.tokens;
      if (tokens >= most) return most;
    }
    return Math.min(tokens, most);
  }

  *all(): Generator<SizedMessage> {
    for (let index = 0; ; index++) {
      while (this.#taken.length <= index) {
        const { value, done } = this.#rest.next();
        if (done === true) return;
        if (isUserText(value.message)) this.#taken.push(asText(makeReadableSizedMessage(value, this.session)));
      }
      yield* this.#taken.slice(index, index + 1);
    }
  }
}

/**
 * Takes older turns by priority: the texts of users, newest first; then the agent's answers; then calls, one line each; last
 * the host's own summary of a compaction.
 * @param shown ages of the messages that are already in the context
 */
export function olderTurns(
  session: string,
  sources: readonly LogSource[],
  asked: LazyUserMessages,
  shown: ReadonlySet<number>,
  room: number,
): Older {
  const users = within(asked.all(), room, ({ age }) => !shown.has(age));
  const answers = within(answered(session, sources, shown), room - users.tokens, ({ longest }) => longest > 0);
  const left = room - users.tokens - answers.tokens;
  const calls = callLines(sources, shown, answers.units, left);
  const summary = hostSummary(sources, left - calls.tokens);
  const parts = [users, { ...answers, units: calls.answers }, calls, summary];
  return { units: parts.flatMap(({ units }) => units), tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** The texts of the agent's messages, newest first. Leaves out the messages in `shown`. */
function* answered(
  session: string,
  sources: readonly LogSource[],
  shown: ReadonlySet<number>,
): Generator<SizedMessage> {
  for (const placed of messagesByNewest(sources, 'assistant', shown))
    yield asText(makeReadableSizedMessage(placed, session));
}

/** The wanted messages that fit into `room` tokens, newest first. Stops reading when no other message could fit. */
function within(newest: Iterable<SizedMessage>, room: number, isWanted: (said: SizedMessage) => boolean): Older {
  const units: MessageGroup[] = [];
  let least = 0;
  for (const said of room > 0 ? newest : []) {
    if (!isWanted(said)) continue;
    units.push([said]);
    least += countMinimumTokens([said]);
    if (least > room) break;
  }
  return units.length === 0 ? NOTHING : fitGroups(units.reverse(), room);
}

/** The message with its text only. */
function asText(said: SizedMessage): SizedMessage {
  const { message } = said;
  const [only] = message.parts;
  const whole = messageText(message);
  const text = message.role === 'user' ? userWrittenText(whole) || whole : whole;
  if (message.parts.length === 1 && only?.type === 'text' && only.text === text) return said;
  return replaceMessageParts(said, text.trim() === '' ? [] : [{ type: 'text', text }]);
}

/** Quick test: a log line that does not match contains no call, so it is not parsed. */
const MAY_CALL = /tool/i;

/**
 * Takes the calls of older turns, one line for each, newest first. If the text of a message is already in the context, its
 * calls go below that text.
 */
function callLines(
  sources: readonly LogSource[],
  shown: ReadonlySet<number>,
  answers: readonly MessageGroup[],
  room: number,
): Older & { readonly answers: readonly MessageGroup[] } {
  const byAge = new Map(answers.flatMap((unit) => unit.map((said) => [said.age, said])));
  const units: MessageGroup[] = [];
  let tokens = 0;
  if (room > LONGEST_CALL / 4) {
    for (const said of messagesByNewest(sources, 'assistant', shown, MAY_CALL)) {
      const lines = said.message.parts.flatMap(callLine);
      if (lines.length === 0) continue;
      const answer = byAge.get(said.age);
      const text = lines.join('\n');
      const size = estimateTokens(text) + 1;
      if (tokens + size > room) break;
      tokens += size;
      if (answer === undefined) units.push([withText(said, text)]);
      else byAge.set(said.age, withText(answer, `${messageText(answer.message)}\n${text}`));
    }
  }
  return { units, tokens, answers: [...byAge.values()].map((said) => [said]) };
}

function withText(said: PlacedMessage, text: string): SizedMessage {
  return replaceMessageParts(said, [{ type: 'text', text }]);
}

function callLine(part: MessagePart): readonly string[] {
  if (part.type !== 'tool_call') return [];
  const input = typeof part.input === 'string' ? part.input : (JSON.stringify(part.input) ?? '');
  const line = `[tool call: ${part.name}] ${withoutBase64(input)}`.replace(/\s+/gu, ' ');
  return [line.length <= LONGEST_CALL ? line : `${line.slice(0, LONGEST_CALL - 1).replace(/[\uD800-\uDBFF]$/, '')}…`];
}

function hostSummary(sources: readonly LogSource[], room: number): Older {
  if (room < 100) return NOTHING;
  for (const said of messagesByNewest(sources, 'system')) {
    if (!isHostNote(said.message, HOST_SUMMARY_ADDRESS)) continue;
    const text = said.message.parts.flatMap((part) => (part.type === 'context' ? [part.abstract] : [])).join('\n');
    const labelled = withText(said, `[Summary by the host, when it compacted the conversation]\n${text}`);
    return fitGroups([[labelled]], room);
  }
  return NOTHING;
}
