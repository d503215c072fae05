import { join } from 'node:path';
import {
  asRecord,
  asText,
  type FieldsOf,
  isRecord,
  parseRecord,
  readKnownFields,
  type UnknownFields,
} from '../../base/json.js';
import { bySectionName } from '../../wm/document.js';
import { readOperations, type SectionOperations } from '../../wm/operations.js';
import { editFile, namesIn, readVersion, removeFile } from '../../workspace/files.js';
import { ARCHIVE_FILES, archiveNumber, type SessionPaths } from '../log/meta.js';
import { ParsedFiles } from '../log/read.js';
import type { SessionMessage } from '../message.js';

/**
 * An archive is `pending` until its Working Memory is written and a query has found it. If both `.done` and `.failed.json`
 * exist, it is completed.
 */
export type ArchiveState = 'completed' | 'failed' | 'pending';

export type Archive = ReturnType<typeof listArchives>[number];

/**
 * The archives of a session, oldest first, each with its id (`archive_007`), its number, its state and the absolute path of
 * its folder.
 * @param files what was read from the archives before
 */
export function listArchives({ history }: SessionPaths, files = new ParsedFiles()) {
  const archives = namesIn(history).flatMap((id) => {
    const number = archiveNumber(id);
    const folder = join(history, id);
    return number === undefined ? [] : [{ id, number, folder, state: stateOf(folder), files }];
  });
  return archives.sort((a, b) => a.number - b.number);
}

/** The archived messages, oldest first. */
export function readArchivedMessages({ folder, files }: Archive): readonly SessionMessage[] {
  return files.messages(join(folder, ARCHIVE_FILES.log));
}

/** True if the log still begins with the messages of an archive, because a crash came before they were removed. */
export function isArchiveAtLogStart({ folder }: Archive, { log }: SessionPaths): boolean {
  const archived = readVersion(join(folder, ARCHIVE_FILES.log))?.bytes ?? Buffer.alloc(0);
  const live = archived.length === 0 ? undefined : readVersion(log)?.bytes;
  return live?.subarray(0, archived.length).equals(archived) === true;
}

export type ArchiveOverview = { readonly archive: Archive; readonly text: string };

/**
 * The newest overview of a completed archive: the Working Memory of the session. Skips an overview that is empty or only a
 * placeholder.
 */
export function newestOverview(archives: readonly Archive[]): ArchiveOverview | undefined {
  for (const archive of archives.toReversed()) {
    const text = (archive.state === 'completed' && readArchiveText(archive, ARCHIVE_FILES.overview)) || '';
    if (text.trim() !== '' && !PLACEHOLDER.test(text)) return { archive, text };
  }
  return undefined;
}

/** The text of a file of an archive; undefined if the file does not exist. */
export function readArchiveText({ folder }: Pick<Archive, 'folder'>, file: string): string | undefined {
  return readVersion(join(folder, file))?.bytes.toString('utf8');
}

// OpenViking writes this placeholder when its model is unavailable. It must not displace a real overview.
const PLACEHOLDER = /^\s*# Session Summary\s+\*\*Overview\*\*: \d+ turns?, \d+ messages?\s*$/u;

function stateOf(folder: string): ArchiveState {
  const names = new Set(namesIn(folder));
  if (names.has(ARCHIVE_FILES.done)) return 'completed';
  return names.has(ARCHIVE_FILES.failed) ? 'failed' : 'pending';
}

/**
 * The writer of an overview: a model, the calling agent's own model, or the rules without a model (`deterministic`). The next
 * commit with a model improves an overview of the rules.
 */
export type OverviewSource = 'model' | 'agent' | 'deterministic';

const text = (value: unknown): string => asText(value) ?? '';
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The fields of an archive that are known when it is created, and the function that reads each. */
const ORIGIN = {
  created_at: text,
  message_count: count,
  first_message_id: text,
  last_message_id: text,
  /**
   * `keep_recent_count`: number of messages that the commit was asked to keep. `retained_count`: number of messages that
   * really stayed in the log. The two may differ, because a tool call and its result are never split.
   */
  keep_recent_count: count,
  retained_count: count,
  /** True if the archive was written because the host compacted the conversation. */
  compaction: (value: unknown): boolean => value === true,
};

export type ArchiveOrigin = FieldsOf<typeof ORIGIN>;

/**
 * The origin of an archive, as far as the messages of the archive show it: their number, the first and last id, the time.
 */
export function originFromMessages(messages: readonly SessionMessage[], keep_recent_count = 0): ArchiveOrigin {
  return {
    created_at: messages.at(-1)?.timestamp ?? '',
    message_count: messages.length,
    first_message_id: messages[0]?.id ?? '',
    last_message_id: messages.at(-1)?.id ?? '',
    keep_recent_count,
    retained_count: 0,
    compaction: false,
  };
}

/** The outcome of finishing an archive. */
export interface ArchiveOutcome {
  readonly overview_by: OverviewSource;
  /** Name of the model that made the overview. */
  readonly overview_model?: string | undefined;
  /** The archive whose overview this overview continues; null if there was none. */
  readonly based_on: string | null;
  /** Earlier failed archives whose messages are also summarised in this overview. */
  readonly covered_failed_archives: readonly string[];
  readonly overview_tokens: number;
  readonly extraction: ExtractionOutcome;
  /** Reasons why the overview of the archive is worse than usual, for example why no model was used. */
  readonly notes: readonly string[];
  /** Number of messages of the archive that the model had read when it ran out of time. The next run continues there. */
  readonly read_by_model?: number | undefined;
}

export interface ExtractionOutcome {
  readonly status: 'done' | 'skipped' | 'failed';
  readonly reason?: string;
  /** One sentence for each page that the extraction deleted, merged, refused or proposed. */
  readonly notes?: readonly string[];
  /** Number of times that the extraction has failed. */
  readonly failures?: number;
}

/** Formats the `.meta.json` of an archive: its origin and, once finished, its outcome. */
export function formatArchiveMeta(origin: ArchiveOrigin, outcome?: ArchiveOutcome): string {
  return `${JSON.stringify({ ...origin, ...outcome }, undefined, 2)}\n`;
}

/** Reads the origin of an archive; undefined when its `.meta.json` is missing or damaged. */
export function readOrigin(archive: Archive): ArchiveOrigin | undefined {
  const fields = metaOf(archive);
  return typeof fields.message_count === 'number' ? readKnownFields(ORIGIN, fields) : undefined;
}

function metaOf({ folder, files }: Archive): UnknownFields {
  return files.fields(join(folder, ARCHIVE_FILES.meta));
}

/** The outcome of the extraction of a finished archive; undefined if it is unknown. */
export function readExtraction(archive: Archive): ExtractionOutcome | undefined {
  const { status, reason, failures } = asRecord(metaOf(archive).extraction);
  if (status !== 'done' && status !== 'skipped' && status !== 'failed') return undefined;
  return { status, ...(typeof reason === 'string' && { reason }), ...(typeof failures === 'number' && { failures }) };
}

/** The author of the overview of a completed archive; an unknown author counts as a model. */
export function readOverviewSource(archive: Archive): OverviewSource {
  const by = metaOf(archive).overview_by;
  return by === 'deterministic' || by === 'agent' ? by : 'model';
}

/**
 * Number of messages of the archive that a model had read when its time limit stopped it; undefined if no model was
 * stopped.
 */
export function countMessagesReadByModel(archive: Archive): number | undefined {
  const count = metaOf(archive).read_by_model;
  return typeof count === 'number' ? Math.max(0, count) : undefined;
}

/** Adds fields to the record of a finished archive. */
export function addToArchiveOutcome(archive: Archive, more: Partial<ArchiveOutcome>): void {
  for (const file of [ARCHIVE_FILES.meta, ARCHIVE_FILES.done]) {
    const fields = parseRecord(readArchiveText(archive, file) ?? '');
    if (fields !== undefined)
      writeArchiveFile(archive, file, `${JSON.stringify({ ...fields, ...more }, undefined, 2)}\n`);
  }
}

/** Replaces a file of an archive. */
export function writeArchiveFile({ folder }: Archive, name: string, text: string): void {
  editFile(join(folder, name), () => text);
}

/** An agent's answer for a part of an archive that needs several prompts. */
interface AnsweredPart {
  /** How many messages of the archive, counted from its start, are processed once this part is done. */
  readonly until: number;
  readonly operations: SectionOperations;
}

const FILE = 'answered-parts.json';

export function readAnsweredParts(archive: Archive): readonly AnsweredPart[] {
  const parts = parseRecord(readArchiveText(archive, FILE) ?? '')?.parts;
  return (Array.isArray(parts) ? parts : []).filter(isRecord).flatMap(({ until, sections }) => {
    const operations = readOperations({ sections });
    return typeof until === 'number' && operations.ok ? [{ until, operations: operations.value }] : [];
  });
}

export function writeAnsweredParts(archive: Archive, parts: readonly AnsweredPart[]): void {
  const list = parts.map(({ until, operations: by }) => ({
    until,
    sections: bySectionName((name) => by[name].operation),
  }));
  writeArchiveFile(archive, FILE, `${JSON.stringify({ parts: list }, undefined, 1)}\n`);
}

export function deleteSavedPartAnswers({ folder }: Archive): void {
  removeFile(join(folder, FILE));
}

/** Describes damage to the messages of an archive; undefined if all recorded messages can be read. */
export function archiveDamage(archive: Archive, found = readArchivedMessages(archive).length): string | undefined {
  const expected = readOrigin(archive)?.message_count ?? 0;
  if (found > 0 && found >= expected) return undefined;
  return `${archive.id} is damaged: ${found} of ${expected} messages can be read`;
}
