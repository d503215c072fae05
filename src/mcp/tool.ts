import type { Workspace } from '../app/api/workspace.js';
import { checkRequest, type Description, type Fields } from '../base/request.js';
import { type JsonSchema, requestSchema } from '../base/request-schema.js';
import { type ShapeOfKeys, schemaOfShape } from './shape.js';

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

interface Declared<I, O> extends Pick<Tool, 'name' | 'title' | 'description' | 'effect'> {
  readonly input: Description<I> & Fields;
  readonly output: ShapeOfKeys<O>;
  run(memory: Workspace, input: I, signal: AbortSignal): Promise<O>;
}

/** A tool whose arguments and answer are described; the compiler holds both to their types. */
export function tool<I, O extends object>({ input, output, run, ...about }: Declared<I, O>): Tool {
  return {
    ...about,
    inputSchema: requestSchema(input),
    outputSchema: schemaOfShape({ ...output }),
    run: (memory, given, signal) => {
      checkRequest<I>(about.name, input, given);
      return run(memory, given, signal);
    },
  };
}

/** A report with the paths of what was written, in the place of whole files before and after. */
export function withPaths<T extends { readonly changes: readonly { readonly path: string }[] }>(
  report: T,
): Omit<T, 'changes'> & { readonly written: readonly string[] } {
  const { changes, ...rest } = report;
  return { ...rest, written: changes.map(({ path }) => path) };
}
