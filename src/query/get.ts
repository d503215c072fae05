import { fail } from '../base/failure.js';
import { list, object, type ReportFields, type ReportOf } from '../base/report.js';
import type { RequestFields, RequestOf } from '../base/request.js';
import { displayText } from '../index/found.js';
import { expandId, unitId } from '../index/query/ids.js';
import type { FoundFile, FoundUnit, IndexSearch } from '../index/search.js';
import { splitLines } from '../markdown/lines.js';
import { noteSlug } from '../memory/page/names.js';
import { workspacePath } from '../memory/pages.js';
import { decodeBytes } from '../text/bytes.js';
import { readVersion } from '../workspace/files.js';
import { fullPathOf, pathInWorkspace } from '../workspace/read-scope.js';
import { withBeliefConfidence } from './answer/attach-beliefs.js';
import { childItems, withChildItems } from './answer/list-children.js';
import { citationOf, toResult } from './answer/result.js';
import type { BeliefLookup } from './beliefs.js';
import { toFoldedResult } from './rank/fold.js';
import type { RecallResult } from './request.js';

export const GET_REQUEST = {
  path: {
    type: 'text',
    required: true,
    place: 'argument',
    instead: ['id', 'target', 'source'],
    doc: 'an id, a page, or lines of a page: memory/2026-03-12.md#L4, …#L3-L9',
  },
  context: {
    type: 'number',
    whole: true,
    least: 0,
    example: 3,
    short: 'C',
    doc: 'number of lines to show before and after',
  },
} as const satisfies RequestFields;

export type GetRequest = RequestOf<typeof GET_REQUEST>;

/** A line of a page, as written. */
export interface PageLine {
  readonly line: number;
  readonly text: string;
}

/** A statement as `recall` shows it, or lines of a page as written. */
type GotItem =
  | Omit<RecallResult, 'score'>
  | Pick<RecallResult, 'content' | 'source' | 'path' | 'startLine' | 'endLine' | 'timestamp' | 'title'>;

export const GET_ANSWER = {
  item: object<GotItem>(),
  before: list<PageLine>(),
  after: list<PageLine>(),
  /** Lines of other pages that link to the page. Empty if the answer is a statement or some lines of a page. */
  linkedFrom: list<{ readonly id: string; readonly content: string; readonly source: string }>(),
} satisfies ReportFields;

export type GetAnswer = ReportOf<typeof GET_ANSWER>;

interface GetSource {
  readonly root: string;
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
}

const TARGET = /^(.+?)(?:#L(\d+)(?:-L?(\d+))?)?$/s;
const MOST_LINKS = 500;

/**
 * Returns one statement, some lines, or a page.
 * @throws MemoryError `not_found` for an unknown id, and for a path outside of the index; `usage` for a short id that fits
 * several statements
 */
export function getItem(source: GetSource, { path, context = 0 }: GetRequest): GetAnswer {
  const { search } = source;
  const id = expandId(search, path.trim());
  if (/^[fol]-[0-9a-z]{13}$/.test(id)) {
    const unit = id.startsWith('l-') ? search.logLine(id) : search.statements(id)[0];
    if (unit !== undefined) return ofUnit(source, unit, context);
  }
  return ofPage(source, workspacePath(path), context);
}

function ofUnit({ root, search, beliefs }: GetSource, unit: FoundUnit, context: number): GetAnswer {
  const { score: _, ...item } = toResult(
    withBeliefConfidence(toFoldedResult(unit), beliefs),
    { search, beliefs },
    withChildItems(childItems(unit, search)),
  );
  return { item, ...around(linesOf(root, unit.file.path), unit.line, unit.endLine, context), linkedFrom: [] };
}

function ofPage(source: GetSource, target: string, context: number): GetAnswer {
  const { root, search } = source;
  const [, written = target, from, to = from] = TARGET.exec(target) ?? [];
  const file = pageMeant(source, written);
  if (file === undefined)
    return fail('not_found', `there is no id or page ${target}`, 'use an id or a source from recall');
  const lines = linesOf(root, file.path);
  const first = Number(from ?? 1);
  const last = Math.min(Number(to ?? lines.length), lines.length);
  if (first < 1 || (from !== undefined && first > last))
    return fail('not_found', `${file.path} has no lines ${from} to ${to}`, `the page has ${lines.length} lines`);
  const units = search.range(file.firstUnit, file.lastUnit);
  const [only, other] = units.filter((unit) => unit.line === first && unit.endLine === last && !unit.detail?.page);
  if (from !== undefined && only !== undefined && other === undefined) return ofUnit(source, only, context);
  const item = {
    content: lines.slice(first - 1, last).join('\n'),
    source: from === undefined ? file.path : `${file.path}#L${first}${last > first ? `-L${last}` : ''}`,
    path: file.path,
    startLine: first,
    endLine: last,
    timestamp: file.day,
  };
  const linkedFrom = from === undefined ? linksTo(source, file, units[0]) : [];
  return { item, ...around(lines, first, last, context), linkedFrom };
}

/**
 * The page with this path. Tries the path as written, then without surrounding white space, then with `/` for `\`, and then
 * in other Unicode forms.
 */
function pageMeant({ root, search }: GetSource, written: string): FoundFile | undefined {
  const spellings = [written, written.trim(), written.trim().replaceAll('\\', '/')];
  const paths = spellings.map((one) => pathInWorkspace(root, fullPathOf(root, one)).replace(/^(?:\.\/)+/, ''));
  for (const path of paths) {
    const file = search.file(path);
    if (file !== undefined) return file;
  }
  const forms = new Set(paths.map((path) => path.normalize('NFC')));
  const same = search.files().find(({ path }) => forms.has(path.normalize('NFC')));
  return same && search.file(same.path);
}

function linksTo({ search }: GetSource, file: FoundFile, page: FoundUnit | undefined): GetAnswer['linkedFrom'] {
  const names = page?.detail?.page ? page.text.split('\n').filter((name) => name !== '') : [];
  const folders = file.path.slice(0, -'.md'.length).split('/');
  const paths = folders.map((_, depth) => folders.slice(depth).join('/'));
  const slugs = [...new Set([...names, ...paths].map(noteSlug))];
  const found = search
    .linked(slugs, { withResources: true }, MOST_LINKS)
    .flatMap((key) => search.unit(key) ?? [])
    .filter((unit) => unit.file.path !== file.path);
  return found.map((unit) => ({ id: unitId(unit, search), content: displayText(unit), source: citationOf(unit) }));
}

function linesOf(root: string, path: string): readonly string[] {
  const bytes = readVersion(fullPathOf(root, path))?.bytes;
  return bytes === undefined ? [] : splitLines(decodeBytes(bytes)).lines;
}

function around(lines: readonly string[], first: number, last: number, count: number) {
  const numbered = (from: number, to: number): readonly PageLine[] =>
    lines.slice(from, to).map((text, at) => ({ line: from + at + 1, text }));
  return {
    before: numbered(Math.max(0, first - 1 - count), first - 1),
    after: numbered(last, Math.min(lines.length, last + count)),
  };
}
