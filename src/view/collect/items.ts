import type { Day } from '../../base/clock.js';
import { addAll, compareText } from '../../base/order.js';
import type { FoundFile, FoundUnit, IndexSearch } from '../../index/search.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { FACT_KIND_NAMES } from '../../markdown/bullet.js';
import { decodeBytes } from '../../text/bytes.js';
import { isMachineLine } from '../../text/machine-text.js';
import { readVersion } from '../../workspace/files.js';
import { fullPathOf } from '../../workspace/read-scope.js';
import type { OmittedLineCounts, PageItem } from '../page-data.js';
import { newestFirst, noteKind, pastDay } from './files.js';
import type { EntityNameIndex, FileTable } from './places.js';

interface ItemsScope {
  readonly since: Day | undefined;
  readonly today: Day;
  /** If set, reads only units that are linked to one of these entities. */
  readonly slugs: readonly string[] | undefined;
  readonly withResources: boolean;
}

/** Maximum number of characters of facts to read, newest first. A page has no room for more. */
const ROOM = 4_500_000;
/** Approximate size of an item without its text, in characters. */
const OVERHEAD = 50;
const MOST_LINKED = 100_000;

/** Facts to show, sorted by file and line, and the number of facts that did not fit. */
interface ShownFacts {
  readonly facts: readonly FoundUnit[];
  readonly leftOut: Pick<OmittedLineCounts, 'facts' | 'facts_until'>;
  /** If the page is about one entity: the numbers of the lines about it, by path. */
  readonly kept: ReadonlyMap<string, ReadonlySet<number>> | undefined;
}

/**
 * Reads the facts that the page shows, from the places where they were written. Skips views of facts, and facts in
 * generated blocks. Reads the newest files first, within `room`.
 */
export function readShownFacts(
  root: string,
  search: IndexSearch,
  { since, today, slugs, withResources }: ItemsScope,
  room = ROOM,
): ShownFacts {
  const isAskedFor = (file: FoundFile): boolean =>
    noteKind(file, withResources) !== undefined && (since === undefined || (file.day ?? since) >= since);
  const generated = new Map<string, (line: number) => boolean>();
  const isOwn = ({ file: { role, path }, line }: FoundUnit): boolean => {
    if (role !== 'entity' && role !== 'bank') return true;
    const isGenerated = generated.get(path) ?? generatedLines(root, path);
    generated.set(path, isGenerated);
    return !isGenerated(line);
  };
  const isShown = (unit: FoundUnit): boolean => isAskedFor(unit.file) && isSaid(unit) && isOwn(unit);
  const linked = slugs && search.units(search.linked(slugs, { withResources }, MOST_LINKED)).filter(isShown);
  const { facts, leftOut } = linked
    ? { facts: linked.filter(({ fact }) => fact !== null), leftOut: { facts: 0, facts_until: null } }
    : readNewest(search, newestFirst(search, today).filter(isAskedFor), today, room);
  return {
    facts: facts
      .filter(isShown)
      .sort((a, b) => compareText(a.file.path, b.file.path) || a.line - b.line || a.key - b.key),
    leftOut,
    kept: linked && linesByPath(linked),
  };
}

function linesByPath(units: readonly FoundUnit[]): ReadonlyMap<string, ReadonlySet<number>> {
  const kept = new Map<string, Set<number>>();
  for (const { file, line, endLine } of units) {
    const lines = kept.get(file.path) ?? new Set();
    kept.set(file.path, lines);
    for (let one = line; one <= endLine; one++) lines.add(one);
  }
  return kept;
}

/** Reads facts until the limit is reached: first those of undated files, then those of the newest days. */
function readNewest(
  search: IndexSearch,
  files: readonly FoundFile[],
  today: Day,
  room: number,
): Omit<ShownFacts, 'kept'> {
  const facts: FoundUnit[] = [];
  const leftOut: { facts: number; facts_until: Day | null } = { facts: 0, facts_until: null };
  let read = 0;
  for (const file of files) {
    if (read < room) {
      const found = search.factsIn(file.firstUnit, file.lastUnit);
      for (const { text } of found) read += text.length + OVERHEAD;
      addAll(facts, found);
      continue;
    }
    const there = search.countIn(file).facts;
    leftOut.facts += there;
    if (there > 0) leftOut.facts_until ??= pastDay(file.day, today);
  }
  return { facts, leftOut };
}

export function toPageItems(
  facts: readonly FoundUnit[],
  places: FileTable,
  names: EntityNameIndex,
): readonly PageItem[] {
  return facts.flatMap(({ kind: found, text, file, line, detail }) => {
    const kind = FACT_KIND_NAMES.find((one) => one === found);
    if (kind === undefined) return [];
    const about = names.indices(detail?.entities ?? []);
    const item = { kind, text, at: places.at(file.path, line) };
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
