import { Transform } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { type OpenWorkspaceOptions, openParts } from '../app/open.js';
import { Workspace } from '../app/workspace.js';
import { Cache } from '../base/cache.js';
import { fail, toFailure, tryWithFallback } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import { suggestKnownWord } from '../base/nearest.js';
import type { OnProgress } from '../base/request.js';
import { VERSION } from '../base/version.js';
import { readFileTree } from '../index/tree.js';
import { decodeBytes } from '../text/bytes.js';
import { readVersion } from '../workspace/files.js';
import { fullPathOf, type WorkspaceContext } from '../workspace/read-scope.js';
import { type McpTool, replaceCommandNames, type ToolEffect } from './tool.js';
import { BANK_MCP_TOOLS } from './tools/bank.js';
import { MEMORY_TOOLS } from './tools/memory.js';
import { SESSION_TOOLS } from './tools/sessions.js';
import { AGENT_MODEL_TOOLS } from './tools/turns.js';
import { WatchedIndex } from './warm-index.js';

const INSTRUCTIONS =
  'The long-term memory of this user: facts with file and line. Call recall before you answer anything that may have ' +
  'been said before; cite `source`. Call retain as soon as something is worth keeping. Never write into the files of ' +
  'the workspace by other means.';

/**
 * The library requires a validator for the forms that a server shows. This server shows no forms, so the validator is never
 * called.
 */
const NO_FORMS = {
  getValidator: () => {
    throw new Error('no form is asked for');
  },
};

/** Opens the workspace for one request, so that files, settings and the user's day are current. */
type Open = (signal: AbortSignal, onProgress?: OnProgress) => Promise<Workspace>;

type Extra = RequestHandlerExtra<sdk.ServerRequest, sdk.ServerNotification>;

/**
 * Serves the workspace over the Model Context Protocol. Uses the library's class `Server`, not `McpServer`: `McpServer`
 * takes only zod schemas, and ours come from the descriptions of requests.
 */
function createServer(open: Open, { tools: wanted, isReadOnly }: Pick<ServeOptions, 'tools' | 'isReadOnly'>): Server {
  const tools = findMcpTools(wanted).filter(({ effect }) => !isReadOnly || effect === 'reads');
  const server = new Server(
    { name: 'openclaw-memory', title: 'openclaw memory', version: VERSION },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_FORMS,
    },
  );
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new sdk.McpError(sdk.ErrorCode.InvalidParams, unknownTool(params.name, isReadOnly));
    return call(tool, params.arguments ?? {}, { open, tools }, extra);
  });
  server.setRequestHandler(sdk.ListResourcesRequestSchema, ({ params }, { signal }) =>
    within(async () => ({ ...listPages(await open(signal), params?.cursor) })),
  );
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'memory://{+path}', name: 'page', title: 'A page of the workspace' }],
  }));
  server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params: { uri } }, { signal }) =>
    within(async () => ({
      contents: [{ uri, mimeType: 'text/markdown', text: readMcpPage(await open(signal), uri) }],
    })),
  );
  server.setRequestHandler(sdk.CompleteRequestSchema, ({ params: { ref, argument } }, { signal }) =>
    within(async () => {
      const isPage = ref.type === 'ref/resource';
      return { completion: isPage ? completePath(await open(signal), argument.value) : { values: [], total: 0 } };
    }),
  );
  server.setRequestHandler(sdk.ListPromptsRequestSchema, () => ({
    prompts: MCP_PROMPTS.map(({ text: _, arguments: given, ...prompt }) => ({ ...prompt, arguments: [...given] })),
  }));
  server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params }) =>
    within(async () => {
      const text = promptText(params.name, params.arguments);
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    }),
  );
  return server;
}

/**
 * Hints about a tool for a client. A hint is listed only if it differs from the protocol's default. By default, a client
 * expects that a tool writes and may destroy data.
 */
const HINTS: Readonly<Record<ToolEffect, sdk.ToolAnnotations>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  writes: { destructiveHint: false, openWorldHint: false },
  removes: { openWorldHint: false },
};

function listed({ name, title, description, effect, ...schemas }: McpTool) {
  const inputSchema = { ...schemas.inputSchema, type: 'object' as const };
  const outputSchema = { ...schemas.outputSchema, type: 'object' as const };
  return { name, title, description, inputSchema, outputSchema, annotations: HINTS[effect] };
}

/** Runs a tool. A failure becomes its answer, with a hint for the model to read. */
async function call(
  tool: McpTool,
  given: unknown,
  { open, tools }: { readonly open: Open; readonly tools: readonly McpTool[] },
  extra: Extra,
): Promise<sdk.CallToolResult> {
  const { onProgress, stop } = callProgress(extra);
  try {
    const answer = await tool.run(await open(extra.signal, onProgress), given, extra.signal);
    const json = JSON.stringify(answer);
    return { content: [{ type: 'text', text: json }], structuredContent: { ...JSON.parse(json) } };
  } catch (error) {
    const { type, message, hint } = toFailure(error);
    const text = hint === undefined ? message : `${message}\nhint: ${hint}`;
    return { isError: true, content: [{ type: 'text', text: replaceCommandNames(`${type}: ${text}`, tools) }] };
  } finally {
    stop();
  }
}

async function within<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { type, message, hint } = toFailure(error);
    const code = type === 'not_found' || type === 'usage' ? sdk.ErrorCode.InvalidParams : sdk.ErrorCode.InternalError;
    throw new sdk.McpError(code, hint === undefined ? message : `${message} (${hint})`);
  }
}

function unknownTool(name: string, isReadOnly: boolean): string {
  const tool = MCP_TOOLS.find((one) => one.name === name);
  if (tool === undefined) return `unknown tool ${name}`;
  return isReadOnly && tool.effect !== 'reads'
    ? `${name} writes, but this server was started with --read-only`
    : `${name} is not offered; start this server with --tools all, or add the name to --tools`;
}

interface ServeOptions {
  readonly workspace: OpenWorkspaceOptions;
  /** Tool names, in the form that {@link findMcpTools} takes. */
  readonly tools?: string | undefined;
  /** True to offer only the tools that write nothing. */
  readonly isReadOnly: boolean;
  /** If set, serves over HTTP at a port, 0 for any free one. */
  readonly http?: { readonly port: number; readonly onReady: (address: string) => void } | undefined;
  /** Stops the server, as if the client had closed the connection. */
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
}

/**
 * Serves the protocol until the client or `signal` ends it: on standard input and output, or over HTTP. On standard input
 * and output, no other code may write to standard output.
 */
export async function serveMcp(options: ServeOptions): Promise<void> {
  const { workspace, http, signal, onWarning } = options;
  const servers = new Set<Server>();
  const index = new WatchedIndex((why) => {
    const data = `${why}, so every answer checks every file`;
    onWarning(data);
    for (const server of servers)
      server.sendLoggingMessage({ level: 'warning', logger: 'memory', data }).catch(() => {});
  });
  // The cache has one entry for each model and each state of the texts. Older states are not needed, so four entries are
  // enough.
  const shared = { openIndex: index.open, chances: new Cache<string, Float32Array>(4) };
  const open: Open = async (ending, onProgress) =>
    new Workspace(await openParts({ ...workspace, signal: ending, onProgress }, shared));
  const connect = async (transport: Transport): Promise<Server> => {
    const server = createServer(open, options);
    servers.add(server);
    server.onclose = () => servers.delete(server);
    await server.connect(transport);
    return server;
  };
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  try {
    if (http === undefined) await serveStdio(connect, aborted);
    else await (await import('./http.js')).serveHttp({ ...http, connect, readBody: readMessage, ended: aborted });
  } finally {
    index.close();
  }
}

async function serveStdio(connect: (transport: Transport) => Promise<Server>, aborted: Promise<void>): Promise<void> {
  const transport = new StdioServerTransport(withoutNullFields(process.stdin));
  const server = await connect(transport);
  const { onclose } = server;
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => {
      onclose?.();
      resolve();
    };
    process.stdin.once('end', resolve);
  });
  await Promise.race([closed, aborted]);
  await server.close();
}

/** Interval of progress messages in ms while a call reports no progress itself. */
const BEAT_MS = 1_000;
/**
 * A message that is sent only because {@link BEAT_MS} has passed adds this amount to the reported progress. The protocol
 * requires that each message reports more than the one before.
 */
const BEAT = 1e-6;

/**
 * Sends the steps of a call to a client that asked for progress, so that the client does not time out. A call may have
 * several parts that each count their own steps. Their steps are added up, so that the progress only grows.
 */
function callProgress({ _meta, sendNotification }: Pick<Extra, '_meta' | 'sendNotification'>) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onProgress: () => {}, stop: () => {} };
  const began = performance.now();
  /**
   * `before`: number of steps of earlier parts. `done`: the current step of this part. `all`: number of steps of this part.
   */
  let [before, done, all] = [0, 0, 0];
  let counted: string | undefined;
  let progress = 0;
  let message = '';
  const send = (next: number) => {
    progress = Math.max(next, progress + BEAT);
    const total = all === 0 ? {} : { total: Math.max(before + all, progress) };
    const params = { progressToken, progress, ...total, message };
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
  const timer = setInterval(() => {
    if (counted === undefined) message = `working for ${Math.round((performance.now() - began) / 1_000)} s`;
    send(progress);
  }, BEAT_MS);
  return {
    onProgress: (...step: Parameters<OnProgress>) => {
      if (step[2] !== counted) before += all;
      [done, all, counted] = step;
      message = `${done} of ${all} ${counted}`;
      send(before + done);
    },
    stop: () => clearInterval(timer),
  };
}

const LINE_FEED = 0x0a;

/**
 * Removes null members from a client's messages where the protocol allows them to be left out. Many clients write `"params":
 * null` and `"arguments": null`, and the protocol library drops such messages without an answer.
 */
function withoutNullFields(input: NodeJS.ReadableStream): Transform {
  let waiting: Buffer[] = [];
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        this.push(readLine(Buffer.concat([...waiting, chunk.subarray(from, end + 1)])));
        waiting = [];
        from = end + 1;
      }
      if (from < chunk.length) waiting.push(chunk.subarray(from));
      done();
    },
    flush(done) {
      if (waiting.length > 0) this.push(readLine(Buffer.concat(waiting)));
      done();
    },
  });
  return input.pipe(lines);
}

function readLine(line: Buffer): Buffer {
  const message = line.includes('null') ? readMessage(line) : undefined;
  return isRecord(message) ? Buffer.from(`${JSON.stringify(message)}\n`) : line;
}

/** Parses a message, or a list of messages. Undefined if it is not JSON. */
function readMessage(bytes: Buffer): unknown {
  const message = parseJson(bytes.toString('utf8'));
  if (!isRecord(message)) return message;
  const { params } = message;
  return { ...dropNulls(message), ...(isRecord(params) ? { params: dropNulls(params) } : {}) };
}

/** Removes the null members of a record. Keeps `id` and `result`, because they may be null in an answer. */
function dropNulls(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isKept = ([key, value]: readonly [string, unknown]): boolean =>
    value !== null || ['id', 'result'].includes(key);
  return Object.fromEntries(Object.entries(record).filter(isKept));
}

/** All tools, in listing order. */
export const MCP_TOOLS: readonly McpTool[] = [
  ...MEMORY_TOOLS,
  ...BANK_MCP_TOOLS,
  ...SESSION_TOOLS,
  ...AGENT_MODEL_TOOLS,
];

/** Tools that a server offers by default. Each listed tool takes space in every conversation of the host. */
const DEFAULT_TOOLS =
  'recall agenda recent get retain note forget entity context_build core session_search session_expand';

/**
 * The tools of a server.
 * @param wanted `all`, or comma-separated names; without it the default tools
 * @throws MemoryError `usage` for an unknown name
 */
function findMcpTools(wanted?: string): readonly McpTool[] {
  if (wanted === 'all') return MCP_TOOLS;
  const names = (wanted ?? DEFAULT_TOOLS).split(/[\s,]+/).filter((name) => name !== '');
  for (const name of names) {
    if (MCP_TOOLS.some((tool) => tool.name === name)) continue;
    const known = MCP_TOOLS.map((tool) => tool.name);
    fail('usage', `there is no tool "${name}"`, suggestKnownWord(name, known));
  }
  return MCP_TOOLS.filter(({ name }) => names.includes(name));
}

interface MemoryPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  text(given: Readonly<Record<string, string>>): string;
}

/** Prompts that a person can choose in a client. */
const MCP_PROMPTS: readonly MemoryPrompt[] = [
  {
    name: 'before-you-answer',
    title: 'Before you answer',
    description: 'Look up what is known, and cite it',
    arguments: [{ name: 'question', description: 'what is asked', required: true }],
    text: ({ question = '' }) =>
      `Before you answer, call recall with this question, and once more in other words if little is found:\n\n` +
      `${question}\n\n` +
      'Answer from the results and cite their `source`. What `superseded` marks held before; prefer what holds now. ' +
      'Say plainly when nothing is known; do not guess.',
  },
  {
    name: 'end-of-session',
    title: 'End of the session',
    description: 'Save what must outlive this conversation',
    arguments: [{ name: 'session', description: 'id of the session, if it has a log', required: false }],
    text: ({ session }) =>
      'This conversation ends. Call retain once with what must outlive it: decisions, facts about people and things, ' +
      'what the user wants done in future. One whole sentence each, typed (W, B, O(c=…), S) with @names, nothing that ' +
      'recall already knows, no secrets, nothing that you only guess.' +
      (session ? ` Then call session_commit with session "${session}".` : ''),
  },
];

/** @throws MemoryError `not_found`, `usage` */
function promptText(name: string, given: Readonly<Record<string, string>> = {}): string {
  const prompt = MCP_PROMPTS.find((one) => one.name === name);
  if (prompt === undefined)
    return fail('not_found', `there is no prompt "${name}"`, `known: ${MCP_PROMPTS.map((one) => one.name).join(', ')}`);
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name]);
  if (missing) fail('usage', `${name} needs ${missing.name}`, missing.description);
  return prompt.text(given);
}

const SCHEME = 'memory://';
const PAGE_SIZE = 100;

/** The workspace whose pages are listed. */
type PageRoot = Pick<WorkspaceContext, 'root' | 'reads'>;

/**
 * Lists the pages of a workspace, a hundred at a time: pages of the bank first, then the newest logs.
 * @param cursor where the previous part of the list ended
 */
function listPages(place: PageRoot, cursor?: string) {
  const all = pagePaths(place);
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0) fail('usage', `unknown cursor "${cursor}"`, 'list again without a cursor');
  const resources = all.slice(from, from + PAGE_SIZE).map((path) => {
    return { uri: SCHEME + path.split('/').map(encodeURIComponent).join('/'), name: path, mimeType: 'text/markdown' };
  });
  const next = from + PAGE_SIZE;
  return next < all.length ? { resources, nextCursor: String(next) } : { resources };
}

/** Completes a path: all paths that contain the typed text, in the order of {@link listPages}. */
function completePath(place: PageRoot, typed: string): { values: string[]; total: number; hasMore: boolean } {
  const found = pagePaths(place).filter((path) => path.toLowerCase().includes(typed.toLowerCase()));
  return { values: found.slice(0, PAGE_SIZE), total: found.length, hasMore: found.length > PAGE_SIZE };
}

function pagePaths({ root, reads }: PageRoot): string[] {
  const paths = readFileTree(root, reads).files.paths;
  const [logs, others] = [paths.filter(isLog), paths.filter((path) => !isLog(path))];
  return [...others.sort(), ...logs.sort().reverse()];
}

/**
 * Reads a page as it is now. Only indexed pages can be read: nothing outside of the workspace, and no log of a session.
 * @throws MemoryError `not_found`
 */
function readMcpPage({ root, reads }: PageRoot, uri: string): string {
  const path = uri.startsWith(SCHEME)
    ? tryWithFallback(() => decodeURIComponent(uri.slice(SCHEME.length)), undefined)
    : undefined;
  const isPage = path !== undefined && readFileTree(root, reads).files.paths.includes(path);
  const version = isPage ? readVersion(fullPathOf(root, path)) : undefined;
  if (version === undefined) {
    const hint = `list the resources; an address is like ${SCHEME}bank/entities/Peter.md`;
    return fail('not_found', `there is no page ${uri}`, hint);
  }
  return decodeBytes(version.bytes);
}

function isLog(path: string): boolean {
  return path.startsWith('memory/');
}
