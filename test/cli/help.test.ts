import { expect, test } from 'vitest';
import { VERSION } from '../../src/base/version.js';
import { COMMANDS } from '../../src/cli/registry.js';
import { cliHere } from '../support/cli-here.js';
import { globalFlags, knownCommands } from '../support/commands.js';

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
  expect(COMMANDS.length - hidden.length).toBeLessThanOrEqual(32);
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
    ['reflect', 'apply', '--rejudge'],
  ] as const) {
    const { stdout } = await cliHere([group, member, '--help']);
    const flags = Array.from(stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm), ([, flag]) => flag);
    expect(flags).toEqual([...new Set(flags)]);
    expect(flags).toContain('--workspace');
    expect(flags).not.toContain(ofGroup);
  }
});
