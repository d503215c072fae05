import { hash } from 'node:crypto';
import { isNestedTooDeep, isRecord, parseJson, parseRecord, type UnknownFields } from '../../base/json.js';
import { HOST_RESET_ADDRESS, HOST_SUMMARY_ADDRESS } from '../log/harness.js';
import { type MessageDraft, type MessagePart, messageText, readDraft } from '../message.js';

/** A record of a transcript, with its parent in the tree of the conversation. */
export type TranscriptEntry = NonNullable<ReturnType<typeof readEntry>>;

export type NestedCall = NonNullable<ReturnType<typeof nestedCall>>;

export type Transcript = ReturnType<typeof readTranscript>;

/**
 * Reads a transcript in JSON lines: records of OpenClaw (`{"type":"message","id","parentId","message"}`), of Claude
 * Code (`{"type":"user","uuid","parentUuid","message"}`), of Codex (`{"type":"response_item","payload"}`), or plain
 * messages (`{"role","content"}`). Unknown records are skipped.
 */
export function readTranscript(lines: readonly string[]) {
  const entries: TranscriptEntry[] = [];
  const seen = new Map<string, number>();
  const queued = new Set<TranscriptEntry>();
  /** The session id in the transcript. */
  let session: string | null = null;
  /** True if the records name their parents, so that they form a tree. */
  let isTree = false;
  /**
   * Number of unreadable lines, and number of characters in these lines. An incomplete last line is normal and does not
   * count.
   */
  let unreadable = 0;
  let unreadableCharacters = 0;
  const rollout = new CodexRolloutReader();
  for (const [index, line] of lines.entries()) {
    const parsed = parseRecord(line);
    if (parsed === undefined) {
      if (index === lines.length - 1 && !isNestedTooDeep(line)) continue;
      unreadable++;
      unreadableCharacters += line.length;
      continue;
    }
    const record = rollout.read(parsed);
    if (record.type === 'session' && typeof record.id === 'string') session ??= record.id;
    if (typeof record.sessionId === 'string') session ??= record.sessionId;
    const entry = readEntry(record, () => ownId(line, seen));
    if (entry === undefined) continue;
    isTree ||= entry.parent !== null;
    entries.push(entry);
    if (record.type === 'queue-operation') queued.add(entry);
  }
  return { session, entries: withoutRepeated(entries, queued), isTree, unreadable, unreadableCharacters };
}

/** Drops a message from the host's queue if the transcript also has it as a normal message. */
function withoutRepeated(
  entries: readonly TranscriptEntry[],
  queued: ReadonlySet<TranscriptEntry>,
): readonly TranscriptEntry[] {
  if (queued.size === 0) return entries;
  const told = new Set(entries.flatMap((entry) => (queued.has(entry) ? [] : userText(entry))));
  return entries.filter((entry) => !queued.has(entry) || userText(entry).every((text) => !told.has(text)));
}

function userText({ draft }: TranscriptEntry): readonly string[] {
  return draft?.role === 'user' ? [messageText(draft).trim()] : [];
}

/** Makes an id for a record without an id, from the text of its line and the number of equal lines before it. */
function ownId(line: string, seen: Map<string, number>): string {
  const occurrence = seen.get(line) ?? 0;
  seen.set(line, occurrence + 1);
  return `x-${hash('sha256', `${occurrence} ${line}`).slice(0, 24)}`;
}

function readEntry(record: UnknownFields, unnamed: () => string) {
  const id = text(record.uuid) ?? text(record.id);
  const parent = text(record.parentUuid) ?? text(record.parentId) ?? text(record.logicalParentUuid) ?? null;
  const message = isRecord(record.message) ? record.message : record;
  const draft = hostDraft(record) ?? (isHidden(record) ? undefined : readDraft(withoutThinking(message)));
  if (id === undefined && draft === undefined) return undefined;
  const own = id ?? unnamed();
  const timestamp = draft?.timestamp ?? text(record.timestamp) ?? null;
  const said: MessageDraft | null =
    draft === undefined ? null : { ...draft, timestamp, source_id: own, ...placeOf(record, draft) };
  const provenance = isRecord(message.provenance) ? message.provenance : {};
  return {
    id: own,
    /** True if the host gave the id. If not, we made the id, and no other record can name it as its parent. */
    isNamed: id !== undefined,
    /** Id of the parent; null if the record names none. Such a record follows the record before it. */
    parent,
    /** True if a subagent wrote the record, not the main agent. */
    isAside: record.isSidechain === true,
    /** The message of the record; null if it has none. A record without a message may still be the parent of answers. */
    draft: said,
    /** Id of the message that this record is a part of: some hosts write one record for each part. */
    message: isRecord(record.message) ? text(record.message.id) : undefined,
    /** True if a machine wrote the record: a heartbeat, a cron job, or the host in the agent's name. */
    isMachine:
      message.model === '<synthetic>' ||
      /heartbeat|cron/i.test(`${text(provenance.sourceTool)} ${text(provenance.kind)}`),
    /** True if the record repeats an answer that another record has. */
    isCopy: message.api === 'cli' || message.model === 'delivery-mirror',
    /** The tool call in this record, if another tool made the call. */
    nested: nestedCall(message),
  };
}

/** The folder in which the agent works. Only messages with tool calls get it. */
function placeOf({ cwd }: UnknownFields, { parts }: MessageDraft): Pick<MessageDraft, 'cwd'> {
  return typeof cwd === 'string' && parts.some(({ type }) => type === 'tool_call') ? { cwd } : {};
}

function isHidden({ isSidechain, isMeta, type }: UnknownFields): boolean {
  return isSidechain === true || isMeta === true || type === 'custom_message';
}

/** A draft for a record of the host: a compaction, a reset, or a queued message. */
function hostDraft(record: UnknownFields): MessageDraft | undefined {
  const note = (uri: string, abstract: string): MessageDraft => ({
    role: 'system',
    parts: [{ type: 'context', uri, abstract }],
    timestamp: null,
  });
  if (record.type === 'reset') return note(HOST_RESET_ADDRESS, 'The host began a new conversation here.');
  if (record.type === 'compaction' && typeof record.summary === 'string')
    return note(HOST_SUMMARY_ADDRESS, record.summary);
  if (record.isCompactSummary === true && isRecord(record.message)) {
    const draft = readDraft(record.message);
    const said = draft?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    return said === undefined ? undefined : note(HOST_SUMMARY_ADDRESS, said);
  }
  const { attachment } = record;
  if (record.isSidechain !== true && isRecord(attachment) && attachment.type === 'queued_command') {
    return readDraft({ role: 'user', content: attachment.prompt });
  }
  // A message that leaves the queue was delivered in the middle of a turn. The transcript may have it nowhere else.
  if (record.type === 'queue-operation' && record.operation === 'remove' && text(record.content) !== undefined) {
    return readDraft({ role: 'user', content: record.content });
  }
  return undefined;
}

function nestedCall({ customType, details }: UnknownFields) {
  if (customType !== 'openclaw.nested-tool.v1' || !isRecord(details)) return undefined;
  const { parentToolCallId, toolCallId, toolName, input, result, isError } = details;
  if (typeof parentToolCallId !== 'string' || typeof toolName !== 'string') return undefined;
  const id = text(toolCallId) ?? parentToolCallId;
  return { parent: parentToolCallId, id, name: toolName, input, result, isError: isError === true };
}

/** Removes thinking parts, and converts a shell execution to tool output. */
function withoutThinking(message: UnknownFields): UnknownFields {
  const { content } = message;
  if (message.role === 'bashExecution') {
    return { role: 'tool', content: `$ ${String(message.command ?? '')}\n${String(message.output ?? '')}` };
  }
  if (!Array.isArray(content)) return message;
  const kept = content.filter((part) => !isRecord(part) || !/thinking$/.test(String(part.type)));
  return { ...message, content: kept };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Adds the name of the tool to results that have no name. The name comes from the call with the same id. Pure. */
export function withToolNames(drafts: readonly MessageDraft[]): readonly MessageDraft[] {
  const names = new Map<string, string>();
  for (const { parts } of drafts) {
    for (const part of parts) if (part.type === 'tool_call') names.set(part.id, part.name);
  }
  const named = (part: MessagePart): MessagePart =>
    part.type === 'tool_result' && part.name === '' ? { ...part, name: names.get(part.id) ?? '' } : part;
  return drafts.map((draft) => ({ ...draft, parts: draft.parts.map(named) }));
}

/**
 * Converts the records of a rollout, the transcript of Codex, to the form of other hosts. In a rollout, messages, calls and
 * outputs are in the field `payload`. The session and the folder have records of their own. In "code mode" the agent writes
 * a script that calls the tools. The converted records have the calls in place of the script, and the output of the script
 * as their results.
 */
class CodexRolloutReader {
  #cwd: string | undefined;
  #isAside = false;
  /** Number of calls that each script made, by the id of the script. */
  readonly #scripts = new Map<string, number>();

  /** The record in the form of other hosts; unchanged if it is not from Codex. */
  read(record: UnknownFields): UnknownFields {
    const { type, payload, timestamp } = record;
    // The first version of Codex wrote records without `payload`.
    if (!isRecord(payload)) return typeof record.call_id === 'string' ? (this.#message(record) ?? record) : record;
    if (type === 'session_meta' || type === 'turn_context') return this.#surroundings(payload);
    if (type === 'compacted') return { type: 'compaction', summary: payload.message, timestamp };
    if (type !== 'response_item') return record;
    const message = this.#message(payload);
    return message === undefined ? {} : { message, timestamp, cwd: this.#cwd, isSidechain: this.#isAside };
  }

  #surroundings({ id, cwd, source, thread_source }: UnknownFields): UnknownFields {
    if (typeof cwd === 'string') this.#cwd = cwd;
    this.#isAside ||= thread_source === 'subagent' || (isRecord(source) && 'subagent' in source);
    return typeof id === 'string' ? { type: 'session', id } : {};
  }

  #message(payload: UnknownFields): UnknownFields | undefined {
    const { type, role, content, call_id: id, name } = payload;
    if (type === 'message') return role === 'developer' ? undefined : { role, content };
    if (typeof id !== 'string') return undefined;
    if (typeof type === 'string' && type.endsWith('_output')) return this.#result(id, payload.output);
    const given = payload.arguments ?? payload.input ?? payload.action;
    const input = typeof given === 'string' ? (parseJson(given) ?? given) : given;
    const calls = typeof input === 'string' && name === 'exec' ? callsIn(input) : [];
    if (calls.length > 0) this.#scripts.set(id, calls.length);
    const made = calls.length > 0 ? calls : [{ name: name ?? type, input }];
    return { role: 'assistant', content: made.map((call, at) => ({ type: 'tool_call', id: idOf(id, at), ...call })) };
  }

  /**
   * The output of a script becomes the result of its last call. But if the script printed one result for each call, each
   * call gets its own.
   */
  #result(id: string, output: unknown): UnknownFields {
    const count = this.#scripts.get(id);
    const given = isRecord(output) ? output.content : output;
    const texts = Array.isArray(given) ? given.map((item) => (isRecord(item) ? String(item.text ?? '') : '')) : [];
    const how = /^Script (?:(completed)|failed)\n/u.exec(texts[0] ?? '');
    if (count === undefined || how === null) return result(id, given);
    const printed = texts.slice(1);
    const each = printed.filter((text) => ENDED.test(text));
    const isEach = each.length === count;
    const outputs = isEach ? each : [...Array.from({ length: count - 1 }, () => ''), printed.join('\n')];
    const last = how[1] === undefined;
    const content = outputs.map((text, at) => result(idOf(id, at), text, last && at === count - 1));
    return { role: 'tool', content };
  }
}

/** Matches an output in which a shell tool reports that its command ended. */
const ENDED = /^(?:[^\n]{0,80}\n)?(?:Exit code: \d|\{"(?:chunk_id|exit_code)")/u;

function idOf(id: string, at: number): string {
  return at === 0 ? id : `${id}.${at}`;
}

function result(id: string, content: unknown, isError = false): UnknownFields {
  return { role: 'tool', type: 'tool_result', tool_call_id: id, content, is_error: isError };
}

const TEXT = String.raw`(?:String\.raw)?${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'}|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'`;
/** Matches a string literal in a script, and the name of the field before it, if there is one. */
const GIVEN = new RegExp(`(?:(["']?)(\\w+)\\1\\s*:\\s*)?(${TEXT})`, 'gu');
const ONLY = new RegExp(`^\\s*(?:(${TEXT})|([\\w$]+))\\s*\\)`, 'u');

/** The tool calls in a script. The string literals of a call are its input; a call without a literal is left out. Pure. */
function callsIn(script: string) {
  const starts = [...script.matchAll(/\btools\.(\w+)\(/gu)];
  return starts.flatMap(({ index, 0: start, 1: name = '' }, at) => {
    const input = givenTo(script, script.slice(index + start.length, starts[at + 1]?.index));
    return input === undefined ? [] : [{ name, input }];
  });
}

function givenTo(script: string, rest: string): unknown {
  const [only, text, variable] = ONLY.exec(rest) ?? [];
  if (text !== undefined) return asText(text);
  if (only !== undefined && variable !== undefined) {
    const value = new RegExp(`\\b${variable.replaceAll('$', '\\$')}\\s*=\\s*(${TEXT})`, 'u').exec(script)?.[1];
    return value === undefined ? undefined : asText(value);
  }
  const fields = [...rest.matchAll(GIVEN)].flatMap(([, , key, value = '']) =>
    key === undefined ? [] : [[key, asText(value)] as const],
  );
  // If two fields have the same name, keep the first field, because it belongs to the call.
  return fields.length === 0 ? undefined : Object.fromEntries(fields.toReversed());
}

/** The value of a string literal; `${…}` in a template stays as it is written. */
function asText(written: string): string {
  if (written.startsWith('S')) return written.slice('String.raw`'.length, -1);
  const inner = written.slice(1, -1);
  if (written.startsWith('`')) return inner.replace(/\\([`$\\])/gu, '$1');
  const json = written.startsWith('"') ? inner : inner.replace(/\\'/gu, "'").replace(/(?<!\\)"/gu, '\\"');
  const text = parseJson(`"${json}"`);
  return typeof text === 'string' ? text : inner;
}
