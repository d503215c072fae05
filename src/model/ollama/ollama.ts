import type { ChatResponse, Message, Ollama, Tool } from 'ollama';
import { asRecord, type Fields } from '../../base/json.js';
import { err, ok, type Result } from '../../base/result.js';
import { CallError } from '../call-error.js';
import { anySignal, type Deadlines, timeLimit } from '../deadlines.js';
import { refuseCloud, withTag } from './host.js';
import { knock, watchedFetch } from './http-call.js';
import type { Watch } from './watchdog.js';

/** How far a model has been fetched. */
export interface PullProgress {
  readonly status: string;
  /** Bytes of the layer that is being fetched. */
  readonly completed: number;
  readonly total: number;
}

/** What a server says of a model that is installed. */
export interface ModelInfo {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** The context window that it was trained for, in tokens. */
  readonly contextLength: number | undefined;
}

export interface ChatTurn {
  readonly model: string;
  readonly messages: readonly Message[];
  /** JSON schema of the answer. Never together with tools: the server drops them then. */
  readonly format?: object | undefined;
  readonly tools?: readonly Tool[] | undefined;
  /** Options of the model's process: another set would load it again. */
  readonly runner: Readonly<Record<string, number>>;
  readonly maxTokens: number;
  readonly seed: number;
}

export interface ChatReply {
  readonly content: string;
  /** Calls as the server read them; their arguments are not checked. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  /** The answer stops in its middle. */
  readonly cut: boolean;
  readonly promptTokens: number | undefined;
}

const KEEP_ALIVE = '15m';
/** A small model under a grammar may write blanks until its window is full. */
const MOST_BLANKS = 200;
const MOST_CONTENT = 4 * 2 ** 20;

/** An Ollama server, by its client library. Every call has its deadlines and ends with the signal. */
export class OllamaServer {
  private isThere = false;

  constructor(
    /** Its address, without a slash at the end. */
    readonly base: URL,
    readonly deadlines: Deadlines,
  ) {}

  version(signal?: AbortSignal): Promise<Result<string>> {
    return this.info(signal, async (client) => text((await client.version()).version) ?? 'unknown');
  }

  /** The models that are installed, with their tags. */
  installed(signal?: AbortSignal): Promise<Result<readonly string[]>> {
    return this.info(signal, async (client) =>
      list((await client.list()).models).flatMap((entry) => text(entry.name) ?? []),
    );
  }

  show(model: string, signal?: AbortSignal): Promise<Result<ModelInfo>> {
    return this.info(signal, async (client) => readInfo(model, await client.show({ model })), model);
  }

  /** The window that a loaded model really has, in tokens; undefined when it is not loaded or an old server does not say. */
  loadedWindow(model: string, signal?: AbortSignal): Promise<Result<number | undefined>> {
    return this.info(signal, async (client) => {
      const running: readonly Fields[] = list((await client.ps()).models);
      const found = running.find(({ name }) => name === withTag(model));
      return count(found?.context_length);
    });
  }

  /** Loads a model with its options, without asking it anything. */
  async load(model: string, runner: ChatTurn['runner'], signal: AbortSignal): Promise<void> {
    await this.chat({ model, messages: [], runner, maxTokens: 1, seed: 0 }, signal);
  }

  /** Does something with a model within the deadline for all of it. What is thrown on the way is a failure. */
  async tried<T>(work: (limit: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<Result<T>> {
    const limit = timeLimit(this.deadlines.totalMs, signal);
    try {
      return ok(await work(limit.signal));
    } catch (error) {
      return err(asCallError(error).failure);
    } finally {
      limit.clear();
    }
  }

  /** Fetches a model from Ollama's registry: the one call that goes over the net, only when a user asks for it. */
  async pull(model: string, onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<Result<void>> {
    const gone = new AbortController();
    const all = anySignal(gone.signal, signal);
    try {
      refuseCloud(model);
      const client = await this.client(model, true, { signal: all, firstMs: this.deadlines.idleMs });
      for await (const line of await client.pull({ model, stream: true })) {
        onProgress({
          status: String(line.status),
          completed: count(line.completed) ?? 0,
          total: count(line.total) ?? 0,
        });
      }
      return ok(undefined);
    } catch (error) {
      const { failure } = asCallError(error);
      return err(failure.type === 'interrupted' ? failure : notPulled(model, failure.message));
    } finally {
      gone.abort();
    }
  }

  /**
   * One answer of a chat model, complete.
   * @throws CallError
   */
  async chat(turn: ChatTurn, signal: AbortSignal): Promise<ChatReply> {
    refuseCloud(turn.model);
    const gone = new AbortController();
    try {
      const all = AbortSignal.any([signal, gone.signal]);
      const client = await this.client(turn.model, true, { signal: all, firstMs: this.deadlines.firstMs });
      return await collect(await client.chat(chatRequest(turn)));
    } catch (error) {
      throw asCallError(error);
    } finally {
      // The library has no end of its own for a stream that is left early.
      gone.abort();
    }
  }

  private async info<T>(
    signal: AbortSignal | undefined,
    ask: (client: Ollama) => Promise<T>,
    model?: string,
  ): Promise<Result<T>> {
    const limit = timeLimit(this.deadlines.infoMs, signal);
    try {
      return ok(await ask(await this.client(model, false, { signal: limit.signal, firstMs: this.deadlines.infoMs })));
    } catch (error) {
      return err(asCallError(error).failure);
    } finally {
      limit.clear();
    }
  }

  /** A client of its own for each call: its `fetch` is where the call's deadlines and signal are. */
  private async client(
    model: string | undefined,
    lines: boolean,
    limits: Pick<Watch, 'signal' | 'firstMs'>,
  ): Promise<Ollama> {
    const { connectMs, idleMs } = this.deadlines;
    const asked = model === undefined ? undefined : ({ model, setting: 'chatModel' } as const);
    const watch: Watch = { connectMs, idleMs, asked, ...limits };
    if (!this.isThere) await knock(this.base, watch);
    this.isThere = true;
    const { Ollama } = await import('ollama');
    return new Ollama({ host: this.base.href, fetch: watchedFetch(watch, lines) });
  }
}

function chatRequest({ model, messages, format, tools, runner, maxTokens, seed }: ChatTurn) {
  return {
    model,
    messages: [...messages],
    stream: true as const,
    // Unset means true for a model that can.
    think: false,
    // What does not fit is an error, never cut in silence. Their types do not know these two.
    truncate: false,
    shift: false,
    keep_alive: KEEP_ALIVE,
    options: { ...runner, temperature: 0, seed, num_predict: maxTokens },
    ...(format === undefined ? {} : { format }),
    ...(tools === undefined || format !== undefined ? {} : { tools: [...tools] }),
  };
}

async function collect(stream: AsyncIterable<ChatResponse>): Promise<ChatReply> {
  let content = '';
  const calls: { name: string; arguments: unknown }[] = [];
  for await (const { message, done, done_reason, prompt_eval_count } of stream) {
    content += text(message?.content) ?? '';
    for (const call of list(message?.tool_calls)) {
      const called = asRecord(call.function);
      calls.push({ name: text(called.name) ?? '', arguments: called.arguments ?? {} });
    }
    if (done === true) return { content, calls, cut: done_reason === 'length', promptTokens: count(prompt_eval_count) };
    if (content.length > MOST_CONTENT || endsInBlanks(content)) break;
  }
  return { content, calls, cut: true, promptTokens: undefined };
}

function endsInBlanks(content: string): boolean {
  return content.length > MOST_BLANKS && content.slice(-MOST_BLANKS).trim() === '';
}

function readInfo(name: string, shown: unknown): ModelInfo {
  const { capabilities, model_info } = asRecord(shown);
  const info = asRecord(model_info);
  const family = text(info['general.architecture']) ?? '';
  return {
    name,
    capabilities: Array.isArray(capabilities) ? capabilities.map(String) : [],
    contextLength: count(info[`${family}.context_length`]),
  };
}

/** What the library or Node threw, as what it means. */
function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  // A stream without its last line.
  const message = error instanceof Error ? error.message : String(error);
  return new CallError('broken_off', `the answer broke off: ${message}`, 'see the log of ollama serve', {
    cause: error,
  });
}

function notPulled(model: string, why: string) {
  const message = `${model} could not be fetched: ${why}`;
  return { type: 'model_unavailable' as const, message, hint: 'check its name and the connection to the net' };
}

// The library's types are promises that no server has made.
function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(asRecord) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
