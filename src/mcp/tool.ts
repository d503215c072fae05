import type { Workspace } from '../app/workspace.js';
import { asRecord } from '../base/json.js';
import { list, type ReportFields, type ReportOf, reportSchema } from '../base/report.js';
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

/** What `run` returns for a table: the paths that were `written` may be given as whole `changes`. */
type ReportFor<O> = O extends { readonly written: unknown }
  ? Omit<ReportOf<O>, 'written'> & { readonly changes?: readonly { readonly path: string }[] }
  : ReportOf<O>;

interface Declared<F extends RequestFields, O extends ReportFields>
  extends Pick<McpTool, 'name' | 'title' | 'description' | 'effect'> {
  readonly input: F;
  /**
   * The fields of the answer. Other fields of the report are left out, but for those in `unlisted`. The schema lists all of
   * them but {@link UNDESCRIBED}.
   */
  readonly output: O;
  /** More fields of the answer, which the schema leaves out to save space. */
  readonly unlisted?: readonly string[];
  run(memory: Workspace, input: RequestOf<F>, signal: AbortSignal): Promise<ReportFor<O>>;
}

/**
 * Fields that no schema describes, to save space: what the client gave itself, counters that no model needs, and
 * `warnings`, which any answer may have.
 */
const UNDESCRIBED: ReadonlySet<string> = new Set(
  `session query warnings windows explain duplicates empty redacted keep_recent_count compaction_count updated_at
  memory_flushing last_memory_flush schemaName`.split(/\s+/),
);

/** Makes a tool. The types and schemas of its input and output come from their tables. */
export function makeMcpTool<const F extends RequestFields, const O extends ReportFields>(
  declared: Declared<F, O>,
): McpTool {
  const { input, output, unlisted = [], run, ...about } = declared;
  const fields = [...Object.keys(output), ...unlisted];
  const described = Object.entries(output).filter(([key]) => !UNDESCRIBED.has(key));
  return {
    ...about,
    // Unknown keys are refused with a suggestion, so the schema need not forbid them for each tool.
    inputSchema: { ...requestSchema(input), additionalProperties: undefined },
    outputSchema: reportSchema(Object.fromEntries(described)),
    run: async (memory, given, signal) => {
      const report = asRecord(await run(memory, readRequest(about.name, input, given), signal));
      const { written = pathsOf(report.changes) } = report;
      return Object.fromEntries(fields.map((key) => [key, key === 'written' ? written : report[key]]));
    },
  };
}

/** The fields of a report with `written`, the paths of the changed files, for its `changes`, which contain whole files. */
export function withWritten<F extends ReportFields>({ changes: _, ...fields }: F & { readonly changes: unknown }) {
  return { ...fields, written: list() };
}

function pathsOf(changes: unknown): readonly unknown[] | undefined {
  return Array.isArray(changes) ? changes.map((change) => asRecord(change).path) : undefined;
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
