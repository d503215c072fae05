import type { IncomingMessage } from 'node:http';
import { systemErrorCode } from '../../base/failure.js';
import { CallError, formatSeconds, interruptedCallError } from '../call.js';

/** Time limits of one call in ms, and the signal that aborts it. */
export interface CallLimits {
  readonly connectMs: number;
  readonly firstMs: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** The model that the call names. Hints in error messages name it, too. */
  readonly asked?: NamedModel | undefined;
}

/** A model, and the setting that contains its name. */
export interface NamedModel {
  readonly model: string;
  readonly setting: 'chatModel' | 'embedModel';
}

/** Aborts a call after a time limit, or when the caller's signal aborts. Remembers which of the two happened. */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  private bite: (error: Error) => void = () => {};
  private why: CallError | undefined;
  private readonly onAbort = () => {
    const { reason } = this.watch.signal;
    this.breakOff(reason instanceof CallError ? reason : interruptedCallError());
  };

  constructor(
    private readonly watch: CallLimits,
    private readonly host: string,
  ) {
    watch.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  guard(bite: (error: Error) => void): void {
    this.bite = bite;
    if (this.watch.signal.aborted) this.onAbort();
  }

  /**
   * Starts the time limit of the next step.
   * @param failing a part of the error message that says what took too long: "sent no answer"
   */
  wait(ms: number, failing: string): void {
    clearTimeout(this.timer);
    if (this.why !== undefined) return;
    const message = `Ollama at ${this.host} ${failing} within ${formatSeconds(ms)}`;
    this.timer = setTimeout(() => {
      this.breakOff(new CallError('slow', message, 'check if it is busy or stuck: ollama ps'));
    }, ms);
  }

  async *chunks(response: IncomingMessage): AsyncGenerator<Buffer> {
    for await (const chunk of response) {
      this.wait(this.watch.idleMs, 'sent nothing more');
      yield chunk;
    }
    // Node's stream reports no error if the body is incomplete.
    if (!response.complete) throw new Error('the connection was closed');
  }

  /** Explains why a call failed: our own reason for aborting it, or the error of the connection. */
  explain(error: unknown): CallError {
    if (this.why !== undefined) return this.why;
    if (error instanceof CallError) return error;
    const code = systemErrorCode(error) ?? '';
    if (AWAY.test(code))
      return new CallError('away', `Ollama is not running at ${this.host}`, 'start it: ollama serve', { cause: error });
    const message = `the connection to Ollama at ${this.host} was lost${code === '' ? '' : ` (${code})`}`;
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
