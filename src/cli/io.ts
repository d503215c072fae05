import { isUtf8 } from 'node:buffer';
import { constants, openSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { parse, resolve } from 'node:path';
import { addPathToError, ExitCode, fail, tryWithFallback } from '../base/failure.js';
import { readBytes as readFileBytes } from '../workspace/files.js';

/** The streams and environment of one run. Passed in from outside, so that tests can replace them. */
export interface CommandIo {
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  /** `columns` is missing when stdout is no terminal. */
  readonly stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /**
   * Sets the time zone of the whole process, so that days are computed without loading the data of `Intl`. Missing in
   * tests, because their process must keep its zone.
   */
  readonly useZone?: (zone: string) => void;
  /**
   * Ends the process when an interrupted command does not end by itself. Missing in tests, because their process must
   * go on.
   */
  readonly onInterrupt?: () => void;
}

/** Time in ms that an interrupted command may take to clean up. */
const INTERRUPT_MS = 700;

/**
 * The streams of this process. Each stream is created on first use, because its creation takes time, and most runs need
 * only one stream.
 */
export function processIo(): CommandIo {
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      // A closed stderr must not fail the command.
      if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
      return process.stderr;
    },
    env: process.env,
    // If the current folder was deleted, use the root: no workspace is found there.
    cwd: tryWithFallback(() => process.cwd(), parse(homedir()).root),
    onInterrupt: () => void setTimeout(() => process.exit(ExitCode.failed), INTERRUPT_MS).unref(),
    useZone: (zone) => {
      process.env.TZ = zone;
    },
  };
}

/**
 * Reads standard input for text that is written to a page.
 * @throws MemoryError `usage` if it is not valid UTF-8
 */
export async function readStdinText({ stdin }: Pick<CommandIo, 'stdin'>): Promise<string> {
  const bytes = await readStream(stdin);
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/u, '') : failInvalidUtf8('standard input');
}

export function failInvalidUtf8(what: string): never {
  return fail('usage', `${what} is not valid UTF-8`, 'convert it, for example with iconv -t UTF-8');
}

/** Reads standard input as UTF-8. Invalid bytes become U+FFFD, with a warning. */
export async function readStdinWithWarning(
  { stdin }: Pick<CommandIo, 'stdin'>,
  warn: (message: string) => void,
): Promise<string> {
  const bytes = await readStream(stdin);
  if (!isUtf8(bytes)) warn('standard input is not valid UTF-8; the bad bytes were replaced by U+FFFD');
  return bytes.toString('utf8');
}

/** Reads all of a stream as UTF-8. */
export async function readStreamText(stream: NodeJS.ReadableStream): Promise<string> {
  return (await readStream(stream)).toString('utf8');
}

/** Maximum size of an input, in bytes. A larger one is a mistake, for example a device that never ends. */
const MOST_INPUT = 256 * 1024 * 1024;

/**
 * Reads all bytes of a stream.
 * @throws MemoryError `refused` for input above the limit
 */
export async function readStream(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > MOST_INPUT)
      fail('refused', `the input is larger than ${MOST_INPUT / 1024 / 1024} MB`, 'use a smaller input');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a file that an option or argument names, as UTF-8. The path `-` means standard input. The path may also be that
 * of a pipe, because some shells pass a pipe in place of a file.
 */
export async function readInput(path: string, io: Pick<CommandIo, 'stdin' | 'cwd'>): Promise<string> {
  if (path === '-') return readStreamText(io.stdin);
  const full = resolve(io.cwd, path);
  try {
    const isPipe = statSync(full, { throwIfNoEntry: false })?.isFIFO() === true;
    if (!isPipe) return readFileBytes(full).toString('utf8');
    const { Socket } = await import('node:net');
    const fd = openSync(full, constants.O_RDONLY | constants.O_NONBLOCK);
    return await readStreamText(new Socket({ fd, readable: true, writable: false }));
  } catch (error) {
    throw addPathToError(error, full);
  }
}
