import type { Day } from '../base/clock.js';
import { addDays } from '../language/time/calendar.js';
import { pageAt } from '../memory/pages.js';
import { readUnits } from '../memory/units.js';
import type { RetainReport, RetainRequest } from '../retain/retain.js';
import { decodeBytes } from '../text/bytes.js';
import { isMachineLine } from '../text/machine-text.js';
import { readVersion } from '../workspace/files.js';
import { cueOf } from './infer/cues.js';

/** A day gets at most so many inferred facts, however often it is looked at. */
const MOST_A_DAY = 5;
const LONGEST = 240;
const INFERRED = / \(from L\d+(?:–L\d+)?(?:, by rules)?\)$/u;
const MOST_DAYS = 400;

/**
 * Turns what the narrative of some days says explicitly into facts of those days, in its own words, each with the line
 * that it is from. What stands there already is not written again.
 * @param retain as the verb
 */
export async function inferFacts(
  root: string,
  { from, to, dryRun = false }: { readonly from: Day; readonly to: Day; readonly dryRun?: boolean | undefined },
  retain: (request: RetainRequest) => Promise<RetainReport>,
): Promise<RetainReport> {
  const reports: RetainReport[] = [];
  let day = to;
  for (let count = 0; day >= from && count < MOST_DAYS; count++, day = addDays(day, -1)) {
    const path = `memory/${day}.md`;
    const version = readVersion(`${root}/${path}`);
    if (version !== undefined) reports.push(await inferDay(path, decodeBytes(version.bytes), dryRun, retain));
  }
  return {
    retained: reports.flatMap(({ retained }) => retained),
    skipped: reports.flatMap(({ skipped }) => skipped.filter(({ duplicate }) => !duplicate)),
    warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
    changes: reports.flatMap(({ changes }) => changes),
  };
}

interface Candidate {
  readonly line: number;
  readonly rank: number;
  /** Kind and text. */
  readonly fact: string;
}

async function inferDay(
  path: string,
  text: string,
  dryRun: boolean,
  retain: (request: RetainRequest) => Promise<RetainReport>,
): Promise<RetainReport> {
  const { known, candidates } = readDay(path, text);
  const chosen = candidates.toSorted((a, b) => a.rank - b.rank || a.line - b.line).slice(0, MOST_A_DAY - known);
  const none = { retained: [], skipped: [], warnings: [], changes: [] };
  if (chosen.length === 0) return none;
  const facts = (moved: (line: number) => number): readonly string[] =>
    chosen.map(({ line, fact }) => `${fact} (from L${moved(line)}, by rules)`);
  const planned = await retain({ facts: facts((line) => line), file: path, dryRun: true });
  const [change] = planned.changes;
  if (change === undefined) return none;
  // Where the section stands above the narrative, what is written moves the lines that it names.
  const first = Number(/#L(\d+)/u.exec(planned.retained[0]?.source ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  const added = linesOf(change.after) - linesOf(change.before);
  return retain({ facts: facts((line) => (line >= first ? line + added : line)), file: path, dryRun });
}

function linesOf(text: string | null): number {
  return (text ?? '').split('\n').length;
}

/** How many facts of a day were inferred already, and what else of it says that it is to be kept. */
function readDay(path: string, text: string): { readonly known: number; readonly candidates: readonly Candidate[] } {
  const page = pageAt(path);
  if (page === undefined) return { known: 0, candidates: [] };
  const { units } = readUnits(path, page, text);
  const lines = text.split(/\r\n|\r|\n/u);
  const stated = new Set(units.flatMap((unit) => (unit.fact === null ? [] : [plain(unit.text)])));
  const candidates = units.flatMap((unit) => {
    const written = lines[unit.line - 1] ?? '';
    // Quotes and tables are somebody else's words.
    if (unit.fact !== null || /^\s*(?:#|>|\||```|~~~)/u.test(written) || isMachineLine(written)) return [];
    const said = unit.text.replace(/^\[?\d{1,2}[:.]\d\d\]?(?:\s*[-–:])?\s+/u, '').trim();
    const cue = said.length <= LONGEST ? cueOf(said) : undefined;
    if (cue === undefined || stated.has(plain(said))) return [];
    return [{ line: unit.line, rank: cue.rank, fact: `${cue.kind}${cue.kind === 'O' ? '(c=0.7)' : ''} ${said}` }];
  });
  return { known: units.filter((unit) => unit.fact !== null && INFERRED.test(unit.text)).length, candidates };
}

function plain(text: string): string {
  return text
    .replace(INFERRED, '')
    .toLowerCase()
    .replace(/[\s.。]+/gu, ' ')
    .trim();
}
