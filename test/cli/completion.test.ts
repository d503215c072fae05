import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BIN, childEnv, cli } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';

const execute = promisify(execFile);

/** Returns the completions of real bash for the last word. */
async function complete(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> {
  const { stdout: script } = await cli(['completion', 'bash']);
  const openclaw = `openclaw() { '${process.execPath}' '${BIN}' "$@"; }`;
  const list = words.map((word) => `'${word}'`).join(' ');
  const program = `${openclaw}\n${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _openclaw_memory; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execute('bash', ['-c', program], { env: childEnv(env) });
  return stdout.split('\n').filter((line) => line !== '');
}

test('bash completes commands, subcommands, flags and choices', async () => {
  expect(await complete(['openclaw', 'me'])).toEqual(['memory']);
  expect(await complete(['openclaw', 'memory', 'rec'])).toEqual(['recall']);
  expect(await complete(['openclaw-memory', 'ret'])).toEqual(['retain']);
  expect(await complete(['openclaw', 'memory', 'entity', ''])).toEqual(['list', 'show']);
  expect(await complete(['openclaw', 'memory', '--json', '-w', 'x', 'recall', '--bu'])).toEqual(['--budget']);
  expect(await complete(['openclaw', 'memory', 'recall', '--js'])).toEqual(['--json']);
  // Commands that `--help` does not list are not offered.
  expect(await complete(['openclaw', 'memory', 'hoo'])).toEqual(['hook']);
  expect(await complete(['openclaw', 'memory', 'l'])).toEqual(['lint']);
});

test('bash completes the names of entities', async () => {
  const workspace = testWorkspace({
    'bank/entities/Peter.md': '# Peter\n',
    'memory/2026-03-01.md': '- W @Vienna: is big\n',
  });
  const env = { ...workspace.env, OPENCLAW_WORKSPACE: workspace.root };
  expect(await complete(['openclaw', 'memory', 'entity', 'show', 'Pe'], env)).toEqual(['Peter']);
  expect(await complete(['openclaw', 'memory', 'recall', '--entity', 'Vi'], env)).toEqual(['Vienna']);
});

test('each supported shell gets a script with every command; an unknown shell is wrong usage', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await cli(['completion', shell]);
    expect(code).toBe(0);
    for (const name of ['recall', 'retain', 'lint', 'completion']) expect(stdout).toContain(name);
  }
  expect(await cli(['completion', 'cmd'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('bash, zsh, fish'),
  });
});
