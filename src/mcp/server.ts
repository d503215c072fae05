import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import * as sdk from '@modelcontextprotocol/sdk/types.js';
import type { OpenWorkspaceOptions } from '../app/find.js';
import { openWarmWorkspace, type Workspace } from '../app/workspace.js';
import { Cache } from '../base/cache.js';
import { toFailure } from '../base/failure.js';
import type { OnProgress } from '../base/request.js';
import { VERSION } from '../base/version.js';
import { withoutNulls } from './lines.js';
import { completePath, listPages, readMcpPage } from './pages.js';
import { PROMPTS, promptText } from './prompts.js';
import { type Effect, inToolWords, type McpTool } from './tool.js';
import { TOOLS, toolsNamed } from './tools/index.js';
import { WarmIndex } from './warm-index.js';

const INSTRUCTIONS =
  'The long-term memory of this user: facts with file and line. Call recall before you answer anything that may have ' +
  'been said before; cite `source`. Call retain as soon as something is worth keeping. Never write into the files of ' +
  'the workspace by other means.';

/** A server may ask a person to fill in a form, and checks that by its schema; this one asks for none. */
const NO_FORMS = {
  getValidator: () => {
    throw new Error('no form is asked for');
  },
};

/** Opens the workspace for one request: files, settings and the user's day are those of that moment. */
type Open = (signal: AbortSignal, onProgress?: OnProgress) => Promise<Workspace>;

type Extra = RequestHandlerExtra<sdk.ServerRequest, sdk.ServerNotification>;

/**
 * The workspace as a server of the Model Context Protocol. The class below `McpServer` is used, since that one takes its
 * schemas from zod only, and ours are made of the descriptions that check the requests.
 */
function createServer(open: Open, { tools: wanted, isReadOnly }: Pick<ServeOptions, 'tools' | 'isReadOnly'>): Server {
  const tools = toolsNamed(wanted).filter(({ effect }) => !isReadOnly || effect === 'reads');
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
    prompts: PROMPTS.map(({ text: _, arguments: given, ...prompt }) => ({ ...prompt, arguments: [...given] })),
  }));
  server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params }) =>
    within(async () => {
      const text = promptText(params.name, params.arguments);
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
    }),
  );
  return server;
}

/** Where it is not what the protocol takes for granted: that a tool writes, and may destroy. */
const HINTS: Readonly<Record<Effect, sdk.ToolAnnotations>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  writes: { destructiveHint: false, openWorldHint: false },
  removes: { openWorldHint: false },
};

function listed({ name, title, description, effect, ...schemas }: McpTool) {
  const inputSchema = { ...schemas.inputSchema, type: 'object' as const };
  const outputSchema = { ...schemas.outputSchema, type: 'object' as const };
  return { name, title, description, inputSchema, outputSchema, annotations: HINTS[effect] };
}

/** Runs a tool. What goes wrong is its answer, for the model to read, with what mends it. */
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
    return { isError: true, content: [{ type: 'text', text: inToolWords(`${type}: ${text}`, tools) }] };
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
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) return `unknown tool ${name}`;
  return isReadOnly && tool.effect !== 'reads'
    ? `${name} writes, and this server was started with --read-only`
    : `${name} is not offered: start this server with --tools all, or with --tools and its name`;
}

interface ServeOptions {
  readonly workspace: OpenWorkspaceOptions;
  /** As {@link toolsNamed} takes them. */
  readonly tools?: string | undefined;
  /** Only tools that read. */
  readonly isReadOnly: boolean;
  /** Ends it, as the client does by closing its end. */
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
}

/** Serves the protocol on standard input and output until the client closes it. Nothing else may write there. */
export async function serve(options: ServeOptions): Promise<void> {
  const { workspace, signal, onWarning } = options;
  const index = new WarmIndex((why) => {
    const data = `${why}: every answer looks at every file`;
    onWarning(data);
    server.sendLoggingMessage({ level: 'warning', logger: 'memory', data }).catch(() => {});
  });
  // Few: of each model that answers, as its texts are now and were lately.
  const shared = { openIndex: index.open, chances: new Cache<string, Float32Array>(4) };
  const open: Open = (ending, onProgress) => openWarmWorkspace({ ...workspace, signal: ending, onProgress }, shared);
  const server = createServer(open, options);
  const transport = new StdioServerTransport(withoutNulls(process.stdin));
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await server.connect(transport);
    await ended;
    await server.close();
  } finally {
    index.close();
  }
}

/** A call whose work says nothing of itself is at work all the same: so often a client hears of it, in ms. */
const BEAT_MS = 1_000;
/** What a beat counts of a step: the figures of the protocol must rise. */
const BEAT = 1e-6;

/**
 * Tells a client that asked for it the steps of a call, so that its patience does not end. Work in several parts, each
 * with a count of its own, is one that goes on.
 */
function callProgress({ _meta, sendNotification }: Pick<Extra, '_meta' | 'sendNotification'>) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onProgress: () => {}, stop: () => {} };
  const began = performance.now();
  /** Steps of the parts before this one, the step that this one is at, and how many it has. */
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
    if (counted === undefined) message = `at work for ${Math.round((performance.now() - began) / 1_000)} s`;
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
