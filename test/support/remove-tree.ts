import { rmSync } from 'node:fs';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 20;

/**
 * Removes a folder that a process in the background may still write to: what comes while it is removed goes with the
 * next try. Node's own `maxRetries` does not look for what came since.
 */
export function removeTree(path: string): void {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      const isLate = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY';
      if (!isLate || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
