import { createHash } from 'node:crypto';
import type { Day } from '../base/clock.js';
import { groupBy } from '../base/order.js';
import { isMachineTurn, isSilentReply } from '../text/machine-text.js';
import { stripInjected } from '../text/strip.js';
import { estimateTokens, inParts } from '../text/tokens.js';
import type { Source } from './page/sources.js';

/** One message, or line of a log, to extract from. */
export interface SourceMessage {
  /** Its id in the conversation, or what stands for it. */
  readonly id: string;
  readonly role: string;
  readonly text: string;
  /** The user's day on which it was said; null when nobody knows. */
  readonly day: Day | null;
  readonly source: Source;
  /** The calls of tools whose results it has. */
  readonly calls?: readonly { readonly tool: string; readonly isFailed: boolean }[];
}

/** What is extracted from. */
export interface Conversation {
  /** For example `sessions/chat-1` or the name of a file. */
  readonly source: string;
  /** Id of the session that this is all of what was not extracted yet. */
  readonly session?: string;
  readonly messages: readonly SourceMessage[];
  /** What the Working Memory says of its tasks: which are finished, and what went wrong. */
  readonly tasks?: string | undefined;
}

/** A part of a conversation that fits into one prompt. */
export type ConversationPart = ReturnType<typeof conversationParts>[number];

const LONGEST_TOOL_TEXT = 500;
const LONGEST_TEXT = 8_000;

/** What was said by people and agents: without injected memory, heartbeats, and all but the beginning of tool output. */
function saidMessages(messages: readonly SourceMessage[]): readonly SourceMessage[] {
  return messages.flatMap((message) => {
    const text = stripInjected(message.text).trim();
    const isMachine =
      message.role === 'system' || isSilentReply(text) || (message.role === 'user' && isMachineTurn(text));
    return text === '' || isMachine ? [] : [{ ...message, text }];
  });
}

/** A conversation in parts of at most so many tokens each, at least one message a part. Pure. */
export function conversationParts(
  { source, messages, tasks = '' }: Conversation,
  types: readonly string[],
  all: number,
) {
  const known = tasks === '' ? '' : `\n\n(Working Memory of the tasks: ${tasks.slice(0, Math.floor(all / 2))})`;
  const most = all - estimateTokens(known);
  const said = inParts(saidMessages(messages), (message) => estimateTokens(lineOf(message, 99, most)), most);
  return said.map((held) => {
    const lines = held.map((message, index) => lineOf(message, index + 1, most));
    return {
      /** The same for the same messages and types. */
      id: partId(source, held, types),
      source,
      messages: held,
      transcript: `${lines.join('\n')}${countedCalls(held)}${known}`,
      /** Sources by the names that the transcript gives them: `m1`, … */
      sources: new Map(held.map((message, index) => [`m${index + 1}`, message.source])),
    };
  });
}

/** How often each tool was called and failed: a model does not count well. */
function countedCalls(messages: readonly SourceMessage[]): string {
  const byTool = groupBy(
    messages.flatMap(({ calls = [] }) => calls),
    ({ tool }) => tool,
  );
  const failed = (calls: readonly { readonly isFailed: boolean }[]) => calls.filter(({ isFailed }) => isFailed).length;
  const told = [...byTool].map(([tool, calls]) => `${tool} ${calls.length} (${failed(calls)} failed)`);
  return told.length === 0 ? '' : `\n\n(Calls of tools, counted: ${told.join(', ')})`;
}

function lineOf({ role, text, day }: SourceMessage, number: number, most: number): string {
  const longest = Math.min(role === 'tool' ? LONGEST_TOOL_TEXT : LONGEST_TEXT, most * 2);
  const shown =
    text.length <= longest ? text : `${text.slice(0, longest)} [… ${text.length - longest} characters left out …]`;
  return `[m${number}] ${day === null ? '' : `${day} `}${role}: ${shown}`;
}

function partId(source: string, messages: readonly SourceMessage[], types: readonly string[]): string {
  const said = messages.map(({ id, role, text }) => [id, role, text]);
  const hash = createHash('sha256').update(JSON.stringify([source, said, types]));
  return `x-${hash.digest('hex').slice(0, 13)}`;
}
