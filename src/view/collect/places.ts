import type { Search } from '../../index/search.js';
import { dayOfPath } from '../../language/time/calendar.js';
import type { Links } from '../links.js';
import type { At, PageFile } from '../page-data.js';

/** The files that the page names, each once. */
export class Places {
  readonly files: PageFile[] = [];
  private readonly known = new Map<string, number>();

  constructor(
    private readonly search: Search,
    private readonly links: Links,
  ) {}

  file(path: string): number {
    const known = this.known.get(path);
    if (known !== undefined) return known;
    this.known.set(path, this.files.length);
    const day = this.search.file(path)?.day ?? dayOfPath(path);
    return this.files.push({ path, day, href: this.links.file(path) }) - 1;
  }

  at(path: string, line: number): At {
    return [this.file(path), line];
  }

  /** @param source `memory/2025-11-27.md#L14`, or `#L14-L16` */
  source(source: string): At {
    const [, path = source, line = '1'] = /^(.*)#L(\d+)(?:-L\d+)?$/s.exec(source) ?? [];
    return this.at(path, Number(line));
  }
}
