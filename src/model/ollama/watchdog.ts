import type { IncomingMessage } from 'node:http';
import { systemCode } from '../../base/failure.js';
import { CallError, interrupted, seconds } from '../call.js';

/** Limits of one call. */
export interface Watch {
  readonly connectMs: number;
  readonly firstMs: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** The requested model, for hints. */
  readonly asked?: NamedModel | undefined;
}

/** A model, and the setting that names it. */
export interface NamedModel {
  readonly model: string;
  readonly setting: 'chatModel' | 'embedModel';
}

/** Aborts a call on a timeout or the caller's signal, and remembers the reason. */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private bite: (error: Error) => void = () => {};
  private why: CallError | undefined;
  private readonly onAbort = () => {
    const { reason } = this.watch.signal;
    this.breakOff(reason instanceof CallError ? reason : interrupted());
  };

  constructor(
    private readonly watch: Watch,
    private readonly host: string,
  ) {
    watch.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  guard(bite: (error: Error) => void): void {
    this.bite = bite;
    if (this.watch.signal.aborted) this.onAbort();
  }

  /** Restarts the timer for the next step. */
  wait(ms: number, failing: string): void {
    clearTimeout(this.timer);
    if (this.why !== undefined) return;
    const message = `Ollama at ${this.host} ${failing} within ${seconds(ms)}`;
    this.timer = setTimeout(() => {
      this.breakOff(new CallError('slow', message, 'see whether it is busy or stuck: ollama ps'));
    }, ms);
  }

  async *chunks(response: IncomingMessage): AsyncGenerator<Buffer> {
    for await (const chunk of response) {
      this.wait(this.watch.idleMs, 'sent nothing more');
      yield chunk;
    }
    // The stream reports no error for a truncated body.
    if (!response.complete) throw new Error('the connection was closed');
  }

  /** The reason why a call failed. */
  explain(error: unknown): CallError {
    if (this.why !== undefined) return this.why;
    if (error instanceof CallError) return error;
    const code = systemCode(error) ?? '';
    if (AWAY.test(code))
      return new CallError('away', `Ollama is not running at ${this.host}`, 'start it: ollama serve', { cause: error });
    const message = `the connection to Ollama at ${this.host} broke off${code === '' ? '' : ` (${code})`}`;
    return new CallError('broken_off', message, 'see the log of ollama serve', { cause: error });
  }

  end(): void {
    clearTimeout(this.timer);
    this.watch.signal.removeEventListener('abort', this.onAbort);
    this.bite(new Error('ended'));
    this.bite = () => {};
  }

  private breakOff(why: CallError): void {
    this.why ??= why;
    clearTimeout(this.timer);
    this.bite(this.why);
  }
}

const AWAY = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;
