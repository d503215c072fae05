import { join } from 'node:path';
import { addVectorFunctions } from '../../src/db/vector-functions.js';
import { openIndex } from '../../src/index/open.js';
import { IndexSearch } from '../../src/index/search.js';
import { storeModel } from '../../src/index/vectors/models.js';
import { openOrCreateVectors } from '../../src/index/vectors/open.js';
import { embeddedUnits } from '../../src/index/vectors/places.js';
import { VectorStore } from '../../src/index/vectors/store.js';
import type { TemporaryWorkspace } from './workspace.js';

const DIMENSION = 64;

/** Gives every text of the workspace a vector in its own direction, and the texts in `same` the same one. */
export function giveVectors({ root }: TemporaryWorkspace, same: readonly string[]): void {
  const stateFolder = join(root, '.memory');
  const opened = openIndex(stateFolder);
  if (opened.state !== 'ready') throw new Error(opened.state);
  const search = new IndexSearch([{ db: opened.db, masked: new Set() }]);
  const texts = search.files().flatMap(({ path }) => {
    const file = search.file(path);
    return file === undefined ? [] : embeddedUnits(search, file).map(({ text }) => text);
  });
  opened.db.close();
  const db = openOrCreateVectors(stateFolder, []);
  const problem = addVectorFunctions(db);
  if (problem !== undefined) throw new Error(problem.message);
  const identity = { name: 'embeddinggemma', digest: 'd', dimension: DIMENSION, scheme: 'gemma' };
  const store = new VectorStore(db, storeModel(db, identity));
  store.add(
    texts.map(({ hash, text, tongue }, i) => {
      const vector = new Float32Array(DIMENSION);
      vector[same.some((part) => text.includes(part)) ? 0 : 1 + (i % (DIMENSION - 1))] = 1;
      return { hash, tongue, vector };
    }),
  );
  db.close();
}
