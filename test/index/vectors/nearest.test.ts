import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/db/open.js';
import { addVectorFunctions } from '../../../src/db/vector-functions.js';
import { readStoredModels, storeModel } from '../../../src/index/vectors/models.js';
import { hashKey, VectorSearch } from '../../../src/index/vectors/nearest.js';
import { openOrCreateVectors, openVectors } from '../../../src/index/vectors/open.js';
import { VectorStore } from '../../../src/index/vectors/store.js';
import { Random } from '../../support/random.js';
import { TemporaryWorkspace } from '../../support/workspace.js';

const IDENTITY = { name: 'model', digest: 'd1', dimension: 64, scheme: 'plain' };
const random = new Random(3);
const key = (text: string) => hash('sha1', text, 'buffer');

function vector(): Float32Array {
  const numbers = Array.from({ length: IDENTITY.dimension }, () => random.next() + random.next() - 1);
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, number, i) => sum + number * (b[i] ?? 0), 0);
}

let workspace: TemporaryWorkspace;
let db: Database;

beforeEach(() => {
  workspace = new TemporaryWorkspace();
  db = openOrCreateVectors(workspace.root, []);
  expect(addVectorFunctions(db)).toBeUndefined();
});

afterEach(() => {
  db.close();
  workspace.dispose();
});

const TONGUE = { tongue: 'english' } as const;

function model(identity = IDENTITY) {
  const found = storeModel(db, identity);
  return readStoredModels(db).find(({ id }) => id === found.id) ?? found;
}

/** Stores seeded vectors of the texts `0`, `1`, … and returns them. */
function fill(count: number, exactUpTo?: number): readonly Float32Array[] {
  const store = new VectorStore(db, model(), exactUpTo);
  const vectors = Array.from({ length: count }, vector);
  for (let at = 0; at < count; at += 32) {
    store.add(
      vectors.slice(at, at + 32).map((stored, i) => ({ ...TONGUE, hash: key(String(at + i)), vector: stored })),
    );
    store.keepBits();
  }
  return vectors;
}

function place(texts: readonly string[]): void {
  db.exec('DELETE FROM place; DELETE FROM source');
  db.prepare("INSERT INTO source (id, path, hash) VALUES (1, 'memory/2026-03-14.md', 'h')").run();
  const add = db.prepare("INSERT INTO place (source, position, hash, tongue, is_fact) VALUES (1, ?, ?, 'english', 0)");
  for (const [position, text] of texts.entries()) add.run(position, key(text));
}

test('vector search returns exactly the nearest vectors of a full scan, with their cosines', () => {
  const vectors = fill(300);
  const search = new VectorSearch(db, model());
  for (let round = 0; round < 10; round++) {
    const query = vector();
    const byHand = vectors
      .map((stored, i) => ({ key: hashKey(key(String(i))), cosine: cosine(stored, query) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, 10);
    const found = search.nearest(query, 10);
    expect(found.map((near) => hashKey(near.hash))).toEqual(byHand.map((near) => near.key));
    for (const [i, near] of found.entries()) expect(near.cosine).toBeCloseTo(byHand[i]?.cosine ?? 0, 5);
  }
});

test('above the size limit bits select candidates, and floats order them', () => {
  fill(2_000, 1_000);
  expect(model().hasBits).toBe(true);
  expect(db.prepare('SELECT count(*) FROM bits').pluck().get()).toBe(2_000);
  const search = new VectorSearch(db, model());
  let same = 0;
  for (let round = 0; round < 20; round++) {
    const query = vector();
    const exact = search.exact(query, 10).map((near) => hashKey(near.hash));
    same += search.nearest(query, 10).filter((near) => exact.includes(hashKey(near.hash))).length;
  }
  // Random vectors have no neighbours: the worst case for bits.
  expect(same).toBeGreaterThan(160);
});

test('a text that the model refused counts neither as missing nor as found', () => {
  place(['a', 'b']);
  const store = new VectorStore(db, model());
  expect(store.countMissing()).toBe(2);
  const near = vector();
  store.add([
    { ...TONGUE, hash: key('a'), vector: near },
    { ...TONGUE, hash: key('b'), vector: null },
  ]);
  expect(store.countMissing()).toBe(0);
  const search = new VectorSearch(db, model());
  expect(search.nearest(near, 10)).toHaveLength(1);
  expect(search.cosines(near, [key('a'), key('b')]).size).toBe(1);
  store.retryRefused();
  expect(store.countMissing()).toBe(1);
});

describe('vectors of several models', () => {
  test('each model sees only its own vectors, and another digest is another model', () => {
    place(['a']);
    const [first, second] = [vector(), vector()];
    const other = model({ ...IDENTITY, digest: 'd2' });
    new VectorStore(db, model()).add([{ ...TONGUE, hash: key('a'), vector: first }]);
    expect(new VectorStore(db, other).countMissing()).toBe(1);
    new VectorStore(db, other).add([{ ...TONGUE, hash: key('a'), vector: second }]);
    expect(new VectorSearch(db, model()).nearest(first, 10)[0]?.cosine).toBeCloseTo(1, 5);
    expect(new VectorSearch(db, other).nearest(second, 10)[0]?.cosine).toBeCloseTo(1, 5);
  });

  test('pruning keeps the vectors of the model that is complete', () => {
    fill(200, 100);
    const other = model({ ...IDENTITY, digest: 'd2' });
    const store = new VectorStore(db, other);
    place(['a']);
    store.add([{ ...TONGUE, hash: key('a'), vector: vector() }]);
    store.prune();
    expect(db.prepare('SELECT count(*) FROM vector').pluck().get()).toBe(1);
    expect(db.prepare('SELECT count(*) FROM bits').pluck().get()).toBe(0);
    expect(readStoredModels(db)).toHaveLength(1);
  });
});

test('vectors of removed texts are kept while they are few', () => {
  fill(1_500, 100);
  const store = new VectorStore(db, model(), 100);
  place(Array.from({ length: 600 }, (_, i) => String(i)));
  store.prune();
  expect(db.prepare('SELECT count(*) FROM vector').pluck().get()).toBe(1_500);
  place(['1', '2', '3']);
  store.prune();
  expect(db.prepare('SELECT count(*) FROM vector').pluck().get()).toBe(3);
  expect(db.prepare('SELECT count(*) FROM bits').pluck().get()).toBe(3);
});

test('a file that is not a vector database is set aside and reported', () => {
  db.close();
  workspace.write('vectors.sqlite', 'no database at all, but long enough to look like one');
  expect(openVectors(workspace.root)).toEqual({ state: 'unusable', why: 'corrupt' });
  const warnings: string[] = [];
  db = openOrCreateVectors(workspace.root, warnings);
  expect(warnings).toEqual([expect.stringContaining('moved to vectors.sqlite.unusable')]);
  expect(workspace.read('vectors.sqlite.unusable')).toContain('no database');
});
