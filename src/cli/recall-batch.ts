import { createInterface } from 'node:readline';
import type { Workspace } from '../app/workspace.js';
import { ExitCode, type Failure, fail, toFailure } from '../base/failure.js';
import type { RecallRequest } from '../recall/request.js';
import type { CommandContext } from './command.js';
import type { RawRecall } from './commands/recall.js';

type Id = string | number | null;

interface BatchLine extends RawRecall {
  readonly id: Id;
}

interface Waiting {
  readonly id: Id;
  readonly error?: Failure;
}

/** Answers questions from stdin, one JSON object a line, in order; a line that can't be read is answered with its error. */
export async function recallBatch(
  { io, out, signal }: CommandContext,
  workspace: Workspace,
  toRequest: (raw: RawRecall) => Promise<RecallRequest>,
  defaults: RecallRequest,
): Promise<ExitCode> {
  // In the order of the lines: questions that wait for their answer, and errors that wait for those before them.
  const waiting: Waiting[] = [];
  let failed = false;
  const sayErrors = (): void => {
    for (let next = waiting[0]; next?.error !== undefined; next = waiting[0]) {
      out.line(JSON.stringify({ id: next.id, ok: false, error: next.error }));
      waiting.shift();
    }
  };
  const refuse = (id: Id, error: unknown): void => {
    failed = true;
    waiting.push({ id, error: toFailure(error) });
    sayErrors();
  };
  async function* requests(): AsyncGenerator<RecallRequest> {
    for await (const line of createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal })) {
      if (line.trim() === '') continue;
      let id: Id = null;
      try {
        const parsed = parseLine(line);
        id = parsed.id;
        const own = Object.entries(await toRequest(parsed)).filter(([, value]) => value !== undefined);
        const request: RecallRequest = { ...defaults, ...Object.fromEntries(own), query: parsed.query };
        if (request.query.trim() === '') fail('usage', 'the question is empty');
        waiting.push({ id });
        yield request;
      } catch (error) {
        refuse(id, error);
      }
    }
  }
  for await (const answer of workspace.recallBatch(requests(), defaults.mode, signal)) {
    out.line(JSON.stringify({ id: waiting.shift()?.id ?? null, ...answer }));
    sayErrors();
  }
  return failed ? ExitCode.failed : ExitCode.done;
}

function parseLine(line: string): BatchLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return fail('usage', `a line is not JSON: ${line.slice(0, 60)}`, 'write {"id":1,"query":"…"}', error);
  }
  if (typeof value !== 'object' || value === null || !('query' in value) || typeof value.query !== 'string') {
    return fail('usage', 'a line has no "query"', 'write {"id":1,"query":"…"}');
  }
  const field = (name: string): unknown => (value as Readonly<Record<string, unknown>>)[name];
  const text = (name: string) => optional(name, typeof field(name) === 'string' ? String(field(name)) : undefined);
  const number = (name: string) => optional(name, typeof field(name) === 'number' ? Number(field(name)) : undefined);
  const texts = (name: string) => {
    const all = [field(name) ?? []].flat();
    return all.length === 0 ? {} : { [name]: all.map(String) };
  };
  const id = field('id');
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    query: value.query,
    ...number('k'),
    ...number('budget'),
    ...text('since'),
    ...text('until'),
    ...text('around'),
    ...text('asOf'),
    ...texts('entity'),
    ...texts('kind'),
    ...(field('explain') === true ? { explain: true } : {}),
  };
}

function optional<T>(name: string, value: T | undefined): Record<string, T> {
  return value === undefined ? {} : { [name]: value };
}
