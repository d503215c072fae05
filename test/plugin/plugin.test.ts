import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HostApi, HostContext, HostCorpus, HostEvent, HostTool } from '../../src/plugin/host.js';
import { mayUseMemory, withMessageIds } from '../../src/plugin/index.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const ROOT = new URL('../../', import.meta.url);
const BIN = fileURLToPath(new URL('bin/openclaw-memory.js', ROOT));
const FILES = { 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n', 'bank/profile.md': '- W @Peter: likes tea\n' };

interface Built {
  readonly default: { readonly register: (api: HostApi) => void };
}
let built: Built;

beforeAll(async () => {
  built = await import(new URL('dist/plugin/index.js', ROOT).href);
});

/** The host: what our plugin registers with it, and turns that call the plugin. */
class Host {
  readonly tools: ((context: HostContext) => HostTool | null)[] = [];
  readonly warnings: string[] = [];
  readonly context: HostContext;
  corpus: HostCorpus | undefined;
  prompt: ((context: HostContext) => readonly string[]) | undefined;
  private readonly hooks = new Map<string, (event: HostEvent, context: HostContext) => Promise<object | undefined>>();

  constructor(workspace: TemporaryWorkspace, config: object = {}) {
    this.context = { workspaceDir: workspace.root, sessionKey: 'agent:main:main', sessionId: 's1', trigger: 'user' };
    built.default.register({
      pluginConfig: { node: process.execPath, bin: BIN, budgetMs: 20_000, ...config },
      logger: { warn: (message) => void this.warnings.push(message) },
      registerTool: (tool) => void this.tools.push(tool),
      registerMemoryCorpusSupplement: (corpus) => {
        this.corpus = corpus;
      },
      registerMemoryPromptSupplement: (build) => {
        this.prompt = build;
      },
      on: (hook, handler) => void this.hooks.set(hook, handler),
      runtime: { agent: { resolveAgentWorkspaceDir: () => workspace.root } },
    });
  }

  async fire(hook: string, event: HostEvent, context: HostContext = {}): Promise<object | undefined> {
    return this.hooks.get(hook)?.(event, { ...this.context, ...context });
  }

  async call(name: string, given: object): Promise<string> {
    const tools = this.tools.map((make) => make(this.context));
    const result = await tools.find((tool) => tool?.name === name)?.execute('1', given);
    return result?.content[0]?.text ?? '';
  }
}

const ASKED: HostEvent = { prompt: 'Where does Peter live?', messages: [] };
const OTHERS = [
  'agent:main:telegram:group:7',
  'agent:main:telegram:direct:99',
  'agent:main:subagent:x',
  'agent:main:cron:1',
];

describe('a turn', () => {
  test('of the user gets its memories before the message or in the system prompt', async () => {
    const workspace = testWorkspace(FILES);
    expect(await new Host(workspace).fire('before_prompt_build', ASKED)).toEqual({
      prependContext: expect.stringMatching(/^<openviking-context>[\s\S]*lives in Vienna/u),
    });
    expect(await new Host(workspace, { contextPlace: 'system' }).fire('before_prompt_build', ASKED)).toEqual({
      appendSystemContext: expect.stringContaining('lives in Vienna'),
    });
    expect(await new Host(workspace).fire('before_prompt_build', { prompt: 'hm' })).toBeUndefined();
  });

  test('of any other sender gets no memory and is not stored, unless a pattern includes it', async () => {
    const workspace = testWorkspace(FILES);
    const host = new Host(workspace);
    const messages = [{ role: 'user', content: 'my number is 4711', timestamp: 1 }];
    for (const sessionKey of OTHERS) {
      expect(await host.fire('before_prompt_build', ASKED, { sessionKey })).toBeUndefined();
      expect(await host.fire('agent_end', { messages }, { sessionKey })).toBeUndefined();
      expect(host.tools.map((make) => make({ ...host.context, sessionKey }))).toEqual(host.tools.map(() => null));
      expect(await host.corpus?.search({ query: 'Peter', agentSessionKey: sessionKey })).toEqual([]);
      expect(host.prompt?.({ sessionKey })).toEqual([]);
    }
    for (const trigger of ['heartbeat', 'cron', 'memory'])
      expect(await host.fire('before_prompt_build', ASKED, { trigger })).toBeUndefined();
    expect(await host.fire('before_prompt_build', ASKED, { sandboxed: true })).toBeUndefined();
    expect(existsSync(workspace.path('sessions'))).toBe(false);
    const wide = new Host(workspace, { sessions: ['agent:*:telegram:group:*'] });
    expect(await wide.fire('before_prompt_build', ASKED, { sessionKey: OTHERS[0] ?? '' })).toBeDefined();
  });

  test('after a compaction gets the state of work, with the same bytes until the next commit', async () => {
    const workspace = testWorkspace({ ...FILES, 'MEMORY.md': '# Core\n- the core itself\n' });
    const host = new Host(workspace);
    const turn = async () => JSON.stringify(await host.fire('before_prompt_build', ASKED));
    const messages = [{ role: 'user', content: 'please move the cache to port 6380', timestamp: 1_700_000_000_000 }];
    await host.fire('agent_end', { messages });
    expect(await turn()).not.toContain('6380');
    await workspace.start(['session', 'compact', 's1']);
    const told = await turn();
    expect(told).toContain('Last request: please move the cache to port 6380');
    expect(told).toContain('lives in Vienna');
    expect(told).not.toContain('the core itself');
    await host.fire('agent_end', {
      messages: [...messages, { role: 'user', content: 'and test it', timestamp: 1_700_000_100_000 }],
    });
    expect(await turn()).toBe(told);
  });

  test('is logged once, however often and in whatever form the host repeats it', async () => {
    const workspace = testWorkspace(FILES);
    const at = (seconds: number): number => Date.UTC(2026, 2, 12, 9) + seconds * 1_000;
    const said = (text: string, seconds: number) => ({ role: 'user', content: text, timestamp: at(seconds) });
    const answer = (seconds: number) => {
      return { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }], timestamp: at(seconds) };
    };
    const lists = [
      [said('the port is 6380', 20), answer(21)],
      // A stored message has the time of its arrival instead of the start of its turn.
      [said('the port is 6380', 9), answer(21), said('continue', 70), answer(71)],
      // After /new.
      [said('continue', 90), answer(91)],
      // After a compaction.
      [
        { role: 'compactionSummary', summary: 'They talked of ports.', timestamp: at(92) },
        said('continue', 88),
        answer(91),
        said('[OpenClaw heartbeat poll]', 95),
        answer(96),
        said('the host is hz-3', 99),
        answer(100),
      ],
    ];
    const first = new Host(workspace);
    for (const messages of lists) await first.fire('agent_end', { messages });
    // Another process of the host has no record of earlier calls.
    for (const messages of lists) await new Host(workspace).fire('agent_end', { messages });
    const { stdout } = await workspace.start(['session', 'show', 's1', '--json']);
    expect(stdout.match(/continue/gu)).toHaveLength(2);
    expect(stdout.match(/6380/gu)).toHaveLength(1);
    expect(stdout.match(/hz-3/gu)).toHaveLength(1);
    expect(stdout).not.toContain('heartbeat');
    expect(await workspace.startJson(['session', 'status', 's1'])).toMatchObject({ live_messages: 8 });
    expect(first.warnings).toEqual([]);
  });

  test('is not duplicated by an import of the transcript, before or after it', async () => {
    const workspace = testWorkspace(FILES);
    const minute = (minutes: number): string => new Date(Date.UTC(2026, 2, 12, 9, minutes)).toISOString();
    const [first, second] = [
      { role: 'user', content: 'the port is 6380', timestamp: Date.parse(minute(1)) },
      { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }], timestamp: Date.parse(minute(2)) },
    ];
    const later = { role: 'user', content: 'the host is hz-3', timestamp: Date.parse(minute(31)) };
    await new Host(workspace).fire('agent_end', { messages: [first, second] });
    const record = (id: string, message: object) => JSON.stringify({ type: 'message', id, parentId: null, message });
    const transcript = [
      record('e1', { ...first, timestamp: minute(0) }),
      record('e2', { ...second, timestamp: minute(2) }),
      record('e3', { ...later, timestamp: minute(30) }),
      record('e4', { ...second, timestamp: minute(32) }),
    ];
    for (let round = 0; round < 2; round++) {
      const given = { input: transcript.join('\n') };
      await workspace.start(['session', 'import', '--session', 's1', '-'], given);
      await new Host(workspace).fire('agent_end', {
        messages: [first, second, later, { ...second, timestamp: Date.parse(minute(32)) }],
      });
      expect(await workspace.startJson(['session', 'status', 's1'])).toMatchObject({ live_messages: 4 });
    }
  });
});

test('the plugin registers tools, a corpus and prompt lines', async () => {
  const workspace = testWorkspace(FILES);
  const host = new Host(workspace);
  expect(JSON.parse(await host.call('bank_recall', { query: 'where does Peter live?', k: 1 }))).toMatchObject({
    results: [{ source: 'memory/2026-03-12.md#L1' }],
  });
  const { retained } = JSON.parse(await host.call('bank_retain', { facts: ['W @Anna: works in Graz'] }));
  expect(retained).toMatchObject([{ entities: ['Anna'] }]);
  expect(JSON.parse(await host.call('bank_get', { target: 'bank/profile.md' }))).toMatchObject({
    item: { content: '- W @Peter: likes tea' },
  });
  await host.call('bank_forget', { id: retained[0].id });
  expect(await host.call('bank_recall', { query: 'Graz' })).toContain('"results":[]');
  await expect(host.call('bank_get', { target: 'f-nothing' })).rejects.toThrow(/there is no id or page .*\nhint: /su);
  const [found] =
    (await host.corpus?.search({ query: 'Peter lives', maxResults: 1, agentSessionKey: 'agent:main:main' })) ?? [];
  expect(found).toMatchObject({
    corpus: 'bank',
    path: 'memory/2026-03-12.md',
    startLine: 1,
    snippet: expect.any(String),
  });
  const asked = { lookup: 'memory/2026-03-12.md', fromLine: 1, lineCount: 1, agentSessionKey: 'agent:main:main' };
  expect(await host.corpus?.get(asked)).toEqual({
    corpus: 'bank',
    path: 'memory/2026-03-12.md',
    content: '@Peter: lives in Vienna',
    fromLine: 1,
    lineCount: 1,
  });
  expect(await host.corpus?.get({ ...asked, lookup: 'none.md' })).toBeNull();
  expect(host.prompt?.(host.context).join(' ')).toContain('bank_recall');
});

test('the plugin shows an entity, settles as an agent, and reads what the host compacted', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': '## Retain\n- W @Peter: is out of work\n',
    'memory/2026-03-13.md': '## Retain\n- W @Peter: started at Harrow Logistics\n',
  });
  const host = new Host(workspace);
  const call = async (name: string, given: object) => JSON.parse(await host.call(name, given));
  const { facts } = await call('bank_entity', { name: 'Peter' });
  expect(facts).toMatchObject([
    { content: '@Peter: started at Harrow Logistics' },
    { content: '@Peter: is out of work' },
  ]);
  const [newer, older] = facts.map(({ id }: { id: string }) => id);
  expect(await call('bank_settle', { older, newer, relation: 'replaces' })).toMatchObject({
    verdict: { relation: 'replaces', by: 'agent' },
  });
  await host.fire('agent_end', {
    messages: [{ role: 'user', content: 'the port is 6380', timestamp: 1_700_000_000_000 }],
  });
  await workspace.start(['session', 'commit', 's1', '--keep-recent', '0']);
  const { matches } = await call('bank_session_search', { query: 'port 6380' });
  expect(matches).toMatchObject([{ session: 's1', archive: 'archive_001' }]);
  expect(await call('bank_session_expand', { archive: matches[0].archive })).toMatchObject({
    messages: [{ role: 'user' }],
  });
  const { contracts } = JSON.parse(readFileSync(new URL('templates/plugin/openclaw.plugin.json', ROOT), 'utf8'));
  expect(host.tools.map((make) => make(host.context)?.name)).toEqual(contracts.tools);
});

test('each part can be switched off, and without a command line nothing is registered', () => {
  const workspace = testWorkspace(FILES);
  const off = { tools: false, corpus: false, prompt: false, context: false, capture: false, compaction: false };
  for (const config of [off, { node: undefined }, { bin: '/no/such' }, { node: '/no/such' }]) {
    const host = new Host(workspace, config);
    expect([host.tools, host.corpus, host.prompt]).toEqual([[], undefined, undefined]);
  }
  expect(new Host(workspace, { node: undefined }).warnings).toEqual([expect.stringContaining('connect openclaw')]);
  expect(new Host(workspace, { bin: '/no/such' }).warnings).toEqual([
    expect.stringContaining('/no/such or its Node no longer exists'),
  ]);
});

test('a workspace without a memory causes one warning and stays unchanged', async () => {
  const workspace = testWorkspace({ 'AGENTS.md': 'x\n' });
  workspace.remove('.memory');
  workspace.remove('bank');
  const host = new Host(workspace);
  for (let i = 0; i < 3; i++) await host.fire('before_prompt_build', ASKED);
  await host.fire('agent_end', { messages: [{ role: 'user', content: 'x' }] });
  expect(host.warnings).toEqual([expect.stringContaining(`openclaw-memory init ${workspace.root}`)]);
  expect(existsSync(workspace.path('sessions'))).toBe(false);
});

test('a dead, killed or slow command line delays a turn by no more than the budget', async () => {
  const workspace = testWorkspace(FILES);
  const script = (name: string, text: string) => {
    const path = join(workspace.base, name);
    writeFileSync(path, text);
    return path;
  };
  for (const bin of [
    script('killed.js', 'process.kill(process.pid, "SIGKILL")'),
    script('slow.js', 'setTimeout(() => {}, 4_000)'),
    script('loud.js', 'process.stdout.write("no JSON"); process.exit(1)'),
  ]) {
    const host = new Host(workspace, { bin, budgetMs: 1_000 });
    expect(await host.fire('before_prompt_build', ASKED), bin).toBeUndefined();
    expect(await host.fire('agent_end', { messages: [{ role: 'user', content: 'x' }] }), bin).toBeUndefined();
    expect(host.warnings.length, bin).toBeGreaterThan(0);
  }
});

test.each([
  ['session_end', { reason: 'new' }, 12],
  // After a restart of the host the conversation continues.
  ['session_end', { reason: 'shutdown' }, 2],
  ['before_compaction', {}, 12],
])('%s %j archives %i of twelve messages, even if the host does not name the folder', async (hook, event, most) => {
  const workspace = testWorkspace(FILES);
  const host = new Host(workspace);
  const messages = Array.from({ length: 12 }, (_, index) => {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    return { role, content: `the port of host ${index} is 6380`, timestamp: Date.UTC(2026, 2, 12, 9, index) };
  });
  await host.fire('agent_end', { messages });
  await host.fire(hook, event, { workspaceDir: undefined });
  const status = () => workspace.startJson(['session', 'status', 's1']);
  await expect
    .poll(status)
    .toMatchObject({ archived_messages: most, live_messages: 12 - most, archives: { completed: 1 } });
});

test('a message is identified by its text and time, in any form', () => {
  const text = { role: 'user', content: 'a', timestamp: 1 };
  const list = { role: 'user', content: [{ type: 'text', text: 'a' }], timestamp: 1 };
  const [one, two] = [withMessageIds([text])[0], withMessageIds([list])[0]];
  expect(one?.id).toBe(two?.id);
  expect(withMessageIds([{ ...text, timestamp: 2 }])[0]?.id).not.toBe(one?.id);
  expect(new Set(withMessageIds([text, text]).map(({ id }) => id)).size).toBe(2);
});

test.each([
  ['agent:main:main', true],
  ['agent:work:explicit:abc', true],
  ['agent:main:dashboard:x', true],
  ['agent:main:main:thread:9', false],
  ['agent:main:internal-session-effects:1', false],
  [undefined, false],
])('session %s belongs to the person: %s', (sessionKey, own) => {
  expect(mayUseMemory(sessionKey === undefined ? {} : { sessionKey }, [])).toBe(own);
});
