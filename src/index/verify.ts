import { join } from 'node:path';
import type { Database } from '../db/open.js';
import { removeDatabase } from '../db/owned.js';
import { hashText, mixHashes } from '../text/hash.js';
import type { SyncSource } from './changes.js';
import { indexPath, openScratchIndex } from './open.js';

/** A file whose rows in the index do not match its content. Also the index itself, if it is damaged. */
interface Difference {
  readonly path: string;
  readonly what: 'missing' | 'left over' | 'rows differ' | 'full text differs' | 'damaged';
}

export interface VerifyReport {
  readonly files: number;
  readonly units: number;
  readonly differences: readonly Difference[];
}

/**
 * Checks that an index matches the files. Builds a new index beside it, and compares the rows and the full-text entries of
 * each file, in the order of its lines. Row ids may differ, because they depend on what was indexed before. Only under the
 * writer lock.
 */
export async function verifyIndex(db: Database, stateFolder: string, source: SyncSource): Promise<VerifyReport> {
  // The new index has a fixed file name, because only the holder of the writer lock makes one. If the process is killed, the
  // next check removes this file.
  const path = join(stateFolder, 'verify.sqlite');
  removeDatabase(path);
  const fresh = openScratchIndex(path);
  try {
    const { fillIndex } = await import('./sync.js');
    await fillIndex(fresh, source);
    const report = compare(fingerprints(db), fingerprints(fresh));
    // Also check the SQL indexes, because SQLite stores their entries apart from the rows.
    if (db.prepare('PRAGMA integrity_check(1)').pluck().get() === 'ok') return report;
    return { ...report, differences: [...report.differences, { path: indexPath(stateFolder), what: 'damaged' }] };
  } finally {
    fresh.close();
    removeDatabase(path);
  }
}

interface Fingerprint {
  readonly units: number;
  readonly rows: string;
  readonly fullText: string;
}

function compare(actual: ReadonlyMap<string, Fingerprint>, expected: ReadonlyMap<string, Fingerprint>): VerifyReport {
  const differences: Difference[] = [];
  let units = 0;
  for (const [path, want] of expected) {
    const have = actual.get(path);
    units += want.units;
    if (have === undefined) differences.push({ path, what: 'missing' });
    else if (have.rows !== want.rows) differences.push({ path, what: 'rows differ' });
    else if (have.fullText !== want.fullText) differences.push({ path, what: 'full text differs' });
  }
  for (const path of actual.keys()) if (!expected.has(path)) differences.push({ path, what: 'left over' });
  return { files: expected.size, units, differences };
}

function fingerprints(db: Database): ReadonlyMap<string, Fingerprint> {
  const words = fullTextSums(db);
  const found = new Map<string, Fingerprint>();
  const files = db.prepare<[], FileRow>(
    'SELECT id, path, hash, day, role, page_type, first_unit, last_unit, notice, forgotten FROM file ORDER BY path',
  );
  const units = db
    .prepare<[number, number], unknown[]>(
      'SELECT id, line, end_line, kind, section, text, fact, valid_from, valid_to, period, day, speaker, form, head, series, detail FROM unit WHERE id BETWEEN ? AND ? ORDER BY id',
    )
    .raw();
  const links = db
    .prepare<[number, number], unknown[]>('SELECT unit, slug FROM link WHERE unit BETWEEN ? AND ? ORDER BY unit, slug')
    .raw();
  const names = db
    .prepare<[number, number], unknown[]>(
      'SELECT slug, name, type FROM entity WHERE file = ? UNION ALL SELECT alias, slug, NULL FROM alias WHERE file = ? ORDER BY 1, 2',
    )
    .raw();
  for (const { id, path, first_unit: first, last_unit: last, ...file } of files.all()) {
    const sum = new Sum();
    sum.add(JSON.stringify(file));
    let fullText = 0;
    // Ids depend on what was indexed before, so the distance from the first unit is used instead.
    for (const [unit, ...rest] of units.all(first, last)) {
      sum.add(JSON.stringify([Number(unit) - first, rest]));
      fullText = mixHashes(fullText, words.get(Number(unit)) ?? 0);
    }
    for (const [unit, slug] of links.all(first, last)) sum.add(`${Number(unit) - first} ${slug}`);
    for (const row of names.all(id, id)) sum.add(JSON.stringify(row));
    found.set(path, { units: last - first + 1, rows: sum.text(), fullText: String(fullText) });
  }
  return found;
}

interface FileRow {
  readonly id: number;
  readonly path: string;
  readonly first_unit: number;
  readonly last_unit: number;
}

/**
 * For each row of the full-text index, a sum over its terms and their positions. SQLite lists the entries term by term, and
 * not row by row. A sum does not depend on this order.
 */
function fullTextSums(db: Database): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  const instances = db.prepare<[], [string, number, number]>('SELECT term, doc, "offset" FROM fts_instance').raw();
  let term = '';
  let termHash = 0;
  for (const [current, doc, offset] of instances.iterate()) {
    if (current !== term) {
      term = current;
      termHash = hashText(term);
    }
    sums.set(doc, ((sums.get(doc) ?? 0) + mixHashes(termHash, offset)) % Number.MAX_SAFE_INTEGER);
  }
  return sums;
}

/** A hash of several strings, made of two 32-bit numbers. The strings are added one after another. */
class Sum {
  private a = 0;
  private b = 7;

  add(text: string): void {
    const value = hashText(text);
    this.a = mixHashes(this.a, value);
    this.b = mixHashes(value, this.b + text.length);
  }

  text(): string {
    return `${this.a}:${this.b}`;
  }
}
