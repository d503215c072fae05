import { err, ok, type Result } from '../base/result.js';
import { estimateTokens } from '../text/tokens.js';
import { invalidAnswerFailure, readAnswer } from './answer.js';
import { CallError, withOneRetry, withTimeLimit } from './call.js';
import { answerFormat } from './format.js';
import type { AnswerFailure, Prompt, Question, ToolAnswer, ToolModel, ToolTurn } from './model.js';
import type { ChatMessageBody, ChatReply, ChatRequest, OllamaServer } from './ollama/ollama.js';
import { readToolCalls, toolCallsQuestion, toolList } from './tools.js';

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
    public window: number,
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
    const messages = conversation(question.prompt);
    const read = ({ content, cut }: ChatReply) => readAnswer(content, question.schema, { cut, own: format.fromWire });
    const maxTokens = question.maxTokens ?? this.usualTokens;
    const reply = await this.turn({ messages, format: format.schema, maxTokens }, signal, 0);
    const first = await read(reply);
    if (first.ok) return ok(first.value);
    const again = [...messages, ...repairOf(reply.content, first.problems)];
    let second: ChatReply | undefined;
    let { problems } = first;
    try {
      second = await this.turn({ messages: again, format: format.schema, maxTokens }, signal, 1);
      const repaired = await read(second);
      if (repaired.ok) return ok(repaired.value);
      problems = repaired.problems;
    } catch (error) {
      if (!(error instanceof CallError) || error.problem === 'interrupted') throw error;
      problems = [...problems, `asked again: ${error.message}`];
    }
    const raw = second?.content || reply.content;
    for (const { content } of [second, reply].filter((one) => one !== undefined)) {
      const value = question.recover?.(content);
      if (value !== undefined) return ok(value);
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
