import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { fail } from '../base/failure.js';
import { addMessages } from './add.js';
import { currentBranch } from './import/branch.js';
import { type HostSession, readHostStore } from './import/host-store.js';
import { withNestedCalls } from './import/nested.js';
import { withoutGatewayText, withoutNoise } from './import/noise.js';
import { readTranscript, type Transcript, type TranscriptEntry, withToolNames } from './import/records.js';
import { isHarnessText } from './log/harness.js';
import { isSessionId } from './log/paths.js';
import { plainText } from './message.js';
import type { SessionPlace } from './place.js';

/** `session import --json` */
export interface ImportReport {
  readonly session: string;
  readonly added: number;
  /** Messages that were imported before. */
  readonly known: number;
  /** Messages that nobody said to anybody: heartbeats, cron jobs, slash commands, … */
  readonly noise: number;
  /** Messages on branches that the conversation left. */
  readonly other_branches: number;
  readonly unreadable: number;
  /** What users said and is not in the session for another reason than that it is noise. */
  readonly left_out: readonly LeftOut[];
  readonly pending_tokens: number;
}

export interface LeftOut {
  readonly reason: 'on a branch that the conversation left' | 'in lines that could not be read';
  readonly messages: number;
  readonly characters: number;
}

/** `session import --json` of a store with several sessions. */
export interface StoreReport {
  readonly sessions: readonly ImportReport[];
  /** Transcripts that the host has moved to files of its own. */
  readonly elsewhere: readonly string[];
}

/**
 * Adds what is new in a transcript to a session, known by the ids that the transcript gives its messages.
 * @throws MemoryError `usage` when the transcript has no messages or no id for its session
 */
export async function importTranscript(place: SessionPlace, text: string, session?: string): Promise<ImportReport> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return importLines(place, lines, session);
}

/**
 * The same for every session of a host's SQLite store, each into the session of its own id. The store is only read.
 * @param key of one session, as the host calls it
 * @throws MemoryError `usage` when there is no such session in it
 */
export async function importStore(
  place: SessionPlace,
  path: string,
  { key, session }: { readonly key?: string | undefined; readonly session?: string | undefined },
): Promise<StoreReport> {
  const { sessions, elsewhere } = readHostStore(path, key);
  const found = sessions.filter(hasMessages);
  if (found.length === 0 && elsewhere.length === 0) {
    const which = key === undefined ? 'there are no transcripts' : `there is no session "${key}"`;
    fail('usage', `${which} in ${path}`, 'give a store of OpenClaw; --key names one of its sessions');
  }
  if (session !== undefined && new Set(found.map(({ id }) => id)).size > 1) {
    fail('usage', '--session goes with one session of the store', 'pick it with --key');
  }
  const reports: ImportReport[] = [];
  for (const host of found) reports.push(await importLines(place, host.lines, session ?? host.id));
  return { sessions: reports, elsewhere };
}

function hasMessages({ lines }: HostSession): boolean {
  return readTranscript(lines).entries.some(({ draft }) => draft !== null);
}

async function importLines(place: SessionPlace, lines: readonly string[], session?: string): Promise<ImportReport> {
  const transcript = readTranscript(lines);
  const all = transcript.entries.filter(({ draft, isAside }) => draft !== null && !isAside);
  if (all.length === 0)
    fail(
      'usage',
      'there are no messages in this transcript',
      'give JSON lines of OpenClaw, Claude Code, or {"role","content"}',
    );
  const id = session ?? transcript.session ?? '';
  if (!isSessionId(id)) fail('usage', 'the transcript does not say which session it is', 'name it with --session ID');
  const branch = currentBranch(transcript);
  const spoken = branch.filter(({ draft }) => draft !== null);
  const said = withoutNoise(spoken.map(withoutGateway));
  const named = withToolNames(withNestedCalls(said, branch));
  const report = await addMessages(place, id, { messages: named, onlyNewSources: true });
  return {
    session: id,
    added: report.added.length,
    known: report.duplicates,
    noise: spoken.length - said.length + report.empty.length,
    other_branches: all.length - spoken.length,
    unreadable: transcript.unreadable,
    left_out: leftOut(transcript, all, new Set(branch)),
    pending_tokens: report.pending_tokens,
  };
}

function withoutGateway(entry: TranscriptEntry): TranscriptEntry {
  return entry.draft === null ? entry : { ...entry, draft: withoutGatewayText(entry.draft) };
}

function leftOut(
  { unreadable, unreadableCharacters }: Transcript,
  all: readonly TranscriptEntry[],
  branch: ReadonlySet<TranscriptEntry>,
): readonly LeftOut[] {
  const left: LeftOut[] = [];
  const texts = all.flatMap((entry) => {
    const text = entry.draft?.role === 'user' && !branch.has(entry) ? plainText(entry.draft) : '';
    return text.trim() === '' || isHarnessText(text) ? [] : [text];
  });
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (texts.length > 0)
    left.push({ reason: 'on a branch that the conversation left', messages: texts.length, characters });
  if (unreadable > 0) {
    left.push({ reason: 'in lines that could not be read', messages: unreadable, characters: unreadableCharacters });
  }
  return left;
}

/** Whether a file is a SQLite database, by its first bytes. */
export function isDatabaseFile(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(16);
    readSync(file, head, 0, 16, 0);
    return head.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(file);
  }
}
