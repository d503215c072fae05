import type { FaultSwitches } from './faults.js';
import type { FakeModel } from './model.js';
import type { ChatMessage } from './prompt.js';
import type { Reply } from './reply.js';
import type { Scheduler } from './runner.js';
import type { LineWriter } from './wire.js';

/** What the answer to one request works with. */
export interface Stage {
  readonly faults: FaultSwitches;
  readonly scheduler: Scheduler;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
  find(name: string): FakeModel | undefined;
  nextReply(messages: readonly ChatMessage[]): Reply | undefined;
  vector(text: string, dimension: number): number[];
  writer(seed: number): LineWriter;
  lastLine(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Sends what waits and then says nothing more until the client is gone. */
  readonly hang: (writer?: LineWriter) => Promise<void>;
  /** Breaks the connection off. */
  readonly reset: () => void;
}
