import type { Database } from '../db/open.js';
import type { PageUnits } from '../memory/units.js';
import { stateOf, type TreeFile } from './tree.js';

/** A file as it was read for the index. */
export interface ReadFile extends TreeFile {
  readonly hash: string;
  /** Changed so shortly before it was read that its state may not tell a later change. */
  readonly racy: boolean;
  /** Why it has no or odd units. */
  readonly notice: string | null;
}

/** The statements that put files into an index and take them out. All rows of a file change in one transaction. */
export class IndexWriter {
  private readonly statements;
  private nextUnit: number;

  constructor(private readonly db: Database) {
    this.statements = prepare(db);
    this.nextUnit = Number(db.prepare('SELECT coalesce(max(id), 0) + 1 FROM unit').pluck().get());
  }

  add(file: ReadFile, { units, entity, forgotten }: PageUnits): void {
    const s = this.statements;
    const first = this.nextUnit;
    const { day, role, pageType } = file.page;
    const inserted = s.file.run(
      file.path,
      stateOf(file),
      file.hash,
      file.racy ? 1 : 0,
      day,
      role,
      pageType,
      first,
      first + units.length - 1,
      file.notice,
      forgotten,
    );
    const fileId = inserted.lastInsertRowid;
    for (const unit of units) {
      const id = this.nextUnit++;
      const detail = unit.detail === null ? null : JSON.stringify(unit.detail);
      s.unit.run(
        id,
        fileId,
        unit.line,
        unit.endLine,
        unit.kind,
        unit.section,
        unit.text,
        unit.fact,
        unit.validFrom,
        unit.validTo,
        unit.isPeriod ? 1 : 0,
        detail,
      );
      s.fts.run(id, unit.search);
      for (const slug of unit.slugs) s.link.run(slug, id);
    }
    if (entity === null) return;
    s.entity.run(fileId, entity.slug, entity.name, entity.type);
    for (const alias of entity.aliases) s.alias.run(alias, entity.slug, fileId);
  }

  /** @returns whether the file was indexed. */
  remove(path: string): boolean {
    const row = this.statements.findFile.get(path);
    if (row === undefined) return false;
    for (const statement of this.statements.removeRange) statement.run(row.first_unit, row.last_unit);
    for (let unit = row.first_unit; unit <= row.last_unit; unit++) this.statements.removeText.run(unit);
    for (const statement of this.statements.removeFile) statement.run(row.id);
    return true;
  }

  /** Notes that a file was looked at again and holds what the index has. */
  touch(file: TreeFile, racy: boolean): void {
    this.statements.touch.run(stateOf(file), racy ? 1 : 0, file.path);
  }

  setMeta(key: string, value: string): void {
    this.db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
  }
}

interface FileRange {
  readonly id: number;
  readonly first_unit: number;
  readonly last_unit: number;
}

function prepare(db: Database) {
  return {
    file: db.prepare(
      'INSERT INTO file (path, state, hash, racy, day, role, page_type, first_unit, last_unit, notice, forgotten) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    unit: db.prepare(
      'INSERT INTO unit (id, file, line, end_line, kind, section, text, fact, valid_from, valid_to, period, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    fts: db.prepare('INSERT INTO fts (rowid, text) VALUES (?, ?)'),
    link: db.prepare('INSERT OR IGNORE INTO link (slug, unit) VALUES (?, ?)'),
    entity: db.prepare('INSERT OR IGNORE INTO entity (file, slug, name, type) VALUES (?, ?, ?, ?)'),
    alias: db.prepare('INSERT OR IGNORE INTO alias (alias, slug, file) VALUES (?, ?, ?)'),
    findFile: db.prepare<[string], FileRange>('SELECT id, first_unit, last_unit FROM file WHERE path = ?'),
    // One by one: for a range FTS5 walks all of its rows.
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
