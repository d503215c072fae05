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
  nextReply(asked: { readonly messages: readonly ChatMessage[]; readonly format: unknown }): Reply | undefined;
  vector(text: string, dimension: number): number[];
  writer(seed: number): LineWriter;
  lastLine(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Sends waiting text and then nothing until the client disconnects. */
  readonly hang: (writer?: LineWriter) => Promise<void>;
  /** Closes the connection with an error. */
  readonly reset: () => void;
}

/** Whether a fault ended the stream here: before its first piece (0), in its middle (1), before its last (2). */
export async function brokeOff(
  writer: LineWriter,
  { faults, hang, reset, gone }: Stage,
  phase: 0 | 1 | 2,
): Promise<boolean> {
  if (phase === 0) {
    if (!faults.strikes('hang-after-headers')) return false;
    await writer.text('');
    await hang(writer);
    return true;
  }
  if (phase === 2) {
    if (faults.strikes('reset-before-done')) {
      await writer.flush(0);
      reset();
      return true;
    }
    if (!faults.strikes('end-without-done')) return false;
    await writer.end();
    return true;
  }
  if (faults.strikes('idle-mid-stream')) await hang(writer);
  else if (faults.strikes('reset-mid-line')) {
    await writer.text('{"model":"x","mess');
    await writer.flush(0);
    reset();
  } else if (faults.strikes('error-line')) {
    await writer.line({ error: 'an error was encountered while running the model: unexpected EOF' });
    await writer.end();
  } else {
    if (faults.strikes('malformed-line')) await writer.line('{"model": "x", "message": {"content": ');
    if (faults.strikes('huge-line')) await writer.line({ message: { content: 'x'.repeat(8 * 2 ** 20) }, done: false });
    return gone.aborted;
  }
  return true;
}
