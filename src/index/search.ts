import type { Day } from '../base/clock.js';
import type { Database, Statement } from '../db/open.js';
import type { PageRole } from '../memory/pages.js';
import type { UnitDetail, UnitKind } from './unit.js';

/**
 * One database of an answer. Normally there is one; while another process writes, changed files are read into a second
 * one in memory, and the first one's rows of those files are masked.
 */
export interface Segment {
  readonly db: Database;
  /** Ids of files whose rows are not true any more. */
  readonly masked: ReadonlySet<number>;
}

/** A unit of any segment. Orders as the units of its file do. */
export type UnitKey = number;

/** Segments have room for 2^40 units each. */
const SEGMENT_SIZE = 2 ** 40;

export interface FoundUnit {
  readonly key: UnitKey;
  readonly file: FoundFile;
  readonly line: number;
  readonly endLine: number;
  readonly kind: UnitKind;
  /** Key of the heading that it stands under, or null. */
  readonly section: UnitKey | null;
  readonly text: string;
  readonly fact: string | null;
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  readonly detail: UnitDetail | null;
}

export interface FoundFile {
  readonly segment: number;
  readonly id: number;
  readonly path: string;
  readonly day: Day | null;
  readonly role: PageRole;
  readonly pageType: string | null;
  readonly firstUnit: UnitKey;
  readonly lastUnit: UnitKey;
}

/** Hard conditions on what may be an answer. */
export interface Filter {
  readonly kinds?: readonly UnitKind[] | undefined;
  /** Slugs: one of these must be linked. */
  readonly entities?: readonly string[] | undefined;
  /** Inclusive; the source day inside, or written validity overlapping. */
  readonly since?: Day | undefined;
  readonly until?: Day | undefined;
  /** Source day not later (undated stays), and a written validity, if any, overlapping [asOfFrom, asOf]. */
  readonly asOf?: Day | undefined;
  readonly asOfFrom?: Day | undefined;
  readonly withResources: boolean;
}

export interface Hit {
  readonly key: UnitKey;
  /** FTS5's, negated: larger is better. */
  readonly bm25: number;
}

interface UnitRow {
  readonly id: number;
  readonly file: number;
  readonly line: number;
  readonly end_line: number;
  readonly kind: UnitKind;
  readonly section: number;
  readonly text: string;
  readonly fact: string | null;
  readonly valid_from: Day | null;
  readonly valid_to: Day | null;
  readonly detail: string | null;
}

interface FileRow {
  readonly id: number;
  readonly path: string;
  readonly day: Day | null;
  readonly role: PageRole;
  readonly page_type: string | null;
  readonly first_unit: number;
  readonly last_unit: number;
}

const UNIT_COLUMNS = 'id, file, line, end_line, kind, section, text, fact, valid_from, valid_to, detail';

/** Rows to candidates: the only place that asks the index. Holds no state but prepared statements and cached files. */
export class Search {
  private readonly parts: readonly Part[];

  constructor(segments: readonly Segment[]) {
    this.parts = segments.map((segment, number) => new Part(segment, number));
  }

  /** How many units there are, about. */
  size(): number {
    return this.parts.reduce((sum, part) => sum + part.size(), 0);
  }

  /** How many units a full-text expression finds, counted up to `cap`; beyond it the rest is estimated. */
  count(expression: string, cap: number): number {
    return this.parts.reduce((sum, part) => sum + part.count(expression, cap), 0);
  }

  /** The best units of a full-text expression. */
  match(expression: string, filter: Filter, limit: number): readonly Hit[] {
    const hits = this.parts.flatMap((part) => part.match(expression, filter, limit));
    return this.parts.length === 1 ? hits : hits.sort((a, b) => b.bm25 - a.bm25 || a.key - b.key).slice(0, limit);
  }

  /** Units that are linked to one of some entities, those indexed last first. */
  linked(slugs: readonly string[], filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.linked(slugs, filter, limit));
  }

  /** Units that a filter lets through, the newest first. Cheap with a time window; without one it may read every row. */
  filtered(filter: Filter, limit: number): readonly UnitKey[] {
    return this.parts.flatMap((part) => part.filtered(filter, limit));
  }

  unit(key: UnitKey): FoundUnit | undefined {
    return this.part(key)?.units(key, key)[0];
  }

  /** Units from key to key, both included; they must be of one segment. */
  range(from: UnitKey, to: UnitKey): readonly FoundUnit[] {
    return this.part(from)?.units(from, to) ?? [];
  }

  /** All statements with a fact id: the fact and its views. */
  statements(fact: string): readonly FoundUnit[] {
    return this.parts.flatMap((part) => part.statements(fact));
  }

  /** How many earlier lines of its file have the same text: part of a log line's id. */
  occurrence(unit: FoundUnit): number {
    return this.part(unit.key)?.occurrence(unit) ?? 0;
  }

  /** The entity that a slug is the name or an alias of, or a mentioned one without a page. */
  entity(slug: string): KnownEntity | undefined {
    for (const part of this.parts) {
      const known = part.entity(slug);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  private part(key: UnitKey): Part | undefined {
    return this.parts[Math.floor(key / SEGMENT_SIZE)];
  }
}

export interface KnownEntity {
  readonly slug: string;
  /** Its slug and those of its aliases: units may be linked to any. */
  readonly slugs: readonly string[];
  /** As written on its page; null when it is only mentioned. */
  readonly name: string | null;
  readonly path: string | null;
}

class Part {
  private readonly db: Database;
  private readonly base: number;
  private readonly files = new Map<number, FoundFile>();
  private readonly prepared = new Map<string, Statement>();

  constructor(
    private readonly segment: Segment,
    private readonly number: number,
  ) {
    this.db = segment.db;
    this.base = number * SEGMENT_SIZE;
  }

  size(): number {
    return this.db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM unit').pluck().get() ?? 0;
  }

  count(expression: string, cap: number): number {
    const statement = this.db.prepare<[string, number], [number, number | null]>(
      'SELECT count(*), max(rowid) FROM (SELECT rowid FROM fts WHERE fts MATCH ? LIMIT ?)',
    );
    const [count, last] = statement.raw().get(expression, cap) ?? [0, null];
    // Matches come in rowid order: how far the counted ones reach tells how many there are.
    return count < cap || last === null ? count : Math.round((count * this.size()) / Math.max(1, last));
  }

  match(expression: string, filter: Filter, limit: number): readonly Hit[] {
    const { conditions, values } = this.conditions(filter);
    const joined = conditions.length > 0;
    const sql = joined
      ? `SELECT unit.id, bm25(fts) AS badness FROM fts CROSS JOIN unit ON unit.id = fts.rowid CROSS JOIN file ON file.id = unit.file
         WHERE fts MATCH ? AND ${conditions.join(' AND ')} ORDER BY badness, unit.id LIMIT ?`
      : 'SELECT rowid, bm25(fts) AS badness FROM fts WHERE fts MATCH ? ORDER BY badness, rowid LIMIT ?';
    const rows = this.db
      .prepare<unknown[], [number, number]>(sql)
      .raw()
      .all(expression, ...values, limit);
    return rows.map(([id, rank]) => ({ key: this.base + id, bm25: -rank }));
  }

  linked(slugs: readonly string[], filter: Filter, limit: number): readonly UnitKey[] {
    const { conditions, values } = this.conditions(filter);
    const sql = `SELECT DISTINCT link.unit FROM link CROSS JOIN unit ON unit.id = link.unit CROSS JOIN file ON file.id = unit.file
      WHERE ${[`link.slug IN (${placeholders(slugs)})`, ...conditions].join(' AND ')} ORDER BY link.unit DESC LIMIT ?`;
    return this.keys(sql, ...slugs, ...values, limit);
  }

  filtered(filter: Filter, limit: number): readonly UnitKey[] {
    const { conditions, values } = this.conditions({ ...filter, since: undefined, until: undefined });
    const and = conditions.map((condition) => ` AND ${condition}`).join('');
    const inWindow = `SELECT unit.id FROM file CROSS JOIN unit ON unit.id BETWEEN file.first_unit AND file.last_unit
      WHERE ${hasWindow(filter) ? 'file.day BETWEEN ? AND ?' : '1'}${and} ORDER BY file.day DESC, file.path, unit.id LIMIT ?`;
    if (!hasWindow(filter)) return this.keys(inWindow, ...values, limit);
    const [since, until] = windowOf(filter);
    const valid = `SELECT unit.id FROM unit CROSS JOIN file ON file.id = unit.file WHERE ${VALIDITY_OVERLAPS}${and} LIMIT ?`;
    return [
      ...this.keys(inWindow, since, until, ...values, limit),
      ...this.keys(valid, until, since, ...values, limit),
    ];
  }

  private keys(sql: string, ...values: readonly unknown[]): UnitKey[] {
    const ids = this.db
      .prepare<unknown[], number>(sql)
      .pluck()
      .all(...values);
    return ids.map((id) => this.base + id);
  }

  units(from: UnitKey, to: UnitKey): readonly FoundUnit[] {
    const statement = this.statement(`SELECT ${UNIT_COLUMNS} FROM unit WHERE id BETWEEN ? AND ? ORDER BY id`);
    const rows = statement.all(from - this.base, to - this.base) as UnitRow[];
    return this.found(rows);
  }

  statements(fact: string): readonly FoundUnit[] {
    const rows = this.statement(`SELECT ${UNIT_COLUMNS} FROM unit WHERE fact = ? ORDER BY id`).all(fact) as UnitRow[];
    return this.found(rows);
  }

  occurrence(unit: FoundUnit): number {
    const count = this.statement('SELECT count(*) FROM unit WHERE id >= ? AND id < ? AND text = ?').pluck();
    return Number(count.get(unit.file.firstUnit - this.base, unit.key - this.base, unit.text));
  }

  entity(slug: string): KnownEntity | undefined {
    const canonical = this.statement('SELECT slug FROM alias WHERE alias = ? ORDER BY slug LIMIT 1').pluck().get(slug);
    const own = typeof canonical === 'string' ? canonical : slug;
    const page = this.statement(
      'SELECT entity.name AS name, file.path AS path FROM entity JOIN file ON file.id = entity.file WHERE slug = ? LIMIT 1',
    ).get(own) as { name: string; path: string } | undefined;
    if (page === undefined) {
      const linked = this.statement('SELECT 1 FROM link WHERE slug = ? LIMIT 1').get(own) !== undefined;
      return linked ? { slug: own, slugs: [own], name: null, path: null } : undefined;
    }
    const aliases = this.statement('SELECT alias FROM alias WHERE slug = ? ORDER BY alias')
      .pluck()
      .all(own) as string[];
    return { slug: own, slugs: [own, ...aliases], ...page };
  }

  private found(rows: readonly UnitRow[]): FoundUnit[] {
    const units: FoundUnit[] = [];
    for (const row of rows) {
      if (this.segment.masked.has(row.file)) continue;
      const file = this.file(row.file);
      units.push({
        key: this.base + row.id,
        file,
        line: row.line,
        endLine: row.end_line,
        kind: row.kind,
        section: row.section < 0 ? null : file.firstUnit + row.section,
        text: row.text,
        fact: row.fact,
        validFrom: row.valid_from,
        validTo: row.valid_to,
        detail: row.detail === null ? null : (JSON.parse(row.detail) as UnitDetail),
      });
    }
    return units;
  }

  private file(id: number): FoundFile {
    const cached = this.files.get(id);
    if (cached !== undefined) return cached;
    const row = this.statement(
      'SELECT id, path, day, role, page_type, first_unit, last_unit FROM file WHERE id = ?',
    ).get(id) as FileRow;
    const file: FoundFile = {
      segment: this.number,
      id,
      path: row.path,
      day: row.day,
      role: row.role,
      pageType: row.page_type,
      firstUnit: this.base + row.first_unit,
      lastUnit: this.base + row.last_unit,
    };
    this.files.set(id, file);
    return file;
  }

  private conditions(filter: Filter): { conditions: readonly string[]; values: readonly unknown[] } {
    const conditions: string[] = [];
    const values: unknown[] = [];
    const add = (condition: string, ...bound: unknown[]): void => {
      conditions.push(condition);
      values.push(...bound);
    };
    if (this.segment.masked.size > 0) add(`file.id NOT IN (${[...this.segment.masked].join(',')})`);
    if (!filter.withResources && this.hasResources()) add("file.role <> 'resource'");
    if (filter.kinds !== undefined) add(`unit.kind IN (${placeholders(filter.kinds)})`, ...filter.kinds);
    if (filter.entities !== undefined) {
      add(`unit.id IN (SELECT unit FROM link WHERE slug IN (${placeholders(filter.entities)}))`, ...filter.entities);
    }
    if (hasWindow(filter)) {
      const [since, until] = windowOf(filter);
      add(`(file.day BETWEEN ? AND ? OR ${VALIDITY_OVERLAPS})`, since, until, until, since);
    }
    if (filter.asOf !== undefined) {
      add('(file.day IS NULL OR file.day <= ?)', filter.asOf);
      add(`(unit.period = 0 OR ${VALIDITY_OVERLAPS})`, filter.asOf, filter.asOfFrom ?? filter.asOf);
    }
    return { conditions, values };
  }

  private hasResources(): boolean {
    return this.statement("SELECT 1 FROM file WHERE role = 'resource' LIMIT 1").get() !== undefined;
  }

  private statement(sql: string): Statement {
    let statement = this.prepared.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.prepared.set(sql, statement);
    }
    return statement;
  }
}

/** Bound to the end and the start of a window, in this order. What has no start, not even a source day, is in none. */
const VALIDITY_OVERLAPS = `((unit.valid_from IS NOT NULL OR unit.valid_to IS NOT NULL)
  AND coalesce(unit.valid_from, file.day) <= ? AND coalesce(unit.valid_to, '9999') >= ?)`;

function hasWindow(filter: Filter): boolean {
  return filter.since !== undefined || filter.until !== undefined;
}

function windowOf(filter: Filter): readonly [Day, Day] {
  return [filter.since ?? '0000', filter.until ?? '9999'];
}

function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
