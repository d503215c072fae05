import { parentPort, workerData } from 'node:worker_threads';
import { readForgotten } from '../forgotten-page.js';
import { readFile } from '../read-file.js';
import type { ReaderThreadData, ReadRequest } from './threads.js';

/** Reads files for the main thread. The results are sent as JSON, which is the fastest way to send many strings. */
export function serveReadRequests(): void {
  const { root, dateOrder, forgotten: expected }: ReaderThreadData = workerData;
  const forgotten = readForgotten(root);
  // If the tombstones have changed since the main thread read them, this thread would leave out other lines than the main
  // thread. So it answers no requests, and the main thread reads all files.
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
