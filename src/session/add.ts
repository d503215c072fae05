import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { SecretKind } from '../text/redact.js';
import { settlePhase1 } from './archive/archive-live.js';
import { appendLines } from './log/append.js';
import { cleanDraft } from './log/clean.js';
import { ARCHIVE_FILES } from './log/paths.js';
import { linesFromEnd } from './log/read.js';
import { formatMessage, type MessageDraft, messageTokens, readMessage, type SessionMessage } from './message.js';
import { type SessionPlace, withLog } from './place.js';
import type { Session } from './session.js';

export interface AddRequest {
  readonly messages: readonly MessageDraft[];
  /** Adding again under the same key adds only what is not there yet. The last 200 keys are remembered. */
  readonly idempotencyKey?: string | undefined;
  /** Passes over messages whose `source_id` the session has already, live or archived. */
  readonly onlyNewSources?: boolean | undefined;
}

/** `session add --json`, which adds whether a commit is due. */
export interface AddReport {
  readonly session: string;
  readonly added: readonly AddedMessage[];
  /** Messages that were there already: by the key, or by their source. */
  readonly duplicates: number;
  /** Places, from 0, of messages of which nothing was left: they were nothing but injected context. */
  readonly empty: readonly number[];
  /** Kinds of secrets that were replaced, one for each. */
  readonly redacted: readonly SecretKind[];
  readonly pending_tokens: number;
  readonly live_messages: number;
}

export interface AddedMessage {
  readonly id: string;
  readonly role: MessageDraft['role'];
  readonly tokens: number;
}

/** An idempotency key is a name, not a text. */
const LONGEST_KEY = 200;

/**
 * Appends messages to the log of a session, which is made when there is none, and returns once they are on disk. What
 * it costs does not depend on how long the log is.
 * @throws MemoryError `usage` for a bad id or key, `busy`, `conflict`, and what the file system says.
 */
export async function addMessages(place: SessionPlace, id: string, request: AddRequest): Promise<AddReport> {
  const key = checkKey(request.idempotencyKey);
  return withLog(place, id, 'session add', (session) => {
    const meta = settlePhase1(session);
    const known = meta.keys.find(([name]) => name === key)?.[1] ?? 0;
    const sources = request.onlyNewSources ? knownSources(session) : NO_SOURCES;
    let duplicates = 0;
    const added: AddedMessage[] = [];
    const empty: number[] = [];
    const redacted: SecretKind[] = [];
    let lines = '';
    for (const [index, raw] of request.messages.entries()) {
      if (index < known || sources.has(raw.source_id)) {
        duplicates++;
        continue;
      }
      const { draft, secrets } = cleanDraft(raw);
      redacted.push(...secrets);
      if (draft === undefined) {
        empty.push(index);
        continue;
      }
      const message = asMessage(draft, place.clock, key === undefined ? undefined : [key, index]);
      lines += formatMessage(message);
      added.push({ id: message.id, role: message.role, tokens: messageTokens(message) });
    }
    const next = added.length === 0 ? meta : session.save(appendLines(session, meta, lines, place.clock));
    const { pending_tokens, live_count: live_messages } = next;
    return { session: id, added, duplicates, empty, redacted, pending_tokens, live_messages };
  });
}

const NO_SOURCES: ReadonlySet<string | undefined> = new Set();

function knownSources({ archives, paths }: Session): ReadonlySet<string | undefined> {
  const logs = [paths.log, ...archives.map(({ folder }) => join(folder, ARCHIVE_FILES.log))];
  return new Set(logs.flatMap((log) => [...linesFromEnd(log)].flatMap((line) => sourceOf(line) ?? [])));
}

/** A line that we wrote ends in its source: such a line need not be parsed. */
const SOURCE = /"source_id":"([^"\\]{1,200})"(?:,"idempotency_key":\[[^\]]{0,300}\])?\}\s*$/;

function sourceOf(line: string): string | undefined {
  const plain = SOURCE.exec(line.slice(-700))?.[1];
  return plain ?? (line.includes('"source_id"') ? readMessage(line)?.source_id : undefined);
}

function asMessage(draft: MessageDraft, clock: Clock, key: SessionMessage['idempotency_key']): SessionMessage {
  const now = clock.now();
  // Time first, so that ids sort as they came; the rest keeps those of one moment and of two processes apart.
  const id = `m-${now.getTime().toString(36).padStart(9, '0')}-${randomBytes(8).toString('hex')}`;
  const timestamp = draft.timestamp ?? now.toISOString();
  return { ...draft, id, timestamp, ...(key === undefined ? {} : { idempotency_key: key }) };
}

function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= LONGEST_KEY)) return key;
  return fail('usage', `an idempotency key has 1 to ${LONGEST_KEY} characters`, 'use a random id, for example a UUID');
}
