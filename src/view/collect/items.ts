import { join } from 'node:path';
import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import type { FoundFile, FoundUnit, Search } from '../../index/search.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { shownText } from '../../markdown/wiki.js';
import { decodeBytes } from '../../text/bytes.js';
import { isMachineLine } from '../../text/machine-text.js';
import { readVersion } from '../../workspace/files.js';
import type { PageItem } from '../page-data.js';
import type { Names, Places } from './places.js';

export interface ItemsScope {
  readonly since: Day | undefined;
  /** Only what is linked to one of these. */
  readonly slugs: readonly string[] | undefined;
  readonly withResources: boolean;
}

/** Of pages that are shown elsewhere: beliefs by their evidence, sessions by their Working Memory. */
const ELSEWHERE: ReadonlySet<string> = new Set(['opinions', 'summary']);
const MOST_LINKED = 100_000;

/**
 * Every line that says something and stands where it was written: facts, log text, what people wrote on pages. Views of
 * facts, headings and the machine's own lines are none.
 */
export function collectItems(
  root: string,
  search: Search,
  { since, slugs, withResources }: ItemsScope,
  places: Places,
  names: Names,
): readonly PageItem[] {
  const linked = slugs && new Set(search.linked(slugs, { withResources }, MOST_LINKED));
  const isAskedFor = ({ role, day }: FoundFile): boolean =>
    !ELSEWHERE.has(role) && (role !== 'resource' || withResources) && (since === undefined || (day ?? since) >= since);
  const found = search.files().flatMap(({ path }) => search.file(path) ?? []);
  const files = found.filter(isAskedFor).sort((a, b) => compareText(a.path, b.path));
  return files.flatMap((file) => {
    const isGenerated = file.role === 'entity' || file.role === 'bank' ? generatedLines(root, file.path) : () => false;
    const units = search
      .range(file.firstUnit, file.lastUnit)
      .filter((unit) => isSaid(unit) && linked?.has(unit.key) !== false && !isGenerated(unit.line));
    return units.toSorted((a, b) => a.line - b.line || a.key - b.key).map((unit) => toItem(unit, places, names));
  });
}

function toItem(unit: FoundUnit, places: Places, names: Names): PageItem {
  const about = names.indices(unit.detail?.entities ?? []);
  const item = { kind: kindOf(unit), text: shownText(unit.text), at: places.at(unit.file.path, unit.line) };
  return about.length === 0 ? item : { ...item, about };
}

function kindOf({ kind }: FoundUnit): PageItem['kind'] {
  return kind === 'entity' || kind === 'summary' ? 'page' : kind;
}

function isSaid({ detail, section, key, text }: FoundUnit): boolean {
  const isView = detail?.view === true || detail?.page === true || detail?.field === true || detail?.cells === true;
  return !isView && section !== key && text.trim() !== '' && !isMachineLine(text);
}

/** Whether a line, from 1, is in a block of ours. */
function generatedLines(root: string, path: string): (line: number) => boolean {
  const bytes = readVersion(join(root, path))?.bytes;
  const blocks = bytes === undefined ? [] : findManagedBlocks(decodeBytes(bytes));
  return (line) => blocks.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}
