import type { Workspace } from '../app/workspace.js';
import { type Fields, type RequestOf, readRequest } from '../base/request.js';
import { type JsonSchema, requestSchema } from '../base/request-schema.js';

/** `removes`: what it takes away, or overwrites, is not there any more. */
export type Effect = 'reads' | 'writes' | 'removes';

/** What a client asks for by name. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /**
   * @param given arguments of the call, not checked yet
   * @throws MemoryError
   */
  run(memory: Workspace, given: unknown, signal: AbortSignal): Promise<object>;
}

/** What JSON holds under a key of an answer; `any` where it may be null. */
type Kind<T> = unknown extends T
  ? 'any'
  : null extends T
    ? 'any'
    : [T] extends [string]
      ? 'string'
      : [T] extends [number]
        ? 'number'
        : [T] extends [boolean]
          ? 'boolean'
          : [T] extends [readonly unknown[]]
            ? 'array'
            : 'object';

interface Declared<F extends Fields, O> extends Pick<Tool, 'name' | 'title' | 'description' | 'effect'> {
  readonly input: F;
  /** The keys of the answer, and no more: every client pays for the listing in each of its conversations. */
  readonly output: { readonly [K in keyof O & string]-?: Kind<Exclude<O[K], undefined>> };
  run(memory: Workspace, input: RequestOf<F>, signal: AbortSignal): Promise<O>;
}

/** Makes a tool: what it is asked and what it answers are typed by what describes them. @typeParam O its answer */
export function tool<O extends object>() {
  return <const F extends Fields>({ input, output, run, ...about }: Declared<F, O>): Tool => ({
    ...about,
    inputSchema: listedSchema(input),
    outputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries<string>(output).map(([key, kind]) => [key, kind === 'any' ? {} : { type: kind }]),
      ),
    },
    run: (memory, given, signal) => run(memory, readRequest(about.name, input, given), signal),
  });
}

/** An unknown key is refused with the one that was meant: the listing need not say it for each tool. */
function listedSchema(input: Fields): JsonSchema {
  const { additionalProperties: _, ...schema } = requestSchema(input);
  return schema;
}

/** A report with the paths of what was written, in the place of whole files before and after. */
export function withPaths<T extends { readonly changes: readonly { readonly path: string }[] }>(
  report: T,
): Omit<T, 'changes'> & { readonly written: readonly string[] } {
  const { changes, ...rest } = report;
  return { ...rest, written: changes.map(({ path }) => path) };
}
