import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { VERSION } from '../../src/base/version.js';
import { COMMANDS } from '../../src/cli/registry.js';
import { BIN, childEnv, cli } from '../support/cli.js';
import { cliHere } from '../support/cli-here.js';
import { globalFlags, knownCommands } from '../support/commands.js';
import { testWorkspace } from '../support/test-workspace.js';

const commands = await knownCommands();

test.each(commands.map(({ name }) => name))('%s --help prints help within 80 columns', async (name) => {
  const { code, stdout, stderr } = await cliHere([...name.split(' '), '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`Usage: openclaw memory ${name}`);
  expect(stdout).toMatch(/Examples?:\n( {2}\S.*\n)* {2}.*openclaw memory /);
  expect(stdout).toContain('Global options:');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  for (const { options } of commands.filter((command) => command.name === name)) {
    for (const option of options) expect(stdout).toMatch(new RegExp(`^ {2}.*${option} .* {2}\\S`, 'm'));
  }
});

test('help lists every command once, without hidden ones, and every global option once', async () => {
  const { code, stdout } = await cliHere(['--help']);
  expect(code).toBe(0);
  const hidden = COMMANDS.filter(({ group }) => group === 'hidden').map(({ name }) => name);
  expect(hidden).toEqual(['search', 'skill', 'hooks', 'link']);
  expect(COMMANDS.length - hidden.length).toBeLessThanOrEqual(34);
  for (const { name } of COMMANDS)
    expect(stdout.match(new RegExp(`^ {2}${name} `, 'gm')) ?? []).toHaveLength(hidden.includes(name) ? 0 : 1);
  for (const flag of await globalFlags()) expect(stdout.match(new RegExp(`[ ]${flag}[ ,]`, 'g'))).toHaveLength(1);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  [[], ['--help']],
  [['help'], ['--help']],
  [
    ['help', 'recall'],
    ['recall', '--help'],
  ],
  [
    ['help', 'entity', 'show'],
    ['entity', 'show', '--help'],
  ],
  [
    ['-w', 'x', 'help', 'recall'],
    ['recall', '-h'],
  ],
])('%j means the same as %j', async (one, other) => {
  const { code, stdout } = await cliHere(one);
  expect(code).toBe(0);
  expect(stdout).toBe((await cliHere(other)).stdout);
});

test.each([['-v'], ['-V'], ['--version'], ['recall', '--version']])('%s prints the version', async (...args) => {
  expect(await cliHere(args)).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

test('help of a subcommand lists each option once, without the options of its parent command', async () => {
  for (const [group, member, ofGroup] of [
    ['extract', 'apply', '--session'],
    ['extract', 'prompt', '--undo'],
    ['reflect', 'apply', '--infer'],
  ] as const) {
    const { stdout } = await cliHere([group, member, '--help']);
    const flags = Array.from(stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm), ([, flag]) => flag);
    expect(flags).toEqual([...new Set(flags)]);
    expect(flags).toContain('--workspace');
    expect(flags).not.toContain(ofGroup);
  }
});

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
  expect(await complete(['openclaw', 'memory', 'rec'])).toEqual(['recall', 'recent']);
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
