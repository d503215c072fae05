import type { Failure } from '../base/failure.js';
import { asRecord } from '../base/json.js';
import type { GlobalOptions } from './arguments.js';
import type { Io } from './io.js';

/** Where a command's answer, warnings and errors go. stdout carries the answer only, so that it can be piped. */
export interface Output {
  /**
   * The whole answer: `json` when `--json` was given, else the text. Written in one piece, ended by a line feed. What it has
   * as `warnings` is said on stderr before it.
   */
  answer(text: string, json: unknown): void;
  /** One more line of an answer that comes in lines (JSONL, `--batch`, `watch`). */
  line(text: string): void;
  /** Raw bytes of an answer that must not gain a line feed. */
  raw(text: string | Uint8Array): void;
  warn(message: string): void;
  note(message: string): void;
  failure(failure: Failure, stack?: string): void;
  /** A failure that the answer on stdout tells of itself. */
  problem(failure: Failure): void;
  readonly json: boolean;
  readonly colour: boolean;
}

/** @param before is called before anything is written */
export function openOutput(
  streams: Pick<Io, 'stdout' | 'stderr' | 'env'>,
  options: GlobalOptions,
  before = () => {},
): Output {
  const to = (name: 'stdout' | 'stderr', text: string | Uint8Array): void => {
    before();
    streams[name].write(text);
  };
  const json = options.json === true;
  const colour = !json && options.color !== false && !streams.env.NO_COLOR && streams.stdout.isTTY === true;
  const problem = ({ message, hint }: Failure) => {
    to('stderr', `error: ${oneLine(message)}\n`);
    if (hint !== undefined) to('stderr', `hint: ${oneLine(hint)}\n`);
  };
  const warn = (message: string) => to('stderr', `warning: ${oneLine(message)}\n`);
  return {
    json,
    colour,
    answer: (text, value) => {
      const { warnings } = asRecord(value);
      if (Array.isArray(warnings)) for (const warning of warnings) warn(String(warning));
      if (json) to('stdout', `${JSON.stringify(value)}\n`);
      else if (text !== '') to('stdout', shown(text.endsWith('\n') ? text : `${text}\n`));
    },
    line: (text) => to('stdout', `${text}\n`),
    raw: (text) => to('stdout', text),
    warn,
    note: (message) => {
      if (options.quiet !== true) to('stderr', `${shown(message)}\n`);
    },
    failure: (failure, stack) => {
      if (json) to('stdout', `${JSON.stringify({ ok: false, error: failure })}\n`);
      problem(failure);
      if (options.verbose === true && stack !== undefined) to('stderr', `${stack}\n`);
    },
    problem,
  };
}

// Control characters in somebody's text must not move the cursor of a terminal or forge a second line.
function oneLine(text: string): string {
  return shown(text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/gu, ' '));
}

/** As it is read on a screen: marks that let a text be shown in another order than it has are named. */
function shown(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}
