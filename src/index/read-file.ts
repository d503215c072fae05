import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Clock } from '../base/clock.js';
import { NO_TIMES, openTimes, type Times } from '../language/time/times.js';
import type { Forgotten } from '../memory/forgotten.js';
import { holdsFacts } from '../memory/pages.js';
import { type PageUnits, readUnits } from '../memory/units.js';
import { RACY_MS, readBytes, UNREADABLE } from './bytes.js';
import type { TreeFile } from './tree.js';
import type { ReadFile } from './writer.js';

/** Git calls binary what has a NUL among so many first bytes. A text that shows one is a text all the same. */
const BINARY_PROBE_BYTES = 8_000;
/** UTF-16 has one in every second byte. */
const TEXT_NUL_SHARE = 0.01;

const NOTHING: PageUnits = { units: [], entity: null, forgotten: 0 };

/** Reads and parses one file. What can't be read has no units, and a notice that says why. */
export async function readFile(
  root: string,
  file: TreeFile,
  clock: Clock,
  forgotten: Forgotten,
): Promise<{ file: ReadFile; units: PageUnits }> {
  const { page } = file;
  const bytes = readBytes(root, file);
  const racy = clock.machineMs() - file.mtimeMs < RACY_MS;
  if (typeof bytes === 'string')
    return { file: { ...file, racy: true, hash: UNREADABLE, notice: bytes }, units: NOTHING };
  const read = { ...file, racy, hash: hash('sha1', bytes), notice: notice(bytes) };
  if (read.notice === BINARY) return { file: read, units: NOTHING };
  const text = bytes.toString('utf8');
  const times = holdsFacts(page.role) ? await timesOfFacts(text, clock) : NO_TIMES;
  return { file: read, units: readUnits(file.path, page, text, forgotten, times) };
}

/** With the line end before it, which is found faster than the beginning of a line, and the lines that go on with it. */
const FACT = /[\n\r\u2028\u2029][ \t>]*(?:[-*+]|\d+[.)])[ \t]+[wbosWBOS][ (:：@＠\t].*(?:\n[ \t]+[^\s*+-].*)*/g;

/** Only facts are read for times, and few files are facts throughout: these are looked at. */
async function timesOfFacts(text: string, { dateOrder }: Clock): Promise<Times> {
  const facts = `\n${text}`.match(FACT);
  return facts === null ? NO_TIMES : openTimes(facts.map((fact) => fact.slice(1)).join('\n'), dateOrder);
}

const BINARY = 'is binary and skipped';

function notice(bytes: Buffer): string | null {
  const probe = bytes.subarray(0, BINARY_PROBE_BYTES);
  const isText = isUtf8(bytes);
  if (probe.includes(0) && (!isText || probe.filter((byte) => byte === 0).length > TEXT_NUL_SHARE * probe.length))
    return BINARY;
  return isText ? null : 'is not valid UTF-8; the bad bytes are read as U+FFFD';
}
