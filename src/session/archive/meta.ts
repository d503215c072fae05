import { join } from 'node:path';
import { editFile } from '../../workspace/files.js';
import { ARCHIVE_FILES } from '../log/paths.js';
import { type Archive, readText } from './archives.js';

/** Who wrote an overview. One made without a model is upgraded by the next commit that has one. */
export type MadeBy = 'model' | 'agent' | 'deterministic';

/** What is known of an archive when it is made. */
export interface ArchiveOrigin {
  readonly createdAt: string;
  readonly messageCount: number;
  readonly firstId: string;
  readonly lastId: string;
  /** The keep count of the commit, and how many messages really stayed: tool pairs are never cut. */
  readonly keepRecentCount: number;
  readonly retainedCount: number;
  /** It was a compaction. */
  readonly compaction: boolean;
}

/** What was done to finish it. */
export interface ArchiveOutcome {
  readonly overviewBy: MadeBy;
  /** The archive whose overview was updated; null for the first one. */
  readonly basedOn: string | null;
  /** Failed archives before it whose messages this one's overview covers. */
  readonly covers: readonly string[];
  readonly overviewTokens: number;
  readonly extraction: ExtractionOutcome;
  /** What was less than asked for, for example why no model was used. */
  readonly notes: readonly string[];
}

export interface ExtractionOutcome {
  readonly status: 'done' | 'skipped' | 'failed';
  readonly reason?: string;
}

export interface ArchiveMeta {
  readonly origin: ArchiveOrigin;
  readonly outcome: ArchiveOutcome | null;
}

export function formatArchiveMeta({ origin, outcome }: ArchiveMeta): string {
  const made = {
    created_at: origin.createdAt,
    message_count: origin.messageCount,
    first_message_id: origin.firstId,
    last_message_id: origin.lastId,
    keep_recent_count: origin.keepRecentCount,
    retained_count: origin.retainedCount,
    compaction: origin.compaction,
  };
  const finished = outcome === null ? {} : outcomeFields(outcome);
  return `${JSON.stringify({ ...made, ...finished }, undefined, 2)}\n`;
}

/** The fields that `.meta.json` and `.done` of an archive share. */
export function outcomeFields(outcome: ArchiveOutcome) {
  return {
    overview_by: outcome.overviewBy,
    based_on: outcome.basedOn,
    covered_failed_archives: outcome.covers,
    overview_tokens: outcome.overviewTokens,
    extraction: outcome.extraction,
    notes: outcome.notes,
  };
}

/** Reads the origin of an archive; undefined when its `.meta.json` is missing or damaged. */
export function readOrigin(archive: Archive): ArchiveOrigin | undefined {
  const fields = parse(readText(archive, ARCHIVE_FILES.meta));
  const messageCount = fields?.message_count;
  if (fields === undefined || typeof messageCount !== 'number') return undefined;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return {
    createdAt: text(fields.created_at),
    messageCount,
    firstId: text(fields.first_message_id),
    lastId: text(fields.last_message_id),
    keepRecentCount: count(fields.keep_recent_count),
    retainedCount: count(fields.retained_count),
    compaction: fields.compaction === true,
  };
}

/** Who wrote the overview of a completed archive; an unknown writer counts as a model. */
export function overviewMaker(archive: Archive): MadeBy {
  const by = parse(readText(archive, ARCHIVE_FILES.meta))?.overview_by;
  return by === 'deterministic' || by === 'agent' ? by : 'model';
}

/** Writes a file of an archive whole. */
export function writeArchiveFile({ folder }: Archive, name: string, text: string): void {
  editFile(join(folder, name), () => text);
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
