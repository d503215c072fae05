import type { FaultSwitches } from './faults.js';
import type { FakeModel } from './model.js';
import type { ChatMessage } from './prompt.js';
import type { Reply } from './reply.js';
import type { Scheduler } from './runner.js';
import type { LineWriter } from './wire.js';

/** The context of an answer to one request. */
export interface Stage {
  readonly faults: FaultSwitches;
  readonly scheduler: Scheduler;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal;
  find(name: string): FakeModel | undefined;
  nextReply(messages: readonly ChatMessage[]): Reply | undefined;
  vector(text: string, dimension: number): number[];
  writer(seed: number): LineWriter;
  lastLine(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Sends waiting text and then nothing until the client disconnects. */
  readonly hang: (writer?: LineWriter) => Promise<void>;
  /** Closes the connection with an error. */
  readonly reset: () => void;
}
