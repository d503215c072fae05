import type { Database } from '../db/open.js';
import { dayNumber } from '../language/time/calendar.js';
import { CodeBlocks } from './meaning/blocks.js';
import type { PreparedFile } from './read/prepared.js';
import { checkRowChecksum, FILE_COLUMNS, type FileRow, rowChecksum, UNIT_COLUMNS } from './row.js';
import { fileState, type TreeFile } from './tree-files.js';

const NONE: readonly string[] = [];
/** Day number for files without a day. It makes these files sort before all other files. */
const BEFORE_ALL = -(2 ** 31);

/** Adds files to an index and removes them. All rows of a file change in one transaction. */
export class IndexWriter {
  private readonly statements;
  private nextUnit: number;

  constructor(private readonly db: Database) {
    this.statements = prepare(db);
    this.nextUnit = Number(db.prepare('SELECT coalesce(max(id), 0) + 1 FROM unit').pluck().get());
  }

  /** Whether nothing was written yet. */
  get isEmpty(): boolean {
    return this.nextUnit === 1;
  }

  add({ file, units, entity, forgotten }: PreparedFile): void {
    if (units === null) {
      this.touch(file, file.racy);
      return;
    }
    const s = this.statements;
    const first = this.nextUnit;
    const { day, role, pageType } = file.page;
    const values = [file.path, day, role, pageType, first, first + units.length - 1];
    const state = [fileState(file), file.hash, file.racy ? 1 : 0, file.notice, forgotten];
    const since = day === null ? BEFORE_ALL : dayNumber(day);
    const fileId = Number(s.file.run(...values, rowChecksum(values), ...state).lastInsertRowid);
    for (const { values, sum, search = values[4], slugs = NONE } of units) {
      const id = this.nextUnit++;
      s.unit.run(...values, id, fileId, rowChecksum([id, fileId], sum));
      s.fts.run(id, search);
      for (const slug of slugs) s.link.run(slug, since, id);
    }
    if (entity === null) return;
    s.entity.run(fileId, entity.slug, entity.name, entity.type);
    for (const alias of entity.aliases) s.alias.run(alias, entity.slug, fileId);
  }

  /**
   * Removes files in the order of their rows, because FTS5 writes its pending text whenever a row id is lower than the one
   * before.
   * @returns the paths that were indexed
   */
  remove(paths: readonly string[]): ReadonlySet<string> {
    const found = paths.flatMap((path) => {
      const row = this.statements.findFile.get(path);
      return row === undefined ? [] : [row];
    });
    const codes = new CodeBlocks(this.db);
    for (const row of found.sort(([, , , , a], [, , , , b]) => a - b)) {
      const [, , , , first, last, sum, id] = row;
      checkRowChecksum(row, sum, row.length - 2);
      for (const statement of this.statements.removeRange) statement.run(first, last);
      for (let unit = first; unit <= last; unit++) this.statements.removeText.run(unit);
      for (const statement of this.statements.removeFile) statement.run(id);
      codes.erase(first, last);
    }
    codes.save();
    return new Set(found.map(([path]) => path));
  }

  /** Records the new state of a file whose content still matches the index. */
  touch(file: TreeFile, racy: boolean): void {
    this.statements.touch.run(fileState(file), racy ? 1 : 0, file.path);
  }

  setMeta(key: string, value: string | Buffer): void {
    this.db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
  }
}

function prepare(db: Database) {
  return {
    file: db.prepare(
      `INSERT INTO file (${FILE_COLUMNS}, state, hash, racy, notice, forgotten) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    unit: db.prepare(`INSERT INTO unit (${UNIT_COLUMNS}) VALUES (${UNIT_COLUMNS.replace(/\w+/g, '?')})`),
    fts: db.prepare('INSERT INTO fts (rowid, text) VALUES (?, ?)'),
    link: db.prepare('INSERT OR IGNORE INTO link (slug, day, unit) VALUES (?, ?, ?)'),
    entity: db.prepare('INSERT OR IGNORE INTO entity (file, slug, name, type) VALUES (?, ?, ?, ?)'),
    alias: db.prepare('INSERT OR IGNORE INTO alias (alias, slug, file) VALUES (?, ?, ?)'),
    findFile: db
      .prepare<[string], readonly [...FileRow, id: number]>(`SELECT ${FILE_COLUMNS}, id FROM file WHERE path = ?`)
      .raw(),
    // Rows are deleted one by one: for a range, FTS5 would read all of its rows.
    removeText: db.prepare('DELETE FROM fts WHERE rowid = ?'),
    removeRange: [
      db.prepare('DELETE FROM link WHERE unit BETWEEN ? AND ?'),
      db.prepare('DELETE FROM unit WHERE id BETWEEN ? AND ?'),
    ],
    removeFile: [
      db.prepare('DELETE FROM entity WHERE file = ?'),
      db.prepare('DELETE FROM alias WHERE file = ?'),
      db.prepare('DELETE FROM file WHERE id = ?'),
    ],
    touch: db.prepare('UPDATE file SET state = ?, racy = ? WHERE path = ?'),
  };
}
