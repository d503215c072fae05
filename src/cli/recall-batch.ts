import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline';
import type { Workspace } from '../app/workspace.js';
import { ExitCode, type Failure, fail, toFailure } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { type RequestFields, readRequest } from '../base/request.js';
import {
  BATCHED_REQUEST,
  type BatchedRecall,
  checkQuestion,
  type RecallQuery,
  readRecallRequest,
} from '../query/request.js';
import { failInvalidUtf8 } from './io.js';
import type { CommandContext } from './verb.js';

const SAFE = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER } as const;

/** The fields of one input line of `recall --batch`. */
const LINE = {
  id: { type: 'either', of: [{ type: 'text' }, { type: 'number', ...SAFE }], doc: 'repeated in the answer' },
  ...BATCHED_REQUEST,
  meta: { type: 'any', doc: 'any value of yours, repeated in the answer' },
} as const satisfies RequestFields;

const EXAMPLE = 'write {"id":1,"query":"…"}';

/** Fields of an input line that are copied to its answer, so that the caller can tell which line was answered. */
interface Label {
  readonly id: string | number | null;
  readonly meta?: unknown;
}

interface Waiting {
  readonly label: Label;
  readonly error?: Failure;
}

/**
 * Answers questions from stdin, one JSON object per line, in order. The answer to a line that can't be read is an
 * error.
 */
export async function recallBatch(
  { io, out, signal }: CommandContext,
  workspace: Workspace,
  { mode, ...defaults }: RecallQuery,
): Promise<ExitCode> {
  // Lines of the input that are not answered yet, in order: questions, and errors. An error waits here until the answers
  // to all lines before it are printed.
  const waiting: Waiting[] = [];
  let failed = false;
  const sayErrors = (): void => {
    for (let next = waiting[0]; next?.error !== undefined; next = waiting[0]) {
      out.line(JSON.stringify({ ...next.label, ok: false, error: next.error }));
      waiting.shift();
    }
  };
  const refuse = (label: Label, error: unknown): void => {
    failed = true;
    waiting.push({ label, error: toFailure(error) });
    sayErrors();
  };
  async function* requests(): AsyncGenerator<BatchedRecall> {
    // Read one character per byte, so that invalid UTF-8 is detected and Unicode separators do not split a line of JSON.
    const input = io.stdin.setEncoding('latin1');
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })) {
      const bytes = Buffer.from(line, 'latin1');
      // Trimming also removes a byte order mark from the first line, which JSON does not allow.
      const written = bytes.toString('utf8').trim();
      if (written === '') continue;
      let label: Label = { id: null };
      try {
        if (!isUtf8(bytes)) failInvalidUtf8('a line');
        const value = parseLine(written);
        label = labelOf(value);
        if (isRecord(value) && 'mode' in value)
          fail('usage', 'unknown key "mode"', 'set the mode of all lines with --mode');
        const { id: _id, meta: _meta, ...request } = readRequest('a line', LINE, value);
        const own = await readRecallRequest(request, workspace.clock);
        const query = await readRecallRequest({ ...defaults, ...own }, workspace.clock);
        checkQuestion(query);
        waiting.push({ label });
        yield query;
      } catch (error) {
        refuse(label, error);
      }
    }
  }
  for await (const answer of workspace.recallBatch(requests(), mode, signal)) {
    out.line(JSON.stringify({ ...(waiting.shift()?.label ?? { id: null }), ...answer }));
    sayErrors();
  }
  return failed ? ExitCode.failed : ExitCode.done;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    return fail('usage', `this line is not JSON: ${line.slice(0, 60)}`, EXAMPLE, error);
  }
}

function labelOf(value: unknown): Label {
  if (!isRecord(value)) return { id: null };
  const { id, meta } = value;
  const label = { id: typeof id === 'string' || typeof id === 'number' ? id : null };
  return meta === undefined ? label : { ...label, meta };
}
