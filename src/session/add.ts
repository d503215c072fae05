import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { addAll, groupBy } from '../base/order.js';
import { list, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import { redactSecrets } from '../text/redact.js';
import { stripInjected } from '../text/strip.js';
import { repairMeta } from './archive/archive-live.js';
import { appendLines } from './log/append.js';
import { ARCHIVE_FILES } from './log/meta.js';
import { linesFromEnd } from './log/read.js';
import {
  countMessageTokens,
  formatMessage,
  type MessageDraft,
  type MessagePart,
  PLUGIN_MESSAGE_PREFIX,
  parseMessage,
  type SessionMessage,
} from './message.js';
import type { AddRequest } from './requests.js';
import type { Session } from './session.js';
import { type SessionWorkspace, withLogLock } from './session.js';

/** The output of `session add --json`, which also says whether a commit is due. */
export const ADD_REPORT = {
  session: text(),
  added: list<AddedMessage>(),
  /** Number of messages that the session already had, found by idempotency key or by source id. */
  duplicates: number(),
  /** 0-based positions of messages in the request that had only injected blocks. Such messages are not added. */
  empty: list<number>(),
  /** The kind of each redacted secret: one entry for each secret. */
  redacted: list(),
  pending_tokens: number(),
  live_messages: number(),
} satisfies ReportFields;

export type AddReport = ReportOf<typeof ADD_REPORT>;

interface AddedMessage {
  readonly id: string;
  readonly role: MessageDraft['role'];
  readonly tokens: number;
}

/** Number of messages between two progress reports. */
const NOTED_EVERY = 200;
/** Maximum length of an idempotency key, in characters. */
const LONGEST_KEY = 200;

/**
 * Appends messages to the log of a session and returns once they are on disk. Creates the session if it does not exist. The
 * cost does not depend on the length of the log.
 * @throws MemoryError `usage` for a bad id or key, `busy`, `conflict`, and errors of the file system
 */
export async function addMessages(place: SessionWorkspace, id: string, request: AddRequest): Promise<AddReport> {
  const { idempotencyKey: key } = request;
  if (key === '' || (key?.length ?? 0) > LONGEST_KEY)
    fail('usage', `an idempotency key has 1 to ${LONGEST_KEY} characters`, 'use a random id, for example a UUID');
  return withLogLock(place, id, 'session add', (session) => {
    const meta = repairMeta(session);
    const known = meta.keys.find(([name]) => name === key)?.[1] ?? 0;
    const isOld = oldMessages(session, request);
    let duplicates = 0;
    const added: AddedMessage[] = [];
    const empty: number[] = [];
    const redacted: string[] = [];
    let lines = '';
    for (const [index, raw] of request.messages.entries()) {
      if (index % NOTED_EVERY === 0 && index > 0) place.onProgress?.(index, request.messages.length, 'messages');
      if (index < known || isOld(index)) {
        duplicates++;
        continue;
      }
      const { draft, secrets } = cleanDraft(raw);
      addAll(redacted, secrets);
      if (draft === undefined) {
        empty.push(index);
        continue;
      }
      const message = asMessage(draft, place.clock, key === undefined ? undefined : [key, index]);
      lines += formatMessage(message);
      added.push({ id: message.id, role: message.role, tokens: countMessageTokens(message) });
    }
    const next = added.length === 0 ? meta : session.save(appendLines(session, meta, lines, place.clock));
    const { pending_tokens, live_count: live_messages } = next;
    return { session: id, added, duplicates, empty, redacted, pending_tokens, live_messages };
  });
}

/**
 * Returns a function that takes the position of a message in `messages`. It tells whether the session already has this
 * message.
 */
function oldMessages(session: Session, request: AddRequest): (index: number) => boolean {
  const { messages, onlyNewSources = false, history = false } = request;
  if (!onlyNewSources && !history) return () => false;
  const { sources, others } = loggedMessages(session, messages);
  const fresh = messages.flatMap((draft, index) => (sources.has(draft.source_id) ? [] : [{ draft, index }]));
  const cleaned = others.length === 0 ? [] : fresh.map(({ draft }) => cleanDraft(draft).draft ?? draft);
  const twice = new Set([...toldTwice(others, cleaned)].map((place) => fresh[place]?.index));
  const isKnown = (index: number): boolean => twice.has(index) || sources.has(messages[index]?.source_id);
  if (!history) return isKnown;
  const last = messages.findLastIndex((_, index) => isKnown(index));
  return (index) => index <= last;
}

/** The source ids in the logs, and the logged messages that may be equal to a new message although their ids differ. */
function loggedMessages({ archives, paths }: Session, told: readonly MessageDraft[]) {
  const sources = new Set<string | undefined>();
  const others: SessionMessage[] = [];
  const ids = told.flatMap(({ source_id: source }) => source ?? []);
  // `isByAnotherRoad` only looks at whether an id of a new message comes from the plugin. So it is enough to try one id from
  // the plugin and one other id, not the ids of all new messages.
  const kinds = [
    ids.find((id) => id.startsWith(PLUGIN_MESSAGE_PREFIX)),
    ids.find((id) => !id.startsWith(PLUGIN_MESSAGE_PREFIX)),
  ];
  for (const log of [paths.log, ...archives.map(({ folder }) => join(folder, ARCHIVE_FILES.log))]) {
    for (const line of linesFromEnd(log)) {
      const source = sourceOf(line);
      if (source !== undefined) sources.add(source);
      if (kinds.some((kind) => isByAnotherRoad(source, kind))) {
        const message = parseMessage(line);
        if (message !== undefined) others.push(message);
      }
    }
  }
  return { sources, others };
}

/** Matches the source id at the end of a log line. Lines that we wrote have it there, so they need not be parsed. */
const SOURCE = /"source_id":"([^"\\]{1,200})"(?:,"idempotency_key":\[[^\]]{0,300}\])?\}\s*$/;

function sourceOf(line: string): string | undefined {
  const plain = SOURCE.exec(line.slice(-700))?.[1];
  return plain ?? (line.includes('"source_id"') ? parseMessage(line)?.source_id : undefined);
}

function asMessage(draft: MessageDraft, clock: Clock, key: SessionMessage['idempotency_key']): SessionMessage {
  const now = clock.now();
  // The time comes first, so that ids sort by age; the random part separates ids of one moment and of two processes.
  const id = `m-${now.getTime().toString(36).padStart(9, '0')}-${randomBytes(8).toString('hex')}`;
  const timestamp = draft.timestamp ?? now.toISOString();
  return { ...draft, id, timestamp, ...(key === undefined ? {} : { idempotency_key: key }) };
}

/**
 * Maximum time difference, in ms, between two copies of a message: one copy may have the time of its arrival, the other the
 * time at which its turn started or ended.
 */
const TOLERANCE_MS = 10 * 60_000;

/**
 * Positions in `told` of messages that `log` already has from another source. The sources differ if only one of the two
 * copies comes from the plugin, or if the logged copy has no id. Two messages match if their roles, words and order are
 * equal and their times are near. Each logged message matches only one new message. Pure.
 */
function toldTwice(log: readonly MessageDraft[], told: readonly MessageDraft[]): ReadonlySet<number> {
  const inOrder = log.toSorted((a, b) => timeOf(a) - timeOf(b));
  const places = groupBy(inOrder, wordsOf);
  const known = new Set<number>();
  for (const [index, message] of told.entries()) {
    const alike = places.get(wordsOf(message)) ?? [];
    const at = alike.findIndex((one) => isByAnotherRoad(one.source_id, message.source_id) && isNear(one, message));
    if (at < 0) continue;
    known.add(index);
    // Drop the matched message of the log and the equal ones before it: the next message of `told` can match only a later
    // one.
    alike.splice(0, at + 1);
  }
  return known;
}

/**
 * True if two messages with different ids may be copies of one message: only one of the ids is from the plugin, or the
 * logged message has no id. A new message without an id is never a copy.
 */
function isByAnotherRoad(logged: string | undefined, told: string | undefined): boolean {
  if (told === undefined) return false;
  return logged === undefined || logged.startsWith(PLUGIN_MESSAGE_PREFIX) !== told.startsWith(PLUGIN_MESSAGE_PREFIX);
}

function isNear(a: MessageDraft, b: MessageDraft): boolean {
  if (a.timestamp === null || b.timestamp === null) return true;
  return Math.abs(timeOf(a) - timeOf(b)) <= TOLERANCE_MS;
}

function timeOf({ timestamp }: MessageDraft): number {
  return timestamp === null ? 0 : Date.parse(timestamp);
}

function wordsOf({ role, parts }: MessageDraft): string {
  // Compare a call or a result only by its type and id, because two sources may write the rest in different ways. For the
  // same reason, ignore parts that are not text and have no id.
  const words = parts.flatMap((part) => {
    return part.type === 'text' ? [part.text.trim()] : 'id' in part ? [`${part.type} ${part.id}`] : [];
  });
  return JSON.stringify([role, ...words]);
}

/**
 * Cleans a message for storage, because stored text is later shown to models. Removes injected blocks, and redacts secrets
 * in texts, tool inputs and tool outputs of every role.
 * @returns `draft`: the cleaned message, undefined if it had only injected blocks. `secrets`: the kinds of the redacted
 * secrets
 */
function cleanDraft(draft: MessageDraft): { draft: MessageDraft | undefined; secrets: readonly string[] } {
  const secrets: string[] = [];
  const clean = (text: string): string => {
    const { text: redacted, found } = redactSecrets(stripInjected(text));
    for (const { kind } of found) secrets.push(kind);
    return redacted;
  };
  const parts = draft.parts
    .map((part) => cleanPart(part, clean))
    .filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return { draft: parts.length === 0 ? undefined : { ...draft, parts }, secrets };
}

function cleanPart(part: MessagePart, clean: (text: string) => string): MessagePart {
  switch (part.type) {
    case 'text':
      return { ...part, text: clean(part.text) };
    case 'tool_call':
      return { ...part, input: cleanValue(part.input, clean, 0) };
    case 'tool_result':
      return { ...part, output: clean(part.output) };
    case 'context':
      return { ...part, abstract: clean(part.abstract) };
    case 'other':
      return { ...part, value: cleanValue(part.value, clean, 0) };
  }
}

/** Maximum nesting; no real input is nested so deep. Deeper values are stored as one cleaned text. */
const DEEPEST = 40;

function cleanValue(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return clean(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleanValue(item, clean, depth + 1)]));
}
