import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findWorkspace } from '../../src/app/open.js';
import { MemoryError } from '../../src/base/failure.js';
import { layOut, recordedCases } from '../host/agent-cases.js';
import { cliHere } from '../support/cli-here.js';
import { removeTree } from '../support/remove-tree.js';

const base = mkdtempSync(join(tmpdir(), 'openclaw-agents-'));
afterAll(() => removeTree(base));

test('every agent has the workspace that OpenClaw gives it, in some 200 configurations', async () => {
  const cases = recordedCases();
  expect(cases.length).toBeGreaterThanOrEqual(200);
  const wrong: string[] = [];
  let compared = 0;
  for (const [at, each] of cases.entries()) {
    const { home, env, cwd } = layOut(each, join(base, String(at)));
    for (const [agent, told] of Object.entries(each.folders)) {
      const expected = told?.replaceAll('{home}', home);
      // The host's commands refuse an unknown agent; its folder is used only if it exists.
      if (each.unlisted?.includes(agent) && expected !== undefined) mkdirSync(expected, { recursive: true });
      const { root, refusal } = await rootOf({ agent, profile: each.profile, env, cwd });
      if (expected !== undefined) compared++;
      const isRight = each.isUnknowable ? refusal !== undefined : expected === undefined || root === expected;
      if (!isRight)
        wrong.push(`${at} ${agent} ${each.profile ?? ''} ${each.config}: ${root ?? refusal}, not ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(400);
});

async function rootOf(options: Parameters<typeof findWorkspace>[0]) {
  try {
    return { root: (await findWorkspace(options)).located.root };
  } catch (error) {
    if (error instanceof MemoryError) return { refusal: error.message };
    throw error;
  }
}

let homes = 0;

/** Returns a home folder with a configuration of OpenClaw, and the command line in it. */
function homeWith(config: unknown, extra: NodeJS.ProcessEnv = {}) {
  const home = join(base, `home-${homes++}`);
  mkdirSync(join(home, '.openclaw'), { recursive: true });
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  writeFileSync(join(home, '.openclaw/openclaw.json'), text.replaceAll('{home}', home));
  const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...extra };
  const run = async (line: string, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
    cliHere(line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [], {
      cwd: options.cwd ?? home,
      env: { ...env, ...options.env },
    });
  return { home, run };
}

const SHARED_BASE = {
  agents: {
    defaults: { workspace: '~/.openclaw/base' },
    entries: { main: { workspace: '~/.openclaw/base' }, ops: {} },
  },
};

test('an agent neither reads nor overwrites the facts of another agent', async () => {
  const { home, run } = homeWith(SHARED_BASE);
  const folder = join(home, '.openclaw/base');
  await run('init --agent main');
  expect((await run('retain "W @Mo: is on sick leave" --agent main')).code).toBe(0);
  for (const around of [{}, { cwd: folder }, { env: { OPENCLAW_WORKSPACE: folder } }]) {
    const asked = await run('recall "who is on leave?" --agent ops', around);
    expect(asked.stdout).toBe('');
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining(`there is no workspace at ${folder}/ops`) });
  }
  await run('init --agent OPS');
  expect((await run('retain "W @Mo: is back" --agent Ops', { cwd: folder })).code).toBe(0);
  expect((await run('recall "where is Mo?" --agent ops')).stdout).not.toContain('sick leave');
  expect((await run('recall "where is Mo?" --agent main')).stdout).not.toContain('is back');
});

test('--workspace overrides --agent, and --agent overrides the current folder and the variable', async () => {
  const { home, run } = homeWith(SHARED_BASE);
  const other = join(home, 'other');
  for (const line of [`init ${other}`, 'init --agent main', 'init --agent ops']) await run(line);
  const placeOf = async (line: string, around = {}) => (await run(`status ${line}`, around)).stdout.split('\n')[0];
  const ops = expect.stringContaining(`${home}/.openclaw/base/ops (from --agent)`);
  expect(await placeOf('--agent ops', { cwd: other })).toEqual(ops);
  expect(await placeOf('--agent ops', { env: { OPENCLAW_WORKSPACE: other } })).toEqual(ops);
  expect(await placeOf(`--agent ops -w ${other}`)).toContain(`${other} (from --workspace)`);
  expect(await placeOf('', { env: { OPENCLAW_WORKSPACE: other } })).toContain(`${other} (from $OPENCLAW_WORKSPACE)`);
});

test('--profile overrides the current folder', async () => {
  const { home, run } = homeWith({});
  const other = join(home, 'other');
  await run(`init ${other}`);
  await run('init --profile work', { cwd: other });
  expect(existsSync(join(home, '.openclaw-work/workspace/MEMORY.md'))).toBe(true);
  const { stdout } = await run('status --profile work', { cwd: other });
  expect(stdout).toContain(`${home}/.openclaw-work/workspace (from --profile)`);
  expect(await run('status --profile ../work')).toMatchObject({ code: 2, stderr: expect.stringContaining('profile') });
});

test.each([
  ['a variable without a value', '{"agents":{"entries":{"ops":{"workspace":"$\u007bNOTES}/x"}}}}', 'NOTES'],
  [
    'a reference to a secret',
    '{"agents":{"entries":{"ops":{"workspace":{"source":"env","id":"X"}}}}}',
    'is not a text',
  ],
  ['invalid JSON', 'agents', "can't be read"],
  ['a file that is not there', '{"agents":{"$include":"gone.json5"}}', 'gone.json5'],
])('an agent whose folder cannot be determined is refused, not given another: %s', async (_, config, why) => {
  const { run } = homeWith(config);
  const { code, stdout, stderr } = await run('status --agent ops');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(why);
  expect(stderr).toContain('hint:');
});

test('an agent that is not configured is refused with a list of those that are', async () => {
  const { home, run } = homeWith(SHARED_BASE);
  expect(await run('init --agent opps')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('known agents: main, ops'),
  });
  expect(await run('status --agent ""')).toMatchObject({ code: 2 });
  expect(existsSync(join(home, '.openclaw/base/opps'))).toBe(false);
});

test('memory in the folder of earlier versions is reported, with how to take it over', async () => {
  const { home, run } = homeWith({ agents: { defaults: { workspace: '~/base' }, entries: { main: {}, ops: {} } } });
  const former = join(home, 'base');
  await run(`init ${former}`);
  await run(`retain "W @Mo: is on sick leave" -w ${former}`);
  const note = `there is a memory in ${former}, which earlier versions used for the agent ops`;
  const missing = await run('recall Mo --agent ops');
  expect(missing.stderr).toContain(note);
  expect(missing.stderr).toContain(`cp -Rn ${former}/MEMORY.md ${former}/memory ${former}/bank ${former}/ops/`);
  const doctor = await run('doctor --json');
  const found: { check: string; message: string; hint?: string }[] = JSON.parse(doctor.stdout).checks;
  const told = found.filter(({ check }) => check === 'former-folder').map(({ message }) => message);
  expect(told).toEqual([expect.stringContaining('the agent main;'), expect.stringContaining('the agent ops;')]);
  await run('init --agent ops');
  await run('retain "W @Mo: is back" --agent ops');
  expect((await run('recall Mo --agent ops')).stderr).toContain(note);
  expect((await run('recall Mo', { cwd: former })).stderr).toBe('');
  expect((await run('recall Mo -w base')).stdout).toContain('sick leave');
});

test('a profile’s folder from earlier versions can be moved as the message says', async () => {
  const { home, run } = homeWith({});
  const former = join(home, '.openclaw/workspace-work');
  await run(`init ${former}`);
  await run(`retain "W @Mo: is on sick leave" -w ${former}`);
  const { stderr } = await run('recall Mo --profile work');
  const now = join(home, '.openclaw-work/workspace');
  expect(stderr).toContain(`move the memory: mkdir -p ${home}/.openclaw-work && mv ${former} ${now}`);
});

test('a folder shared with another agent is reported until the agent has logs of its own', async () => {
  const { home, run } = homeWith(SHARED_BASE);
  for (const line of ['init --agent main', 'init --agent ops']) await run(line);
  const folder = join(home, '.openclaw/base');
  expect((await run('recall Mo --agent ops')).stderr).toContain(`there is a memory in ${folder}`);
  expect((await run('recall Mo --agent main')).stderr).not.toContain('there is a memory in');
  await run('retain "W @Mo: is back" --agent ops');
  expect((await run('recall Mo --agent ops')).stderr).not.toContain('there is a memory in');
});
