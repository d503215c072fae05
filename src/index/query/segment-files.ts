import { Cache } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { findFirstNotBelow } from '../../base/order.js';
import type { PreparedStatementCache } from '../../db/open.js';
import type { PageRole } from '../../memory/pages.js';
import { pathGlob } from '../../text/glob.js';
import type { FoundFile, IndexedFile, IndexSegment } from '../found.js';
import { checkRowChecksum, FILE_COLUMNS, type FileRow } from '../row.js';
import type { Notice } from '../tree.js';

/**
 * Three arrays of the same length, with one value for each file in the order of its units: the number of its first unit,
 * its role, and its day.
 */
type Places = readonly [readonly number[], readonly (PageRole | null)[], readonly (Day | null)[]];

/** Reads the files of one segment. Caches values that stay right while nobody writes. */
export class SegmentFiles {
  private readonly byId = new Cache<number, FoundFile>();
  private readonly byGlobs = new Cache<string, readonly number[]>();
  private places: Places | undefined;
  private resources: boolean | undefined;

  constructor(
    private readonly segment: IndexSegment,
    private readonly prepared: PreparedStatementCache,
    private readonly number: number,
    private readonly base: number,
  ) {}

  clear(): void {
    for (const kept of [this.byId, this.byGlobs]) kept.clear();
    this.places = undefined;
    this.resources = undefined;
  }

  /** Files that were read without an error, in path order. */
  indexed(): readonly IndexedFile[] {
    const sql = "SELECT id, path, hash, role FROM file WHERE hash <> '' ORDER BY path";
    return this.unmasked(this.prepared.of<IndexedFile & { id: number }>(sql).all());
  }

  /** Ids of the files whose day is later than a day. */
  after(day: Day): readonly number[] {
    const sql = 'SELECT id FROM file INDEXED BY file_day WHERE day > ? ORDER BY day';
    return this.prepared
      .of<{ id: number }>(sql)
      .all(day)
      .map(({ id }) => id);
  }

  /** Number of files that were read without an error. */
  count(): number {
    return this.unmasked(this.prepared.of<{ id: number }>("SELECT id FROM file WHERE hash <> ''").all()).length;
  }

  unread(): readonly Notice[] {
    // The SQL index must be named: because of ORDER BY, SQLite would otherwise read every file.
    const sql = `SELECT id, path, notice AS reason FROM file INDEXED BY file_unread
      WHERE hash = '' AND notice LIKE 'can''t be read%' ORDER BY path`;
    return this.unmasked(this.prepared.of<Notice & { id: number }>(sql).all());
  }

  at(path: string): FoundFile | undefined {
    const [file] = this.read('path = ?', path);
    return file === undefined || this.segment.masked.has(file.id) ? undefined : file;
  }

  /** Loads files by id in one query. One query for each file would take more time than reading the units of the files. */
  load(ids: readonly number[]): void {
    const open = [...new Set(ids)].filter((id) => this.byId.get(id) === undefined);
    if (open.length > 0) this.read('id IN (SELECT value FROM json_each(?))', JSON.stringify(open));
  }

  /** The file with this id, if {@link load} has read it. Otherwise undefined. */
  withId(id: number): FoundFile | undefined {
    return this.byId.get(id);
  }

  /**
   * Role and day of the file that contains a unit. The role is empty if the file is masked. The first call reads all files
   * at once, so that calls for many units are fast.
   */
  placeOf(unit: number): { readonly role: PageRole | ''; readonly day: Day | null } {
    this.places ??= this.readPlaces();
    const [first, roles, days] = this.places;
    const at = findFirstNotBelow(first.length, (place) => (first[place] ?? 0) <= unit) - 1;
    return { role: roles[at] ?? '', day: days[at] ?? null };
  }

  /** Ids of the files whose path matches one of the globs. */
  matching(globs: readonly string[]): readonly number[] {
    const name = globs.join('\n');
    const known = this.byGlobs.get(name);
    if (known !== undefined) return known;
    const patterns = globs.map(pathGlob);
    const files = this.prepared.of<{ id: number; path: string }>('SELECT id, path FROM file').all();
    const isAt = ({ path }: { path: string }) => patterns.some((pattern) => pattern.test(path.normalize('NFC')));
    return this.byGlobs.add(
      name,
      files.filter(isAt).map(({ id }) => id),
    );
  }

  hasResources(): boolean {
    this.resources ??= this.prepared.of("SELECT 1 FROM file WHERE role = 'resource' LIMIT 1").get() !== undefined;
    return this.resources;
  }

  private read(condition: string, value: string): readonly FoundFile[] {
    const sql = `SELECT ${FILE_COLUMNS}, id FROM file WHERE ${condition}`;
    const rows = this.prepared.of<[...FileRow, id: number]>(sql).raw().all(value);
    return rows.map((row) => {
      const [path, day, role, pageType, firstUnit, lastUnit, sum, id] = row;
      checkRowChecksum(row, sum, row.length - 2);
      const range = { firstUnit: this.base + firstUnit, lastUnit: this.base + lastUnit };
      return this.byId.add(id, { segment: this.number, id, path, day, role, pageType, ...range });
    });
  }

  private readPlaces(): Places {
    // Read as three JSON texts: ten thousand rows would take several times as long.
    const columns = ['first_unit', 'iif(id IN (SELECT value FROM json_each(?)), null, role)', 'day'];
    const sql = `SELECT ${columns.map((column) => `json_group_array(${column})`).join()} FROM
      (SELECT * FROM file WHERE first_unit <= last_unit ORDER BY first_unit)`;
    const [first = '[]', roles = '[]', days = '[]'] =
      this.prepared
        .of<string[]>(sql)
        .raw()
        .get(JSON.stringify([...this.segment.masked])) ?? [];
    return [JSON.parse(first), JSON.parse(roles), JSON.parse(days)];
  }

  private unmasked<T extends { readonly id: number }>(rows: readonly T[]): readonly T[] {
    return rows.filter(({ id }) => !this.segment.masked.has(id));
  }
}
