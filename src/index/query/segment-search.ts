import { Cache } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import type { Database } from '../../db/open.js';
import { PreparedStatementCache } from '../../db/open.js';
import type { DaySpan } from '../../language/time/calendar.js';
import { logLineId } from '../../memory/fact.js';
import { wholeNameSlug } from '../../memory/page/names.js';
import { findEntity, WHOLE_NAME_FACTS_QUERY } from '../entity-list.js';
import type {
  FoundLine,
  FoundUnit,
  FullTextHit,
  FullTextMatches,
  IndexSegment,
  KnownEntity,
  UnitCounts,
  UnitKey,
} from '../found.js';
import { type LineCodes, readLineCodes } from '../meaning/line-codes.js';
import {
  checkRowChecksum,
  FILE_ID_COLUMN_POSITION,
  parseDetail,
  throwDamagedRow,
  UNIT_COLUMNS,
  type UnitRow,
} from '../row.js';
import {
  buildFilterConditions,
  dayRange,
  type FilterConditions,
  type UnitFilter,
  VALIDITY_FILTER,
} from './filter-sql.js';
import { SegmentFiles } from './segment-files.js';

/** Key of a unit = number of its segment × SEGMENT_SIZE + its row id. A segment has room for 2^40 units. */
export const SEGMENT_ID_RANGE = 2 ** 40;
/** SQL: the units with the given ids, in the order of the ids. */
const WANTED = '(SELECT value AS wanted FROM json_each(?)) CROSS JOIN unit ON unit.id = wanted';
const AND_FOR_DAY = 'AND +period = 1 AND +valid_from <= ? AND +valid_to >= ?';
/** Roles of pages that state facts. Some queries below skip the facts of other pages, for example of entity pages. */
const HAS_FACTS: ReadonlySet<string> = new Set(['daily', 'topic', 'bank', 'core']);

/** Runs the queries for one segment. Holds prepared statements, and caches values that stay right while nobody writes. */
export class SegmentSearch {
  private readonly db: Database;
  private readonly base: number;
  private readonly prepared: PreparedStatementCache;
  readonly files: SegmentFiles;
  private readonly latest = new Cache<string, readonly FoundUnit[]>(200);
  private readonly counted = new Cache<string, FullTextMatches>(300);
  private readonly known = new Cache<number, FoundUnit>(8_000);
  /** Number of answers that are being computed from the current snapshot. */
  private readers = 0;
  /** SQLite's counter that changes when another process has written. Then the caches are cleared. */
  private version: unknown;
  private codes: LineCodes | undefined;

  constructor(
    private readonly segment: IndexSegment,
    number: number,
  ) {
    this.db = segment.db;
    this.prepared = new PreparedStatementCache(segment.db);
    this.base = number * SEGMENT_ID_RANGE;
    this.files = new SegmentFiles(segment, this.prepared, number, this.base);
  }

  begin(): void {
    if (this.readers++ > 0) return;
    if (!this.db.inTransaction) this.db.exec('BEGIN');
    const version = this.prepared.of('PRAGMA data_version').pluck().get();
    if (version === this.version) return;
    this.version = version;
    this.codes = undefined;
    for (const kept of [this.files, this.latest, this.known, this.counted]) kept.clear();
  }

  end(): void {
    if (--this.readers === 0 && this.db.inTransaction) this.db.exec('COMMIT');
  }

  size(): number {
    return Number(this.prepared.of('SELECT coalesce(max(id), 0) FROM unit').pluck().get());
  }

  /** Cached while nobody writes, because several questions contain the same common words. */
  having(expression: string, cap: number): FullTextMatches {
    if (this.readers === 0) return this.count(expression, cap);
    const name = `${cap} ${expression}`;
    return this.counted.get(name) ?? this.counted.add(name, this.count(expression, cap));
  }

  private count(expression: string, cap: number): FullTextMatches {
    const keys = this.keys('SELECT rowid FROM fts WHERE fts MATCH ? LIMIT ?', expression, cap);
    if (keys.length < cap) return { count: keys.length, keys };
    // The total is estimated: matches come in the order of their row ids, so the id of the last one shows which share of the
    // index was searched.
    const last = (keys.at(-1) ?? this.base) - this.base;
    return { count: Math.round((keys.length * this.size()) / Math.max(1, last)), keys: undefined };
  }

  vocabulary(beginning: string): readonly string[] {
    // A temporary table that only this connection sees. A reader must not change the index.
    this.db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, fts, row)');
    return this.prepared
      .of<string>('SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ?')
      .pluck()
      .all(beginning, `${beginning}\u{10ffff}`);
  }

  match(expression: string, filter: UnitFilter, limit: number): readonly FullTextHit[] {
    const { conditions, values } = this.conditions(filter);
    const joined = conditions.length > 0;
    const sql = joined
      ? `SELECT unit.id, bm25(fts) AS badness FROM fts CROSS JOIN unit ON unit.id = fts.rowid CROSS JOIN file ON file.id = unit.file
         WHERE fts MATCH ? AND ${conditions.join(' AND ')} ORDER BY badness, unit.id LIMIT ?`
      : 'SELECT rowid, bm25(fts) AS badness FROM fts WHERE fts MATCH ? ORDER BY badness, rowid LIMIT ?';
    const rows = this.prepared
      .of<[number, number]>(sql)
      .raw()
      .all(expression, ...values, limit);
    return rows.map(([id, rank]) => ({ key: this.base + id, bm25: -rank }));
  }

  containing(expression: string, needle: string, filter: UnitFilter, limit: number): readonly UnitKey[] {
    const { conditions, values } = this.conditions(filter);
    const files = conditions.length === 0 ? '' : 'CROSS JOIN file ON file.id = unit.file';
    const unseen = `unit.detail LIKE '%"unseen":%' AND instr(lower(unit.detail), lower(?)) > 0`;
    const has = `(instr(lower(unit.text), lower(?)) > 0 OR unit.text LIKE 'tags:%' OR ${unseen})`;
    const sql = `SELECT unit.id FROM fts CROSS JOIN unit ON unit.id = fts.rowid ${files}
      WHERE ${['fts MATCH ?', has, ...conditions].join(' AND ')} ORDER BY fts.rowid DESC LIMIT ?`;
    return this.keys(sql, expression, needle, needle, ...values, limit);
  }

  linked(slugs: readonly string[], filter: UnitFilter, limit: number): readonly UnitKey[] {
    const { conditions, values } = this.conditions(filter);
    const joined =
      conditions.length === 0 ? '' : 'CROSS JOIN unit ON unit.id = link.unit CROSS JOIN file ON file.id = unit.file';
    // Slugs are read one by one. SQLite then reads the links of a slug in order and stops at the limit, even if there are
    // very many.
    const sql = `SELECT link.unit, link.day FROM link ${joined}
      WHERE ${['link.slug = ?', ...conditions].join(' AND ')} ORDER BY link.day DESC, link.unit DESC LIMIT ?`;
    const statement = this.prepared.of<[number, number]>(sql).raw();
    const whole = this.wholeNames();
    const days = new Map<UnitKey, number>();
    for (const slug of slugs) {
      for (const [id, day] of statement.all(slug, ...values, limit)) {
        if (!whole.get(this.base + id)?.startsWith(wholeNameSlug(`${slug}-`))) days.set(this.base + id, day);
      }
    }
    if (slugs.length === 1) return [...days.keys()];
    const latest = [...days].sort(([a, dayOfA], [b, dayOfB]) => dayOfB - dayOfA || b - a);
    return latest.slice(0, limit).map(([key]) => key);
  }

  keyed([first, last]: readonly [first: string, last: string], filter: UnitFilter, limit: number): readonly UnitKey[] {
    const { conditions, values } = this.conditions(filter);
    const sql = `SELECT link.unit FROM link CROSS JOIN unit ON unit.id = link.unit CROSS JOIN file ON file.id = unit.file
      WHERE ${['link.slug BETWEEN ? AND ?', ...conditions].join(' AND ')} ORDER BY link.slug, link.unit LIMIT ?`;
    return this.keys(sql, first, last, ...values, limit);
  }

  latestDays(until: Day, limit: number): readonly Day[] {
    const own = 'SELECT DISTINCT day FROM unit INDEXED BY unit_day WHERE day <= ? ORDER BY day DESC LIMIT ?';
    const ofFiles = 'SELECT DISTINCT day FROM file WHERE day <= ? ORDER BY day DESC LIMIT ?';
    return [own, ofFiles].flatMap((sql) => this.prepared.of<Day>(sql).pluck().all(until, limit));
  }

  private wholeNames(): ReadonlyMap<UnitKey, string> {
    const rows = this.prepared.of<[number, string]>(WHOLE_NAME_FACTS_QUERY).raw().all();
    return new Map(rows.map(([unit, slug]) => [this.base + unit, slug]));
  }

  filtered(filter: UnitFilter, limit: number): readonly UnitKey[] {
    const { conditions, values } = this.conditions({ ...filter, days: undefined });
    const and = conditions.map((condition) => ` AND ${condition}`).join('');
    const { days } = filter;
    if (days === undefined && filter.kinds?.join() === 'opinion') {
      const opinions = `SELECT unit.id FROM unit INDEXED BY unit_opinion CROSS JOIN file ON file.id = unit.file
        WHERE unit.kind = 'opinion'${and} ORDER BY file.day DESC, file.path, unit.id LIMIT ?`;
      return this.keys(opinions, ...values, limit);
    }
    const inWindow = `SELECT unit.id FROM file CROSS JOIN unit ON unit.id BETWEEN file.first_unit AND file.last_unit
      WHERE ${days === undefined ? '1' : 'file.day BETWEEN ? AND ?'}${and} ORDER BY file.day DESC, file.path, unit.id LIMIT ?`;
    if (days === undefined) return this.keys(inWindow, ...values, limit);
    const dated = `SELECT unit.id FROM unit INDEXED BY unit_day CROSS JOIN file ON file.id = unit.file
      WHERE unit.day BETWEEN ? AND ?${and} ORDER BY unit.day DESC, file.path, unit.id LIMIT ?`;
    const valid = `SELECT unit.id FROM unit CROSS JOIN file ON file.id = unit.file WHERE ${VALIDITY_FILTER}${and} LIMIT ?`;
    return days
      .map(dayRange)
      .flatMap(([since, until]) => [
        ...this.keys(inWindow, since, until, ...values, limit),
        ...this.keys(dated, since, until, ...values, limit),
        ...this.keys(valid, until, since, ...values, limit),
      ]);
  }

  /** The same segment without the files whose day is later. If there are none, the segment itself. */
  upTo(day: Day): IndexSegment {
    const later = this.files.after(day).filter((id) => !this.segment.masked.has(id));
    return later.length === 0 ? this.segment : { ...this.segment, masked: new Set([...this.segment.masked, ...later]) };
  }

  /** The last day before a span and the first day after it that have a matching unit; undefined if there is none. */
  nearestDays(
    { since, until }: DaySpan,
    filter: UnitFilter,
  ): readonly [before: Day | undefined, after: Day | undefined] {
    const { conditions, values } = this.conditions({ ...filter, days: undefined });
    const and = conditions.map((condition) => ` AND ${condition}`).join('');
    const day = (compared: string, order: string, bound: Day | null): Day | undefined =>
      bound === null
        ? undefined
        : this.prepared
            .of<Day>(
              `SELECT file.day FROM file CROSS JOIN unit ON unit.id BETWEEN file.first_unit AND file.last_unit
               WHERE file.day ${compared} ?${and} ORDER BY file.day ${order} LIMIT 1`,
            )
            .pluck()
            .get(bound, ...values);
    return [day('<', 'DESC', since), day('>', 'ASC', until)];
  }

  allowed(keys: readonly UnitKey[], filter: UnitFilter): readonly UnitKey[] {
    const { conditions, values } = this.conditions(filter);
    const own = this.ownIds(keys);
    if (conditions.length === 0) return own.map((id) => this.base + id);
    const sql = `SELECT unit.id FROM ${WANTED}
      CROSS JOIN file ON file.id = unit.file WHERE ${conditions.join(' AND ')}`;
    return this.keys(sql, JSON.stringify(own), ...values);
  }

  /** Undefined if there are none of the built-in model with this digest. */
  lineCodes(digest: string): LineCodes | undefined {
    this.codes ??= readLineCodes(this.segment, this.base, digest);
    return this.codes;
  }

  private keys(sql: string, ...values: readonly unknown[]): UnitKey[] {
    const ids = this.prepared
      .of<number>(sql)
      .pluck()
      .all(...values);
    return ids.map((id) => this.base + id);
  }

  range(from: UnitKey, to: UnitKey): readonly FoundUnit[] {
    const sql = `SELECT ${UNIT_COLUMNS} FROM unit WHERE id BETWEEN ? AND ? ORDER BY id`;
    return this.found(sql, from - this.base, to - this.base);
  }

  factsIn(from: UnitKey, to: UnitKey, slugs?: readonly string[]): readonly FoundUnit[] {
    const [first, last] = [from - this.base, to - this.base];
    const facts = `SELECT ${UNIT_COLUMNS} FROM unit WHERE id BETWEEN ? AND ? AND fact IS NOT NULL`;
    if (slugs === undefined) return this.found(`${facts} ORDER BY id`, first, last);
    const linked = 'SELECT unit FROM link WHERE slug IN (SELECT value FROM json_each(?)) AND unit BETWEEN ? AND ?';
    return this.found(`${facts} AND id IN (${linked}) ORDER BY id`, first, last, JSON.stringify(slugs), first, last);
  }

  lines(from: UnitKey, to: UnitKey): readonly FoundLine[] {
    const sql = 'SELECT id, file, section, text, form FROM unit WHERE id BETWEEN ? AND ? ORDER BY id';
    const rows = this.prepared.of<[number, number, number, string, number]>(sql).raw();
    return rows
      .all(from - this.base, to - this.base)
      .filter(([, file]) => !this.segment.masked.has(file))
      .map(([id, file, section, text, form]) => ({ key: this.base + id, file, section, text, form }));
  }

  /**
   * Cached while nobody writes: several questions at once often need the same units, and a deeper search needs the units of
   * the first search again.
   */
  units(keys: readonly UnitKey[]): readonly FoundUnit[] {
    const sql = `SELECT ${UNIT_COLUMNS} FROM unit WHERE id IN (SELECT value FROM json_each(?))`;
    const ids = this.ownIds(keys);
    if (this.readers === 0) return this.found(sql, JSON.stringify(ids));
    const units = ids.flatMap((id) => this.known.get(id) ?? []);
    const missing = units.length === ids.length ? [] : ids.filter((id) => this.known.get(id) === undefined);
    const read = missing.length === 0 ? [] : this.found(sql, JSON.stringify(missing));
    for (const unit of read) units.push(this.known.add(unit.key - this.base, unit));
    return units.sort((a, b) => a.key - b.key);
  }

  texts(keys: readonly UnitKey[]): readonly (readonly [UnitKey, string])[] {
    const sql = 'SELECT id, text FROM unit WHERE id IN (SELECT value FROM json_each(?))';
    const rows = this.prepared
      .of<[number, string]>(sql)
      .raw()
      .all(JSON.stringify(this.ownIds(keys)));
    return rows.map(([id, text]) => [this.base + id, text]);
  }

  facts(keys: readonly UnitKey[], day?: Day): readonly FoundUnit[] {
    const sql = `SELECT ${UNIT_COLUMNS} FROM unit WHERE id IN (SELECT value FROM json_each(?)) AND fact IS NOT NULL`;
    const ids = JSON.stringify(this.ownIds(keys));
    return day === undefined ? this.found(sql, ids) : this.found(`${sql} ${AND_FOR_DAY}`, ids, day, day);
  }

  newestFacts(keys: readonly UnitKey[], limit: number): readonly UnitKey[] {
    const dated = this.stated(keys).filter(({ day }) => day !== null);
    dated.sort((a, b) => compareText(b.day ?? '', a.day ?? '') || b.id - a.id);
    const sql = `SELECT unit.id FROM ${WANTED} WHERE unit.fact IS NOT NULL LIMIT ?`;
    return this.keys(sql, JSON.stringify(dated.map(({ id }) => id)), limit);
  }

  undatedFacts(keys: readonly UnitKey[]): readonly UnitKey[] {
    const undated = this.stated(keys).filter(({ day }) => day === null);
    const sql = `SELECT stated.id FROM ${WANTED} CROSS JOIN unit AS stated ON stated.fact = unit.fact`;
    return this.keys(sql, JSON.stringify(undated.map(({ id }) => id)));
  }

  private stated(keys: readonly UnitKey[]) {
    return this.ownIds(keys)
      .map((id) => ({ id, ...this.files.placeOf(id) }))
      .filter(({ role }) => HAS_FACTS.has(role));
  }

  /** Cached while nobody writes, because several questions at once often name the same entity. */
  latestFacts(slug: string, limit: number): readonly FoundUnit[] {
    const name = `${limit} ${slug}`;
    return (
      this.latest.get(name) ?? this.latest.add(name, this.facts(this.linked([slug], { withResources: false }, limit)))
    );
  }

  private ownIds(keys: readonly UnitKey[]): readonly number[] {
    return keys.map((key) => key - this.base).filter((id) => id >= 0 && id < SEGMENT_ID_RANGE);
  }

  countIn(from: UnitKey, to: UnitKey): UnitCounts {
    const counts = 'count(fact) AS facts, total(fact IS NULL AND section <> id - ?) AS lines';
    const sql = `SELECT ${counts} FROM unit WHERE id BETWEEN ? AND ?`;
    const [first, last] = [from - this.base, to - this.base];
    return this.prepared.of<UnitCounts>(sql).get(first, first, last) ?? { facts: 0, lines: 0 };
  }

  statements(facts: readonly string[]): readonly FoundUnit[] {
    const sql = `SELECT ${UNIT_COLUMNS} FROM unit WHERE fact IN (SELECT value FROM json_each(?)) ORDER BY id`;
    return this.found(sql, JSON.stringify(facts));
  }

  /** Reads only the SQL index of facts, not the rows of units. */
  stating(facts: readonly string[]): readonly (readonly [fact: string, unit: UnitKey])[] {
    const sql = 'SELECT unit.fact, unit.id FROM json_each(?) AS wanted CROSS JOIN unit ON unit.fact = wanted.value';
    const rows = this.prepared.of<[string, number]>(sql).raw().all(JSON.stringify(facts));
    return rows.map(([fact, id]) => [fact, this.base + id]);
  }

  daysOf(facts: readonly string[]): readonly (readonly [fact: string, day: Day | null])[] {
    return this.stating(facts)
      .flatMap(([fact, key]) => {
        const { role, day } = this.files.placeOf(key - this.base);
        return HAS_FACTS.has(role) && role !== 'bank' ? [[fact, day] as const] : [];
      })
      .sort(([, a], [, b]) => compareText(b ?? '', a ?? ''));
  }

  /** Ids of facts that begin with some characters, in order. */
  factIds(beginning: string, limit: number): readonly string[] {
    const sql = 'SELECT DISTINCT fact FROM unit WHERE fact >= ? AND fact < ? ORDER BY fact LIMIT ?';
    return this.prepared.of<string>(sql).pluck().all(beginning, `${beginning}~`, limit);
  }

  /** All lines of log text with their ids. Slow: reads every line. */
  *logLines(): Generator<readonly [id: string, key: UnitKey]> {
    const sql = `SELECT unit.id, file.id, file.path, unit.text FROM unit JOIN file ON file.id = unit.file
      WHERE unit.fact IS NULL ORDER BY unit.id`;
    const lines = this.prepared.of<[number, number, string, string]>(sql).raw().iterate();
    let page = '';
    const seen = new Map<string, number>();
    for (const [unit, file, path, text] of lines) {
      if (path !== page) seen.clear();
      page = path;
      const occurrence = seen.get(text) ?? 0;
      seen.set(text, occurrence + 1);
      if (!this.segment.masked.has(file)) yield [logLineId(path, text, occurrence), this.base + unit];
    }
  }

  logLine(id: string): FoundUnit | undefined {
    for (const [other, key] of this.logLines()) if (other === id) return this.units([key])[0];
    return undefined;
  }

  occurrence(unit: FoundUnit): number {
    const count = this.prepared.of('SELECT count(*) FROM unit WHERE id >= ? AND id < ? AND text = ?').pluck();
    return Number(count.get(unit.file.firstUnit - this.base, unit.key - this.base, unit.text));
  }

  entity(slug: string): KnownEntity | undefined {
    return findEntity(this.prepared, slug);
  }

  private found(sql: string, ...values: readonly unknown[]): FoundUnit[] {
    const units: FoundUnit[] = [];
    const rows = this.prepared
      .of<UnitRow>(sql)
      .raw()
      .all(...values);
    this.files.load(rows.map((row) => row[FILE_ID_COLUMN_POSITION]));
    for (const row of rows) {
      const [line, endLine, kind, section, text, fact, validFrom, validTo, period, ...place] = row;
      const [day, speaker, form, head, series, detail, id, fileId, sum] = place;
      if (this.segment.masked.has(fileId)) continue;
      const known = this.readers === 0 ? undefined : this.known.get(id);
      if (known !== undefined) {
        units.push(known);
        continue;
      }
      checkRowChecksum(row, sum, row.length - 1);
      const file = this.files.withId(fileId) ?? throwDamagedRow();
      if (this.base + id < file.firstUnit || this.base + id > file.lastUnit) throwDamagedRow();
      units.push({
        key: this.base + id,
        file,
        line,
        endLine,
        kind,
        section: section < 0 ? null : file.firstUnit + section,
        text,
        fact,
        validFrom,
        validTo,
        isPeriod: period === 1,
        day,
        speaker,
        form,
        head,
        series,
        detail: detail === null ? null : parseDetail(detail),
      });
    }
    return units;
  }

  private conditions(filter: UnitFilter): FilterConditions {
    return buildFilterConditions(filter, {
      masked: this.segment.masked,
      hasResources: () => this.files.hasResources(),
      filesAt: (globs) => this.files.matching(globs),
    });
  }
}
