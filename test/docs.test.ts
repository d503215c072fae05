import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { ExitCode } from '../src/base/failure.js';
import { checkSettings, DEFAULT_SETTINGS } from '../src/workspace/settings.js';
import { childEnv } from './support/cli.js';
import { globalFlags } from './support/commands.js';
import { commandsPage } from './support/docs-tables.js';
import { type Block, blocks, code, PAGES, README, ROOT, table } from './support/readme.js';
import { removeTree } from './support/remove-tree.js';

const execute = promisify(execFile);

/** Pages that may exceed 1,200 words: a generated one, and one that is to be rewritten. */
const LONG_PAGES = new Set(['docs/commands.md']);

describe('the README and docs show what really happens', () => {
  test('the first screen has at most six lines that install, ask and show an answer; real answers of the demo follow', async () => {
    const [first, shown] = blocks(README);
    expect(README.split('\n').slice(0, 20).join('\n')).toContain(first?.text);
    expect(first?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(6);
    const { stdout } = await execute(process.execPath, ['fixtures/demo.js'], { cwd: ROOT, env: childEnv() });
    const answers = shown?.text.trimEnd().split('\n\n') ?? [];
    expect(answers).toHaveLength(2);
    for (const answer of answers) expect(stdout).toContain(answer);
  });

  test('every openclaw line runs as written, and prints what is shown below it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    try {
      symlinkSync(join(ROOT, 'bin'), join(folder, 'bin'));
      const parts = PAGES.flatMap(({ text }) => blocks(text))
        .flatMap(consoleParts)
        .filter(({ language, text }) => language === 'sh' || (language === 'text' && !text.startsWith('$ ')));
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
      removeTree(folder);
    }
  });

  test('every picture exists, is small, and stays out of the package', () => {
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
      if (command.startsWith('npm ') && !command.startsWith('npm install -g '))
        expect(
          steps.some((step) => step.endsWith(command)),
          command,
        ).toBe(true);
    }
    for (const { text } of PAGES)
      for (const [, script = ''] of text.matchAll(/npm run ([\w-]+)/g)) expect(manifest.scripts).toHaveProperty(script);
  });

  test('these tests know how to run every line of a shell block', () => {
    for (const line of shellLines()) {
      expect(line).toMatch(
        /^(openclaw memory |npm |alias openclaw=|git clone |~\/\.openclaw-memory\/bin\/openclaw-memory |(echo|printf) .* \| openclaw memory )/,
      );
    }
  });
});

describe('the pages are complete', () => {
  test('the README has at most 900 words, a page of docs/ at most 1,200, and the README names every page', () => {
    expect(README.split(/\s+/).length).toBeLessThanOrEqual(900);
    for (const { path, text } of PAGES) {
      if (LONG_PAGES.has(path)) continue;
      expect(text.split(/\s+/).length, path).toBeLessThanOrEqual(1200);
    }
    const listed = PAGES.slice(1).map(({ path }) => path.slice('docs/'.length));
    expect(listed.toSorted()).toEqual(readdirSync(join(ROOT, 'docs')).toSorted());
  });

  test.each(PAGES)('$path: every link leads to a file, and to a heading of it', ({ path, text }) => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const full = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file);
      expect(existsSync(full), target).toBe(true);
      if (anchor !== undefined) expect(anchors(readFileSync(full, 'utf8')), target).toContain(anchor);
    }
  });
});

describe('the tables are complete and true', () => {
  test('commands: the page matches the help; `npm run docs` writes it', async () => {
    const { now, wanted } = await commandsPage();
    expect(now).toBe(wanted);
  });

  test('options of every command', async () => {
    const documented = table('docs/commands.md', 'global option').flatMap(([flags]) => code(flags));
    expect(documented.toSorted()).toEqual([...(await globalFlags()), '-h', '--help'].toSorted());
  });

  test('exit codes', () => {
    expect(table('docs/commands.md', 'code').map(([number]) => Number(number))).toEqual(Object.values(ExitCode));
  });

  test('settings: names and defaults', () => {
    const documented = table('docs/settings.md', 'setting').map(([name, value]) => [
      code(name)[0],
      JSON.parse(code(value)[0] ?? ''),
    ]);
    expect(Object.fromEntries(documented)).toEqual(DEFAULT_SETTINGS);
  });

  test.each(table('docs/settings.md', 'setting').map(([name, , range]) => [code(name)[0] ?? '', range ?? '']))(
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

  test('dependencies: each has its reason', () => {
    const documented = table('docs/contributing.md', 'package').flatMap(([names]) => code(names));
    const real = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(documented.toSorted()).toEqual(real.toSorted());
  });
});

function anchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function shellLines(): readonly string[] {
  return PAGES.flatMap(({ text }) => blocks(text))
    .flatMap(consoleParts)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trimEnd().split('\n'));
}

/** Splits a `console` block into the lines typed after `$ ` and the output below them. Returns other blocks unchanged. */
function consoleParts(block: Block): readonly Block[] {
  if (block.language !== 'console') return [block];
  const lines = block.text.trimEnd().split('\n');
  const typed = lines.filter((line) => line.startsWith('$ '));
  const last = typed.pop() ?? '';
  return [
    { language: 'sh', text: typed.map((line) => `${line.slice(2)}\n`).join('') },
    { language: 'sh', text: `${last.slice(2)}\n` },
    { language: 'text', text: `${lines.slice(lines.lastIndexOf(last) + 1).join('\n')}\n` },
  ];
}

/** The lines that the test runs. Commands that install something do not run here. */
function openclawLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^(npm|git clone|~\/\.openclaw-memory\/) ?/.test(line))
    .join('\n');
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

test('the example of the library runs as written', async () => {
  const example = PAGES.flatMap(({ text }) => blocks(text)).find(({ language }) => language === 'js')?.text ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'library-'));
  const script = example.replace('/tmp/openclaw-memory-example', folder);
  // The working directory makes the package import itself by its name.
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    env: childEnv(),
  });
  rmSync(folder, { recursive: true });
  expect(stdout).toMatch(/^@Peter: lives in Vienna memory\/\d{4}-\d\d-\d\d\.md#L5\n$/);
});
