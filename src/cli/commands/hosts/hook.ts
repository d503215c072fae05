import { join } from 'node:path';
import { fail } from '../../../base/failure.js';
import { asRecord, parseJson } from '../../../base/json.js';
import { COUNT_FIELD_TYPE } from '../../../base/request.js';
import { findOurHooks, HOOK_HOSTS, type HookHost, hasHookForOtherWorkspace } from '../../../upkeep/hooks.js';
import { readTextIfThere } from '../../../workspace/files.js';
import { type CommandContext, defineVerb, REQUIRED_ARGUMENT_FIELD } from '../../verb.js';
import { buildWorkspaceOptions, openAnyWorkspace } from '../../workspace.js';

const hook = defineVerb({
  takes: {
    host: {
      ...REQUIRED_ARGUMENT_FIELD,
      type: 'choice',
      noun: 'host',
      choices: HOOK_HOSTS,
      doc: 'the host of the event',
    },
    plugin: {
      type: 'boolean',
      doc: "called by the host's plugin; does nothing if the host's settings have the hooks too",
    },
  },
  more: `Reads the event as JSON from standard input. The hook_event_name decides:
UserPromptSubmit prints the memories for the prompt, PreCompact saves memories,
Stop and SessionEnd import the transcript. SessionEnd of claude-code does it in
the background. The exit code is always 0.`,
  examples: ['hook claude-code < event.json'],
  run: (context, { host, plugin = false }) => handleEvent(context, host, plugin),
});

async function handleEvent(context: CommandContext, host: HookHost, isPlugin: boolean): Promise<void> {
  const { io, out, signal } = context;
  try {
    if (host === 'claude-code' && (await isLeftToOthers(context, isPlugin))) return;
    const input = await readEvent(io.stdin);
    const event = asRecord(parseJson(input));
    if (host === 'claude-code' && event.hook_event_name === 'SessionEnd') {
      // At the end of a session the host waits only 1.5 seconds. The import of a long transcript takes longer, so it
      // runs in a background process.
      const later = JSON.stringify({ ...event, hook_event_name: 'Stop' });
      const { startInBackground } = await import('../../background.js');
      startInBackground(context, await openAnyWorkspace(context), 'session-end', ['hook', host], later);
      return;
    }
    const { runHostHook } = await import('../../../app/host-hook.js');
    const open = (limit: AbortSignal) => openAnyWorkspace({ ...context, signal: limit });
    const { output, finish, warnings } = await runHostHook(host, input, open, signal);
    for (const warning of warnings) out.warn(warning);
    // The host reads this output byte for byte.
    if (output !== '') out.raw(`${output}\n`);
    if (finish !== undefined) {
      const { resumeInBackground } = await import('../../background.js');
      resumeInBackground(context, finish.workspace, finish.session);
    }
  } catch (error) {
    out.warn(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Whether this hook must do nothing, because other settings of Claude Code have a hook of ours, which does the work. It
 * does not matter for which event the other hook is.
 */
async function isLeftToOthers({ io, global }: CommandContext, isPlugin: boolean): Promise<boolean> {
  const project = io.env.CLAUDE_PROJECT_DIR;
  const read = (folder: string, ...names: readonly string[]) =>
    names.map((name) => readTextIfThere(join(folder, name)) ?? '');
  const own = project === undefined ? [] : read(join(project, '.claude'), 'settings.local.json', 'settings.json');
  if (!isPlugin) return hasHookForOtherWorkspace(own, global.workspace);
  const { findHostByName, findHostFolders } = await import('../../../upkeep/connect.js');
  const user = read(findHostByName('claude-code').folder(findHostFolders(io.env)), 'settings.json');
  return findOurHooks([...own, ...user]).length > 0;
}

/** Time in ms that a host may take to send its event. */
const EVENT_MS = 3_000;

/** Maximum size of an event, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Maximum number of chunks after which the input is tested for complete JSON. More tests would take too long, because
 * each test parses the whole input.
 */
const MOST_CHUNKS = 100;

/**
 * Reads an event of a host from standard input. Stops when the JSON is complete, even if the host keeps the stream
 * open. Also stops after {@link EVENT_MS} or above {@link MOST_BYTES}, with the input so far.
 */
function readEvent(stdin: CommandContext['io']['stdin']): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      clearTimeout(timer);
      stdin.removeAllListeners('data').pause();
      if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const timer = setTimeout(finish, EVENT_MS);
    stdin.on('data', (chunk: Buffer | string) => {
      chunks.push(Buffer.from(chunk));
      length += chunks.at(-1)?.length ?? 0;
      if (length > MOST_BYTES) return finish();
      const isEnd = chunks.length <= MOST_CHUNKS && chunks.at(-1)?.toString('utf8').trimEnd().endsWith('}');
      if (isEnd && parseJson(Buffer.concat(chunks).toString('utf8')) !== undefined) finish();
    });
    stdin.once('end', finish).once('error', reject);
  });
}

const mcp = defineVerb({
  takes: {
    tools: {
      type: 'text',
      value: 'names',
      doc: '"all", or tool names with commas between them (default: the most used tools)',
    },
    readOnly: { type: 'boolean', doc: 'offer only tools that read' },
    http: { type: 'boolean', doc: 'serve over HTTP on this machine until Ctrl-C, at the address that is printed' },
    port: { ...COUNT_FIELD_TYPE, most: 65_535, doc: 'with --http: the port (default: any free one)' },
  },
  more: `An MCP host starts this command and talks to it on stdin and stdout. With
--http, hosts of this machine use the printed address; its secret part is new at
each start. Without a workspace it still runs, and each answer says that there
is none.`,
  examples: ['mcp --read-only', 'mcp --tools all', 'mcp --http'],
  run: async (context, { tools, readOnly: isReadOnly = false, http: isHttp = false, port }) => {
    if (port !== undefined && !isHttp) fail('usage', '--port works only with --http', 'add --http');
    const { serveMcp } = await import('../../../mcp/server.js');
    const { out, signal } = context;
    const onReady = (address: string): void => out.line(out.json ? JSON.stringify({ address }) : address);
    const http = isHttp ? { port: port ?? 0, onReady } : undefined;
    await serveMcp({ workspace: buildWorkspaceOptions(context), tools, isReadOnly, http, signal, onWarning: out.warn });
  },
});

export const commands = { hook, mcp };
