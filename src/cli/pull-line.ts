import type { PullProgress } from '../model/ollama/ollama.js';
import type { Io } from './io.js';

export interface PullLine {
  readonly show: (model: string, progress: PullProgress) => void;
  readonly end: () => void;
}

const CELLS = 24;

/** A bar on stderr for each part of a model that is fetched, when somebody watches; nothing otherwise. */
export function pullLine({ stderr }: Io): PullLine {
  if (stderr.isTTY !== true) return { show: () => {}, end: () => {} };
  const clear = '\r\u001b[K';
  return {
    show: (model, progress) => void stderr.write(`${clear}${pullText(model, progress)}`),
    end: () => void stderr.write(clear),
  };
}

/** Pure. */
export function pullText(model: string, { status, completed, total }: PullProgress): string {
  if (total === 0) return `${model}: ${status}`;
  const share = Math.min(1, completed / total);
  const bar = '█'.repeat(Math.floor(share * CELLS)).padEnd(CELLS, '░');
  return `${model}: ${bar} ${Math.floor(share * 100)} % of ${size(total)}`;
}

function size(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
