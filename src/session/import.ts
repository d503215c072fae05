import { hash as digestOf } from 'node:crypto';
import { statSync } from 'node:fs';
import { fail } from '../base/failure.js';
import { isNestedTooDeep, parseRecord } from '../base/json.js';
import { isMachineTurn } from '../text/machine-text.js';
import { readBeginning } from '../workspace/files.js';
import { takeOverOldState } from '../workspace/lock.js';
import { readEntry, storeEntries } from '../workspace/state.js';
import { addMessages } from './add.js';
import {
  currentConversationBranch,
  expandNestedCalls,
  withoutGatewayText,
  withoutTranscriptNoise,
} from './import/conversation.js';
import { readHostStore } from './import/host-store.js';
import { readTranscript, type Transcript, type TranscriptEntry, withToolNames } from './import/records.js';
import { isHarnessText } from './log/harness.js';
import { isSessionId } from './log/meta.js';
import { type MessagePart, messageText } from './message.js';
import type { SessionWorkspace } from './session.js';
import { Session } from './session.js';

/** The output of `session import --json`. */
export interface ImportReport {
  readonly session: string;
  readonly added: number;
  /** Number of messages that an earlier import had already added. */
  readonly known: number;
  /** Number of messages outside the conversation: heartbeats, cron jobs, slash commands, … */
  readonly noise: number;
  /** Number of messages that are not imported because the person went back to an earlier point and went on from there. */
  readonly other_branches: number;
  readonly unreadable: number;
  /**
   * Messages of users that were not imported: they are on a branch that the person left, or their lines could not be read.
   */
  readonly left_out: readonly SkippedRecords[];
  readonly pending_tokens: number;
}

interface SkippedRecords {
  readonly reason: 'on a branch that the conversation left' | 'in lines that could not be read';
  readonly messages: number;
  readonly characters: number;
  /** The unreadable lines, as 1-based line numbers in the transcript. */
  readonly lines?: readonly number[];
}

/** The output of `session import --json` for a store with several sessions. */
export interface StoreReport {
  readonly sessions: readonly ImportReport[];
  /** Names of transcripts that are no longer in the store, because the host has moved them to its own files. */
  readonly elsewhere: readonly string[];
}

/**
 * Adds the new messages of a transcript to a session. Messages are recognised by their ids in the transcript.
 * @throws MemoryError `usage` when the transcript has no messages or no id for its session
 */
export async function importTranscript(place: SessionWorkspace, text: string, session?: string): Promise<ImportReport> {
  const id = session ?? sessionIn(text.slice(0, HEAD)) ?? sessionIn(text) ?? '';
  if (!isSessionId(id)) {
    if (!hasMessages(linesOf(text))) failWithoutMessages();
    fail('usage', 'the transcript has no session id', 'use --session ID');
  }
  await takeOverOldState(place);
  const since = readSince(text, readImportRecord(place, new Session(place.root, id), text));
  const { before, read } = since;
  if (read.all === 0) failWithoutMessages();
  const { added, duplicates, empty, pending_tokens } = await addMessages(place, id, {
    messages: read.messages,
    onlyNewSources: true,
  });
  remember(place, new Session(place.root, id), text, since, empty);
  return {
    session: id,
    added: added.length,
    known: duplicates + (before?.known ?? 0),
    noise: read.noise + empty.length + (before?.noise ?? 0),
    other_branches: read.otherBranches + (before?.other_branches ?? 0),
    unreadable: read.unreadable,
    left_out: read.unreadable === 0 ? read.leftOut : withLines(read.leftOut, unreadableLines(text)),
    pending_tokens,
  };
}

const UNREAD = 'in lines that could not be read';

function withLines(left: readonly SkippedRecords[], lines: readonly number[]): readonly SkippedRecords[] {
  return left.map((one) => (one.reason === UNREAD ? { ...one, lines } : one));
}

/** Line numbers of unreadable lines. An incomplete last line is normal and does not count. */
function unreadableLines(text: string): readonly number[] {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.flatMap((line, index) => {
    const isRead = line.trim() === '' || parseRecord(line) !== undefined || (index === last && !isNestedTooDeep(line));
    return isRead ? [] : [index + 1];
  });
}

/** Number of characters at the beginning of a transcript that normally contain the session id. */
const HEAD = 64 * 1024;

function sessionIn(text: string): string | null {
  return readTranscript(linesOf(text)).session;
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function failWithoutMessages(): never {
  return fail(
    'usage',
    'this transcript has no messages',
    'use JSON lines of OpenClaw, Claude Code or Codex, or lines with {"role","content"}; for WhatsApp, mail and the like: openclaw memory import',
  );
}

/** The result of reading a whole transcript, or only the part of it that is new since an earlier import. */
type Conversation = ReturnType<typeof readConversation>;

function readConversation(lines: readonly string[], isEarlier: (record: string) => boolean) {
  const transcript = readTranscript(lines);
  const all = transcript.entries.filter(({ draft, isAside }) => draft !== null && !isAside);
  const branch = currentConversationBranch(transcript, isEarlier);
  const spoken = branch.filter(({ draft }) => draft !== null);
  const said = withoutTranscriptNoise(spoken.map(withoutGateway));
  const messages = withToolNames(expandNestedCalls(said, branch));
  const left = leftOut(transcript, all, new Set(branch));
  const isSure = left.length === 0 && transcript.entries.every(({ isNamed }) => isNamed);
  const last = isSure
    ? said.findLast(({ role, parts }) => role === 'user' && parts.every(isText))?.source_id
    : undefined;
  return {
    messages,
    /** Number of messages, including messages on other branches and messages of machines. */
    all: all.length,
    noise: spoken.length - said.length,
    otherBranches: all.length - spoken.length,
    unreadable: transcript.unreadable,
    leftOut: left,
    /**
     * The line of a person's last message, at which the next import may begin. Undefined if the lines have no ids, or if a
     * message of a user was left out.
     */
    lastAsked:
      last === undefined ? undefined : lines.findLast((line) => line.includes(`"${last}"`) && idOf(line) === last),
  };
}

/** Number of characters at the end of a transcript that are read to find the last requests. */
const TAIL = 256 * 1024;

/** A person's messages in the last part of a transcript, oldest first. Pure. */
export function lastUserTexts(text: string): readonly string[] {
  const { messages } = readConversation(linesOf(text.slice(-TAIL)), () => true);
  return messages.flatMap((message) => (message.role === 'user' ? [messageText(message)] : []));
}

function isText({ type }: MessagePart): boolean {
  return type === 'text';
}

function idOf(line: string): string | undefined {
  return readTranscript([line]).entries[0]?.id;
}

/** The part of a transcript after an earlier import. */
interface Since {
  readonly before: ImportRecord | undefined;
  readonly read: Conversation;
  /** True if a record is in the part that the earlier import read. */
  readonly isEarlier: (record: string) => boolean;
}

function readSince(text: string, before: ImportRecord | undefined): Since {
  const start = before?.characters ?? 0;
  const isEarlier = (record: string): boolean => start > 0 && text.lastIndexOf(`"${record}"`, start) >= 0;
  const lines = linesOf(text.slice(start));
  const read = readConversation(lines, isEarlier);
  // If the person went back to a point before the end of the earlier import, that import no longer fits: read everything.
  const isLeft = before !== undefined && read.messages[0]?.source_id !== idOf(lines[0] ?? '');
  return isLeft ? readSince(text, undefined) : { before, read, isEarlier };
}

/** Records that everything before a person's last message is imported, so that the next import begins at that message. */
function remember(
  place: SessionWorkspace,
  session: Session,
  text: string,
  { before, read, isEarlier }: Since,
  empty: readonly number[],
): void {
  const start = before?.characters ?? 0;
  const at = read.lastAsked === undefined ? -1 : text.lastIndexOf(read.lastAsked);
  if (read.lastAsked === undefined || at <= start || text.indexOf(read.lastAsked, start) !== at) return;
  const rest = readConversation(linesOf(text.slice(at)), (id) => isEarlier(id) || text.lastIndexOf(`"${id}"`, at) >= 0);
  const settled = read.messages.length - rest.messages.length;
  const emptied = empty.filter((index) => index < settled).length;
  writeImportRecord(place, session, text, at, {
    known: (before?.known ?? 0) + settled - emptied,
    noise: (before?.noise ?? 0) + read.noise - rest.noise + emptied,
    other_branches: (before?.other_branches ?? 0) + read.otherBranches - rest.otherBranches,
  });
}

/**
 * Imports every session of a host's SQLite store, each into the session with its own id. Only reads the store.
 * @param key the key of one session, as the host calls it
 * @throws MemoryError `usage` when the store has no such session
 */
export async function importStore(
  place: SessionWorkspace,
  path: string,
  { key, session }: { readonly key?: string | undefined; readonly session?: string | undefined },
): Promise<StoreReport> {
  const { sessions, elsewhere } = readHostStore(path, key);
  const found = sessions.filter(({ lines }) => hasMessages(lines));
  if (found.length === 0 && elsewhere.length === 0) {
    const which = key === undefined ? 'there are no transcripts' : `there is no session "${key}"`;
    fail('usage', `${which} in ${path}`, 'use a store of OpenClaw, and with --key the key of one of its sessions');
  }
  if (session !== undefined && new Set(found.map(({ id }) => id)).size > 1) {
    fail('usage', "--session can't be used with several sessions of a store", 'choose one session with --key');
  }
  const reports: ImportReport[] = [];
  for (const [done, { id, lines }] of found.entries()) {
    place.onProgress?.(done, found.length, 'sessions');
    // Progress is counted in sessions of the store, so the import of one session reports none.
    reports.push(await importTranscript({ ...place, onProgress: undefined }, lines.join('\n'), session ?? id));
  }
  return { sessions: reports, elsewhere };
}

function hasMessages(lines: readonly string[]): boolean {
  return lines.some((line) => readTranscript([line]).entries.some(({ draft }) => draft !== null));
}

function withoutGateway(entry: TranscriptEntry): TranscriptEntry {
  return entry.draft === null ? entry : { ...entry, draft: withoutGatewayText(entry.draft) };
}

function leftOut(
  { unreadable, unreadableCharacters }: Transcript,
  all: readonly TranscriptEntry[],
  branch: ReadonlySet<TranscriptEntry>,
): readonly SkippedRecords[] {
  const left: SkippedRecords[] = [];
  const texts = all.flatMap((entry) => {
    const text = entry.draft?.role === 'user' && !branch.has(entry) ? messageText(entry.draft) : '';
    return text.trim() === '' || isHarnessText(text) || isMachineTurn(text) ? [] : [text];
  });
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (texts.length > 0)
    left.push({ reason: 'on a branch that the conversation left', messages: texts.length, characters });
  if (unreadable > 0) {
    left.push({ reason: UNREAD, messages: unreadable, characters: unreadableCharacters });
  }
  return left;
}

/** True if a file is a SQLite database, by its first bytes. */
export function isDatabaseFile(path: string): boolean {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && readBeginning(path, 16).toString('latin1') === 'SQLite format 3\0';
}

/**
 * The record of how much of a transcript was imported into a session: everything up to the last message of a person. With
 * it, a long transcript is not read again for a few new records. The record may be lost at any time.
 */
interface ImportRecord {
  /** Length of the imported part in UTF-16 units. */
  readonly characters: number;
  /** Hash of this part. If a transcript does not begin with this part, it is another transcript. */
  readonly hash: string;
  /** Number of messages that the session had after the import. If it has fewer now, it is another session. */
  readonly messages: number;
  /** The counts for the imported part. The next import adds them to the counts in its report. */
  readonly known: number;
  readonly noise: number;
  readonly other_branches: number;
}

const IMPORTED = 'import';

/** Reads how far a transcript was imported; undefined if the transcript or the session has changed since. */
function readImportRecord(place: SessionWorkspace, session: Session, transcript: string): ImportRecord | undefined {
  const imported = readEntry<ImportRecord>(place.stateFolder, IMPORTED, session.id);
  if (imported === undefined) return undefined;
  const { characters, messages } = imported;
  if (characters === 0 || characters > transcript.length || messages > messagesOf(session)) return undefined;
  if (sizeOf(session) < session.meta.log_bytes) return undefined;
  return imported.hash === hashOf(transcript, characters) ? imported : undefined;
}

/** Records how far a transcript was imported. */
function writeImportRecord(
  place: SessionWorkspace,
  session: Session,
  transcript: string,
  characters: number,
  counts: Pick<ImportRecord, 'known' | 'noise' | 'other_branches'>,
): void {
  const hash = hashOf(transcript, characters);
  const imported: ImportRecord = { characters, hash, messages: messagesOf(session), ...counts };
  storeEntries(place.stateFolder, [{ kind: IMPORTED, name: session.id, value: imported }]);
}

function messagesOf({ meta }: Session): number {
  return meta.archived_count + meta.live_count;
}

function sizeOf({ paths }: Session): number {
  return statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
}

function hashOf(transcript: string, characters: number): string {
  return digestOf('sha1', transcript.slice(0, characters));
}
