import type { Io } from './io.js';

export interface ProgressLine {
  readonly show: (done: number, all: number) => void;
  readonly end: () => void;
}

/** A line on stderr that counts up, when somebody watches; nothing otherwise. */
export function progressLine({ stderr }: Io, what: string): ProgressLine {
  if (stderr.isTTY !== true) return { show: () => {}, end: () => {} };
  let shown = false;
  return {
    show: (done, all) => {
      shown = true;
      stderr.write(`\r${what} ${done} of ${all}`);
    },
    end: () => void (shown && stderr.write('\r\u001b[K')),
  };
}
