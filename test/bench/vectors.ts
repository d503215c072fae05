import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/db/open.js';
import { addVectorFunctions } from '../../src/db/vector-functions.js';
import { type StoredModel, storedModels, storeModel } from '../../src/index/vectors/models.js';
import { hashKey, VectorSearch } from '../../src/index/vectors/nearest.js';
import { openOrCreateVectors } from '../../src/index/vectors/open.js';
import { toBlob, VectorStore } from '../../src/index/vectors/store.js';
import { medians } from './measure.js';
import { pipeline } from './pipeline.js';
import { Random } from './random.js';

/**
 * `npx tsx test/bench/vectors.ts [sizes…]`: search by vector against the raw two-step query of sqlite-vec (bits in a
 * `vec0` table, k = 400, re-scored from floats in a plain table), and against comparing all. Then `index --embed`
 * against a bare loop that sends the same batches.
 */

const DIMENSION = 768;
const CENTRES = 200;
const QUERIES = 50;
const TOP = 10;

const sizes = process.argv.slice(2).map(Number);
const random = new Random(11);
const centres = Array.from({ length: CENTRES }, () => Float32Array.from({ length: DIMENSION }, gauss));
let before: { size: number; ms: number } | undefined;
for (const size of sizes.length > 0 ? sizes : [1_000, 10_000, 100_000]) {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-bench-'));
  try {
    measure(folder, size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
for (const line of await pipeline()) print(line);

function measure(folder: string, size: number): void {
  const db = openOrCreateVectors(folder, []);
  addVectorFunctions(db);
  const search = new VectorSearch(db, fill(db, size));
  const raw = rawTwoStep(folder, db);
  const queries = Array.from({ length: QUERIES }, clustered);
  const query = (round: number): Float32Array => queries[round % QUERIES] ?? clustered();
  const timed = (work: () => unknown): number => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const ms = medians(QUERIES, {
    ours: (round) => timed(() => search.nearest(query(round), TOP)),
    raw: (round) => timed(() => raw(query(round))),
    exact: (round) => timed(() => search.exact(query(round), TOP)),
  });
  const names = (list: readonly { hash: Buffer }[]) => list.map((near) => hashKey(near.hash));
  const share = (found: (asked: Float32Array) => readonly string[]): string => {
    const same = queries.flatMap((asked) => {
      const all = names(search.exact(asked, TOP));
      return found(asked).filter((name) => all.includes(name));
    });
    return (same.length / (QUERIES * TOP)).toFixed(3);
  };
  const tenfold = before === undefined ? '' : `, × ${(ms.ours / before.ms).toFixed(1)} for × ${size / before.size}`;
  print(
    `${size.toLocaleString('en').padStart(9)} vectors: ${ms.ours.toFixed(1)} ms${tenfold}; raw two-step ` +
      `${ms.raw.toFixed(1)} ms (ratio ${(ms.ours / ms.raw).toFixed(2)}, goal 1.3); all compared ${ms.exact.toFixed(1)} ms; ` +
      `of the exact top ${TOP}: ${share((asked) => names(search.nearest(asked, TOP)))}, raw ${share((asked) => raw(asked))} (goal 0.98)`,
  );
  before = { size, ms: ms.ours };
  db.close();
}

function fill(db: Database, size: number): StoredModel {
  const model = storeModel(db, { name: 'bench', digest: 'd', dimension: DIMENSION, scheme: 'plain' });
  const store = new VectorStore(db, model);
  for (let at = 0; at < size; at += 1_000) {
    const count = Math.min(1_000, size - at);
    store.add(
      Array.from({ length: count }, (_, i) => ({ hash: hash('sha1', String(at + i), 'buffer'), vector: clustered() })),
    );
  }
  store.keepBits();
  return storedModels(db)[0] ?? model;
}

/** What sqlite-vec's own documentation does with many vectors. */
function rawTwoStep(folder: string, source: Database): (query: Float32Array) => readonly string[] {
  const db = openDatabase(join(folder, 'raw.sqlite'));
  addVectorFunctions(db);
  db.exec(`CREATE TABLE v (id INTEGER PRIMARY KEY, hash BLOB, embedding BLOB);
    CREATE VIRTUAL TABLE bits USING vec0 (embedding bit[${DIMENSION}])`);
  const insert = db.prepare('INSERT INTO v VALUES (?, ?, ?)');
  db.transaction(() => {
    const rows = source.prepare<[], [number, Buffer, Buffer]>('SELECT id, hash, embedding FROM vector').raw();
    for (const row of rows.iterate()) insert.run(...row);
    db.exec('INSERT INTO bits (rowid, embedding) SELECT id, vec_quantize_binary(embedding) FROM v');
  })();
  const statement = db
    .prepare<unknown[], Buffer>(
      `SELECT hash FROM v
       WHERE id IN (SELECT rowid FROM bits WHERE embedding MATCH vec_quantize_binary(?) AND k = 400)
       ORDER BY vec_distance_cosine(embedding, ?) LIMIT ?`,
    )
    .pluck();
  return (query) => {
    const blob = toBlob(query);
    return statement.all(blob, blob, TOP).map(hashKey);
  };
}

function clustered(): Float32Array {
  const centre = centres[random.between(0, CENTRES - 1)] ?? new Float32Array(DIMENSION);
  const vector = Float32Array.from(centre, (number) => number + gauss());
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

function gauss(): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
