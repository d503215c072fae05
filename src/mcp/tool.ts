import type { Workspace } from '../app/workspace.js';
import { type JsonSchema, type RequestFields, type RequestOf, readRequest, requestSchema } from '../base/request.js';

/** `removes`: deletes or overwrites data. */
export type ToolEffect = 'reads' | 'writes' | 'removes';

/** A tool that a client calls by name. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /**
   * @param given arguments of the call, not checked yet
   * @throws MemoryError
   */
  run(memory: Workspace, given: unknown, signal: AbortSignal): Promise<object>;
}

/** The JSON type of a value in an answer; `any` if the value may be null. */
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

type Lists = Readonly<Partial<Record<string, readonly string[]>>>;

type Keys<O> = keyof O & string;

/** The keys of an answer, grouped by the JSON type of their values. */
type Listing<O> = { readonly [P in Keys<O> as Kind<Exclude<O[P], undefined>>]?: readonly P[] };

/** The errors in a list of an answer's keys: keys that the list leaves out, and JSON types that no key has. */
type Wrong<O, L> =
  | Exclude<Keys<O>, L[keyof L] extends readonly (infer P)[] ? P : never>
  | Exclude<keyof L, keyof Listing<O>>;

/**
 * The type {@link McpTool} if the list of the answer's keys is right. If the list leaves out a key or gives it a wrong JSON
 * type, this is a different type. Code that declares such a tool then does not compile.
 */
type Whole<O, L> = L extends Listing<O> ? ([Wrong<O, L>] extends [never] ? McpTool : Wrong<O, L>) : Listing<O>;

interface Declared<F extends RequestFields, O, L> extends Pick<McpTool, 'name' | 'title' | 'description' | 'effect'> {
  readonly input: F;
  /**
   * The keys of the answer, grouped by JSON type. This is not a full schema, because the list takes space in every
   * conversation of a client.
   */
  readonly output: L;
  run(memory: Workspace, input: RequestOf<F>, signal: AbortSignal): Promise<O>;
}

/**
 * Makes a tool. The types of its input come from the description `input`. `output` lists the keys of the answer. The
 * compiler compares this list with the result of `run`.
 */
export function makeMcpTool<const F extends RequestFields, O extends object, const L extends Lists>(
  declared: Declared<F, O, L>,
): Whole<O, L>;
export function makeMcpTool({ input, output, run, ...about }: Declared<RequestFields, object, Lists>): unknown {
  const properties = Object.entries(output).flatMap(([kind, keys = []]) =>
    keys.map((key) => [key, kind === 'any' ? {} : { type: kind }] as const),
  );
  const made: McpTool = {
    ...about,
    // Unknown keys are refused with a suggestion, so the schema need not forbid them for each tool.
    inputSchema: { ...requestSchema(input), additionalProperties: undefined },
    outputSchema: { type: 'object', properties: Object.fromEntries(properties) },
    run: (memory, given, signal) => run(memory, readRequest(about.name, input, given), signal),
  };
  return made;
}

/** Replaces the changes in a report, which contain whole files, by `written`: the paths of the changed files. */
export function withWrittenPaths<T extends { readonly changes: readonly { readonly path: string }[] }>(
  report: T,
): Omit<T, 'changes'> & { readonly written: readonly string[] } {
  const { changes, ...rest } = report;
  return { ...rest, written: changes.map(({ path }) => path) };
}

/**
 * Rewrites a message of the command line for a client: commands become tool names, options become keys. Commands that only a
 * person can run in a shell stay as they are. Pure.
 */
export function replaceCommandNames(text: string, tools: readonly McpTool[]): string {
  const names = new Set(tools.map(({ name }) => name));
  let isCommand = false;
  const named = text.replace(/(?:openclaw memory )([a-z]+)(?: ([a-z]+))?/g, (said, verb: string, sub?: string) => {
    if (sub !== undefined && names.has(`${verb}_${sub}`)) return `${verb}_${sub}`;
    if (names.has(verb)) return sub === undefined ? verb : `${verb} ${sub}`;
    isCommand = true;
    return said;
  });
  if (isCommand) return named;
  return named.replace(/(?<![\w-])--([a-z][a-z-]*)/g, (_, flag: string) =>
    flag.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase()),
  );
}
