import { readdirSync, readFileSync, rmSync } from 'node:fs';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 20;

/**
 * Removes a folder that a background process may still write to: new files are removed in the next try. Node's `maxRetries`
 * does not look for new files.
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

/**
 * Waits for every process whose command line names a folder, since it would create the folder again. Works on Linux only.
 */
export function awaitProcesses(path: string): void {
  if (process.platform === 'linux') within(PATIENCE_MS, () => !isNamed(path));
}

function isNamed(path: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(path);
    } catch {
      // The process has exited.
      return false;
    }
  });
}

/** Polls until it is done or the time is over. */
function within(ms: number, isDone: (isLast: boolean) => boolean): void {
  const end = Date.now() + ms;
  for (let isLast = false; !isDone(isLast) && !isLast; isLast = Date.now() > end)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
