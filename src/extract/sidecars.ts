import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { groupBy } from '../base/order.js';
import { readFrontMatter } from '../markdown/front-matter.js';
import { decodeBytes } from '../text/bytes.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { readVersion, removeFile } from '../workspace/files.js';
import { pagesOfType } from './bank.js';
import type { MemoryType } from './memory-type.js';
import { parseMemoryFile, parseSimplePage, visibleContent } from './page/form.js';
import { withoutSources } from './page/sources.js';
import type { MemoryTypes } from './types.js';

/** A page, summed up in one sentence: its abstract. The overview of a folder lists the abstracts of its pages. */
interface PageAbstract {
  readonly path: string;
  readonly title: string;
  /** The field `abstract` of the page or, without this field, the first sentence of its text. */
  readonly abstract: string;
}

const LONGEST = 160;
const MOST_LISTED = 200;

/**
 * The title and the abstract of a page. The abstract is the field `abstract` or, without this field, the first sentence of
 * the text. Pure.
 */
export function abstractOf(path: string, text: string): PageAbstract {
  const { body, fields } = parseMemoryFile(text);
  const page = parseSimplePage(body, true);
  const stated = fields.abstract ?? readFrontMatter(page.front.split('\n')).abstract;
  const line = visibleContent(page)
    .split('\n')
    .find((one) => /[\p{L}\p{N}]/u.test(one) && !/^\s*(?:#|<!--|```|\||>)/u.test(one));
  const said = withoutSources(line ?? '').replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, '');
  const sentence = /^.*?[.!?。！？](?=\s|$|[^\s\x00-\x7f])/u.exec(said)?.[0] ?? said;
  const abstract = typeof stated === 'string' && stated !== '' ? stated : sentence;
  return {
    path,
    title: page.title ?? posix.basename(path, '.md'),
    abstract: cut(abstract.replace(/\s+/gu, ' ').trim()),
  };
}

function cut(text: string): string {
  const points = [...text];
  return points.length <= LONGEST ? text : `${points.slice(0, LONGEST - 1).join('')}…`;
}

/**
 * Computes the changes of `.abstract.md` and `.overview.md` in the folders of memory types. Both files are generated
 * from the pages alone, so equal pages give equal files. A folder without pages has neither of these files.
 * @param planned changes of pages that are written in the same run
 * @param isDue whether the files of a folder are to be generated; by default those of the folders with planned changes
 */
export function folderSummaryChanges(
  root: string,
  types: MemoryTypes,
  planned: readonly FileChange[],
  isDue = (folder: string) => planned.some(({ path }) => types.at(path)?.directory === folder),
): readonly FileChange[] {
  const after = new Map(planned.map((change) => [change.path, change.after]));
  const changes: FileChange[] = [];
  for (const [folder, own] of groupBy(types.all, ({ directory }) => directory)) {
    if (!isDue(folder)) continue;
    const listed = own.map((type) => {
      const isOf = (path: string): boolean => types.at(path)?.name === type.name;
      const paths = [...new Set([...pagesOfType(root, type), ...after.keys()])].filter(isOf).sort();
      return [type, paths.flatMap((path) => pageAbstract(path, after.get(path), root))] as const;
    });
    const pages = listed.flatMap(([, ofType]) => ofType);
    const overview = listed.map(([type, ofType]) => overviewOf(type, ofType, types)).join('\n');
    for (const [path, text] of [
      [folderAbstractPath(folder), `${folderAbstract(folder, pages)}\n`],
      [folderOverviewPath(folder), overview],
    ] as const) {
      const isGone = pages.length === 0;
      if (!isGone || existsSync(join(root, path)))
        changes.push(editPage(root, path, () => (isGone ? null : text), true));
    }
  }
  return changes.filter(({ before, after: now }) => before !== now);
}

/** The file that sums up a folder in one line. */
export const folderAbstractPath = (folder: string): string => `${folder}/.abstract.md`;
/** The file that lists the pages of a folder with their abstracts, or what the type's `overview_template` makes of them. */
export const folderOverviewPath = (folder: string): string => `${folder}/.overview.md`;

/**
 * Removes the summaries of the folders above changed pages, because they may repeat a forgotten text. The next extraction
 * makes them again. Call it under the writer lock.
 */
export function removeFolderSummaries(root: string, pages: readonly FileChange[]): readonly FileChange[] {
  const folders = new Set<string>();
  for (const { path } of pages)
    for (let folder = posix.dirname(path); folder.startsWith('bank'); folder = posix.dirname(folder))
      folders.add(folder);
  const paths = [...folders].flatMap((folder) => [folderAbstractPath(folder), folderOverviewPath(folder)]);
  const removed = paths.map((path) => editPage(root, path, () => null, true)).filter(({ before }) => before !== null);
  for (const { path } of removed) removeFile(join(root, path));
  return removed;
}

/** The abstract of a page as it is planned or, without a plan, as it is on disk. None for a page that is or will be gone. */
function pageAbstract(path: string, planned: string | null | undefined, root: string): readonly PageAbstract[] {
  const bytes = planned === undefined ? readVersion(join(root, path))?.bytes : undefined;
  const text = bytes === undefined ? (planned ?? null) : decodeBytes(bytes);
  return text === null ? [] : [abstractOf(path, text)];
}

function folderAbstract(folder: string, pages: readonly PageAbstract[]): string {
  const names = pages.slice(0, 12).map(({ title }) => title);
  const more = pages.length > names.length ? `, and ${pages.length - names.length} more` : '';
  return `${posix.basename(folder)}, ${pages.length === 1 ? '1 page' : `${pages.length} pages`}: ${names.join(', ')}${more}.`;
}

function overviewOf(type: MemoryType, pages: readonly PageAbstract[], { templates }: MemoryTypes): string {
  if (pages.length === 0) return '';
  const items = pages.map(({ path, title, abstract }) => ({
    file_name: posix.relative(type.directory, path),
    title,
    file_content: abstract,
  }));
  if (type.overview_template !== null) {
    const made = templates.render(type.overview_template, {
      items,
      directory_name: posix.basename(type.directory),
      memory_type: type.name,
    });
    if (made.ok) return `${made.value}\n`;
  }
  const lines = items.slice(0, MOST_LISTED).map(({ title, file_name, file_content: said }) => {
    return `- [${title}](${encodeURI(file_name)})${said === '' ? '' : `: ${said}`}`;
  });
  if (items.length > MOST_LISTED) lines.push(`- … and ${items.length - MOST_LISTED} more`);
  return `# ${type.name}\n\n${type.description}\n\n${lines.join('\n')}\n`;
}
