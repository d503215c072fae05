import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type UnknownFields } from '../base/json.js';
import { matchesSessionKeyPattern } from '../context/context-query.js';
import { PLUGIN_MESSAGE_PREFIX } from '../session/message.js';
import { isMachineTurn } from '../text/machine-text.js';
import { type HostApi, type HostContext, type HostEvent, type HostTool, readHostTranscript } from './host.js';
import { CommandLineRunner, type PluginConfig, readPluginConfig } from './program.js';
import { type BankTool, HOST_BANK_TOOLS, makeHostCorpus, makeHostTool } from './tools.js';

/** Time limit of a tool in ms. It may be long, because only the model waits for a tool. */
const TOOL_MS = 30_000;
/** Time limit of the hook after a turn in ms, below the host's own limit. */
const CAPTURE_MS = 25_000;
/** Number of messages before the last one that show what a "continue" refers to. */
const RECENT = 6;

const PROMPT = [
  'Curated facts, people, decisions and beliefs of this workspace are in the bank: ask bank_recall with a plain question,',
  'cite its `source`, read around it with bank_get. Save what must outlive the conversation with bank_retain.',
];

/**
 * The plugin that the host loads. It calls our command line at certain moments of a conversation. The host's own memory
 * works as before.
 */
export default {
  id: 'openclaw-memory',
  name: 'openclaw memory',
  description: 'Facts with file and line from the Markdown workspace, before turns and as tools.',
  register(api: HostApi): void {
    const config = readPluginConfig(api.pluginConfig);
    if (config === undefined) api.logger?.warn?.('openclaw-memory: not set up; run: openclaw-memory connect openclaw');
    else if (!existsSync(config.node) || !existsSync(config.bin))
      api.logger?.warn?.(`openclaw-memory: ${config.bin} or its Node no longer exists, so the plugin does nothing`);
    else new Plugin(api, config).register();
  },
};

function blockOf(answer: unknown): string {
  return isRecord(answer) && typeof answer.block === 'string' ? answer.block : '';
}

class Plugin {
  private readonly program: CommandLineRunner;
  private readonly told = new Set<string>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly api: HostApi,
    private readonly config: PluginConfig,
  ) {
    this.program = new CommandLineRunner(config);
  }

  register(): void {
    const { api, config } = this;
    if (config.tools)
      for (const tool of HOST_BANK_TOOLS)
        api.registerTool?.((context) => this.tool(tool, context), { name: tool.name });
    if (config.corpus) api.registerMemoryCorpusSupplement?.(makeHostCorpus((args, asked) => this.ask(args, asked)));
    if (config.prompt) api.registerMemoryPromptSupplement?.((context) => (this.isOwn(context) ? PROMPT : []));
    if (config.context) this.on('before_prompt_build', (event, context) => this.block(event, context), 15_000);
    if (config.capture) {
      this.on('agent_end', (event, context) => this.capture(event.messages ?? [], context), 30_000);
      this.on('session_end', (event, context) => this.end(event, context), 30_000);
    }
    if (config.compaction) this.on('before_compaction', (_, context) => this.compact(context), 30_000);
  }

  /**
   * Registers a function for a hook of the host. If the function fails, only a line is written to the host's log, and the
   * turn goes on.
   */
  private on(
    hook: string,
    work: (event: HostEvent, context: HostContext) => Promise<object | undefined>,
    timeoutMs: number,
  ) {
    const handler = (event: HostEvent, context: HostContext) =>
      work(event, context).catch((error: unknown) => this.warn(hook, error));
    this.api.on?.(hook, handler, { timeoutMs });
  }

  private warn(hook: string, error: unknown): undefined {
    this.api.logger?.warn?.(`openclaw-memory: ${hook}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }

  private isOwn(context: HostContext): boolean {
    return mayUseMemory(context, this.config.sessions);
  }

  /** The workspace of a turn, if it contains a memory. Warns once about a folder without one. */
  private workspaceOf({ workspaceDir }: HostContext): string | undefined {
    if (workspaceDir === undefined) return undefined;
    if (['.memory', 'bank'].some((folder) => existsSync(join(workspaceDir, folder)))) return workspaceDir;
    if (!this.told.has(workspaceDir)) {
      this.told.add(workspaceDir);
      this.api.logger?.warn?.(
        `openclaw-memory: ${workspaceDir} has no memory yet; run: openclaw-memory init ${workspaceDir}`,
      );
    }
    return undefined;
  }

  private tool(tool: BankTool, context: HostContext): HostTool | null {
    const workspace = this.isOwn(context) ? this.workspaceOf(context) : undefined;
    if (workspace === undefined) return null;
    return makeHostTool(tool, context, (args, signal) =>
      this.program.json({ args, workspace, limit: TOOL_MS, signal }),
    );
  }

  private ask(args: readonly string[], context: HostContext): Promise<unknown> {
    const workspace = this.isOwn(context) ? this.workspaceOf(this.withFolder(context)) : undefined;
    return workspace === undefined ? Promise.resolve(null) : this.program.json({ args, workspace, limit: TOOL_MS });
  }

  /**
   * Adds the folder of the agent if it is missing. When the host calls the memory or ends a session, it names only the
   * agent.
   */
  private withFolder(context: HostContext): HostContext {
    const { runtime, config } = this.api;
    const workspaceDir =
      context.workspaceDir ?? runtime?.agent?.resolveAgentWorkspaceDir?.(config, context.agentId ?? 'main');
    return workspaceDir === undefined ? context : { ...context, workspaceDir };
  }

  private async block({ prompt = '', messages = [] }: HostEvent, context: HostContext): Promise<object | undefined> {
    const workspace = context.trigger === 'user' && this.isOwn(context) ? this.workspaceOf(context) : undefined;
    if (workspace === undefined || prompt.trim() === '') return undefined;
    const before = messages.filter((message) => isRecord(message) && /^(?:user|assistant)$/.test(String(message.role)));
    const [answer, brief] = await Promise.all([
      this.program.json({
        args: ['context', 'build', '--stdin', ...(context.sessionKey ? ['--session-key', context.sessionKey] : [])],
        workspace,
        input: JSON.stringify([...before.slice(-RECENT), { role: 'user', content: prompt }]),
        limit: this.config.budgetMs,
      }),
      this.brief(workspace, context),
    ]);
    const block = [brief, blockOf(answer)].filter((each) => each !== '').join('\n\n');
    if (block === '') return undefined;
    return this.config.contextPlace === 'system' ? { appendSystemContext: block } : { prependContext: block };
  }

  /**
   * The Working Memory of a session that the host compacted. It is added to every turn, because the host removes it after
   * each turn.
   */
  private async brief(workspace: string, { sessionId: session }: HostContext): Promise<string> {
    if (!this.config.compaction || session === undefined || !existsSync(join(workspace, 'sessions', session)))
      return '';
    const args = ['session', 'brief', session, '--compacted'];
    const answer = await this.program
      .json({ args, workspace, limit: this.config.budgetMs })
      .catch((error: unknown) => this.warn('before_prompt_build', error));
    return blockOf(answer);
  }

  /** Adds new messages to the session. A turn waits for that at most `budgetMs`. */
  private async capture(messages: readonly unknown[], context: HostContext): Promise<undefined> {
    const workspace = context.trigger === 'user' && this.isOwn(context) ? this.workspaceOf(context) : undefined;
    if (workspace === undefined || context.sessionId === undefined) return undefined;
    const session = context.sessionId;
    const adding = this.turn.then(() =>
      this.program.json({
        args: ['session', 'after-turn', session, '--stdin', '--history'],
        workspace,
        input: JSON.stringify(withMessageIds(messages)),
        limit: CAPTURE_MS,
      }),
    );
    this.turn = adding.catch(() => {});
    await Promise.race([adding, new Promise((resolve) => setTimeout(resolve, this.config.budgetMs).unref())]);
    return undefined;
  }

  /** The host passes no messages before it compacts, so read the new ones from its stored transcript. */
  private async compact(context: HostContext): Promise<undefined> {
    const workspace = this.isOwn(context) ? this.workspaceOf(this.withFolder(context)) : undefined;
    const { sessionId: session } = context;
    const stored = workspace === undefined ? undefined : await readHostTranscript(context);
    if (stored !== undefined && workspace !== undefined && session !== undefined) {
      const input = stored.map((record) => JSON.stringify(record)).join('\n');
      const args = ['session', 'import', '--session', session, '-'];
      this.turn = this.turn
        .then(() => this.program.json({ args, workspace, input, limit: CAPTURE_MS }))
        .catch((error: unknown) => this.warn('before_compaction', error));
    }
    return this.later(['session', 'compact'], context);
  }

  /**
   * Archives all messages of a finished conversation. When only the host ends, the conversation may continue later, so its
   * recent messages stay.
   */
  private end({ reason }: HostEvent, context: HostContext): Promise<undefined> {
    const kept = reason === 'shutdown' ? [] : ['--keep-recent', '0'];
    return this.later(['session', 'commit', '--background', ...kept], context);
  }

  /**
   * Starts a background command on a session, after pending work is done. Does nothing if the workspace has no such session.
   */
  private async later([verb = '', ...words]: readonly string[], context: HostContext): Promise<undefined> {
    await this.turn;
    const workspace = this.isOwn(context) ? this.workspaceOf(this.withFolder(context)) : undefined;
    const { sessionId: session } = context;
    if (workspace !== undefined && session !== undefined && existsSync(join(workspace, 'sessions', session)))
      this.program.detach([verb, ...words, session], workspace);
    return undefined;
  }
}

/** A message of the host with an id that stays the same, so that the message is logged only once. */
type MessageWithId = UnknownFields & { readonly id: string };

/** Matches the keys of the owner's own sessions, in a terminal or in the dashboard. */
const OWN = /^agent:[^:]+:(?:main|explicit:[^:]+|dashboard:[^:]+|tui(?:[-:].+)?)$/;

/**
 * True if the plugin puts memories into a session and saves its messages. That is so for the owner's own sessions outside a
 * sandbox, and for each session whose key matches a pattern. Pure.
 */
export function mayUseMemory(context: HostContext, patterns: readonly string[]): boolean {
  const key = context.sessionKey ?? context.agentSessionKey;
  if (key === undefined || key.includes(':internal-session-effects:')) return false;
  if (matchesSessionKeyPattern(key, patterns)) return true;
  return context.sandboxed !== true && OWN.test(key);
}

/**
 * Returns the messages of people and of the agent, each with an id. Leaves out heartbeats and other turns of machines. The
 * id is a hash of the message's text and time, because the host lists all messages of a session again after `/new` and
 * after a compaction. When the host stores a person's message it may change the time, and so the id. The option `--history`
 * then still recognises the message as old, if a later message of the list is already in the session. Pure.
 */
export function withMessageIds(messages: readonly unknown[]): readonly MessageWithId[] {
  const seen = new Map<string, number>();
  const kept: MessageWithId[] = [];
  let isMachines = false;
  for (const message of messages) {
    if (!isRecord(message) || typeof message.role !== 'string') continue;
    if (message.role === 'user') isMachines = saidByMachine(message);
    if (isMachines) continue;
    const { role, timestamp = null, content, toolCallId } = message;
    const said = JSON.stringify([role, timestamp, partsOf(content), toolCallId]);
    const nth = seen.get(said) ?? 0;
    seen.set(said, nth + 1);
    const hash = createHash('sha256').update(`${nth}\n${said}`).digest('hex');
    kept.push({ ...message, id: PLUGIN_MESSAGE_PREFIX + hash.slice(0, 24) });
  }
  return kept;
}

function saidByMachine({ provenance, content }: UnknownFields): boolean {
  const tool = isRecord(provenance) ? provenance.sourceTool : undefined;
  return tool === 'heartbeat' || tool === 'cron' || isMachineTurn(partsOf(content).join('\n'));
}

/** The parts of a message's content, as texts that can be compared. A plain text counts as a list with one part. */
function partsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.map((part: unknown) => {
    if (!isRecord(part)) return String(part);
    return typeof part.text === 'string' ? part.text : JSON.stringify([part.type, part.id, part.name]);
  });
}
