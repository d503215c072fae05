import { join } from 'node:path';
import {
  asRecord,
  asText,
  type Fields,
  type FieldsOf,
  isRecord,
  parseRecord,
  readKnownFields,
} from '../../base/json.js';
import { type Operations, readOperations } from '../../wm/operations.js';
import { byName } from '../../wm/sections.js';
import { editFile, removeFile } from '../../workspace/files.js';
import { ARCHIVE_FILES } from '../log/paths.js';
import type { SessionMessage } from '../message.js';
import { type Archive, readArchived, readArchiveText } from './archives.js';

/** Who wrote an overview. One made without a model is upgraded by the next commit that has one. */
export type MadeBy = 'model' | 'agent' | 'deterministic';

const text = (value: unknown): string => asText(value) ?? '';
const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** What is known of an archive when it is made, and how it is read. */
const ORIGIN = {
  created_at: text,
  message_count: count,
  first_message_id: text,
  last_message_id: text,
  /** The keep count of the commit, and how many messages really stayed: tool pairs are never cut. */
  keep_recent_count: count,
  retained_count: count,
  /** It was a compaction. */
  compaction: (value: unknown): boolean => value === true,
};

export type ArchiveOrigin = FieldsOf<typeof ORIGIN>;

/** What can be told of an archive by its messages alone. */
export function archiveOrigin(messages: readonly SessionMessage[], keep_recent_count = 0): ArchiveOrigin {
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

/** What was done to finish it. */
export interface ArchiveOutcome {
  readonly overview_by: MadeBy;
  /** The archive whose overview was updated; null for the first one. */
  readonly based_on: string | null;
  /** Failed archives before it whose messages this one's overview covers. */
  readonly covered_failed_archives: readonly string[];
  readonly overview_tokens: number;
  readonly extraction: ExtractionOutcome;
  /** What was less than asked for, for example why no model was used. */
  readonly notes: readonly string[];
  /** How many of its messages the model had read when its time was over: it goes on from there. */
  readonly read_by_model?: number | undefined;
}

export interface ExtractionOutcome {
  readonly status: 'done' | 'skipped' | 'failed';
  readonly reason?: string;
  /** What it deleted, merged, refused and proposed of pages, one sentence each. */
  readonly notes?: readonly string[];
  /** How often it failed. */
  readonly failures?: number;
}

/** `.meta.json` of an archive: where it comes from, and once it is finished what was done. */
export function formatArchiveMeta(origin: ArchiveOrigin, outcome?: ArchiveOutcome): string {
  return `${JSON.stringify({ ...origin, ...outcome }, undefined, 2)}\n`;
}

/** Reads the origin of an archive; undefined when its `.meta.json` is missing or damaged. */
export function readOrigin(archive: Archive): ArchiveOrigin | undefined {
  const fields = metaOf(archive);
  return typeof fields.message_count === 'number' ? readKnownFields(ORIGIN, fields) : undefined;
}

function metaOf(archive: Archive): Fields {
  return parseRecord(readArchiveText(archive, ARCHIVE_FILES.meta) ?? '') ?? {};
}

/** What became of the extraction of a finished archive; undefined when nothing is known of it. */
export function readExtraction(archive: Archive): ExtractionOutcome | undefined {
  const { status, reason, failures } = asRecord(metaOf(archive).extraction);
  if (status !== 'done' && status !== 'skipped' && status !== 'failed') return undefined;
  return { status, ...(typeof reason === 'string' && { reason }), ...(typeof failures === 'number' && { failures }) };
}

/** Who wrote the overview of a completed archive; an unknown writer counts as a model. */
export function overviewMaker(archive: Archive): MadeBy {
  const by = metaOf(archive).overview_by;
  return by === 'deterministic' || by === 'agent' ? by : 'model';
}

/** How far a model came whose time was over; undefined where none was stopped by that. */
export function readByModel(archive: Archive): number | undefined {
  const count = metaOf(archive).read_by_model;
  return typeof count === 'number' ? Math.max(0, count) : undefined;
}

/** Writes down something more of a finished archive. */
export function editOutcome(archive: Archive, more: Partial<ArchiveOutcome>): void {
  for (const file of [ARCHIVE_FILES.meta, ARCHIVE_FILES.done]) {
    const fields = parseRecord(readArchiveText(archive, file) ?? '');
    if (fields !== undefined)
      writeArchiveFile(archive, file, `${JSON.stringify({ ...fields, ...more }, undefined, 2)}\n`);
  }
}

/** Writes a file of an archive whole. */
export function writeArchiveFile({ folder }: Archive, name: string, text: string): void {
  editFile(join(folder, name), () => text);
}

/** What an agent has answered so far for an archive that takes it several prompts. */
export interface AnsweredPart {
  /** The number of messages that are covered after it. */
  readonly until: number;
  readonly operations: Operations;
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
  const list = parts.map(({ until, operations: by }) => ({ until, sections: byName((name) => by[name].operation) }));
  writeArchiveFile(archive, FILE, `${JSON.stringify({ parts: list }, undefined, 1)}\n`);
}

export function dropAnsweredParts({ folder }: Archive): void {
  removeFile(join(folder, FILE));
}

/** What is wrong with the messages of an archive, in words; undefined when all that it says it has can be read. */
export function damageOf(archive: Archive, found = readArchived(archive).length): string | undefined {
  const expected = readOrigin(archive)?.message_count ?? 0;
  if (found > 0 && found >= expected) return undefined;
  return `${archive.id} is damaged: ${found} of ${expected} messages can be read`;
}
