import { readdirSync, readFileSync, rmSync } from 'node:fs';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 20;

/**
 * Removes a folder that a process in the background may still write to: what comes while it is removed goes with the
 * next try. Node's own `maxRetries` does not look for what came since.
 */
export function removeTree(path: string): void {
  within(PATIENCE_MS, (isLast) => {
    try {
      rmSync(path, { recursive: true, force: true });
      return true;
    } catch (error) {
      const isLate = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY';
      if (!isLate || isLast) throw error;
      return false;
    }
  });
}

/** Waits for every process whose command line names a folder: it would make the folder anew. Looks on Linux alone. */
export function awaitProcesses(path: string): void {
  if (process.platform === 'linux') within(PATIENCE_MS, () => !isNamed(path));
}

function isNamed(path: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(path);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** Asks again until it is done, or for so long. */
function within(ms: number, isDone: (isLast: boolean) => boolean): void {
  const end = Date.now() + ms;
  for (let isLast = false; !isDone(isLast) && !isLast; isLast = Date.now() > end)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
