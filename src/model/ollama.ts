import type { Failure } from '../base/failure.js';
import { err, fail, ok, type Result } from '../base/failure.js';
import { asRecord, asText, type UnknownFields } from '../base/json.js';
import {
  CallError,
  type Deadlines,
  embedInputFailure,
  embedTimeoutMs,
  failureOf,
  withOneRetry,
  withTimeLimit,
} from './call.js';
import type { EmbedServer } from './embed.js';
import type { CallLimits, NamedModel } from './http-call.js';
import { callForJson, callForLines } from './http-call.js';
import { endsInRepetition } from './unusable.js';

/** Progress of the download of a model. */
export interface PullProgress {
  readonly status: string;
  /** Number of bytes that were downloaded of the current part of the model. */
  readonly completed: number;
  readonly total: number;
}

/** The server's description of an installed model. */
export interface ModelInfo {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** Context window in tokens for which the model was trained. */
  readonly contextLength: number | undefined;
  /** True if the server says that the model has no chat template: it was not trained to answer. */
  readonly isBase: boolean;
}

export interface ChatMessageBody {
  readonly role: string;
  readonly content: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessageBody[];
  /** JSON schema of the answer. Never together with tools, because the server would drop them. */
  readonly format?: object | undefined;
  readonly tools?: readonly UnknownFields[] | undefined;
  /**
   * Options for the process that runs the model. They must be the same in every call: if they change, the server loads the
   * model again.
   */
  readonly runner: Readonly<Record<string, number>>;
  readonly maxTokens: number;
  readonly seed: number;
}

export interface ChatReply {
  readonly content: string;
  /** Tool calls as the server parsed them. Their arguments are not checked yet. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  /** Whether the answer was truncated. */
  readonly cut: boolean;
  readonly promptTokens: number | undefined;
}

const KEEP_ALIVE = '15m';
/**
 * After this number of blanks in a row, the answer is treated as truncated. A small model that is bound to a grammar may
 * write blanks until its window is full.
 */
const MOST_BLANKS = 200;
const MOST_CONTENT = 4 * 2 ** 20;
/** After this number of further characters, it is checked whether the answer repeats itself. */
const CHECKED_EVERY = 200;

/** An Ollama server. Every call has time limits, and ends when the caller's signal aborts. */
export class OllamaServer implements EmbedServer {
  constructor(
    /** Address of the server. */
    readonly base: URL,
    readonly deadlines: Deadlines,
  ) {}

  version(signal?: AbortSignal): Promise<Result<string>> {
    return this.info('version', signal, ({ version }) => asText(version) ?? 'unknown');
  }

  /** Names of installed models, with tags. */
  installed(signal?: AbortSignal): Promise<Result<readonly string[]>> {
    return this.info('tags', signal, ({ models }) => list(models).flatMap(({ name }) => asText(name) ?? []));
  }

  show(model: string, signal?: AbortSignal): Promise<Result<ModelInfo>> {
    return this.info('show', signal, (shown) => readInfo(model, shown), model);
  }

  /**
   * The window that a loaded model really has, in tokens. `undefined` if the model is not loaded, or if an old server does
   * not report it.
   */
  loadedWindow(model: string, signal?: AbortSignal): Promise<Result<number | undefined>> {
    return this.info('ps', signal, ({ models }) =>
      count(list(models).find(({ name }) => name === modelNameWithTag(model))?.context_length),
    );
  }

  /** Digest of a chat model; '' if the server tells none. */
  async chatDigest(model: string, signal?: AbortSignal): Promise<string> {
    const told = await this.info('tags', signal, (tags) => readDigest(tags, model));
    return told.ok ? told.value : '';
  }

  async digest(model: string, signal?: AbortSignal): Promise<Result<string>> {
    const answer = await this.embedding(model, 'tags', undefined, this.deadlines.infoMs, signal);
    if (!answer.ok) return err(answer.error.failure);
    const digest = readDigest(answer.value, model);
    if (digest !== '') return ok(digest);
    const message = `the model ${model} is not installed`;
    return err({ type: 'model_unavailable', message, hint: `install it: ollama pull ${model}` });
  }

  async embed(model: string, input: readonly string[], signal?: AbortSignal) {
    // `truncate: false`, because a text that the server silently truncates would be found only by its first part.
    const body = { model, input, truncate: false, keep_alive: KEEP_ALIVE };
    const answer = await this.embedding(model, 'embed', body, embedTimeoutMs(this.deadlines, input.length), signal);
    if (!answer.ok) return err(embedInputFailure(answer.error));
    const { embeddings } = answer.value;
    if (Array.isArray(embeddings)) return ok(embeddings);
    const message = `Ollama at ${this.base.host} sent no embeddings`;
    return err({ type: 'model_unavailable' as const, message, hint: 'see the log of ollama serve' });
  }

  /** Loads a model with its options, without a question. */
  async load(model: string, runner: ChatRequest['runner'], signal: AbortSignal): Promise<void> {
    await this.chat({ model, messages: [], runner, maxTokens: 1, seed: 0 }, signal);
  }

  /** Downloads a model from Ollama's registry. The only call that uses the internet, and only on a user's request. */
  async pull(
    model: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Result<void>> {
    try {
      refuseCloudModel(model);
      const watch = this.watch({ model, setting: 'chatModel' }, this.deadlines.idleMs, signal);
      const lines = callForLines(this.url('pull'), { name: model, stream: true }, watch);
      for await (const { status, completed, total } of lines) {
        onProgress({ status: String(status), completed: count(completed) ?? 0, total: count(total) ?? 0 });
        if (status === 'success') return ok(undefined);
      }
      throw brokenOff();
    } catch (error) {
      const failure = failureOf(error);
      return err(failure.type === 'interrupted' ? failure : notPulled(model, failure.message));
    }
  }

  /** Asks a chat model, and returns its complete answer. @throws CallError */
  async chat(turn: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    refuseCloudModel(turn.model);
    const watch = this.watch({ model: turn.model, setting: 'chatModel' }, this.deadlines.firstMs, signal);
    return collect(callForLines(this.url('chat'), chatRequest(turn), watch));
  }

  private async info<T>(
    path: string,
    signal: AbortSignal | undefined,
    read: (answer: UnknownFields) => T,
    model?: string,
  ): Promise<Result<T>> {
    const { infoMs } = this.deadlines;
    const asked = model === undefined ? undefined : ({ model, setting: 'chatModel' } as const);
    const got = await withTimeLimit(infoMs, signal, async (limit) =>
      read(await callForJson(this.url(path), asked && { model }, this.watch(asked, infoMs, limit))),
    );
    return got.ok ? got : err(got.error.failure);
  }

  private embedding(
    model: string,
    path: string,
    body: object | undefined,
    firstMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Result<UnknownFields, CallError>> {
    return withTimeLimit(this.deadlines.totalMs, signal, async (limit) => {
      refuseCloudModel(model);
      const watch = this.watch({ model, setting: 'embedModel' }, firstMs, limit);
      return withOneRetry(() => callForJson(this.url(path), body, watch), this.deadlines.retryAfterMs, limit);
    });
  }

  private url(path: string): URL {
    return new URL(`${this.base.pathname.replace(/\/$/, '')}/api/${path}`, this.base);
  }

  private watch(asked: NamedModel | undefined, firstMs: number, signal: AbortSignal): CallLimits {
    const { connectMs, idleMs } = this.deadlines;
    return { connectMs, firstMs, idleMs, signal, asked };
  }
}

function readDigest({ models }: UnknownFields, model: string): string {
  const full = modelNameWithTag(model);
  return asText(list(models).find((entry) => entry.name === full || entry.model === full)?.digest) ?? '';
}

function chatRequest({ model, messages, format, tools, runner, maxTokens, seed }: ChatRequest) {
  return {
    model,
    messages,
    stream: true,
    // Must be set: otherwise the server turns thinking on for models that support it.
    think: false,
    // If a prompt does not fit, the call must fail. Otherwise the server would cut it silently.
    truncate: false,
    shift: false,
    keep_alive: KEEP_ALIVE,
    options: { ...runner, temperature: 0, seed, num_predict: maxTokens },
    ...(format === undefined ? {} : { format }),
    ...(tools === undefined || format !== undefined ? {} : { tools }),
  };
}

/**
 * Joins the lines of an answer. An answer that is too long, or goes on with blanks or a repetition, counts as truncated.
 * @throws CallError `broken_off` if the last line is missing
 */
async function collect(lines: AsyncIterable<UnknownFields>): Promise<ChatReply> {
  let content = '';
  let checked = 0;
  const calls: { name: string; arguments: unknown }[] = [];
  for await (const { message, done, done_reason, prompt_eval_count } of lines) {
    const said = asRecord(message);
    content += asText(said.content) ?? '';
    for (const call of list(said.tool_calls)) {
      const called = asRecord(call.function);
      calls.push({ name: asText(called.name) ?? '', arguments: called.arguments ?? {} });
    }
    if (done === true) return { content, calls, cut: done_reason === 'length', promptTokens: count(prompt_eval_count) };
    const isBlank = content.length > MOST_BLANKS && content.slice(-MOST_BLANKS).trim() === '';
    const isChecked = content.length >= checked + CHECKED_EVERY;
    if (isChecked) checked = content.length;
    if (content.length > MOST_CONTENT || isBlank || (isChecked && endsInRepetition(content)))
      return { content, calls, cut: true, promptTokens: undefined };
  }
  throw brokenOff();
}

function brokenOff(): CallError {
  return new CallError('broken_off', 'the answer ended too early', 'see the log of ollama serve');
}

/** The template that the server gives to a model without one. */
const NO_TEMPLATE = '{{ .Prompt }}';

function readInfo(name: string, shown: unknown): ModelInfo {
  const { capabilities, model_info, template } = asRecord(shown);
  const info = asRecord(model_info);
  const family = asText(info['general.architecture']) ?? '';
  return {
    name,
    capabilities: Array.isArray(capabilities) ? capabilities.map(String) : [],
    contextLength: count(info[`${family}.context_length`]),
    isBase: asText(template)?.trim() === NO_TEMPLATE && info['tokenizer.chat_template'] === undefined,
  };
}

function notPulled(model: string, why: string): Failure {
  const message = `${model} could not be downloaded: ${why}`;
  return { type: 'model_unavailable', message, hint: 'check the name, and your internet connection' };
}

function list(value: unknown): readonly UnknownFields[] {
  return Array.isArray(value) ? value.map(asRecord) : [];
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

const DEFAULT_PORT = '11434';

/**
 * Address of the Ollama server. Reads the same forms as Ollama's own tools read in `OLLAMA_HOST`: `host`, `host:port`,
 * `:port`, `scheme://host[:port][/path]`, optionally with quotes and blanks. `0.0.0.0` and `[::]`, which mean "listen
 * everywhere", mean this machine.
 * @throws MemoryError `settings`
 */
export function serverUrl(host: string | undefined): URL {
  const given = (host ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim();
  const scheme = /^(https?):\/\//i.exec(given)?.[1]?.toLowerCase();
  const rest = scheme === undefined ? given : given.slice(scheme.length + 3);
  const withHost = /^(?::\d+)?(?:\/|$)/.test(rest) ? `127.0.0.1${rest}` : bracketed(rest);
  try {
    const url = new URL(`${scheme ?? 'http'}://${withHost}`);
    // Set Ollama's port only if neither a scheme nor a port is given. With a scheme, its own default port is meant.
    if (scheme === undefined && !/:\d+(?:\/|$)/.test(withHost.replace(/^\[.*?\]/, ''))) url.port = DEFAULT_PORT;
    if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
    if (url.hostname === '[::]') url.hostname = '[::1]';
    return url;
  } catch {
    return fail('settings', `"${given}" is not an address of an Ollama server`, 'for example 127.0.0.1:11434');
  }
}

/** Adds brackets to a bare IPv6 address, which has no port. */
function bracketed(host: string): string {
  return /^[0-9a-f]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
}

/** Whether the model with this name runs at ollama.com and not on this machine. */
export function isCloudModel(name: string): boolean {
  return /[:-]cloud$/u.test(name);
}

/**
 * Refuses a model that runs at ollama.com, because nothing may leave this machine.
 * @throws CallError `unfit` for such a model
 */
export function refuseCloudModel(name: string): void {
  const message = `${name} runs in a cloud, but memories must not leave this machine`;
  if (isCloudModel(name)) throw new CallError('unfit', message, 'choose a local model');
}

/** The name of a model with its tag, as the server lists it: `:latest` if it has none. */
export function modelNameWithTag(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`;
}
