import type { Day } from '../../base/clock.js';
import { addAll, compareText } from '../../base/order.js';
import type { FoundFile, FoundUnit, IndexSearch } from '../../index/search.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { decodeBytes } from '../../text/bytes.js';
import { isMachineLine } from '../../text/machine-text.js';
import { readVersion } from '../../workspace/files.js';
import { fullPathOf } from '../../workspace/read-scope.js';
import type { OmittedLineCounts, PageItem } from '../page-data.js';
import { isNote } from './notes.js';
import type { EntityNameIndex, FileTable } from './places.js';

interface ItemsScope {
  readonly since: Day | undefined;
  readonly today: Day;
  /** If set, reads only units that are linked to one of these entities. */
  readonly slugs: readonly string[] | undefined;
  readonly withResources: boolean;
}

/**
 * Roles of pages whose lines are left out here. Beliefs are shown with their evidence, and sessions with their Working
 * Memory.
 */
const ELSEWHERE: ReadonlySet<string> = new Set(['opinions', 'summary']);
const MOST_LINKED = 100_000;

/**
 * Maximum number of characters to read: `facts` for facts, `all` for all lines. The newest lines are read first. A page
 * has no room for more.
 */
const ROOM = { facts: 4_500_000, all: 8_000_000 };
/** Approximate size of an item without its text, in characters. */
const OVERHEAD = 50;

/** Units to show, sorted by file and line, and the number of lines that did not fit. */
interface ShownLines {
  readonly units: readonly FoundUnit[];
  readonly leftOut: OmittedLineCounts;
}

/**
 * Reads the lines that the page shows, from the places where they were written: facts, log text, and text of people on
 * pages. Skips views of facts, headings and lines that programs wrote. Of a note, only the facts are read here, because
 * notes are shown whole. Reads the newest files first, within `room`.
 */
export function readShownLines(
  root: string,
  search: IndexSearch,
  { since, today, slugs, withResources }: ItemsScope,
  room = ROOM,
): ShownLines {
  const isAskedFor = ({ role, day }: FoundFile): boolean =>
    !ELSEWHERE.has(role) && (role !== 'resource' || withResources) && (since === undefined || (day ?? since) >= since);
  const generated = new Map<string, (line: number) => boolean>();
  const isOwn = ({ file: { role, path }, line }: FoundUnit): boolean => {
    if (role !== 'entity' && role !== 'bank') return true;
    const isGenerated = generated.get(path) ?? generatedLines(root, path);
    generated.set(path, isGenerated);
    return !isGenerated(line);
  };
  const isShown = (unit: FoundUnit): boolean => isSaid(unit) && isOwn(unit);
  const files = () => search.files().flatMap(({ path }) => search.file(path) ?? []);
  const { units, leftOut } = slugs
    ? { units: search.units(search.linked(slugs, { withResources }, MOST_LINKED)), leftOut: NOTHING_LEFT }
    : readNewest(search, files().filter(isAskedFor), today, room);
  const shown = units.filter((unit) => isAskedFor(unit.file) && isShown(unit));
  return {
    units: shown.sort((a, b) => compareText(a.file.path, b.file.path) || a.line - b.line || a.key - b.key),
    leftOut,
  };
}

const NOTHING_LEFT: OmittedLineCounts = { log_lines: 0, until: null, facts: 0, facts_until: null, shortened_pages: 0 };

/**
 * Reads units until the limit is reached: first the units of undated files, then the units of the newest days. Future
 * days are last. Within the limit, facts take precedence over other lines.
 */
function readNewest(search: IndexSearch, files: readonly FoundFile[], today: Day, room: typeof ROOM): ShownLines {
  const newest = newestFirst(files, today);
  const units: FoundUnit[] = [];
  const leftOut = { ...NOTHING_LEFT };
  let [ofFacts, all] = [0, 0];
  for (const file of newest) {
    const { firstUnit, lastUnit } = file;
    const isRead = ofFacts < room.facts;
    const isWhole = isRead && all < room.all && !isNote(file);
    const facts = isRead && !isWhole ? search.factsIn(firstUnit, lastUnit) : [];
    const found = isWhole ? search.range(firstUnit, lastUnit) : facts;
    for (const { text, fact } of found) {
      all += text.length + OVERHEAD;
      if (fact !== null) ofFacts += text.length + OVERHEAD;
    }
    addAll(units, found);
    if (isWhole || isNote(file)) continue;
    const there = search.countIn(file);
    const rest = there.facts - facts.length;
    leftOut.log_lines += there.lines;
    leftOut.facts += rest;
    const until = pastDay(file, today);
    if (there.lines > 0) leftOut.until ??= until;
    if (rest > 0) leftOut.facts_until ??= until;
  }
  return { units, leftOut };
}

/** Day of a file; null if the file has no day, or if its day is in the future. */
function pastDay({ day }: FoundFile, today: Day): Day | null {
  return day !== null && day <= today ? day : null;
}

/** Sorts files: undated files first, then the files of the newest days. Files of future days are last. */
function newestFirst(files: readonly FoundFile[], today: Day): readonly FoundFile[] {
  const order = ({ day }: FoundFile): string => (day === null ? '9999-12-31' : day > today ? '' : day);
  return files.toSorted((a, b) => compareText(order(b), order(a)));
}

export function toPageItems(
  units: readonly FoundUnit[],
  places: FileTable,
  names: EntityNameIndex,
): readonly PageItem[] {
  return units.map((unit) => {
    const about = names.indices(unit.detail?.entities ?? []);
    const kind = unit.kind === 'entity' || unit.kind === 'summary' ? 'page' : unit.kind;
    const item = { kind, text: unit.text, at: places.at(unit.file.path, unit.line) };
    return about.length === 0 ? item : { ...item, about };
  });
}

function isSaid({ detail, section, key, text }: FoundUnit): boolean {
  const isView = detail?.view === true || detail?.page === true || detail?.field === true || detail?.cells === true;
  return !isView && section !== key && text.trim() !== '' && !isMachineLine(text);
}

/** Returns a function that tells whether a line (1-based) is in a managed block. */
function generatedLines(root: string, path: string): (line: number) => boolean {
  const bytes = readVersion(fullPathOf(root, path))?.bytes;
  const blocks = bytes === undefined ? [] : findManagedBlocks(decodeBytes(bytes));
  return (line) => blocks.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}
