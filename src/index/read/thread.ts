import { parentPort, workerData } from 'node:worker_threads';
import { readForgotten } from '../forgotten-page.js';
import { readFile } from '../read-file.js';
import type { ReaderData, ReadRequest } from './threads.js';

/** Reads what the thread that started this one asks for. What it makes of a file is sent as JSON, the cheapest way for many strings. */
export function serveReads(): void {
  const { root, dateOrder, forgotten: expected }: ReaderData = workerData;
  const forgotten = readForgotten(root);
  // Whoever forgets at this moment has the last word with the one who writes.
  if (forgotten.digest !== expected) return;
  parentPort?.on('message', async ({ id, files, machineMs }: ReadRequest) => {
    try {
      const clock = { dateOrder, machineMs: () => machineMs };
      const read = [];
      for (const file of files) {
        const { units, ...rest } = await readFile(root, file, clock, forgotten);
        read.push({ ...rest, units: units && [...units] });
      }
      parentPort?.postMessage({ id, json: JSON.stringify(read) });
    } catch {
      parentPort?.postMessage({ id, json: null });
    }
  });
}
