import { hash } from 'node:crypto';
import type { Day } from '../../base/clock.js';
import { readHiddenNote, withoutCitation } from '../../line/generated.js';
import { findManagedBlocks, type ManagedBlock } from '../../markdown/blocks.js';
import type { SummaryLine } from './summary.js';

export const SUMMARY_BLOCK = 'summary';

/** The generated summaries on an entity's page. There is more than one only after a merge. */
export function findSummaryBlocks(page: string | null): readonly ManagedBlock[] {
  return findManagedBlocks(page ?? '').filter(({ name }) => name === SUMMARY_BLOCK);
}

/**
 * Record of the block that reflect last wrote on an entity's page. If a recorded line is missing on the page, a person
 * removed it.
 */
export interface PageRecord {
  readonly slug: string;
  readonly name: string;
  /** Hash of the block's content. The begin marker of the block on the page has the same hash. */
  readonly sha: string;
  /** For each line: its hash, and the ids of the facts or beliefs that it shows. */
  readonly lines: readonly (readonly [hash: string, ...ids: string[]])[];
  /** Next day on which a status on the page changes without new statements; null if unknown. */
  readonly next: Day | null;
}

/** Recorded in place of a hash when a planned page could not be written. */
export const UNWRITTEN_PAGE_HASH = '';

/**
 * The records of the pages that this machine wrote, by the path of the page. The records may be lost. Then a block with
 * a missing line counts as edited by a person.
 */
export type PageRecords = ReadonlyMap<string, PageRecord>;

/** Builds the records of a block's lines. */
export function buildLineRecords(lines: readonly SummaryLine[]): PageRecord['lines'] {
  return lines.filter(({ text }) => text !== '').map(({ text, ids }) => [lineHash(text), ...ids]);
}

function lineHash(line: string): string {
  return hash('sha1', line.replaceAll('~~', '').replace(/\s+/g, ' ').trim(), 'hex').slice(0, 8);
}

/**
 * Whether a person struck a whole line, with or without its citation. The program strikes only parts of a line: those that
 * are over.
 */
function isStruck(line: string): boolean {
  const text = line.replace(/^\s*[-*+]\s+/, '').trim();
  return [text, withoutCitation(text)].some(
    (one) => one.length > 4 && (/^~~(?:(?!~~).)+~~$/s.test(one) || /^~~~~.*~~$|^~~.*~~~~$/s.test(one)),
  );
}

/** Ids of the facts and beliefs that the note in the block lists as hidden. */
export function readIdsInHiddenNote(content: string): ReadonlySet<string> {
  for (const line of content.split('\n')) {
    const hidden = readHiddenNote(line);
    if (hidden !== undefined) return new Set(hidden);
  }
  return new Set();
}

/**
 * Ids that a person hid by deleting or striking out generated lines. Undefined if the block has any other edit, or if
 * it has no record. Pure.
 */
export function findIdsHiddenByEdit(
  block: ManagedBlock,
  record: PageRecord | undefined,
): ReadonlySet<string> | undefined {
  if (record === undefined || record.sha !== block.sha) return undefined;
  const known = new Set(record.lines.map(([first]) => first));
  const kept = new Set<string>();
  for (const line of block.content.split('\n')) {
    if (line.trim() === '' || readHiddenNote(line) !== undefined) continue;
    const found = lineHash(line);
    if (!known.has(found)) return undefined;
    if (!isStruck(line)) kept.add(found);
  }
  const gone = record.lines.filter(([first]) => !kept.has(first));
  return new Set([...readIdsInHiddenNote(block.content), ...gone.flatMap(([, ...ids]) => ids)]);
}
