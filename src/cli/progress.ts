import type { PullProgress } from '../model/ollama.js';
import type { CommandIo } from './io.js';
import { toPrintable } from './text.js';

const CELLS = 24;
const CLEAR = '\r\u001b[K';

/**
 * A progress bar on stderr with speed and remaining time, if stderr is a terminal. Call `clear` before other output and
 * at the end: it removes the bar.
 */
export function createProgressBar({ stderr }: Pick<CommandIo, 'stderr'>) {
  let start = 0;
  let counted: string | undefined;
  let isShown = false;
  return {
    show: (done: number, all: number, what: string, isEstimate = false) => {
      if (stderr.isTTY !== true) return;
      if (what !== counted) start = performance.now();
      counted = what;
      isShown = true;
      const counting = isEstimate ? `about ${all} ${what}` : `${all} ${what}`;
      stderr.write(`${CLEAR}${formatProgressBar(done, all, counting, (performance.now() - start) / 1_000)}`);
    },
    clear: () => {
      if (isShown) stderr.write(CLEAR);
      isShown = false;
    },
  };
}

/**
 * Formats a progress bar as text, with speed and remaining time. Pure.
 * @param counting the total and what is counted
 * @param seconds time since the start
 */
export function formatProgressBar(done: number, all: number, counting: string, seconds: number): string {
  const share = `${bar(done, all)} ${done} of ${counting}`;
  if (done === 0 || seconds <= 0) return share;
  const pace = done / seconds;
  const speed =
    pace < 1 ? `${(1 / pace).toFixed(1)} s each` : `${pace < 10 ? pace.toFixed(1) : Math.round(pace)} a second`;
  return `${share}, ${speed}, ${duration((all - done) / pace)} left`;
}

function bar(done: number, all: number): string {
  const share = all === 0 ? 0 : Math.min(1, done / all);
  return '█'.repeat(Math.floor(share * CELLS)).padEnd(CELLS, '░');
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A progress bar on stderr for each part of a model download, if stderr is a terminal. */
export function createPullProgressBar({ stderr }: CommandIo) {
  const write = (text: string) => void (stderr.isTTY === true && stderr.write(CLEAR + toPrintable(text)));
  const show = (model: string, progress: PullProgress) => write(formatPullProgress(model, progress));
  return { show, end: () => write('') };
}

export function formatPullProgress(model: string, { status, completed, total }: PullProgress): string {
  if (total === 0) return `${model}: ${status}`;
  return `${model}: ${bar(completed, total)} ${Math.floor(Math.min(1, completed / total) * 100)} % of ${formatSize(total)}`;
}

/** Formats a number of bytes as MB or GB. */
export function formatSize(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
