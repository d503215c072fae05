import type { Failure } from '../base/failure.js';
import { asRecord } from '../base/json.js';
import type { GlobalOptions } from './arguments.js';
import type { CommandIo } from './io.js';
import { toPrintable } from './text.js';

/**
 * Prints everything that a command writes: its answer, notes, warnings and errors. stdout gets only the answer, so that
 * it can be piped. Control characters in text are escaped, on a terminal and in a pipe. Only {@link exact} and
 * {@link raw} write text to a pipe unchanged.
 */
export interface Output {
  /**
   * Writes the whole answer in one piece, with a line feed at its end: `json` when `--json` was given, else `text`. If
   * `json` has a field `warnings`, these warnings are printed on stderr first.
   */
  answer(text: string, json: unknown): void;
  /** Writes one line of an answer that has many lines (JSONL, `--batch`, `watch`). */
  line(text: string): void;
  /**
   * Like {@link answer}, for text that another program reads byte for byte. In a pipe, no control characters are
   * escaped.
   */
  exact(text: string, json: unknown): void;
  /** Writes raw bytes without adding a line feed. On a terminal, control characters are escaped. */
  raw(text: string | Uint8Array): void;
  warn(message: string): void;
  note(message: string): void;
  /** Prints a note with `--verbose` only. */
  detail(message: string): void;
  failure(failure: Failure, stack?: string): void;
  /** Prints a failure on stderr only, because the answer on stdout already reports it. */
  problem(failure: Failure): void;
  readonly json: boolean;
  readonly colour: boolean;
}

/**
 * Creates the output of a command, which writes to the given streams.
 * @param before called before each write, to remove a progress bar
 */
export function openOutput(
  streams: Pick<CommandIo, 'stdout' | 'stderr' | 'env'>,
  options: GlobalOptions,
  before = () => {},
): Output {
  const to = (name: 'stdout' | 'stderr', text: string | Uint8Array): void => {
    before();
    streams[name].write(text);
  };
  const json = options.json === true;
  const colour = !json && options.color !== false && !streams.env.NO_COLOR && streams.stdout.isTTY === true;
  const isTerminal = streams.stdout.isTTY === true;
  const line = (text: string) =>
    to('stdout', toPrintable(text === '' || text.endsWith('\n') ? text : `${text}\n`, colour));
  const problem = ({ message, hint }: Failure) => {
    to('stderr', `error: ${oneLine(message)}\n`);
    if (hint !== undefined) to('stderr', `hint: ${oneLine(hint)}\n`);
  };
  const warn = (message: string) => to('stderr', `warning: ${oneLine(message)}\n`);
  const warned = (value: unknown) => {
    const { warnings } = asRecord(value);
    if (Array.isArray(warnings)) for (const warning of warnings) warn(String(warning));
  };
  const raw = (text: string | Uint8Array) =>
    to('stdout', isTerminal ? toPrintable(Buffer.from(text).toString('utf8'), colour) : text);
  return {
    json,
    colour,
    answer: (text, value) => {
      warned(value);
      line(json ? JSON.stringify(value) : text);
    },
    exact: (text, value) => {
      warned(value);
      if (json) line(JSON.stringify(value));
      else raw(text === '' || text.endsWith('\n') ? text : `${text}\n`);
    },
    line,
    raw,
    warn,
    note: (message) => {
      if (options.quiet !== true) to('stderr', `${toPrintable(message)}\n`);
    },
    detail: (message) => {
      if (options.verbose === true) to('stderr', `${oneLine(message)}\n`);
    },
    failure: (failure, stack) => {
      if (json) line(JSON.stringify({ ok: false, error: failure }));
      problem(failure);
      if (options.verbose === true && stack !== undefined) to('stderr', `${toPrintable(stack)}\n`);
    },
    problem,
  };
}

/** Puts a message on one line, so that its text can't pretend to be a second message. */
function oneLine(text: string): string {
  return toPrintable(text.replace(/[\n\r\t\u0085\u2028\u2029]+/gu, ' '));
}
