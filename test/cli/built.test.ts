import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/registry.js';
import { testWorkspace } from '../support/test-workspace.js';

/** One run of each command of the registry, with its exit code if not 0. */
const RUNS: Readonly<Record<string, readonly [args: readonly string[], code?: number, input?: string]>> = {
  init: [['--dry-run']],
  recall: [['where does Peter live?']],
  search: [['--query', 'Peter']],
  get: [['memory/2026-03-12.md#L4']],
  retain: [['W @Anna: keeps bees']],
  forget: [['--query', 'lives in Vienna', '--dry-run']],
  index: [['--verify']],
  status: [[]],
  view: [['--out', '-']],
  entity: [['show', 'Peter']],
  session: [['add', 'chat', '--stdin'], 0, '[{"role": "user", "content": "the port is 6380"}]'],
  reflect: [['--dry-run', '--max-calls', '0']],
  opinion: [['list']],
  settle: [['f-0000000000000', 'f-0000000000001', 'replaces'], 1],
  core: [['show']],
  extract: [['prompt', '--stdin'], 0, '[{"role": "user", "content": "I like tea"}]'],
  types: [['preferences']],
  history: [['MEMORY.md'], 1],
  flush: [['check', '--tokens', '10']],
  context: [['strip'], 0, 'plain'],
  connect: [['vscode']],
  disconnect: [['vscode']],
  skill: [[]],
  mcp: [[]],
  hooks: [['generic']],
  hook: [['claude-code'], 0, '{"hook_event_name": "UserPromptSubmit", "prompt": "where does Peter live?"}'],
  link: [['--dir', 'bin']],
  wm: [['show', 'chat'], 1],
  lint: [[]],
  doctor: [[]],
  models: [['list']],
  completion: [['bash']],
  schedule: [['cron']],
  eval: [['cases.jsonl']],
};

const FILES = {
  'MEMORY.md': '# Memory\n\n- Anna likes cats.\n',
  'memory/2026-03-12.md': '# 2026-03-12\n\n## Retain\n- W @Peter: lives in Vienna\n',
  'cases.jsonl': '{"query": "where does Peter live?", "expect": ["memory/2026-03-12.md#L4"]}\n',
};

// `watch` runs until it is stopped: its own tests start it.
test.each(COMMANDS.map(({ name }) => name).filter((name) => name !== 'watch'))(
  '%s works in the built program',
  async (name) => {
    const [args, code = 0, input = ''] = RUNS[name] ?? [['is not in the table of this test']];
    const workspace = testWorkspace(FILES);
    const ran = await workspace.start([name, ...args], { input, cwd: workspace.root });
    const said = code === 0 ? expect.not.stringMatching(/^error/m) : expect.stringMatching(/^error: .+\nhint: .+\n$/);
    expect(ran).toMatchObject({ code, signal: null, stderr: said });
  },
);
