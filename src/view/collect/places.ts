import { dirname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ListedEntity } from '../../index/entity-list.js';
import type { IndexSearch } from '../../index/search.js';
import { dayOfPath } from '../../language/time/calendar.js';
import { entitySlug } from '../../text/slug.js';
import { fullPathOf } from '../../workspace/read-scope.js';
import type { Settings } from '../../workspace/settings.js';
import type { FileLine, PageFile } from '../page-data.js';

/** Table of the files that the page names, each once. Other data of the page name a file by its index in the table. */
export class FileTable {
  readonly files: PageFile[] = [];
  private readonly known = new Map<string, number>();

  constructor(
    private readonly search: IndexSearch,
    private readonly links: LinkFormat,
  ) {}

  file(path: string): number {
    const known = this.known.get(path);
    if (known !== undefined) return known;
    this.known.set(path, this.files.length);
    const day = this.search.file(path)?.day ?? dayOfPath(path);
    return this.files.push({ path, day, href: this.links.file(path) }) - 1;
  }

  at(path: string, line: number): FileLine {
    return [this.file(path), line];
  }

  /** @param source `memory/2025-11-27.md#L14`, or `#L14-L16` */
  source(source: string): FileLine {
    const [, path = source, line = '1'] = /^(.*)#L(\d+)(?:-L\d+)?$/s.exec(source) ?? [];
    return this.at(path, Number(line));
  }
}

/** How the page links to lines of files. */
export interface LinkFormat {
  /** @param path relative to the workspace, with `/` */
  readonly file: (path: string) => string;
  /** Text between the address and a line number, such as `#L`. Empty if the links can't name a line. */
  readonly lineMark: string;
}

/**
 * Builds the links in the configured form.
 * @param root absolute path of the workspace
 * @param page absolute path of the page; null if it is printed
 */
export function createLinkFormat(form: Settings['viewLinks'], root: string, page: string | null): LinkFormat {
  const full = (path: string): string => fullPathOf(root, path);
  if (form === 'vscode') return { file: (path) => `vscode://file${pathToFileURL(full(path)).pathname}`, lineMark: ':' };
  if (form === 'obsidian')
    return { file: (path) => `obsidian://open?path=${encodeURIComponent(full(path))}`, lineMark: '' };
  const folder = page === null ? undefined : dirname(page);
  const beside = (folder: string, path: string): string =>
    relative(folder, path).split(/[\\/]/).map(encodeURIComponent).join('/');
  const link = (path: string) => (folder === undefined ? pathToFileURL(path).href : beside(folder, path));
  return { file: (path) => link(full(path)), lineMark: '#L' };
}

/** Finds the indices of entities in the page's list by their names and aliases. */
export class EntityNameIndex {
  private readonly places: Map<string, number>;
  private readonly known = new Map<string, number | undefined>();

  constructor(
    private readonly search: IndexSearch,
    entities: readonly ListedEntity[],
  ) {
    this.places = new Map(entities.map(({ slug }, place) => [slug, place]));
  }

  index(name: string): number | undefined {
    if (!this.known.has(name)) {
      const slug = entitySlug(name);
      this.known.set(name, this.places.get(slug) ?? this.places.get(this.search.entity(slug)?.slug ?? ''));
    }
    return this.known.get(name);
  }

  /** Finds the indices of some names, in the order of the names, each index once. */
  indices(names: readonly string[]): readonly number[] {
    return [...new Set(names.flatMap((name) => this.index(name) ?? []))];
  }
}
