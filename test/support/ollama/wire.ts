import type { ServerResponse } from 'node:http';
import { Random } from '../random.js';

/** JSON as Go writes it: `<`, `>`, `&` and the two line separators are escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(goJson(value));
}

export function sendError(response: ServerResponse, { status, message }: ServerError): void {
  sendJson(response, status, { error: message });
}

/** An error response: its status, and the text in `error`. */
export interface ServerError {
  readonly status: number;
  readonly message: string;
}

/** RFC 3339 with nanoseconds. */
export function timestamp(date: Date): string {
  return date.toISOString().replace('Z', '456789Z');
}

/** Durations as in the server's answers: whole nanoseconds, omitted if 0. */
export function metric(name: string, value: number): Readonly<Record<string, number>> {
  return value === 0 ? {} : { [name]: Math.round(value) };
}

/** Default size of an HTTP chunk in bytes. */
const MOST_CHUNK = 90;

/**
 * Writes NDJSON in chunks that do not match lines: several lines in one chunk, a line or a character across several.
 * Deterministic by its seed.
 */
export class LineWriter {
  private waiting: Buffer = Buffer.alloc(0);
  private readonly random: Random;

  constructor(
    private readonly response: ServerResponse,
    seed: number,
    private readonly chunkBytes: number = MOST_CHUNK,
  ) {
    this.random = new Random(seed);
  }

  begin(contentType = 'application/x-ndjson'): void {
    if (!this.response.headersSent) this.response.writeHead(200, { 'content-type': contentType });
  }

  async line(value: unknown): Promise<void> {
    await this.text(`${typeof value === 'string' ? value : goJson(value)}\n`);
  }

  /** Adds text; sends most of it, and keeps a rest for the next call. */
  async text(text: string): Promise<void> {
    this.begin();
    this.waiting = Buffer.concat([this.waiting, Buffer.from(text)]);
    if (this.waiting.length < this.chunkBytes >> 1 && this.chunkBytes > MOST_CHUNK) return;
    const rest = Math.floor(this.random.next() * Math.min(this.waiting.length, MOST_CHUNK));
    await this.flush(rest);
  }

  async end(): Promise<void> {
    this.begin();
    await this.flush(0);
    this.response.end();
  }

  /** Sends all but the last `rest` bytes. */
  async flush(rest: number): Promise<void> {
    while (this.waiting.length > rest && !this.response.destroyed) {
      const size = Math.min(this.nextSize(), this.waiting.length - rest);
      const chunk = this.waiting.subarray(0, size);
      this.waiting = this.waiting.subarray(size);
      if (!this.response.write(chunk)) await drained(this.response);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private nextSize(): number {
    // A long text uses long chunks: only the places of the breaks matter.
    const most = Math.max(this.chunkBytes, this.waiting.length >> 4);
    return this.chunkBytes === 1 ? 1 : 1 + Math.floor(this.random.next() * most);
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
