import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { SecretKind } from '../text/redact.js';
import { settlePhase1 } from './archive/archive-live.js';
import { listArchives, readArchived } from './archive/archives.js';
import { appendLines } from './log/append.js';
import { cleanDraft } from './log/clean.js';
import { type SessionMeta, writeMeta } from './log/meta.js';
import type { SessionPaths } from './log/paths.js';
import { readLive } from './log/read.js';
import { formatMessage, type MessageDraft, messageTokens, type SessionMessage } from './message.js';
import { type SessionPlace, withLog } from './place.js';

export interface AddRequest {
  readonly messages: readonly MessageDraft[];
  /** Adding again under the same key adds only what is not there yet. The last 200 keys are remembered. */
  readonly idempotencyKey?: string | undefined;
  /** Passes over messages whose `sourceId` the session has already, live or archived. */
  readonly onlyNewSources?: boolean | undefined;
}

export interface AddReport {
  readonly session: string;
  readonly added: readonly AddedMessage[];
  /** Messages that were there already: by the key, or by their source. */
  readonly duplicates: number;
  /** Places, from 0, of messages of which nothing was left: they were nothing but injected context. */
  readonly empty: readonly number[];
  /** Kinds of secrets that were replaced, one for each. */
  readonly redacted: readonly SecretKind[];
  readonly meta: SessionMeta;
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
  return withLog(place, id, 'session add', (paths) => {
    const meta = settlePhase1(paths);
    const known = meta.keys.find(({ name }) => name === key)?.count ?? 0;
    const sources = request.onlyNewSources ? knownSources(paths) : NO_SOURCES;
    let duplicates = 0;
    const added: AddedMessage[] = [];
    const empty: number[] = [];
    const redacted: SecretKind[] = [];
    let lines = '';
    for (const [index, raw] of request.messages.entries()) {
      if (index < known || sources.has(raw.sourceId)) {
        duplicates++;
        continue;
      }
      const { draft, secrets } = cleanDraft(raw);
      redacted.push(...secrets);
      if (draft === undefined) {
        empty.push(index);
        continue;
      }
      const message = asMessage(draft, place.clock, key === undefined ? undefined : { name: key, index });
      lines += formatMessage(message);
      added.push({ id: message.id, role: message.role, tokens: messageTokens(message) });
    }
    const next = added.length === 0 ? meta : appendLines(paths, meta, lines, place.clock);
    if (added.length > 0) writeMeta(paths, next);
    return { session: id, added, duplicates, empty, redacted, meta: next };
  });
}

const NO_SOURCES: ReadonlySet<string | undefined> = new Set();

function knownSources(paths: SessionPaths): ReadonlySet<string | undefined> {
  const messages = [...listArchives(paths).flatMap(readArchived), ...readLive(paths)];
  return new Set(messages.flatMap(({ sourceId }) => (sourceId === undefined ? [] : [sourceId])));
}

function asMessage(draft: MessageDraft, clock: Clock, key: SessionMessage['key']): SessionMessage {
  const now = clock.now();
  // Time first, so that ids sort as they came; the rest keeps those of one moment and of two processes apart.
  const id = `m-${now.getTime().toString(36).padStart(9, '0')}-${randomBytes(8).toString('hex')}`;
  const timestamp = draft.timestamp ?? now.toISOString();
  return { ...draft, id, timestamp, ...(key === undefined ? {} : { key }) };
}

function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || (key !== '' && key.length <= LONGEST_KEY)) return key;
  return fail('usage', `an idempotency key has 1 to ${LONGEST_KEY} characters`, 'use a random id, for example a UUID');
}
