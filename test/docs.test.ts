import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { ExitCode } from '../src/base/failure.js';
import { DEFAULT_SETTINGS } from '../src/workspace/settings.js';
import { checkSettings } from '../src/workspace/settings-schema.js';
import { childEnv } from './support/cli.js';
import { globalFlags, knownCommands } from './support/commands.js';
import { blocks, code, README, ROOT, table } from './support/readme.js';

const execute = promisify(execFile);

describe('what the README shows is what happens', () => {
  test('the first screen has three real answers of the demo, then the two commands', async () => {
    const first = README.split('\n').slice(0, 32).join('\n');
    const [shown, commands] = blocks();
    expect(first).toContain(shown?.text);
    expect(first).toContain(commands?.text);
    expect(commands?.text).toBe('npm ci && npm run demo\nnpm ci && npm test\n');
    const { stdout } = await execute(process.execPath, ['fixtures/demo.js'], { cwd: ROOT, env: childEnv() });
    const answers = shown?.text.trimEnd().split('\n\n') ?? [];
    expect(answers).toHaveLength(3);
    for (const answer of answers) expect(stdout).toContain(answer);
  });

  test('every openclaw line runs as written, and prints what is shown below it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    try {
      symlinkSync(join(ROOT, 'bin'), join(folder, 'bin'));
      const [, ...parts] = blocks().filter(({ language }) => language === 'sh' || language === 'text');
      const script = ['set -e', 'shopt -s expand_aliases'];
      for (const { language, text } of parts) script.push(language === 'sh' ? openclawLines(text) : 'echo "%%"');
      writeFileSync(join(folder, 'script'), `${script.join('\n')}\n`);
      const days = [today()];
      const { stdout } = await execute('bash', ['script'], { cwd: folder, env: childEnv({ HOME: folder, TZ: 'UTC' }) });
      days.push(today());
      const printed = days.reduce((text, day) => text.replaceAll(day, '2026-01-15'), stdout).split('%%\n');
      const shown = parts.filter(({ language }) => language === 'text');
      expect(shown.length).toBeGreaterThan(0);
      for (const [index, { text }] of shown.entries()) expect(printed[index]).toContain(text);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('every picture is there and not large, and is no part of the package', () => {
    const pictures = [...README.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(pictures.length).toBeGreaterThan(0);
    for (const path of pictures) {
      expect(statSync(join(ROOT, path)).size, path).toBeLessThan(200_000);
      expect(
        manifest.files.some((part) => path.startsWith(part)),
        path,
      ).toBe(false);
    }
  });

  test('every npm line is a step of .ci/run, and every script that is named exists', () => {
    const steps = readFileSync(join(ROOT, '.ci/run'), 'utf8')
      .split('\n')
      .filter((line) => !/^(step|#)/.test(line));
    for (const command of shellLines().flatMap((line) => line.split(' && '))) {
      if (command.startsWith('npm '))
        expect(
          steps.some((step) => step.endsWith(command)),
          command,
        ).toBe(true);
    }
    for (const [, script = ''] of README.matchAll(/npm run ([\w-]+)/g)) expect(manifest.scripts).toHaveProperty(script);
  });

  test('a line of a shell block is of a kind that these tests run', () => {
    for (const line of shellLines()) {
      expect(line).toMatch(/^(openclaw memory |npm |alias openclaw=|(echo|printf) .* \| openclaw memory )/);
    }
  });
});

describe('the tables of the README are complete and true', () => {
  test('commands: each has one row with its arguments and options, and nothing else has one', async () => {
    const commands = (await knownCommands()).filter(({ isGroup }) => !isGroup);
    const documented = table('command').map(([usage, , options]) => `${usage} | ${options}`);
    const real = commands.map(({ usage, options }) => `\`${usage}\` | ${options.map((o) => `\`${o}\``).join(' ')}`);
    expect(documented.toSorted()).toEqual(real.toSorted());
  });

  test('options of every command', async () => {
    const documented = table('option').flatMap(([flags]) => code(flags));
    expect(documented.toSorted()).toEqual([...(await globalFlags()), '-h', '--help'].toSorted());
  });

  test('exit codes', () => {
    expect(table('code').map(([number]) => Number(number))).toEqual(Object.values(ExitCode));
  });

  test('settings: names and defaults', () => {
    const documented = table('setting').map(([name, value]) => [code(name)[0], JSON.parse(code(value)[0] ?? '')]);
    expect(Object.fromEntries(documented)).toEqual(DEFAULT_SETTINGS);
  });

  test.each(table('setting').map(([name, , range]) => [code(name)[0] ?? '', range ?? '']))(
    'setting %s: allowed is %s',
    (name, range) => {
      const [, least, most] = /^(\d+) to (\d+)$/.exec(range) ?? [];
      const good = least === undefined ? code(range).map((text) => JSON.parse(text)) : [Number(least), Number(most)];
      const bad =
        least === undefined
          ? range.includes('any ')
            ? [7.5]
            : ['no such value', 7.5]
          : [Number(least) - 1, Number(most) + 1, 1.5, '1'];
      expect(good.length).toBeGreaterThan(0);
      for (const value of good) expect(checkSettings({ [name]: value })).toMatchObject({ [name]: value });
      for (const value of bad) expect(() => checkSettings({ [name]: value }), String(value)).toThrow();
    },
  );

  test('dependencies: the last section says of each why it is there', () => {
    expect(README.search(/^\| package +\|/m)).toBeGreaterThan(README.lastIndexOf('\n## '));
    const documented = table('package').flatMap(([names]) => code(names));
    const real = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(documented.toSorted()).toEqual(real.toSorted());
  });
});

function shellLines(): readonly string[] {
  return blocks()
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trimEnd().split('\n'));
}

function openclawLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('npm '))
    .join('\n');
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

test('the example of the library runs as it is', async () => {
  const example = /```js\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'library-'));
  const script = example.replace('/tmp/openclaw-memory-example', folder);
  // Here the package imports itself by its name.
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    env: childEnv(),
  });
  rmSync(folder, { recursive: true });
  expect(stdout).toMatch(/^@Peter: lives in Vienna memory\/\d{4}-\d\d-\d\d\.md#L5\n$/);
});
