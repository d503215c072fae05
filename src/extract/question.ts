import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Day } from '../base/clock.js';
import type { UnknownFields } from '../base/json.js';
import { groupBy } from '../base/order.js';
import { boundedList, boundedText, inGrammar } from '../model/format.js';
import type { Question } from '../model/model.js';
import { renderPrompt } from '../model/model.js';
import { isMachineTurn, isSilentReply } from '../text/machine-text.js';
import { stripInjected } from '../text/strip.js';
import { estimateTokens, splitByTokens } from '../text/tokens.js';
import type { MemoryField, MemoryType } from './memory-type.js';
import { parseOperationsJson } from './operations/document.js';
import type { ExtractSource } from './page/sources.js';

/** Maximum numbers of characters of a line, of a text and of a name, and of items of a list, for a local model. */
const MOST = { line: 400, text: 1_500, name: 120, items: 8 } as const;
const LINE = boundedText(MOST.line);
const NAME = boundedText(MOST.name);
const BLOCK = z.union([z.object({ search: LINE, replace: LINE }), z.object({ delete: LINE })]);
const TEXT = z.union([boundedText(MOST.text), z.object({ blocks: boundedList(BLOCK, MOST.items) })]);
/** A page by its number in the prompt. The calling agent may also give its path. */
const PAGE = inGrammar(z.union([z.int(), z.string()]), { type: 'integer' });
/** Names of messages: `m12`. The calling agent may also give places. */
const SOURCES = boundedList(boundedText(8), MOST.items);

/** The texts that make up a prompt. The prompt asks a model for operations on pages. */
interface QuestionParts {
  readonly id: string;
  readonly types: readonly MemoryType[];
  readonly template: string;
  readonly bank: string;
  readonly conversation: string;
  /** The lookups of the model so far with their results, oldest first. */
  readonly read: string;
  /** Whether the model may call tools now. Otherwise it must answer with operations. */
  readonly mayRead: boolean;
  /** Whether the answer may come later, from the calling agent. Then it names the part that it is for. */
  readonly isForAgent: boolean;
}

/**
 * Builds the question that asks a model for operations. The system prompt and the start of the user prompt stay the same
 * between calls, so that a server can reuse its prompt cache.
 */
export function buildOperationsQuestion(parts: QuestionParts): Question<UnknownFields> {
  const { id, types, template, bank, conversation, read, mayRead, isForAgent } = parts;
  const now = mayRead
    ? 'If you need to see more before you decide, call the tools now: all that you need, at once. If not, call none.'
    : 'Answer now with the JSON object of the operations and nothing else.';
  const prompt = renderPrompt(template, {
    data: { bank, conversation, read },
    text: {
      types: types.map(typeText).join('\n\n'),
      id: `Document ${id}`,
      asked: read === '' ? '' : 'What you asked for:',
      now,
    },
  });
  return {
    name: 'memory_operations',
    prompt: read === '' ? { ...prompt, user: prompt.user.replace(/<read>\s*<\/read>\s*/u, '') } : prompt,
    schema: answerSchema(types, isForAgent),
    recover: parseOperationsJson,
  };
}

/**
 * The answer has one array for each type, and `deletes` and `links`. The schema checks values only roughly: each value is
 * checked when it is applied.
 */
function answerSchema(types: readonly MemoryType[], hasId: boolean) {
  const lists = Object.fromEntries(
    types.map((type) => [type.name, boundedList(itemSchema(type), MOST.items).optional()]),
  );
  return z.looseObject({
    ...(hasId ? { id: NAME.optional() } : {}),
    ...lists,
    deletes: boundedList(z.looseObject({ page_id: PAGE, replacement: PAGE.nullish() }), MOST.items).optional(),
    links: boundedList(z.looseObject({ from: PAGE, to: PAGE, link_type: NAME.optional() }), MOST.items).optional(),
  });
}

function itemSchema(type: MemoryType) {
  const fields = type.fields.map((field) => [field.name, fieldSchema(field).optional()] as const);
  return z.looseObject({
    page_id: PAGE.optional(),
    ...Object.fromEntries(fields),
    sources: SOURCES.optional(),
  });
}

const SCHEMAS = {
  string: LINE,
  int64: z.int(),
  float32: z.number(),
  bool: z.boolean(),
  list: boundedList(LINE, MOST.items),
} as const satisfies Readonly<Record<MemoryField['type'], z.ZodType>>;

function fieldSchema({ type, merge_op }: MemoryField) {
  return type === 'string' && merge_op === 'patch' ? TEXT : SCHEMAS[type];
}

const MODES: Readonly<Record<MemoryType['operation_mode'], string>> = {
  upsert: '',
  add_only: ' Pages are only made, never changed.',
  update_only: ' Pages are only changed, never made.',
};
const HOW: Readonly<Partial<Record<MemoryField['merge_op'], string>>> = {
  sum: ' (added)',
  avg: ' (averaged)',
  append_unique: ' (list; added to)',
};

function typeText({
  name,
  description,
  operation_mode,
  fields,
  guidelines,
  good_cases,
  bad_cases,
}: MemoryType): string {
  const lines = [
    `## ${name}`,
    `${description}${MODES[operation_mode]}`,
    ...fields.map((field) => `- ${field.name}${HOW[field.merge_op] ?? ''}: ${field.description}`),
    ...guidelines.map((line) => `* ${line}`),
    ...good_cases.map((line) => `Right: ${line}`),
    ...bad_cases.map((line) => `Wrong: ${line}`),
  ];
  return lines.join('\n');
}

/** A message, or a line of a log, from which memories are extracted. */
export interface SourceMessage {
  /** Id of the message, or another text that identifies it. */
  readonly id: string;
  readonly role: string;
  readonly text: string;
  /** Day of the message in the user's time zone; null if unknown. */
  readonly day: Day | null;
  readonly source: ExtractSource;
  /** Tool calls whose results the message contains. */
  readonly calls?: readonly { readonly tool: string; readonly isFailed: boolean }[];
}

/** A conversation from which memories are extracted. */
export interface Conversation {
  /** Where the conversation comes from: `sessions/chat-1`, or a file name. */
  readonly source: string;
  /** Id of the session. Set only if `messages` contains every message of the session that was not extracted yet. */
  readonly session?: string;
  readonly messages: readonly SourceMessage[];
  /** Task section of the Working Memory: finished tasks and failures. */
  readonly tasks?: string | undefined;
}

/** A part of a conversation that fits into one prompt. */
export type ConversationPart = ReturnType<typeof conversationParts>[number];

const LONGEST_TOOL_TEXT = 500;
const LONGEST_TEXT = 8_000;

/**
 * Keeps the messages of people and agents. Removes injected memory, system messages, and heartbeats (messages that a host
 * sends by itself at fixed times).
 */
function saidMessages(messages: readonly SourceMessage[]): readonly SourceMessage[] {
  return messages.flatMap((message) => {
    const text = stripInjected(message.text).trim();
    const isMachine =
      message.role === 'system' || isSilentReply(text) || (message.role === 'user' && isMachineTurn(text));
    return text === '' || isMachine ? [] : [{ ...message, text }];
  });
}

/** Splits a conversation into parts of at most `all` tokens, each with at least one message. Pure. */
export function conversationParts(
  { source, messages, tasks = '' }: Conversation,
  types: readonly string[],
  all: number,
) {
  const known = tasks === '' ? '' : `\n\n(Working Memory of the tasks: ${tasks.slice(0, Math.floor(all / 2))})`;
  const most = all - estimateTokens(known);
  const said = splitByTokens(saidMessages(messages), (message) => estimateTokens(lineOf(message, 99, most)), most);
  return said.map((held) => {
    const lines = held.map((message, index) => lineOf(message, index + 1, most));
    return {
      /** Hash of the source, the messages and the types. The same input always gives the same id. */
      id: partId(source, held, types),
      source,
      messages: held,
      transcript: `${lines.join('\n')}${countedCalls(held)}${known}`,
      /** Maps the names in the transcript (`m1`, `m2`, …) to sources. */
      sources: new Map(held.map((message, index) => [`m${index + 1}`, message.source])),
    };
  });
}

/** Number of calls and failures per tool. Counted here, because models count badly. */
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
