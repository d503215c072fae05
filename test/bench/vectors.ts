import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/db/open.js';
import { addVectorFunctions, vectorToBlob } from '../../src/db/vector-functions.js';
import { readStoredModels, type StoredModel, storeModel } from '../../src/index/vectors/models.js';
import { hashKey, VectorSearch } from '../../src/index/vectors/nearest.js';
import { openOrCreateVectors } from '../../src/index/vectors/open.js';
import { VectorStore } from '../../src/index/vectors/store.js';
import { Random } from '../support/random.js';
import type { BenchRun, Figure } from './figure.js';
import { medians } from './measure.js';

const DIMENSION = 768;
const CENTRES = 200;
const QUERIES = 50;
const TOP = 10;
const SIZES = [1_000, 10_000, 100_000];
/** The goal at the last size. */
const GOAL = { size: 100_000, times: 1.3, missed: 2 };

const random = new Random(11);
const centres = Array.from({ length: CENTRES }, () => Float32Array.from({ length: DIMENSION }, gauss));

/**
 * Vector search against the raw two-step query of sqlite-vec (bits in a `vec0` table, k = 400, re-scored from floats in a
 * plain table), and how many exact results both miss.
 */
export function* vectors({ sizes, note }: BenchRun): Iterable<Figure> {
  const isQuick = Math.max(...sizes) < 10_000;
  let before: { readonly size: number; readonly ms: number } | undefined;
  for (const size of isQuick ? SIZES.slice(0, 2) : SIZES) {
    note(`${size.toLocaleString('en')} vectors of ${DIMENSION} numbers`);
    const { ours, raw, missed, missedByRaw } = measure(size);
    const many = size.toLocaleString('en');
    const isGoal = size === GOAL.size;
    const most = raw * GOAL.times;
    const goal = isGoal ? { text: `≤ ${GOAL.times} × floor`, most } : undefined;
    yield { name: `nearest of ${many} vectors`, measured: ours, floor: raw, unit: 'ms', goal };
    const few = isGoal ? { text: `≤ ${GOAL.missed} %`, most: GOAL.missed } : undefined;
    const name = `missed of the exact top ${TOP} of ${many}`;
    yield { name, measured: missed, floor: missedByRaw, unit: '%', goal: few };
    if (before !== undefined) {
      const tenfold = `nearest of ${many} ÷ of ${before.size.toLocaleString('en')}`;
      yield { name: tenfold, measured: ours / before.ms, unit: '×' };
    }
    before = { size, ms: ours };
  }
}

/** Times in ms, misses in percent. */
function measure(size: number) {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-bench-'));
  const db = openOrCreateVectors(folder, []);
  try {
    addVectorFunctions(db);
    const search = new VectorSearch(db, fill(db, size));
    const raw = rawTwoStep(folder, db);
    const queries = Array.from({ length: QUERIES }, clustered);
    const query = (round: number): Float32Array => queries[round % QUERIES] ?? clustered();
    const ms = medians(QUERIES, {
      ours: (round) => timed(() => search.nearest(query(round), TOP)),
      raw: (round) => timed(() => raw(query(round))),
    });
    const names = (list: readonly { hash: Buffer }[]) => list.map((near) => hashKey(near.hash));
    const missedBy = (found: (asked: Float32Array) => readonly string[]): number => {
      const same = queries.flatMap((asked) => {
        const all = names(search.exact(asked, TOP));
        return found(asked).filter((name) => all.includes(name));
      });
      return 100 - (same.length / (QUERIES * TOP)) * 100;
    };
    return { ...ms, missed: missedBy((asked) => names(search.nearest(asked, TOP))), missedByRaw: missedBy(raw) };
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function fill(db: Database, size: number): StoredModel {
  const model = storeModel(db, { name: 'bench', digest: 'd', dimension: DIMENSION, scheme: 'plain' });
  const store = new VectorStore(db, model);
  for (let at = 0; at < size; at += 1_000) {
    const count = Math.min(1_000, size - at);
    store.add(
      Array.from({ length: count }, (_, i) => ({
        hash: hash('sha1', String(at + i), 'buffer'),
        tongue: 'english' as const,
        vector: clustered(),
      })),
    );
  }
  store.keepBits();
  return readStoredModels(db)[0] ?? model;
}

/** The method that sqlite-vec's documentation recommends for many vectors. */
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
    const blob = vectorToBlob(query);
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
