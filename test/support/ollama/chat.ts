import type { ServerResponse } from 'node:http';
import { Random } from '../random.js';
import type { FaultSwitches } from './faults.js';
import { type ChatMode, capabilitiesOf, type FakeModel } from './model.js';
import { type ChatMessage, countTokens, type Fitted, firstTokens, fitPrompt, halfWindow, tokensOf } from './prompt.js';
import { computedReply, type Reply, record, spoil, walkSchema } from './reply.js';
import { BUSY, keepAliveMs, runnerOptions, type Scheduler, type Slot } from './runner.js';
import type { Stage } from './stage.js';
import { brokeOff } from './stage.js';
import { metric, type ServerError, sendError, sendJson, timestamp } from './wire.js';

interface ChatRequest {
  readonly name: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly format: unknown;
  readonly options: Readonly<Record<string, unknown>>;
  readonly tools: readonly unknown[];
  readonly think: boolean | undefined;
  readonly truncate: boolean;
  readonly shift: boolean;
  readonly keepAlive: unknown;
}

/** `POST /api/chat`: checks in the server's order, waits for a slot of the model, generates token by token. */
export async function chat(
  body: Readonly<Record<string, unknown>>,
  stage: Stage,
  response: ServerResponse,
): Promise<void> {
  const request = readRequest(body);
  const model = stage.find(request.name);
  const refused = refusal(request, model, stage.faults);
  if (refused !== undefined || model === undefined) {
    return sendError(response, refused ?? { status: 404, message: `model '${request.name}' not found` });
  }
  const wanted = runnerOptions(model, request.options, request.shift);
  const slot = await stage.scheduler.acquire(model, wanted, keepAliveMs(request.keepAlive), stage.gone);
  if (slot === undefined) return sendError(response, BUSY);
  try {
    await answer(request, model, slot, stage, response);
  } finally {
    slot.release();
  }
}

async function answer(
  request: ChatRequest,
  model: FakeModel,
  slot: Slot,
  stage: Stage,
  response: ServerResponse,
): Promise<void> {
  if (stage.gone.aborted) return;
  if (request.messages.length === 0) return loadOnly(request, model, stage.scheduler, response);
  const fitted = promptFor(request, model.mode, slot, stage.faults);
  if ('status' in fitted) return sendError(response, fitted);
  const asked = { ...request, model, think: request.think ?? model.thinking, seed: seedOf(request.options) };
  const reply = spoil(stage.nextReply(request) ?? computedReply(asked), stage.faults);
  const generated = generate(reply, request, fitted, slot, stage.faults);
  if (request.stream) await streamed(generated, request, model, stage);
  else
    sendJson(response, 200, {
      ...head(model),
      message: message(generated),
      ...last(generated),
    });
}

function promptFor(request: ChatRequest, mode: ChatMode, slot: Slot, faults: FaultSwitches): Fitted | ServerError {
  const { contextLength } = slot.options;
  if (faults.strikes('silent-truncation')) return { messages: request.messages, tokens: halfWindow(contextLength) };
  return fitPrompt(request.messages, { mode, contextLength, truncate: request.truncate, shift: request.shift });
}

interface Generated {
  readonly pieces: readonly string[];
  readonly thinking: string;
  readonly calls: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly reason: 'stop' | 'length';
  readonly metrics: Readonly<Record<string, number>>;
}

function generate(reply: Reply, request: ChatRequest, fitted: Fitted, slot: Slot, faults: FaultSwitches): Generated {
  const content = reply.content ?? '';
  const limit = typeof request.options.num_predict === 'number' ? request.options.num_predict : -1;
  const room = slot.options.contextLength - fitted.tokens;
  const most = Math.min(limit < 0 ? Number.POSITIVE_INFINITY : limit, request.shift ? Number.POSITIVE_INFINITY : room);
  const needed = countTokens(content);
  const cut = faults.strikes('cut-by-length') ? Math.floor(needed / 2) : Math.min(needed, most);
  const calls = reply.calls?.map((call, index) => ({
    id: `call_${String(index).padStart(8, '0')}`,
    function: { index, name: call.name, arguments: call.arguments ?? {} },
  }));
  return {
    pieces: tokensOf(firstTokens(content, cut)),
    thinking: reply.thinking ?? '',
    calls,
    reason: cut < needed ? 'length' : 'stop',
    metrics: {
      ...metric('total_duration', 2_000_000),
      ...metric('load_duration', slot.loadMs * 1e6),
      ...(faults.strikes('no-prompt-count') ? {} : metric('prompt_eval_count', fitted.tokens)),
      ...metric('prompt_eval_duration', 500_000),
      ...metric('eval_count', cut),
      ...metric('eval_duration', cut * 1_000),
    },
  };
}

function message({ pieces, thinking, calls }: Generated): Readonly<Record<string, unknown>> {
  return {
    role: 'assistant',
    content: pieces.join(''),
    ...(thinking === '' ? {} : { thinking }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
}

function last({ reason, metrics }: Generated): Readonly<Record<string, unknown>> {
  return { done: true, done_reason: reason, ...metrics };
}

async function streamed(generated: Generated, { options }: ChatRequest, model: FakeModel, stage: Stage): Promise<void> {
  const { pieces, thinking, calls } = generated;
  const writer = stage.writer(seedOf(options));
  const say = (part: Readonly<Record<string, unknown>>, rest = {}) =>
    writer.line({ ...head(model), message: { role: 'assistant', content: '', ...part }, done: false, ...rest });
  if (await brokeOff(writer, stage, 0)) return;
  if (thinking !== '') await say({ thinking });
  const chunks = pieces.length > MOST_CHUNKS ? inChunks(pieces) : pieces;
  const middle = chunks.length >> 1;
  for (const [index, content] of chunks.entries()) {
    if (stage.gone.aborted) return;
    await say({ content });
    if (index === middle && (await brokeOff(writer, stage, 1))) return;
  }
  // A rendered call is a chunk of its own; native calls are in the last chunk.
  const lastCalls = model.mode === 'native' ? calls : undefined;
  if (calls !== undefined && lastCalls === undefined) await say({ tool_calls: calls });
  if (pieces.length === 0 && (await brokeOff(writer, stage, 1))) return;
  if (await brokeOff(writer, stage, 2)) return;
  await say(lastCalls === undefined ? {} : { tool_calls: lastCalls }, stage.lastLine(last(generated)));
  await writer.end();
}

/** A long answer has longer pieces, since each costs a turn of the event loop. */
const MOST_CHUNKS = 100;

function inChunks(pieces: readonly string[]): readonly string[] {
  const size = Math.ceil(pieces.length / MOST_CHUNKS);
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, at) =>
    pieces.slice(at * size, (at + 1) * size).join(''),
  );
}

function head({ name }: FakeModel): Readonly<Record<string, unknown>> {
  return { model: name, created_at: timestamp(new Date()) };
}

function loadOnly({ keepAlive }: ChatRequest, model: FakeModel, scheduler: Scheduler, response: ServerResponse): void {
  const unload = keepAliveMs(keepAlive) === 0;
  if (unload) scheduler.unload(model.name);
  const done = { done: true, done_reason: unload ? 'unload' : 'load' };
  sendJson(response, 200, { ...head(model), message: { role: 'assistant', content: '' }, ...done });
}

function refusal(request: ChatRequest, model: FakeModel | undefined, faults: FaultSwitches): ServerError | undefined {
  const { name, tools, think, options, format } = request;
  if (name === '') return { status: 400, message: 'model is required' };
  if (model === undefined || faults.strikes('model-vanishes'))
    return { status: 404, message: `model '${name}' not found` };
  const can = capabilitiesOf(model);
  if (!can.includes('completion')) return { status: 400, message: `"${name}" does not support chat` };
  if (tools.length > 0 && !can.includes('tools'))
    return { status: 400, message: `registry.ollama.ai/library/${model.name} does not support tools` };
  if (think === true && !can.includes('thinking'))
    return { status: 400, message: `"${name}" does not support thinking` };
  if (tools.length > 0 && faults.strikes('tool-parse-500'))
    return { status: 500, message: 'failed to parse JSON: unexpected end of JSON input' };
  for (const option of ['num_ctx', 'num_predict', 'seed', 'num_batch']) {
    if (option in options && !Number.isInteger(options[option]))
      return { status: 500, message: `option "${option}" must be of type integer` };
  }
  return badFormat(format);
}

function badFormat(format: unknown): ServerError | undefined {
  if (format === undefined || format === null || format === '' || format === 'json') return undefined;
  if (record(format) === undefined) {
    const said = JSON.stringify(JSON.stringify(format));
    return { status: 500, message: `invalid format: ${said}; expected "json" or a valid JSON Schema object` };
  }
  try {
    // Making a value shows whether the converter accepts the schema.
    walkSchema(format, { sorted: false, random: new Random(1) });
    return undefined;
  } catch (error) {
    const nested = { error: { code: 400, message: String(error), type: 'invalid_request_error' } };
    return { status: 400, message: JSON.stringify(nested) };
  }
}

function seedOf({ seed }: Readonly<Record<string, unknown>>): number {
  return typeof seed === 'number' ? seed : 0;
}

function readRequest(body: Readonly<Record<string, unknown>>): ChatRequest {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  return {
    name: typeof body.model === 'string' ? body.model : '',
    messages: messages.map((entry) => {
      const read = record(entry) ?? {};
      return { role: String(read.role).toLowerCase(), content: typeof read.content === 'string' ? read.content : '' };
    }),
    stream: body.stream !== false,
    format: body.format,
    options: record(body.options) ?? {},
    tools: Array.isArray(body.tools) ? body.tools : [],
    think: typeof body.think === 'boolean' ? body.think : undefined,
    truncate: body.truncate !== false,
    shift: body.shift !== false,
    keepAlive: body.keep_alive,
  };
}
