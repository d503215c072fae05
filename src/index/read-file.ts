import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../base/clock.js';
import { systemCode } from '../base/failure.js';
import { NO_TIMES, openTimes, type Times } from '../language/time/times.js';
import type { Forgotten } from '../memory/forgotten.js';
import { holdsFacts, pageAt } from '../memory/pages.js';
import { type PageUnits, readUnits } from '../memory/units.js';
import type { TreeFile } from './tree.js';
import type { ReadFile } from './writer.js';

/** Larger files are no memory but somebody's data. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** A file written in the same tick of its file system's clock as it was read keeps its state: look again later. */
export const RACY_MS = 2_000;
/** Git's rule for binary: a NUL among the first bytes. */
const BINARY_PROBE_BYTES = 8_000;

const NOTHING: PageUnits = { units: [], entity: null, forgotten: 0 };

/** Reads and parses one file. What can't be read has no units, and a notice that says why. */
export async function readFile(
  root: string,
  file: TreeFile,
  clock: Clock,
  forgotten: Forgotten,
): Promise<{ file: ReadFile; units: PageUnits }> {
  const page = pageAt(file.path);
  // The tree only lists pages.
  if (page === undefined) throw new Error(`not a page: ${file.path}`);
  const bytes = readBytes(root, file);
  const racy = clock.machineMs() - file.mtimeMs < RACY_MS;
  if (typeof bytes === 'string') return { file: { ...file, page, racy, hash: '', notice: bytes }, units: NOTHING };
  const read = { ...file, page, racy, hash: hash('sha1', bytes), notice: notice(bytes) };
  if (read.notice === BINARY) return { file: read, units: NOTHING };
  const text = bytes.toString('utf8');
  const times = holdsFacts(page.role) ? await timesOfFacts(text, clock) : NO_TIMES;
  return { file: read, units: readUnits(file.path, page, text, forgotten, times) };
}

/** With the lines that go on with it. */
const FACT = /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+[wbosWBOS][ (:：@＠\t].*(?:\n[ \t]+[^\s*+-].*)*/gm;

/** Only facts are read for times, and few files are facts throughout: these are looked at. */
async function timesOfFacts(text: string, { dateOrder }: Clock): Promise<Times> {
  const facts = text.match(FACT);
  return facts === null ? NO_TIMES : openTimes(facts.join('\n'), dateOrder);
}

/** The hash of a file's content, or '' when it can't be read. */
export function currentHash(root: string, file: TreeFile): string {
  const bytes = readBytes(root, file);
  return typeof bytes === 'string' ? '' : hash('sha1', bytes);
}

const BINARY = 'is binary and skipped';

function readBytes(root: string, file: TreeFile): Buffer | string {
  if (file.size > MAX_FILE_BYTES) return `is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB and skipped`;
  try {
    return readFileSync(`${root}/${file.path}`);
  } catch (error) {
    return `can't be read (${systemCode(error) ?? 'unknown error'})`;
  }
}

function notice(bytes: Buffer): string | null {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return BINARY;
  return isUtf8(bytes) ? null : 'is not valid UTF-8; the bad bytes are read as U+FFFD';
}
