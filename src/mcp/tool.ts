import type { Workspace } from '../app/workspace.js';
import { type JsonSchema, type RequestFields, type RequestOf, readRequest, requestSchema } from '../base/request.js';

/** `removes`: what it takes away, or overwrites, is not there any more. */
export type Effect = 'reads' | 'writes' | 'removes';

/** What a client asks for by name. */
export interface McpTool {
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

type Lists = Readonly<Partial<Record<string, readonly string[]>>>;

type Keys<O> = keyof O & string;

/** The keys of an answer by what they hold. */
type Listing<O> = { readonly [P in Keys<O> as Kind<Exclude<O[P], undefined>>]?: readonly P[] };

/** The keys that a listing leaves out, and kinds that there are not. */
type Wrong<O, L> =
  | Exclude<Keys<O>, L[keyof L] extends readonly (infer P)[] ? P : never>
  | Exclude<keyof L, keyof Listing<O>>;

/** A tool, unless its listing leaves out a key of the answer, or has one under a kind that it is not of. */
type Whole<O, L> = L extends Listing<O> ? ([Wrong<O, L>] extends [never] ? McpTool : Wrong<O, L>) : Listing<O>;

interface Declared<F extends RequestFields, O, L> extends Pick<McpTool, 'name' | 'title' | 'description' | 'effect'> {
  readonly input: F;
  /** The keys of the answer, and no more: every client pays for the listing in each of its conversations. */
  readonly output: L;
  run(memory: Workspace, input: RequestOf<F>, signal: AbortSignal): Promise<O>;
}

/** Makes a tool: what it is asked is typed by what describes it, and the listing is held to what `run` answers. */
export function tool<const F extends RequestFields, O extends object, const L extends Lists>(
  declared: Declared<F, O, L>,
): Whole<O, L>;
export function tool({ input, output, run, ...about }: Declared<RequestFields, object, Lists>): unknown {
  const properties = Object.entries(output).flatMap(([kind, keys = []]) =>
    keys.map((key) => [key, kind === 'any' ? {} : { type: kind }] as const),
  );
  const made: McpTool = {
    ...about,
    // An unknown key is refused with the one that was meant: the listing need not say it for each tool.
    inputSchema: { ...requestSchema(input), additionalProperties: undefined },
    outputSchema: { type: 'object', properties: Object.fromEntries(properties) },
    run: (memory, given, signal) => run(memory, readRequest(about.name, input, given), signal),
  };
  return made;
}

/** A report with the paths of what was written, in the place of whole files before and after. */
export function withPaths<T extends { readonly changes: readonly { readonly path: string }[] }>(
  report: T,
): Omit<T, 'changes'> & { readonly written: readonly string[] } {
  const { changes, ...rest } = report;
  return { ...rest, written: changes.map(({ path }) => path) };
}

/**
 * A message that was written for the command line, in the words of a client: commands that are tools by their names,
 * options as keys. What only a person can do at a shell stays as it is. Pure.
 */
export function inToolWords(text: string, tools: readonly McpTool[]): string {
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
