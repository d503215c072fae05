import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { asRecord, asText, isRecord, parseJson, type UnknownFields } from '../base/json.js';
import { estimateTokens } from '../text/tokens.js';
import { dayOf, readInstant } from '../workspace/clock.js';

export const ROLE_NAMES = ['user', 'assistant', 'tool', 'system'] as const;
export type MessageRole = (typeof ROLE_NAMES)[number];

/** A tool call. Its `id` connects it to its result; `''` if the client gave no id. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly id: string;
  readonly name: string;
  readonly output: string;
  /** `completed`, `error`, or another status that the client gave. */
  readonly status: string;
}

export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | ToolCallPart
  | ToolResultPart
  /** Context that the client added to the message. Only its abstract is kept. */
  | { readonly type: 'context'; readonly uri: string; readonly abstract: string }
  /** An unsupported part (an image, for example), kept as received. */
  | { readonly type: 'other'; readonly value: unknown };

/** Beginning of the message ids that our plugin makes, because the host gives the plugin no ids. */
export const PLUGIN_MESSAGE_PREFIX = 'oc-';

/** A message before it is added to a log. */
export interface MessageDraft {
  readonly role: MessageRole;
  readonly parts: readonly MessagePart[];
  /** ISO 8601 instant, or null if unknown. */
  readonly timestamp: string | null;
  /** The client's id of the message. */
  readonly source_id?: string;
  /** The folder in which the agent works, if the host names it. */
  readonly cwd?: string;
}

/** A message of a session's log. Its id is unique in the session. */
export interface SessionMessage extends MessageDraft {
  readonly id: string;
  /** The idempotency key of the request that added the message, and the index of the message in that request. */
  readonly idempotency_key?: readonly [name: string, index: number];
}

/**
 * Returns a pair of name and value for each name in a list: `named('user human', x)` is `[['user', x], ['human', x]]`.
 * Clients use different names for the same thing.
 */
function named<T>(names: string, thing: T): readonly (readonly [string, T])[] {
  return names.split(' ').map((name) => [name, thing]);
}

const ROLES: ReadonlyMap<string, MessageRole> = new Map([
  ...named<MessageRole>('user human', 'user'),
  ...named<MessageRole>('assistant ai model', 'assistant'),
  ...named<MessageRole>('tool toolResult tool_result function', 'tool'),
  ...named<MessageRole>('system developer', 'system'),
]);

/**
 * Reads a message in the formats of clients: `content` as text or parts, or `parts`; tool calls and results as in
 * OpenAI, Anthropic, OpenClaw and OpenViking. Undefined for anything else.
 */
export function readDraft(value: unknown): MessageDraft | undefined {
  if (!isRecord(value) || typeof value.role !== 'string') return undefined;
  const role = ROLES.get(value.role);
  if (role === undefined) return undefined;
  const parts = [...[value.parts ?? value.content].flat().flatMap(readPart), ...readCalls(value.tool_calls)];
  const answered = firstText(value.tool_call_id, value.toolCallId, value.tool_use_id);
  const own = typeof value.id === 'string' && value.id !== '' ? { source_id: value.id } : {};
  const place = typeof value.cwd === 'string' && value.cwd !== '' ? { cwd: value.cwd } : {};
  const said = role === 'tool' && answered !== '' ? [asResult(value, answered, parts)] : parts;
  return { role, parts: said, timestamp: readTimestamp(value.timestamp), ...own, ...place };
}

/** Reads one line of a log; undefined without a valid message and id. */
export function parseMessage(line: string): SessionMessage | undefined {
  const value = parseJson(line);
  const draft = readDraft(value);
  if (draft?.source_id === undefined || !isRecord(value)) return undefined;
  const { source_id: id, ...rest } = draft;
  const source = typeof value.source_id === 'string' ? { source_id: value.source_id } : {};
  const key = readKey(value.idempotency_key);
  return { id, ...rest, ...source, ...(key === undefined ? {} : { idempotency_key: key }) };
}

/** The message as a line of a log, with its line feed. */
export function formatMessage({ id, role, parts, ...rest }: SessionMessage): string {
  const only = parts.length === 1 ? parts[0] : undefined;
  const line = { id, role, ...(only?.type === 'text' ? { content: only.text } : { parts }), ...rest };
  return `${JSON.stringify(line)}\n`;
}

/** Estimated tokens of a message; parts that are not text count as 0. */
export function countMessageTokens({ parts }: MessageDraft): number {
  return estimateTokens(parts.map(countedText).join(''));
}

function countedText(part: MessagePart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'context') return part.abstract;
  if (part.type === 'tool_call') return part.id + part.name + spacedJson(part.input);
  return part.type === 'tool_result' ? part.output : '';
}

/** JSON with a space after `,` and `:`. OpenViking counts the tokens of tool inputs in this form. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, undefined, 1)?.replace(/,?\n */gu, (found) => (found[0] === ',' ? ', ' : '')) ?? '';
}

/** The texts of a message, without its tool calls and results. */
export function messageText({ parts }: MessageDraft): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function readPart(value: unknown): readonly MessagePart[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!isRecord(value)) return value === null || value === undefined ? [] : [{ type: 'other', value }];
  const read = READERS.get(typeof value.type === 'string' ? value.type : kindOf(value));
  return read?.(value) ?? [{ type: 'other', value }];
}

/** The type of a part that has no `type` field. */
function kindOf({ tool_name, abstract }: UnknownFields): string {
  if (typeof tool_name === 'string') return 'tool';
  return typeof abstract === 'string' ? 'context' : 'text';
}

type PartReader = (value: UnknownFields) => readonly MessagePart[] | undefined;

const readText: PartReader = ({ text }) => (typeof text === 'string' ? [{ type: 'text', text }] : undefined);
const readCall: PartReader = (value) => [
  {
    type: 'tool_call',
    id: firstText(value.call_id, value.id, value.toolCallId, value.tool_id),
    name: firstText(value.name, value.tool_name, value.toolName),
    input: value.input ?? value.arguments ?? value.args ?? null,
  },
];
const readResult: PartReader = (value) => [
  {
    type: 'tool_result',
    id: firstText(value.tool_use_id, value.tool_call_id, value.toolCallId, value.call_id, value.id),
    name: firstText(value.name, value.tool_name, value.toolName),
    output: outputText(value.output ?? value.content ?? value.result),
    status: statusOf(value),
  },
];
// A part of type `tool` has a call and, once the tool has ended, also its output.
const readTool: PartReader = (value) => {
  const id = firstText(value.tool_id, value.id);
  const name = firstText(value.tool_name, value.name);
  const call: MessagePart = { type: 'tool_call', id, name, input: value.tool_input ?? value.input ?? null };
  const output = value.tool_output ?? value.output;
  if (output === undefined || output === null) return [call];
  return [call, { type: 'tool_result', id, name, output: outputText(output), status: statusOf(value) }];
};
const readContext: PartReader = ({ uri, abstract }) =>
  typeof abstract === 'string' ? [{ type: 'context', uri: firstText(uri), abstract }] : undefined;

const READERS: ReadonlyMap<string, PartReader> = new Map([
  ...named('text input_text output_text', readText),
  ...named('tool_call toolCall tool_use toolUse function_call', readCall),
  ...named('tool_result toolResult function_call_output', readResult),
  ['tool', readTool],
  ['context', readContext],
  ['other', ({ value }) => [{ type: 'other', value }]],
]);

/** Reads calls in the format of OpenAI, which has them in a field next to the content. */
function readCalls(calls: unknown): readonly MessagePart[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isRecord).map((call) => {
    const asked: UnknownFields = isRecord(call.function) ? call.function : call;
    const given = asked.arguments ?? asked.input ?? null;
    const input = typeof given === 'string' ? (parseJson(given) ?? given) : given;
    return { type: 'tool_call', id: firstText(call.id), name: firstText(asked.name), input };
  });
}

/**
 * Makes a tool result from a message that, as a whole, is the answer to a tool call. The texts of the message become the
 * output.
 */
function asResult(value: UnknownFields, id: string, parts: readonly MessagePart[]): MessagePart {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'tool_result') return only;
  const output = parts.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n');
  const name = firstText(value.name, value.toolName, value.tool_name);
  return { type: 'tool_result', id, name, output, status: statusOf(value) };
}

function statusOf(value: UnknownFields): string {
  if (value.is_error === true || value.isError === true) return 'error';
  return firstText(value.status, value.tool_status) || 'completed';
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (output === undefined || output === null) return '';
  if (!Array.isArray(output)) return JSON.stringify(output);
  return output.map((part) => asText(part) ?? asText(asRecord(part).text) ?? JSON.stringify(part)).join('\n');
}

function readTimestamp(value: unknown): string | null {
  if (typeof value === 'string') return Number.isNaN(Date.parse(value)) ? null : value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  // Values below 1e11 are seconds (until the year 5138). Larger values are milliseconds (since 1973).
  const at = new Date(value < 1e11 ? value * 1000 : value);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function readKey(value: unknown): SessionMessage['idempotency_key'] {
  if (!Array.isArray(value)) return undefined;
  const [name, index]: readonly unknown[] = value;
  return typeof name === 'string' && typeof index === 'number' ? [name, index] : undefined;
}

function firstText(...values: readonly unknown[]): string {
  return values.map(asText).find((value) => value !== undefined && value !== '') ?? '';
}

/**
 * Reads messages from a JSON list, `{"messages":[…]}`, or JSON lines.
 * @param role the role of messages that have no role
 * @throws MemoryError `usage` that names the first line or message that is not valid; then no message is returned
 */
export function readDrafts(text: string, role?: string): readonly MessageDraft[] {
  return readJsonRecords(text).map(({ record, place }) => {
    const draft = readDraft(role === undefined ? record : { role, ...record });
    return draft ?? fail('usage', `${place} has no valid role`, 'use user, assistant, tool or system');
  });
}

/** Reads JSON records without checking them. Each comes with a description of its place, for error messages. */
export function readJsonRecords(text: string) {
  const bare = text.replace(/^\uFEFF/u, '').trim();
  const whole = parseJson(bare);
  const list = isRecord(whole) ? whole.messages : whole;
  if (Array.isArray(list)) return list.map((value, index) => recordAt(value, `message ${index + 1}`));
  const lines = bare.split(/\r?\n/).entries();
  return [...lines].flatMap(([index, line]) =>
    line.trim() === '' ? [] : [recordAt(parseJson(line), `line ${index + 1}`)],
  );
}

function recordAt(record: unknown, place: string) {
  if (isRecord(record)) return { record, place };
  return fail('usage', `${place} is not a JSON object`, 'write one {"role","content"} per line, or a list of them');
}

/** Matches a message id that this program made. It contains the time at which the message was added, in ms in base 36. */
const OWN_ID = /^m-([0-9a-z]{9})-/u;

/**
 * The day of a message in the user's time zone. If the message has no time, returns the day on which the message was added
 * to the log. Does the same if the time is later than that moment.
 */
export function dayOfMessage({ id, timestamp }: Pick<SessionMessage, 'id' | 'timestamp'>, clock: Clock): Day {
  const added = Math.min(Number.parseInt(OWN_ID.exec(id)?.[1] ?? '', 36) || Number.POSITIVE_INFINITY, nowOf(clock));
  const said = timestamp === null ? undefined : readInstant(timestamp, clock.zone);
  return dayOf(new Date(Math.min(said ?? added, added)), clock.zone);
}

/** The day of a message that is not in a log yet, by the timestamp of its client; null without a timestamp. */
export function dayOfDraft(timestamp: string | null, clock: Clock): Day | null {
  const said = timestamp === null ? undefined : readInstant(timestamp, clock.zone);
  return said === undefined ? null : dayOf(new Date(Math.min(said, nowOf(clock))), clock.zone);
}

function nowOf(clock: Clock): number {
  return clock.now().getTime();
}

/** Appends to a line the day on which it was said. */
export function appendSaidDay(line: string, day: string): string {
  return `${line.trimEnd()} (said ${day})`;
}

/** The suffix that {@link appendSaidDay} appends. */
export const SAID_DAY_PATTERN = / \(said (\d{4}-\d\d-\d\d)\)$/u;

/** Renders a message for a person: all texts, calls and results, unshortened. */
export function renderMessage(message: Pick<SessionMessage, 'role' | 'parts'> & { id?: string | undefined }): string {
  const texts = message.parts.map((part) => renderPart(part, message.id ?? '')).filter((text) => text !== '');
  return texts.length === 0 ? `[${message.role}]: (empty)` : `[${message.role}]:\n${texts.join('\n\n')}`;
}

function renderPart(part: MessagePart, id: string): string {
  switch (part.type) {
    case 'text':
      return withoutBase64(part.text);
    case 'tool_call':
      return `[Tool call: ${part.name}]\nInput: ${withoutBase64(JSON.stringify(part.input, undefined, 2) ?? '')}`;
    case 'tool_result':
      return `[Tool${part.name === '' ? '' : `: ${part.name}`}] (${part.status})\nOutput:\n${withoutBase64(part.output)}`;
    case 'context':
      return `[Context: ${part.uri}] ${part.abstract}`;
    case 'other':
      return binaryPlaceholder(part.value, `message ${id}`) ?? withoutBase64(JSON.stringify(part.value));
  }
}

/**
 * A copy of a message to show. A part that is not text becomes a placeholder that says where the original is. Pure.
 * @param log the file with the original, relative to the workspace
 */
export function readableMessage(message: SessionMessage, log: string): SessionMessage {
  const place = `message ${message.id} in ${log}`;
  return { ...message, parts: message.parts.map((part) => readablePart(part, place)) };
}

function readablePart(part: MessagePart, place: string): MessagePart {
  switch (part.type) {
    case 'text':
      return { ...part, text: withoutBase64(part.text) };
    case 'tool_result':
      return { ...part, output: withoutBase64(part.output) };
    case 'tool_call': {
      const input = JSON.stringify(part.input) ?? '';
      const bare = withoutBase64(input);
      return bare === input ? part : { ...part, input: bare };
    }
    case 'context':
      return part;
    case 'other':
      return { type: 'text', text: binaryPlaceholder(part.value, place) ?? withoutBase64(JSON.stringify(part.value)) };
  }
}

/** Maximum nesting of a value that is shown; no real input is nested so deep. */
const DEEPEST = 40;

/** The text of a part without labels and JSON syntax. */
export function plainPartText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_call':
      return [part.name, valueText(part.input, 0)].filter((text) => text !== '').join('\n');
    case 'tool_result':
      return part.output;
    case 'context':
      return part.abstract;
    case 'other':
      return valueText(part.value, 0);
  }
}

/** A value as lines: texts as they are, fields as `name: value`. */
function valueText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined || depth > DEEPEST) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map((item) => valueText(item, depth + 1)).join('\n');
  return Object.entries(value)
    .map(([name, item]) => `${name}: ${valueText(item, depth + 1)}`)
    .join('\n');
}

/** Base64 data: `data:image/png;base64,…`, and runs of characters that are too long for a word. */
const DATA_URI = /data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*;base64,[A-Za-z0-9+/_=-]+/g;
const LONG_RUN = /[A-Za-z0-9+/_-]{600,}={0,2}/g;
const LEAST_RUN = 600;
/**
 * The first `SAMPLE` characters show whether a text is base64. They must have letters of both cases, digits, and at least
 * `DISTINCT` different characters.
 */
const SAMPLE = 400;
const DISTINCT = 24;

/**
 * The placeholder for a part that is not text: its kind, its size, and where the original is. Undefined if the part has no
 * binary data. Pure.
 * @param place where the original is, for example `message m-… of archive_001`
 */
export function binaryPlaceholder(value: unknown, place: string): string | undefined {
  if (!isRecord(value)) return undefined;
  const texts = textsIn(value, 0);
  const data = texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
  const type = typeof value.type === 'string' ? value.type : 'part';
  if (!/image|audio|video|file|document|media|blob/i.test(type) && !isBase64(data)) return undefined;
  const mime = texts.map(mimeOf).find((found) => found !== undefined) ?? type;
  return `[${mime}, ${sizeOf(data)}, left out; the original: ${place}]`;
}

/** The text, in which the size of the data replaces each run of base64. Pure, linear. */
export function withoutBase64(text: string): string {
  const bare = text.includes(';base64,')
    ? text.replace(DATA_URI, (found, mime: string | undefined) => `[${mime ?? 'data'}, ${sizeOf(found)}, left out]`)
    : text;
  if (bare.length < LEAST_RUN) return bare;
  return bare.replace(LONG_RUN, (run) => (isBase64(run) ? `[base64, ${sizeOf(run)}, left out]` : run));
}

function isBase64(run: string): boolean {
  const bare = run.replace(/^data:[^,]{0,100},/, '');
  if (bare.length < 200 || /[^A-Za-z0-9+/_=\s-]/.test(bare.slice(0, SAMPLE))) return false;
  const sample = bare.slice(0, SAMPLE);
  return new Set(sample).size >= DISTINCT && /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}

/** The size of base64 data as text: four characters hold three bytes. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1_024 ? `${bytes} bytes` : `${Math.round(bytes / 1_024)} KB`;
}

const DEEPEST_PART = 8;

/** The strings in a value, in order. */
function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEEPEST_PART) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

function mimeOf(text: string): string | undefined {
  const head = text.slice(0, 100);
  const inUri = /^data:([\w.+-]+\/[\w.+-]+)/.exec(head)?.[1];
  return inUri ?? /^(?:image|audio|video|application)\/[\w.+-]+$/.exec(head)?.[0];
}
