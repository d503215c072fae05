import type { PullProgress } from '../model/ollama/ollama.js';
import type { Io } from './io.js';

export interface ProgressLine {
  readonly show: (done: number, all: number) => void;
  readonly end: () => void;
}

/**
 * A line on stderr that counts up, when somebody watches; nothing otherwise.
 * @param rate words after a rate, to show it and the time that is left, for work that takes long
 */
export function progressLine({ stderr }: Io, what: string, rate?: string): ProgressLine {
  if (stderr.isTTY !== true) return { show: () => {}, end: () => {} };
  const start = performance.now();
  let shown = false;
  return {
    show: (done, all) => {
      shown = true;
      const pace = rate === undefined ? '' : paceText(done, all, (performance.now() - start) / 1000, rate);
      stderr.write(`\r${what} ${done} of ${all}${pace}\u001b[K`);
    },
    end: () => void (shown && stderr.write('\r\u001b[K')),
  };
}

/** How fast it goes and how long it will take. Pure. */
function paceText(done: number, all: number, seconds: number, rate: string): string {
  if (done === 0 || seconds <= 0) return '';
  const perSecond = done / seconds;
  return `, ${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} ${rate}, ${duration((all - done) / perSecond)} left`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

interface PullLine {
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
