import { setImmediate as yieldToMessages } from 'node:timers/promises';
import type { Database } from '../../db/open.js';
import { builtInModel } from '../../model/word-vectors.js';
import { IndexSearch } from '../search.js';
import type { Threads } from '../threads.js';
import { CODE_BYTES, CodeBlocks, FileCodes } from './blocks.js';
import { codeBytes } from './codes.js';
import {
  areCodesWhole,
  countUnitsInBlocks,
  type FileWithoutCodes,
  filesWithoutCodes,
  startCodesOf,
} from './line-codes.js';
import { CodeMaker, type CodesRequest } from './make-codes.js';

/** Number of files per transaction. */
const FILES_AT_ONCE = 64;
/** Up to this number of units, each gets a code. Beyond it, only facts do: a search would take too long. */
const MOST_UNITS = 500_000;
/** With fewer units, the main thread makes the codes alone: another thread would have to compile the code again. */
const MANY = 30_000;

interface FillOptions {
  /** Maximum number of units that get a code now, or a few more. Default: all. */
  readonly most?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives the units of an index their codes, as far as they have none: the newest files first. Only under the writer lock,
 * and after the words were committed. If it stops, the next call continues.
 */
export async function fillCodes(
  db: Database,
  { most = Number.POSITIVE_INFINITY, signal }: FillOptions = {},
): Promise<void> {
  const model = builtInModel();
  if (model === undefined || codeBytes(model.dimension) !== CODE_BYTES) return;
  if (!areCodesWhole(db, model.digest)) db.transaction(() => startCodesOf(db, model.digest)).immediate();
  const batches = batchesOf(firstOf(filesWithoutCodes(db), most), countUnitsInBlocks(db));
  const threads = await startThreadsFor(db, batches);
  // The threads stop at once: the request that they work on takes up to a second.
  const stop = (): void => void threads?.stop();
  signal?.addEventListener('abort', stop, { once: true });
  const maker = new CodeMaker(IndexSearch.of([{ db, masked: new Set() }]), model);
  const blocks = new CodeBlocks(db);
  const mark = db.prepare('UPDATE file SET coded = 1 WHERE id = ?');
  try {
    for await (const { files, codes } of encoded(batches, maker, threads)) {
      if (signal?.aborted) return;
      db.transaction(() => {
        for (const [i, file] of files.entries()) {
          blocks.put(file.firstUnit, FileCodes.of(codes[i] ?? new Uint8Array()));
          mark.run(file.id);
        }
        blocks.save();
      }).immediate();
      await yieldToMessages();
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    await threads?.stop();
  }
}

/** Files whose codes are made and stored together. */
interface Batch {
  readonly files: readonly FileWithoutCodes[];
  readonly factsOnly: boolean;
}

/** @param coded number of units that have codes already */
function batchesOf(files: readonly FileWithoutCodes[], coded: number): readonly Batch[] {
  const batches: Batch[] = [];
  let units = coded;
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const batch = files.slice(at, at + FILES_AT_ONCE);
    batches.push({ files: batch, factsOnly: units >= MOST_UNITS });
    units += unitsOf(batch);
  }
  return batches;
}

/** The first files that have `most` units together. */
function firstOf(files: readonly FileWithoutCodes[], most: number): readonly FileWithoutCodes[] {
  let units = 0;
  return files.filter((file) => {
    const isIn = units < most;
    units += file.units;
    return isIn;
  });
}

function unitsOf(files: readonly FileWithoutCodes[]): number {
  return files.reduce((sum, { units }) => sum + units, 0);
}

type CodeThreads = Threads<CodesRequest, readonly Uint8Array[]>;

async function startThreadsFor(db: Database, batches: readonly Batch[]): Promise<CodeThreads | undefined> {
  if (unitsOf(batches.flatMap(({ files }) => files)) < MANY) return undefined;
  const { startThreads } = await import('../threads.js');
  return startThreads({ task: 'encode', index: db.name }, 0);
}

/** Makes the codes of the batches in order. Other threads make them in advance. */
async function* encoded(batches: readonly Batch[], maker: CodeMaker, threads: CodeThreads | undefined) {
  const waiting: (() => Promise<{ files: Batch['files']; codes: readonly Uint8Array[] }>)[] = [];
  for (const { files, factsOnly } of batches) {
    const request = { paths: files.map(({ path }) => path), factsOnly };
    const asked = threads?.ask(request).catch(() => undefined);
    // This thread makes codes only when they are wanted: the database may be closed once nobody wants them.
    waiting.push(async () => ({ files, codes: (await asked) ?? maker.codesOfFiles(request) }));
    if (threads?.isFree) continue;
    const first = waiting.shift();
    if (first !== undefined) yield await first();
  }
  for (const one of waiting) yield await one();
}
