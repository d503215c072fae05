import type { Clock } from '../../base/clock.js';
import { type Failure, fail, ok, type Result } from '../../base/failure.js';
import type { OnProgress } from '../../base/request.js';
import { addVectorFunctions } from '../../db/vector-functions.js';
import { probeLanguageGroups } from '../../model/language-probes.js';
import type { Embedder } from '../../model/model.js';
import { tryLock } from '../../workspace/lock.js';
import type { IndexSearch } from '../search.js';
import { type Notice, unreadableNotice } from '../tree.js';
import type { EmbeddedText } from './embedded-text.js';
import { readKnownLanguageGroups, storeModel, storeProbeResult } from './models.js';
import { hashKey } from './nearest.js';
import { openOrCreateVectors } from './open.js';
import { embeddedUnits, syncTextPositions } from './places.js';
import { type MissingText, VectorStore } from './store.js';

/**
 * Number of texts in a batch. The vectors of a batch are made together and stored in one transaction. A stored text is
 * never embedded again. If the process is killed, only the batches that the model is working on are lost.
 */
const BATCH = 16;
/**
 * Number of batches that are sent to the model before their results are needed. So the model never waits while we read and
 * store texts.
 */
const ASKED_AHEAD = 2;
/** Number of missing texts that are read from the database at once. */
const PAGE = 512;

export interface FillReport {
  readonly model: string;
  readonly dimension: number;
  /** Number of texts that got a vector in this run. */
  readonly embedded: number;
  /** Number of texts that the model refused to embed. Recall still finds them by their words. */
  readonly refused: number;
  /** Number of texts that still have no vector, because their files changed during this run. */
  readonly missing: number;
  readonly warnings: readonly string[];
}

interface FillContext {
  readonly stateFolder: string;
  readonly clock: Clock;
  /** Reads the index, which must be up to date. */
  readonly search: IndexSearch;
  /** Files that are not in the index, each with the reason. */
  readonly notices: readonly Notice[];
  readonly withResources: boolean;
  /** Whether to try texts again that the model refused before. */
  readonly retryRefused?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Makes the missing vectors in batches. Facts come before other texts, and newer texts before older ones. If the run
 * stops early, its finished batches are kept and the next run continues. The run may take hours. So it holds a lock of
 * its own, and not the writer lock. Failure: `model_unavailable`.
 * @throws MemoryError `busy` if another process makes vectors, `interrupted`
 */
export async function fillVectors(context: FillContext, embedder: Embedder): Promise<Result<FillReport>> {
  const { stateFolder, clock } = context;
  const held = tryLock(stateFolder, { command: 'index --embed', clock, name: 'vectors-lock' });
  if (held === undefined)
    return fail('busy', 'another process is making vectors', 'wait for it, or stop it; its vectors are kept');
  const warnings: string[] = [];
  try {
    const db = openOrCreateVectors(stateFolder, warnings);
    try {
      const missing = addVectorFunctions(db);
      if (missing !== undefined) return { ok: false, error: missing };
      const { search, withResources, signal } = context;
      if (!(await search.atOneMoment(() => syncTextPositions(db, search, withResources, signal)))) return interrupted();
      const identity = await embedder.identify(context.signal);
      if (!identity.ok) return notNow(identity.error);
      const model = storeModel(db, identity.value);
      if (readKnownLanguageGroups(db, model.id).size === 0) {
        const probed = await probeLanguageGroups(embedder, signal);
        if (!probed.ok) return notNow(probed.error);
        storeProbeResult(db, model.id, probed.value);
      }
      const store = new VectorStore(db, model);
      if (context.retryRefused) store.retryRefused();
      const filled = await new Filler(context, embedder, store, identity.value.dimension).run();
      if (!filled.ok) return notNow(filled.error);
      const left = store.countMissing();
      if (left === 0 && unreadableNotice([...context.notices, ...search.unreadFiles()]) === undefined) store.prune();
      const { name, dimension } = identity.value;
      return ok({ model: name, dimension, ...filled.value, missing: left, warnings });
    } finally {
      db.close();
    }
  } finally {
    held.release();
  }
}

function notNow(error: Failure): Result<never> {
  return error.type === 'interrupted' ? interrupted() : { ok: false, error };
}

function interrupted(): never {
  return fail('interrupted', 'making vectors was interrupted', 'run it again; it continues where it stopped');
}

type Vectors = readonly (Float32Array | null)[];

class Filler {
  private embedded = 0;
  private refused = 0;

  constructor(
    private readonly context: FillContext,
    private readonly embedder: Embedder,
    private readonly store: VectorStore,
    private readonly dimension: number,
  ) {}

  async run(): Promise<Result<{ embedded: number; refused: number }>> {
    const all = this.store.countMissing();
    for (const areFacts of [true, false]) {
      const failure = await this.fill(areFacts, all);
      if (failure !== undefined) return { ok: false, error: failure };
    }
    return ok({ embedded: this.embedded, refused: this.refused });
  }

  private async fill(areFacts: boolean, all: number): Promise<Failure | undefined> {
    let behind: MissingText | undefined;
    for (;;) {
      const page = this.store.missing(behind, areFacts, PAGE);
      const texts = await this.texts(page);
      const asked = Array.from({ length: ASKED_AHEAD }, (_, i) => this.ask(texts, i * BATCH));
      for (let at = 0; at < texts.length; at += BATCH) {
        this.context.onProgress?.(this.embedded + this.refused, all, 'texts');
        const result = await asked.shift();
        if (result === undefined) break;
        if (!result.ok) return result.error;
        asked.push(this.ask(texts, at + ASKED_AHEAD * BATCH));
        const failure = this.keep(texts.slice(at, at + BATCH), result.value);
        if (failure !== undefined) return failure;
      }
      this.store.keepBits();
      behind = page.at(-1);
      if (behind === undefined || page.length < PAGE) return undefined;
    }
  }

  private ask(texts: readonly EmbeddedText[], at: number): Promise<Result<Vectors>> {
    return this.embedder.embedDocuments(texts.slice(at, at + BATCH), this.context.signal);
  }

  private keep(texts: readonly EmbeddedText[], made: Vectors): Failure | undefined {
    const vectors = texts.map(({ hash, tongue }, i) => ({ hash, tongue, vector: made[i] ?? null }));
    if (vectors.some(({ vector }) => vector !== null && vector.length !== this.dimension))
      return {
        type: 'model_unavailable',
        message: 'the embedding model was replaced during the run',
        hint: 'run it again',
      };
    this.store.add(vectors);
    const refused = vectors.filter(({ vector }) => vector === null).length;
    this.refused += refused;
    this.embedded += vectors.length - refused;
    return undefined;
  }

  /** Reads the missing texts from the index, each once. Texts that are no longer there are left out. */
  private texts(page: readonly MissingText[]): Promise<readonly EmbeddedText[]> {
    const { search } = this.context;
    return search.atOneMoment(async () => {
      const wanted = new Map<string, MissingText>();
      for (const missing of page) wanted.set(hashKey(missing.hash), missing);
      const found: EmbeddedText[] = [];
      for (const path of new Set([...wanted.values()].map((missing) => missing.path))) {
        const file = search.file(path);
        if (file === undefined) continue;
        // The language group is computed when this property is read, and the computation needs the index. Copying the
        // object reads the property now, while the index can be read.
        for (const { text } of embeddedUnits(search, file))
          if (wanted.delete(hashKey(text.hash))) found.push({ ...text });
      }
      return found;
    });
  }
}
