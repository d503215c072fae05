import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { childEnv } from '../support/cli.js';
import { ROOT } from '../support/readme.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'MEMORY.md': '# Core\n',
  'memory/2026-03-12.md': '## Retain\n- W @Peter: lives in Vienna\n- B @cache: moved the backup of the cache to S3\n',
};

test('the skill is short and has what hosts require, and every command in it runs', async () => {
  const workspace = testWorkspace(FILES);
  const { stdout } = await workspace.run(['skill']);
  expect(stdout.split('\n').length).toBeLessThan(120);
  expect(stdout).toMatch(
    /^---\nname: openclaw-memory\ndescription: .{40,1024}\nmetadata: \{.*"openclaw-memory".*\}\n---\n/,
  );
  for (const text of ['use redis port 6380', 'thanks'])
    await workspace.run(['session', 'add', 'chat-1', '--role', 'user', '--text', text]);
  await workspace.run(['session', 'commit', 'chat-1', '--keep-recent', '0']);
  const lines = [...stdout.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(10);
  const bin = join(workspace.base, 'openclaw-memory');
  symlinkSync(join(ROOT, 'bin', 'openclaw-memory.js'), bin);
  const env = childEnv({
    ...workspace.env,
    PATH: `${workspace.base}:${process.env.PATH}`,
    OPENCLAW_MEMORY_WORKSPACE: undefined,
  });
  for (const line of lines) {
    const result = await promisify(execFile)('bash', ['-c', line], { cwd: workspace.root, env });
    expect(result.stdout, line).not.toBe('');
  }
});

test('--write installs the skill, updates an old one, and leaves what a person changed', async () => {
  const workspace = testWorkspace(FILES);
  for (const [host, file] of [
    ['openclaw', workspace.path('skills/openclaw-memory/SKILL.md')],
    ['claude-code', join(workspace.home, '.claude/skills/openclaw-memory/SKILL.md')],
  ] as const) {
    const write = () => workspace.run(['skill', '--write', '--host', host, '--json']);
    expect(JSON.parse((await write()).stdout)).toEqual({ path: file, changed: true });
    expect(JSON.parse((await write()).stdout)).toEqual({ path: file, changed: false });
    appendFileSync(file, 'my own line\n');
    const mine = readFileSync(file, 'utf8');
    const refused = await write();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was changed by hand')]);
    expect(readFileSync(file, 'utf8')).toBe(mine);
    writeFileSync(file, mine.replace('my own line\n', ''));
    expect(JSON.parse((await write()).stdout)).toMatchObject({ changed: false });
  }
});
