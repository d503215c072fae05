import { createInterface } from 'node:readline';
import type { Workspace } from '../app/workspace.js';
import { ExitCode, type Failure, fail, toFailure } from '../base/failure.js';
import { nearest } from '../base/nearest.js';
import type { RecallRequest } from '../recall/request.js';
import type { CommandContext } from './command.js';

/** Options of the command line or fields of a batch line, before they are checked. */
export interface RawRecall {
  readonly query: string;
  readonly k?: string | number;
  readonly since?: string;
  readonly until?: string;
  readonly around?: string;
  readonly asOf?: string;
  readonly entity?: readonly string[];
  readonly kind?: readonly string[];
  readonly budget?: string | number;
  readonly explain?: boolean;
}

type Id = string | number | null;

type Fields = Readonly<Record<string, unknown>>;

const KEYS = 'id query k budget since until around asOf entity kind explain'.split(' ');
const EXAMPLE = 'write {"id":1,"query":"…"}';

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
      // Trimming also takes the byte order mark of a file's first line away, which JSON does not know.
      const written = line.trim();
      if (written === '') continue;
      let id: Id = null;
      try {
        const fields = parseLine(written);
        id = idOf(fields);
        const parsed = toRaw(fields);
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

function parseLine(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return fail('usage', `a line is not JSON: ${line.slice(0, 60)}`, EXAMPLE, error);
  }
  if (typeof value !== 'object' || value === null) return fail('usage', 'a line is no JSON object', EXAMPLE);
  return { ...value };
}

function idOf({ id }: Fields): Id {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function toRaw(fields: Fields): RawRecall {
  const { query } = fields;
  if (typeof query !== 'string') return fail('usage', 'a line has no "query"', EXAMPLE);
  for (const key of Object.keys(fields)) if (!KEYS.includes(key)) refuseMisspelt(key);
  const text = (name: string) => optional(name, typeof fields[name] === 'string' ? String(fields[name]) : undefined);
  const number = (name: string) => optional(name, typeof fields[name] === 'number' ? Number(fields[name]) : undefined);
  const texts = (name: string) => {
    const all = [fields[name] ?? []].flat();
    return all.length === 0 ? {} : { [name]: all.map(String) };
  };
  return {
    query,
    ...number('k'),
    ...number('budget'),
    ...text('since'),
    ...text('until'),
    ...text('around'),
    ...text('asOf'),
    ...texts('entity'),
    ...texts('kind'),
    ...(fields.explain === true ? { explain: true } : {}),
  };
}

/** A misspelt key would widen the answer unnoticed. One that is like none of ours is the caller's own. */
function refuseMisspelt(key: string): void {
  const near = nearest(key, KEYS);
  if (near !== undefined) fail('usage', `unknown key "${key}"`, `did you mean ${near}?`);
}

function optional<T>(name: string, value: T | undefined): Record<string, T> {
  return value === undefined ? {} : { [name]: value };
}
