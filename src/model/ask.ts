import * as z from 'zod';
import { err, ok, type Result } from '../base/failure.js';
import { isRecord, parseJson, parseRecord, type UnknownFields } from '../base/json.js';
import { estimateTokens } from '../text/tokens.js';
import {
  checkAnswerLeniently,
  findJsonCandidates,
  invalidAnswerFailure,
  readAnswer,
  withoutThoughts,
} from './answer.js';
import { CallError, withOneRetry, withTimeLimit } from './call.js';
import { answerFormat, boundedList, toolParameters, toZodType } from './format.js';
import type { LevelFor } from './levels.js';
import type {
  AnswerFailure,
  AnswerIssue,
  KeptReply,
  ModelTool,
  Prompt,
  Question,
  ToolAnswer,
  ToolCall,
  ToolModel,
  ToolTurn,
} from './model.js';
import type { ChatMessageBody, ChatReply, ChatRequest, OllamaServer } from './ollama.js';

type Turn = Pick<ChatRequest, 'messages' | 'format' | 'tools' | 'maxTokens'>;

/**
 * Maximum number of tokens of an answer if the question sets no limit. In a small window, it is a quarter of the window.
 */
const MAX_TOKENS = 2_048;
/** Maximum number of characters of an invalid answer that the second question shows to the model. */
const MOST_SHOWN = 4_000;

/** A chat model that is installed on an Ollama server. */
export class ServedChatModel implements ToolModel {
  private loaded = false;
  private readonly runner: ChatRequest['runner'];

  constructor(
    private readonly server: OllamaServer,
    readonly name: string,
    readonly digest: string,
    public window: number,
    readonly levelFor: LevelFor,
    private readonly hasTools: boolean,
  ) {
    this.runner = { num_ctx: window };
  }

  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Result<T, AnswerFailure>> {
    return this.within(signal, (limit) => this.answered(question, limit));
  }

  act<T>(turn: ToolTurn<T>, signal?: AbortSignal): Promise<Result<ToolAnswer<T>, AnswerFailure>> {
    return this.within(signal, async (limit) => {
      const called = this.hasTools ? await this.called(turn, limit) : undefined;
      if (called !== undefined) return ok(called);
      // The model can't call tools, or its calls can't be read. So ask for the calls as JSON.
      return this.answered(toolCallsQuestion(turn), limit);
    });
  }

  private async answered<T>(question: Question<T>, signal: AbortSignal): Promise<Result<T, AnswerFailure>> {
    const format = answerFormat(question.schema);
    const { system, user } = question.prompt;
    const messages = conversation({ system: format.toWireText(system), user });
    const read = ({ content, cut }: KeptReply) => readAnswer(content, question.schema, { cut, own: format.fromWire });
    const recover = ({ content }: KeptReply) => question.recover?.(format.fromWireText(content));
    const use = (value: T, { content, cut }: KeptReply) => {
      question.kept?.add(question, { content, cut });
      return ok(value);
    };
    const kept = question.kept?.find(question);
    if (kept !== undefined) {
      const again = await read(kept);
      const value = again.ok ? again.value : recover(kept);
      if (value !== undefined) return ok(value);
    }
    const maxTokens = question.maxTokens ?? this.usualTokens;
    const reply = await this.turn({ messages, format: format.schema, maxTokens }, signal, 0);
    const first = await read(reply);
    if (first.ok) return use(first.value, reply);
    if (reply.cut) {
      // A second answer would be as long, and would be cut, too.
      const value = recover(reply);
      return value === undefined
        ? err(invalidAnswerFailure(this.name, first.problems, reply.content))
        : use(value, reply);
    }
    const again = [...messages, ...repairOf(reply.content, first.problems)];
    let second: ChatReply | undefined;
    let { problems } = first;
    try {
      second = await this.turn({ messages: again, format: format.schema, maxTokens }, signal, 1);
      const repaired = await read(second);
      if (repaired.ok) return use(repaired.value, second);
      problems = repaired.problems;
    } catch (error) {
      if (!(error instanceof CallError) || error.problem === 'interrupted') throw error;
      problems = [...problems, `asked again: ${error.message}`];
    }
    const raw = second?.content || reply.content;
    for (const each of [second, reply].filter((one) => one !== undefined)) {
      const value = recover(each);
      if (value !== undefined) return use(value, each);
    }
    return err(invalidAnswerFailure(this.name, problems, raw));
  }

  /** The tool calls of a model. `undefined` if they can't be used, so that the model is asked for JSON instead. */
  private async called<T>(turn: ToolTurn<T>, signal: AbortSignal): Promise<ToolAnswer<T> | undefined> {
    const messages = conversation(turn.prompt);
    const maxTokens = turn.maxTokens ?? this.usualTokens;
    try {
      const reply = await this.turn({ messages, tools: toolList(turn.tools), maxTokens }, signal, 0);
      return reply.cut ? undefined : readToolCalls(reply, turn.tools);
    } catch (error) {
      if (error instanceof CallError && error.problem === 'tool_call') return undefined;
      throw error;
    }
  }

  private async turn(turn: Turn, signal: AbortSignal, seed: number): Promise<ChatReply> {
    const { retryAfterMs } = this.server.deadlines;
    await withOneRetry(() => this.load(signal), retryAfterMs, signal);
    checkFits(turn.messages, turn.maxTokens, this.window, this.name);
    const { name: model, runner } = this;
    const chat = () => this.server.chat({ model, runner, seed, ...turn }, signal);
    const reply = await withOneRetry(chat, retryAfterMs, signal);
    if (wasCut(reply.promptTokens, turn.messages, this.window)) {
      const message = `Ollama shortened the prompt for ${model}, which it must not do`;
      throw new CallError('too_long', message, 'update Ollama, or set "numCtx" higher');
    }
    return reply;
  }

  /** Loads the model with the window that we want, and reads the window that it really got: a server may give less. */
  private async load(signal: AbortSignal): Promise<void> {
    if (this.loaded) return;
    await this.server.load(this.name, this.runner, signal);
    const granted = await this.server.loadedWindow(this.name, signal);
    if (granted.ok && granted.value !== undefined) this.window = Math.min(this.window, granted.value);
    this.loaded = true;
  }

  private get usualTokens(): number {
    return Math.min(MAX_TOKENS, this.window >> 2);
  }

  private async within<T>(
    signal: AbortSignal | undefined,
    work: (limit: AbortSignal) => Promise<Result<T, AnswerFailure>>,
  ): Promise<Result<T, AnswerFailure>> {
    const done = await withTimeLimit(this.server.deadlines.totalMs, signal, work);
    return done.ok ? done.value : err(done.error.failure);
  }
}

function conversation({ system, user }: Prompt): readonly ChatMessageBody[] {
  const said: ChatMessageBody = { role: 'user', content: user };
  return system === '' ? [said] : [{ role: 'system', content: system }, said];
}

/** The second question after an invalid answer: shows the answer and what is wrong with it. */
function repairOf(content: string, problems: readonly string[]): readonly ChatMessageBody[] {
  const wrong = problems.map((problem) => `- ${problem}`).join('\n');
  const ask = `Your answer can't be used:\n${wrong}\nAnswer again with the whole JSON object and nothing else.`;
  return [
    { role: 'assistant', content: content.trim().slice(0, MOST_SHOWN) || '(nothing)' },
    { role: 'user', content: ask },
  ];
}

/** Number of tokens that the chat template adds to each message. */
const PER_MESSAGE = 8;

/** Estimated tokens of a conversation. Pure. */
function promptTokens(messages: readonly ChatMessageBody[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content) + PER_MESSAGE, 0);
}

/**
 * Checks the size of a prompt before the model spends minutes on reading it.
 * @throws CallError `too_long` if prompt and answer together do not fit into the window
 */
function checkFits(messages: readonly ChatMessageBody[], maxTokens: number, window: number, model: string): void {
  const needed = promptTokens(messages);
  if (needed + maxTokens <= window) return;
  const message = `the prompt (about ${needed} tokens) and the answer (${maxTokens}) do not fit into the context window of ${model} (${window})`;
  throw new CallError('too_long', message, 'set "numCtx" higher, or use a shorter text');
}

/**
 * If the server counted half a window of tokens, give or take this number, it probably cut the prompt to half of the window.
 */
const NEAR_HALF = 8;

/**
 * Whether a server seems to have truncated the prompt although we told it not to. There are two signs. The server counted
 * as many tokens as the window has, or more. Or it counted half a window, although the prompt needs more. Pure.
 */
function wasCut(counted: number | undefined, messages: readonly ChatMessageBody[], window: number): boolean {
  if (counted === undefined) return false;
  const isHalf = Math.abs(counted - window / 2) <= NEAR_HALF && promptTokens(messages) > window * 0.6;
  return counted >= window || isHalf;
}

/** Formats tools as the server expects them. */
function toolList(tools: readonly ModelTool<unknown>[]): readonly UnknownFields[] {
  return tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: toolParameters(schema) },
  }));
}

/**
 * Reads the tool calls of an answer, also those that are written as text. A call of an unknown tool or with wrong arguments
 * is refused, and the other calls are kept. Returns `undefined` if all calls are refused.
 */
export function readToolCalls<T>(
  { calls: called, content }: Pick<ChatReply, 'calls' | 'content'>,
  tools: readonly ModelTool<T>[],
): ToolAnswer<T> | undefined {
  const inText = called.length > 0 ? [] : callsInText(content, tools);
  const calls: ToolCall<T>[] = [];
  const refused: string[] = [];
  for (const { name, arguments: given } of [...called, ...inText]) {
    const tool = tools.find((one) => one.name === name);
    const checked = tool === undefined ? undefined : checkAnswerLeniently(tool.schema, asObject(given), 'drop');
    if (checked === undefined) refused.push(`there is no tool ${JSON.stringify(name)}`);
    else if (!checked.success) refused.push(`${name}: ${problemOf(checked.error.issues)}`);
    else {
      // Some models repeat each call. Keep one of them.
      const call = { tool: name, arguments: checked.data };
      if (!calls.some((other) => JSON.stringify(other) === JSON.stringify(call))) calls.push(call);
    }
  }
  if (calls.length === 0 && refused.length > 0) return undefined;
  const text = inText.length > 0 ? '' : withoutThoughts(content).trim();
  return { calls, text, ...(refused.length > 0 && { refused }) };
}

function problemOf([issue]: readonly AnswerIssue[]): string {
  return issue === undefined ? 'its arguments are wrong' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}

/** Maximum number of tool calls in one JSON answer. */
const MOST_CALLS = 8;

/** Turns a prompt with tools into a question with a JSON answer, for a model that can't call tools. */
export function toolCallsQuestion<T>({ prompt, tools, maxTokens }: ToolTurn<T>): Question<ToolAnswer<T>> {
  const branches = tools.map(({ name, schema }) =>
    z.strictObject({ tool: z.literal(name), arguments: toZodType(schema) }),
  );
  const call = branches.length === 1 ? branches[0] : z.union(branches);
  if (call === undefined) throw new Error('a turn with tools has some');
  const offered = tools.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  const form = 'a list "calls". Each call has the name of a "tool" and its "arguments". {"calls": []} calls none.';
  const ask = `Tools:\n${offered}\n\nAnswer with one JSON object: ${form}`;
  return {
    name: 'tool_calls',
    prompt: { system: [prompt.system, ask].filter((part) => part !== '').join('\n\n'), user: prompt.user },
    schema: z.strictObject({ calls: boundedList(call, MOST_CALLS) }).transform(({ calls }) => ({ calls, text: '' })),
    recover: (text) => {
      const calls = listedCalls(text);
      return calls === undefined ? undefined : readToolCalls({ calls, content: '' }, tools);
    },
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** Maximum number of characters of an invalid call that a message shows. */
const MOST_SHOWN_OF_CALL = 60;

/** Reads the calls of a {@link toolCallsQuestion} answer, without checking them. */
function listedCalls(text: string): ChatReply['calls'] | undefined {
  for (const candidate of findJsonCandidates(text)) {
    const list = parseRecord(candidate)?.calls;
    if (Array.isArray(list))
      return list.map((call: unknown) =>
        isRecord(call)
          ? { name: String(call.tool), arguments: call.arguments }
          : { name: String(JSON.stringify(call)).slice(0, MOST_SHOWN_OF_CALL), arguments: undefined },
      );
  }
  return undefined;
}

function callsInText(content: string, tools: readonly ModelTool<unknown>[]): ChatReply['calls'] {
  const tagged = [...content.matchAll(TAGGED)].map(([, inner = '']) => inner);
  for (const candidate of tagged.length > 0 ? [`[${tagged.join()}]`] : findJsonCandidates(content)) {
    const value = parseJson(candidate);
    const entries = Array.isArray(value) ? value : [value];
    const calls = entries.flatMap((entry) => callOf(entry, tools) ?? []);
    if (calls.length > 0 && calls.length === entries.length) return calls;
  }
  return [];
}

// Tool calls as text, as several model families write them.
const TAGGED = /<tool_call>([^<]*(?:<(?!\/tool_call>)[^<]*)*)<\/tool_call>/gu;

function callOf(value: unknown, tools: readonly ModelTool<unknown>[]): ChatReply['calls'][number] | undefined {
  if (!isRecord(value)) return undefined;
  const inner = isRecord(value.function) ? value.function : value;
  const name = inner.name ?? inner.tool;
  const given = inner.arguments ?? inner.parameters;
  const known = typeof name === 'string' && tools.some((tool) => tool.name === name);
  return known && given !== undefined ? { name, arguments: given } : undefined;
}

/** Arguments should be an object; some models send them as JSON text. */
function asObject(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? value) : value;
}
