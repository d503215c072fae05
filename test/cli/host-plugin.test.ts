import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

test('commands of the host install and remove the plugin; without the host they are printed', async () => {
  const workspace = testWorkspace();
  const folder = join(workspace.base, 'host-bin');
  mkdirSync(folder);
  const log = join(workspace.base, 'calls');
  writeFileSync(join(folder, 'openclaw'), `#!/bin/sh\necho "$*|$(cat)" >> '${log}'\n`);
  chmodSync(join(folder, 'openclaw'), 0o755);
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  const printed = await workspace.start(['hooks', 'openclaw'], { env });
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining('memory.search.extraPaths') });
  expect(existsSync(log)).toBe(false);
  expect(await workspace.start(['hooks', 'openclaw', '--write'], { env })).toMatchObject({ code: 0 });
  const [install = '', patch = ''] = readFileSync(log, 'utf8').trim().split('\n');
  const plugin = /plugins install (\S+) /u.exec(install)?.[1] ?? '';
  expect(existsSync(join(plugin, 'openclaw.plugin.json'))).toBe(true);
  const [, entry = ''] = patch.split('|');
  const { config, hooks } = JSON.parse(entry).plugins.entries['openclaw-memory'];
  expect([hooks.allowConversationAccess, existsSync(config.node), existsSync(config.bin)]).toEqual([true, true, true]);
  expect(dirname(config.bin)).toBe(join(dirname(dirname(plugin)), 'bin'));
  // A plugin linked by an earlier version is converted, with its settings.
  const linked = { load: { paths: [plugin] }, entries: { 'openclaw-memory': { config: { budgetMs: 900 } } } };
  workspace.write('../home/.openclaw/openclaw.json', JSON.stringify({ plugins: linked }));
  writeFileSync(log, '');
  expect(await workspace.start(['hooks', 'openclaw', '--write'], { env })).toMatchObject({ code: 0 });
  expect(readFileSync(log, 'utf8')).toMatch(/^plugins uninstall .*\nplugins install [\s\S]*"budgetMs":900,"node"/u);
  // Some hosts keep settings of a missing plugin and uninstall nothing until the settings are removed.
  const gone = { load: { paths: ['/other', plugin] }, entries: linked.entries };
  workspace.write('../home/.openclaw/openclaw.json', JSON.stringify({ plugins: gone }));
  writeFileSync(log, '');
  const refuses = `#!/bin/sh\necho "$*|$(cat)" >> '${log}'\ncase "$*" in *uninstall*) echo '│ not tracked │' >&2; exit 1; esac\n`;
  writeFileSync(join(folder, 'openclaw'), refuses);
  expect(await workspace.start(['hooks', 'openclaw', '--write'], { env })).toMatchObject({ code: 0 });
  const [, again = '', cleared = '', settings = ''] = readFileSync(log, 'utf8').trim().split('\n');
  expect(cleared).toBe(
    'config patch --stdin|{"plugins":{"load":{"paths":["/other"]},"entries":{"openclaw-memory":null}}}',
  );
  expect([again, settings]).toEqual([
    expect.stringContaining('plugins install'),
    expect.stringContaining('"budgetMs":900,"node"'),
  ]);
  const refused = await workspace.start(['hooks', 'openclaw', '--remove'], { env });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force failed: not tracked\n') });
  expect(readFileSync(log, 'utf8')).toMatch(/":null\}\}\}\nplugins registry --refresh\|\n$/u);
  writeFileSync(join(folder, 'openclaw'), `#!/bin/sh\necho "$*|$(cat)" >> '${log}'\n`);
  writeFileSync(log, '');
  expect(await workspace.start(['hooks', 'openclaw', '--remove'], { env })).toMatchObject({ code: 0 });
  expect(readFileSync(log, 'utf8')).toContain('plugins uninstall openclaw-memory --force|');
  expect(readFileSync(log, 'utf8')).not.toContain('extraPaths');
  const nowhere = await workspace.start(['hooks', 'openclaw', '--write'], { env: { PATH: '/usr/bin:/bin' } });
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('OpenClaw is not on PATH') });
});

test('doctor checks the plugin', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': '# Memory\n' });
  const plugin = async (entry?: object) => {
    const entries = entry === undefined ? {} : { 'openclaw-memory': entry };
    workspace.write('../home/.openclaw/openclaw.json', JSON.stringify({ plugins: { entries } }));
    const { stdout } = await workspace.start(['doctor', '--json']);
    const { checks }: { checks: { check: string; state: string; message: string }[] } = JSON.parse(stdout);
    const { state, message } = checks.find(({ check }) => check === 'plugin') ?? { state: '', message: '' };
    return `${state}: ${message}`;
  };
  const config = { node: process.execPath, bin: process.execPath };
  const hooks = { allowConversationAccess: true };
  expect(await plugin()).toBe('ok: not installed in OpenClaw');
  expect(await plugin({ config: { ...config, bin: '/no/such' }, hooks })).toMatch(/^problem: .*\/no\/such/u);
  expect(await plugin({ config })).toBe('problem: the plugin in OpenClaw is not allowed to read conversations');
  expect(await plugin({ config, hooks, enabled: false })).toMatch(/^warning: .*switched off/u);
  expect(await plugin({ config, hooks })).toBe('ok: the plugin in OpenClaw is set up');
});

test('connect installs the plugin and the launchers, and disconnect removes both', async () => {
  const workspace = testWorkspace();
  const [folder, own] = [join(workspace.base, 'host-bin'), join(workspace.home, 'bin')];
  for (const path of [folder, own]) mkdirSync(path, { recursive: true });
  const log = join(workspace.base, 'calls');
  const host = (code: number) => {
    writeFileSync(join(folder, 'openclaw'), `#!/bin/sh\necho "$*|$(cat)" >> '${log}'\nexit ${code}\n`);
    chmodSync(join(folder, 'openclaw'), 0o755);
  };
  host(0);
  const env = { PATH: `${own}:${folder}:/usr/bin:/bin` };
  const dry = await workspace.run(['connect', '--dry-run'], { env });
  expect(dry.stdout).toContain('plugins install');
  expect([existsSync(log), existsSync(join(own, 'openclaw'))]).toEqual([false, false]);
  expect(await workspace.run(['connect'], { env })).toMatchObject({ code: 0 });
  expect([readFileSync(log, 'utf8').includes('plugins install'), existsSync(join(own, 'openclaw'))]).toEqual([
    true,
    true,
  ]);
  await workspace.run(['skill', '--write'], { env });
  const entries = { 'openclaw-memory': { enabled: true } };
  workspace.write('../home/.openclaw/openclaw.json', JSON.stringify({ plugins: { entries } }));
  // A failing host does not stop the removal of everything else.
  host(1);
  const failed = await workspace.run(['disconnect'], { env });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('plugins uninstall openclaw-memory') });
  expect([existsSync(join(own, 'openclaw')), existsSync(workspace.path('skills'))]).toEqual([false, false]);
  host(0);
  expect((await workspace.run(['disconnect', 'openclaw'], { env })).stdout).toContain('The plugin is removed.');
  // If no folder of PATH can hold our launchers, the skill names the program by its path and requires none on PATH.
  const bare = { PATH: `${folder}:/usr/bin:/bin` };
  expect(await workspace.run(['connect', 'openclaw'], { env: bare })).toMatchObject({ code: 0 });
  const skill = workspace.path('skills/openclaw-memory/SKILL.md');
  const text = readFileSync(skill, 'utf8');
  expect(text).toContain(`\n${process.execPath} `);
  expect(text).not.toMatch(/anyBins|^openclaw-memory /mu);
  await workspace.run(['disconnect', 'openclaw'], { env: bare });
  expect(existsSync(skill)).toBe(false);
});
