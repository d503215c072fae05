import { closeSync, existsSync, readSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { addPathToError, type FailureType, fail, MemoryError, systemErrorCode } from '../../base/failure.js';
import { asText, parseRecord } from '../../base/json.js';
import {
  appendToOpenFile,
  makeFolder,
  openPrivateFile,
  openToRead,
  readTextIfThere,
  removeFile,
  renameFinishedFile,
  writeNote,
} from '../../workspace/files.js';
import { formatSeconds, isLocalAddress } from '../call.js';
import { digestOfFile } from './model-file.js';

/** A file to get, and where to put it. */
export interface DownloadTask {
  /** Address of the file, or its path on this machine. */
  readonly from: URL | string;
  readonly path: string;
  /** SHA-256 of the file, in lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Its exact size in bytes, if known. */
  readonly bytes: number | undefined;
  /** Maximum size in bytes. */
  readonly atMost: number;
  /** How long the server may send nothing, in ms. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Reports bytes. */
  readonly onProgress?: (done: number, all: number) => void;
}

const MOST_REDIRECTS = 3;
const COPIED_AT_ONCE = 4 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const GOES_ON = 'run the same command again: it goes on where this one stopped';
const BY_HAND = 'download it in another way, then: models get --from FILE --sha256 HEX';

/**
 * Gets a file whose digest is known. Its bytes are first in `PATH.part`. That file gets its name when its digest is right,
 * and is removed when it is wrong. A download that was stopped, in any way, goes on where it stopped.
 * @returns false if the file was there already
 * @throws MemoryError `refused` for a wrong digest or size or a forbidden redirect, `model_unavailable`, `busy`,
 * `interrupted`, and errors of the system
 */
export async function downloadFile(task: DownloadTask): Promise<boolean> {
  const { path, sha256, signal, from } = task;
  if (existsSync(path) && (await digestOfFile(path, signal)) === sha256) return false;
  makeFolder(dirname(path));
  const part = new PartialFile(task);
  if (part.size !== task.bytes)
    await (typeof from === 'string' ? copyInto(part, from, task) : fetchInto(part, from, task));
  const digest = await digestOfFile(part.path, signal);
  if (digest !== sha256) {
    part.remove();
    const hint = 'nothing was kept; check the address and the digest';
    fail('refused', `the SHA-256 of what came is ${digest}, not ${sha256}`, hint);
  }
  part.finish();
  return true;
}

/**
 * Reads the address of a file: https, or http on this machine.
 * @param before the address that redirects to it. Other machines must not make us ask servers of this machine
 * @throws MemoryError `usage`; `refused` for a redirect
 */
export function readAddress(text: string, before?: URL): URL {
  const refuse = (type: FailureType, why: string): never => fail(type, why, `use https; or ${BY_HAND}`);
  if (!URL.canParse(text, before?.href)) return refuse('usage', `"${text}" is no address`);
  const url = new URL(text, before);
  const isHere = isLocalAddress(url);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
  if (before === undefined) return isSafe ? url : refuse('usage', `${url.href} is not an https address`);
  if (isSafe && (!isHere || isLocalAddress(before))) return url;
  return refuse('refused', `${before.host} redirects to ${url.origin}, which is not allowed`);
}

/** The bytes that have come so far, with a note about them, which is needed to go on. */
class PartialFile {
  readonly path: string;
  private readonly note: string;
  /** The version of the file at the server (a strong ETag), if it named one. */
  version: string | undefined;
  size = 0;

  constructor(private readonly task: DownloadTask) {
    this.path = `${task.path}.part`;
    this.note = `${this.path}.json`;
    const known = parseRecord(readTextIfThere(this.note) ?? '');
    this.version = asText(known?.version);
    // The bytes of another file are of no use.
    if (known?.sha256 === task.sha256) this.size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Forgets the bytes, to begin with the first one. */
  restart(version?: string): void {
    this.remove();
    closeSync(openPrivateFile(this.path));
    writeNote(this.note, JSON.stringify({ sha256: this.task.sha256, version }));
  }

  /** Appends what comes. @param all the size of the whole file; undefined if unknown */
  async append(chunks: AsyncIterable<Buffer>, all: number | undefined): Promise<void> {
    const { atMost, bytes = all, onProgress } = this.task;
    if (all !== undefined) this.checkSize(all);
    const file = openPrivateFile(this.path);
    try {
      for await (const chunk of chunks) {
        if (this.size + chunk.length > Math.min(atMost, bytes ?? atMost)) this.checkSize(this.size + chunk.length);
        this.write(file, chunk);
        onProgress?.(this.size, bytes ?? atMost);
      }
    } finally {
      closeSync(file);
    }
  }

  remove(): void {
    removeFile(this.path);
    removeFile(this.note);
    this.size = 0;
  }

  finish(): void {
    renameFinishedFile(this.path, this.task.path);
    removeFile(this.note);
  }

  private write(file: number, chunk: Buffer): void {
    try {
      if (!appendToOpenFile(file, this.size, chunk))
        fail('busy', 'another process is downloading the same file', 'wait until it is done');
    } catch (error) {
      throw addPathToError(error, this.path);
    }
    this.size += chunk.length;
  }

  /** @throws MemoryError `refused` if the whole file has another size than it should */
  private checkSize(all: number): void {
    const { bytes, atMost } = this.task;
    if (bytes !== undefined && all !== bytes) {
      this.remove();
      fail('refused', `the file has ${all} bytes or more, not ${bytes}`, 'nothing was kept; check the address');
    }
    if (all <= atMost) return;
    this.remove();
    fail('refused', `the file is larger than ${Math.round(atMost / 1e6)} MB`, 'allow more with --max-mb');
  }
}

async function copyInto(part: PartialFile, from: string, { signal }: DownloadTask): Promise<void> {
  part.restart();
  await part.append(bytesOf(from, signal), statSync(from).size);
}

async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const file = openToRead(path);
  const bytes = Buffer.allocUnsafe(COPIED_AT_ONCE);
  try {
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      yield bytes.subarray(0, read);
      await yieldToOthers();
      if (signal.aborted) fail('interrupted', `copying ${path} was interrupted`, 'run the command again');
    }
  } catch (error) {
    throw addPathToError(error, path);
  } finally {
    closeSync(file);
  }
}

async function fetchInto(part: PartialFile, from: URL, task: DownloadTask): Promise<void> {
  try {
    const [response, url] = await follow(from, headersFor(part), task);
    // The part is whole already, or is no part of this file: its digest tells.
    if (response.statusCode === 416 && part.size > 0) return void response.destroy();
    const start = startOf(response, part, url);
    const length = response.headers['content-length'];
    await part.append(chunksOf(response), length === undefined ? undefined : start + Number(length));
  } catch (error) {
    throw explain(error, from, task.signal, part.size);
  }
}

function headersFor({ size, version }: PartialFile) {
  const plain = { 'accept-encoding': 'identity' };
  if (size === 0) return plain;
  return { ...plain, range: `bytes=${size}-`, ...(version !== undefined && { 'if-range': version }) };
}

/** Asks for a file, and follows redirects. Every address is checked before it is asked. */
async function follow(from: URL, headers: object, task: DownloadTask): Promise<readonly [IncomingMessage, URL]> {
  let url = from;
  for (let left = MOST_REDIRECTS; ; left--) {
    const response = await ask(url, headers, task);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return [response, url];
    response.destroy();
    if (left === 0) fail('refused', `${from.host} redirects more than ${MOST_REDIRECTS} times`, BY_HAND);
    url = readAddress(location, url);
  }
}

async function ask(url: URL, headers: object, { signal, idleMs }: DownloadTask): Promise<IncomingMessage> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const sent = request(url, { headers: { ...headers }, agent: false, signal }, (first) => {
      response = first;
      resolve(first);
    });
    sent.on('error', reject);
    // The request would not pass on the reason to the response.
    const end = () => (response ?? sent).destroy(new Error(`it sent nothing for ${formatSeconds(idleMs)}`));
    sent.setTimeout(idleMs, end);
    sent.end();
  });
}

/**
 * The place in the file where the response begins. The part is emptied if that is the first byte.
 * @throws MemoryError `model_unavailable` if the server sends no file, or another part than was asked for
 */
function startOf({ statusCode = 0, headers }: IncomingMessage, part: PartialFile, url: URL): number {
  if (statusCode === 200) {
    const { etag } = headers;
    part.restart(etag?.startsWith('"') ? etag : undefined);
    return 0;
  }
  const [, start] = /^bytes (\d+)-/.exec(headers['content-range'] ?? '') ?? [];
  if (statusCode === 206 && Number(start) === part.size) return part.size;
  return fail('model_unavailable', `${url.host} answered with status ${statusCode} and sent no file`, BY_HAND);
}

async function* chunksOf(response: IncomingMessage): AsyncGenerator<Buffer> {
  for await (const chunk of response) yield chunk;
  // Node's stream reports no error if the body is incomplete.
  if (!response.complete) throw new Error('the connection was closed');
}

/** Why a download ended. Our own failures, and errors of files, stay as they are. */
function explain(error: unknown, { host }: URL, signal: AbortSignal, size: number): unknown {
  if (signal.aborted)
    return new MemoryError({ type: 'interrupted', message: 'the download was interrupted', hint: GOES_ON });
  const isOfFile = error instanceof Error && 'path' in error;
  if (error instanceof MemoryError || isOfFile) return error;
  const why = systemErrorCode(error) ?? (error instanceof Error ? error.message : String(error));
  const message =
    size === 0
      ? `${host} could not be asked: ${why}`
      : `the download from ${host} broke off after ${size} bytes: ${why}`;
  return new MemoryError(
    { type: 'model_unavailable', message, hint: size === 0 ? BY_HAND : GOES_ON },
    { cause: error },
  );
}
