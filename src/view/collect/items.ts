import { compareText } from '../../base/order.js';
import type { FoundFile, FoundUnit, IndexSearch } from '../../index/search.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { FACT_KIND_NAMES } from '../../markdown/bullet.js';
import { decodeBytes } from '../../text/bytes.js';
import { isMachineLine } from '../../text/machine-text.js';
import { readVersion } from '../../workspace/files.js';
import { fullPathOf } from '../../workspace/read-scope.js';
import type { PageItem } from '../page-data.js';
import { type FilesScope, noteKind } from './files.js';
import type { EntityNameIndex, FileTable } from './places.js';

const MOST_LINKED = 100_000;

/** Lines about some entities, if the page is limited to these. */
export function readLinked(
  search: IndexSearch,
  slugs: readonly string[],
  scope: Pick<FilesScope, 'root' | 'since' | 'withResources'>,
): readonly FoundUnit[] {
  const linked = search.units(search.linked(slugs, scope, MOST_LINKED));
  return withoutViews(linked, scope.root).filter(({ file }) => noteKind(file, scope) !== undefined);
}

/** Facts of files, from the places where they were written, sorted by file and line. */
export function readFacts(search: IndexSearch, files: readonly FoundFile[], root: string): readonly FoundUnit[] {
  const facts = files.flatMap(({ firstUnit, lastUnit }) => search.factsIn(firstUnit, lastUnit));
  return withoutViews(facts, root);
}

/** Leaves out views of facts, and facts in generated blocks. */
function withoutViews(units: readonly FoundUnit[], root: string): readonly FoundUnit[] {
  const generated = new Map<string, (line: number) => boolean>();
  const isOwn = ({ file: { role, path }, line }: FoundUnit): boolean => {
    if (role !== 'entity' && role !== 'bank') return true;
    const isGenerated = generated.get(path) ?? generatedLines(root, path);
    generated.set(path, isGenerated);
    return !isGenerated(line);
  };
  return units
    .filter((unit) => isSaid(unit) && isOwn(unit))
    .sort((a, b) => compareText(a.file.path, b.file.path) || a.line - b.line || a.key - b.key);
}

/** The numbers of the lines of units, by path. */
export function linesByPath(units: readonly FoundUnit[]): ReadonlyMap<string, ReadonlySet<number>> {
  const kept = new Map<string, Set<number>>();
  for (const { file, line, endLine } of units) {
    const lines = kept.get(file.path) ?? new Set();
    kept.set(file.path, lines);
    for (let one = line; one <= endLine; one++) lines.add(one);
  }
  return kept;
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
