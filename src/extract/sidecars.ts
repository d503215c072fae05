import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { groupBy } from '../base/order.js';
import { fileState } from '../index/tree-files.js';
import { readFrontMatter } from '../markdown/front-matter.js';
import { decodeBytes } from '../text/bytes.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { readVersion } from '../workspace/files.js';
import { readEntries, replaceEntries } from '../workspace/state.js';
import { pagesOfType } from './bank.js';
import type { MemoryType } from './memory-type.js';
import { parseMemoryFile, parseSimplePage, visibleContent } from './page/form.js';
import { withoutSources } from './page/sources.js';
import type { MemoryTypes } from './types.js';

/** A page, summed up in one sentence: its abstract. The overview of a folder lists the abstracts of its pages. */
export interface PageAbstract {
  readonly path: string;
  readonly title: string;
  /** The field `abstract` of the page or, without this field, the first sentence of its text. */
  readonly abstract: string;
}

/**
 * A cached abstract. It is valid as long as the file has this state (size, times and inode). Then the page need not be read.
 */
type Known = readonly [state: string, title: string, abstract: string];

const ABSTRACTS = 'page abstract';
const LONGEST = 160;
const MOST_LISTED = 200;

/**
 * Gives the abstracts of pages of memory types. The abstract of an unchanged page comes from a cache in the state folder, so
 * that the page need not be read.
 */
export class PageAbstractLookup {
  private readonly kept: ReadonlyMap<string, Known>;
  private readonly read = new Map<string, Known>();

  constructor(
    private readonly root: string,
    private readonly stateFolder: string,
  ) {
    this.kept = readEntries(stateFolder, ABSTRACTS);
  }

  /** Abstracts of the pages of a type, sorted by path. @param planned planned texts by path; null for a page to delete */
  of(type: MemoryType, planned: ReadonlyMap<string, string | null>): readonly PageAbstract[] {
    const paths = new Set([...pagesOfType(this.root, type), ...planned.keys()]);
    const found: PageAbstract[] = [];
    for (const path of [...paths].sort()) {
      const text = planned.get(path);
      if (text === null) continue;
      const stat = text === undefined ? statSync(join(this.root, path), { throwIfNoEntry: false }) : undefined;
      if (text !== undefined) found.push(abstractOf(path, text));
      else if (stat !== undefined) found.push(this.at(path, fileState({ ...stat, inode: stat.ino })));
    }
    return found;
  }

  /** The abstract of one page. @param state size, times and inode of the file, from `fileState` */
  at(path: string, state: string): PageAbstract {
    const kept = this.kept.get(path);
    if (kept?.[0] === state) return { path, title: kept[1], abstract: kept[2] };
    const page = abstractOf(path, decodeBytes(readVersion(join(this.root, path))?.bytes ?? Buffer.alloc(0)));
    this.read.set(path, [state, page.title, page.abstract]);
    return page;
  }

  /** Adds the newly read abstracts to the cache. */
  save(): void {
    if (this.read.size > 0) replaceEntries(this.stateFolder, ABSTRACTS, new Map([...this.kept, ...this.read]));
  }
}

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
 */
export function folderSummaryChanges(
  root: string,
  types: MemoryTypes,
  abstracts: PageAbstractLookup,
  planned: readonly FileChange[],
): readonly FileChange[] {
  const changes: FileChange[] = [];
  for (const [folder, inFolder] of groupBy(types.all, ({ directory }) => directory)) {
    const own = inFolder.map((type) => {
      const isOf = ({ path }: { readonly path: string }): boolean => types.at(path)?.name === type.name;
      const mine = new Map(planned.filter(isOf).map(({ path, after }) => [path, after]));
      return { type, pages: abstracts.of(type, mine).filter(isOf) };
    });
    const pages = own.flatMap((one) => one.pages);
    const overview = pages.length === 0 ? null : own.map((one) => overviewOf(one.type, one.pages, types)).join('\n');
    const abstract = pages.length === 0 ? null : `${folderAbstract(folder, pages)}\n`;
    for (const [name, after] of [
      ['.abstract.md', abstract],
      ['.overview.md', overview],
    ] as const) {
      const path = `${folder}/${name}`;
      if (after !== null || existsSync(join(root, path))) changes.push(editPage(root, path, () => after, true));
    }
  }
  return changes.filter(({ before, after }) => before !== after);
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
  if (type.overviewTemplate !== null) {
    const made = templates.render(type.overviewTemplate, {
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
