import { hash } from 'node:crypto';
import type { Day } from '../../base/clock.js';
import { isRecord } from '../../base/json.js';
import { toDay } from '../../language/time/calendar.js';
import { findManagedBlocks, type ManagedBlock } from '../../markdown/blocks.js';
import { PAGES_FILE, readNotes } from '../progress.js';
import { HIDDEN_NOTE, type SummaryLine } from './summary.js';

export const SUMMARY_BLOCK = 'summary';

/** The generated summaries of an entity's page: one, but after a merge. */
export function summaryBlocks(page: string | null): readonly ManagedBlock[] {
  return findManagedBlocks(page ?? '').filter(({ name }) => name === SUMMARY_BLOCK);
}

/** What was written last into the block of an entity's page: to tell a line that a reader has taken off from a new text. */
export interface PageRecord {
  readonly slug: string;
  readonly name: string;
  /** Of the block's begin marker. */
  readonly sha: string;
  /** A hash of each line, and what it shows. */
  readonly lines: readonly (readonly [hash: string, ...ids: string[]])[];
  /** The next day on which something on the page stands elsewhere though nothing new is said; null: none is known. */
  readonly next: Day | null;
}

/** In the place of a marker's hash: the page was planned, and could not be written. */
export const UNWRITTEN = '';

/** By path. Only of this machine, and may be lost: a block with a line less is then a person's, as any edited one is. */
export type PageRecords = ReadonlyMap<string, PageRecord>;

export function readPageRecords(stateFolder: string): PageRecords {
  const entries = Object.entries(readNotes(stateFolder, PAGES_FILE)).flatMap(([path, value]) => {
    const record = recordIn(value);
    return record === undefined ? [] : [[path, record] as const];
  });
  return new Map(entries);
}

function recordIn(value: unknown): PageRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { slug, name, sha, lines, next } = value;
  if (typeof slug !== 'string' || typeof name !== 'string' || typeof sha !== 'string') return undefined;
  if (!Array.isArray(lines)) return undefined;
  const read = lines.flatMap((line: unknown): PageRecord['lines'] => {
    if (!Array.isArray(line)) return [];
    const [first, ...ids] = line.filter((part): part is string => typeof part === 'string');
    return first === undefined ? [] : [[first, ...ids]];
  });
  return { slug, name, sha, lines: read, next: typeof next === 'string' ? toDay(next) : null };
}

/** A record of the lines of a block. */
export function recordedLines(lines: readonly SummaryLine[]): PageRecord['lines'] {
  return lines.filter(({ text }) => text !== '').map(({ text, ids }) => [lineHash(text), ...ids]);
}

function lineHash(line: string): string {
  return hash('sha1', line.replaceAll('~~', '').replace(/\s+/g, ' ').trim(), 'hex').slice(0, 8);
}

/** The facts and beliefs that stay off a page by the note in its block. */
export function hiddenFacts(content: string): ReadonlySet<string> {
  const note = content.split('\n').find((line) => line.startsWith(HIDDEN_NOTE)) ?? '';
  return new Set(note.match(/\b[fo]-[0-9a-z]{13}\b/g) ?? []);
}

/**
 * What a reader has taken off a page by deleting or striking generated lines, and nothing else; undefined after any other
 * edit, and where nobody knows what had been written. Pure.
 */
export function hiddenLines(block: ManagedBlock, record: PageRecord | undefined): ReadonlySet<string> | undefined {
  if (record === undefined || record.sha !== block.sha) return undefined;
  const known = new Set(record.lines.map(([first]) => first));
  const kept = new Set<string>();
  for (const line of block.content.split('\n')) {
    if (line.trim() === '' || line.startsWith(HIDDEN_NOTE)) continue;
    const found = lineHash(line);
    if (!known.has(found)) return undefined;
    if (!line.includes('~~')) kept.add(found);
  }
  const gone = record.lines.filter(([first]) => !kept.has(first));
  return new Set([...hiddenFacts(block.content), ...gone.flatMap(([, ...ids]) => ids)]);
}
