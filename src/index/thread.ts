import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../db/open.js';
import { builtInModel } from '../model/word-vectors.js';
import { readForgotten } from './forgotten-page.js';
import type { CodesRequest } from './meaning/make-codes.js';
import type { ReadRequest } from './read/parallel-reader.js';
import { readFile } from './read-file.js';
import { IndexSearch } from './search.js';
import type { ThreadRequest, ThreadTask } from './threads.js';

/** Does for the main thread what it asks: reads files, or makes codes. */
export async function serveRequests(): Promise<void> {
  const task: ThreadTask = workerData;
  if (task.task === 'read') serveReading(task);
  else await serveEncoding(task);
}

function serve<Request>(answer: (request: Request) => Promise<unknown> | unknown): void {
  parentPort?.on('message', async ({ id, request }: ThreadRequest<Request>) => {
    try {
      parentPort?.postMessage({ id, answer: await answer(request) });
    } catch {
      parentPort?.postMessage({ id, answer: null });
    }
  });
}

function serveReading({ root, dateOrder, forgotten: expected }: ThreadTask & { task: 'read' }): void {
  const forgotten = readForgotten(root);
  // If the tombstones have changed since the main thread read them, this thread would leave out other lines than the main
  // thread. So it answers no requests, and the main thread reads all files.
  if (forgotten.digest !== expected) return;
  serve(async ({ files, machineMs }: ReadRequest) => {
    const clock = { dateOrder, machineMs: () => machineMs };
    const read = [];
    for (const file of files) {
      const { units, ...rest } = await readFile(root, file, clock, forgotten);
      read.push({ ...rest, units: units && [...units] });
    }
    // JSON is the fastest way to send many strings.
    return JSON.stringify(read);
  });
}

async function serveEncoding({ index }: ThreadTask & { task: 'encode' }): Promise<void> {
  const { CodeMaker } = await import('./meaning/make-codes.js');
  const model = builtInModel();
  if (model === undefined) return;
  const search = new IndexSearch([{ db: openDatabase(index, { readonly: true }), masked: new Set() }]);
  const maker = new CodeMaker(search, model);
  serve((request: CodesRequest) => maker.codesOfFiles(request));
}
