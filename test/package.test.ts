import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { childEnv, cli } from './support/cli.js';
import { publicNames, unexportedNames } from './support/examples.js';
import { ROOT } from './support/readme.js';

const execute = promisify(execFile);
/** A real installation compiles SQLite, which takes minutes. */
const installs = process.env.SLOW === '1';

let folder: string;
let tarball: string;
let files: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  await execute(process.execPath, ['build.mjs', 'types'], { cwd: ROOT, env: childEnv() });
  // Without scripts: `prepare` would rebuild dist/ during other tests. The build exists since the start of the run.
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  await execute('npm', pack, { cwd: ROOT, env: childEnv() });
  tarball = join(folder, `${manifest.name}-${manifest.version}.tgz`);
  files = (await execute('tar', ['-tzf', tarball])).stdout.trim().split('\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package contains the program, its types, templates and model, the README and the licenses only', () => {
  const strangers = files.filter(
    (path) =>
      !/^package\/(bin\/|dist\/|docs\/|models\/|templates\/|README\.md$|LICENSE$|THIRD-PARTY-NOTICES$)/.test(path),
  );
  expect(strangers).toEqual(['package/package.json']);
  const needed = [
    ...Object.values(manifest.bin),
    'dist/cli/parts',
    'dist/view/view.js',
    'dist/view/view.css',
    'dist/NOTICES.txt',
    'bin/parts.js',
    'bin/launch.js',
    'bin/package.json',
    manifest.exports['.'].default.slice(2),
  ];
  expect(files).toEqual(expect.arrayContaining([...needed, manifest.exports['.'].types.slice(2)].map(inPackage)));
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'THIRD-PARTY-NOTICES', 'models/built-in.bin'].map(inPackage)),
  );
  expect(files.length).toBeLessThan(110);
});

test('the package is between 50 KB and 10 MB', () => {
  const { size } = statSync(tarball);
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThan(10_000_000);
});

const how = installs
  ? 'installed from the tarball'
  : 'unpacked, with better-sqlite3 linked from here (SLOW=1 installs it for real)';
test(`both programs and the library work when ${how}`, async () => {
  const modules = await (installs ? install() : unpack());
  const workspace = join(folder, 'notes');
  const run = async (bin: keyof typeof manifest.bin, ...args: string[]) => {
    const path = join(modules, manifest.name, manifest.bin[bin]);
    return (await execute(process.execPath, [path, ...args], { cwd: folder, env: childEnv() })).stdout;
  };
  await run('openclaw', 'memory', 'init', workspace);
  await run('openclaw-memory', '-w', workspace, 'retain', 'W @Peter: lives in Vienna');
  const question = ['-w', workspace, 'recall', 'where does Peter live?', '--json'];
  const answers = [await run('openclaw', 'memory', ...question), await run('openclaw-memory', ...question)];
  for (const answer of answers) expect(JSON.parse(answer).results[0].content).toBe('@Peter: lives in Vienna');

  writeFileSync(
    join(folder, 'library.mjs'),
    `import { openWorkspace } from '${manifest.name}';
     const workspace = await openWorkspace({ workspace: ${JSON.stringify(workspace)} });
     const { results } = await workspace.recall({ query: 'Peter' });
     process.stdout.write(results[0].content);`,
  );
  const library = await execute(process.execPath, ['library.mjs'], { cwd: folder, env: childEnv() });
  expect(library.stdout).toBe('@Peter: lives in Vienna');
});

test(`after a global install both programs are on PATH, ${how}`, async () => {
  const prefix = join(folder, 'prefix');
  await (installs ? installGlobally(prefix) : linkGlobally(prefix));
  const notes = join(folder, 'global-notes');
  const env = childEnv({ PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin` });
  const run = async (program: string, ...args: string[]) => (await execute(program, args, { cwd: folder, env })).stdout;
  await run('openclaw', 'memory', 'init', notes);
  await run('openclaw-memory', '-w', notes, 'retain', 'W @Peter: lives in Vienna');
  expect(await run('openclaw', 'memory', '-w', notes, 'recall', 'Peter')).toContain('lives in Vienna');
  const page = (await run('openclaw-memory', '-w', notes, 'view')).trim();
  expect(readFileSync(page, 'utf8')).toContain('lives in Vienna');
});

test('the package runs no script when it is installed', async () => {
  const packed = await execute('tar', ['-xzOf', tarball, inPackage('package.json')]);
  const { scripts }: typeof manifest = JSON.parse(packed.stdout);
  const events = Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name));
  expect(events).toEqual([]);
});

test('without the compiled part of SQLite one error names the remedy, and doctor shows it first', async () => {
  const home = join(folder, 'no-scripts');
  const own = join(home, 'node_modules', manifest.name);
  mkdirSync(own, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', own, '--strip-components', '1']);
  const sqlite = join(home, 'node_modules', 'better-sqlite3');
  const source = realpathSync(join(ROOT, 'node_modules', 'better-sqlite3'));
  for (const part of ['package.json', 'lib']) cpSync(join(source, part), join(sqlite, part), { recursive: true });
  const run = (...args: string[]) =>
    cli(args, { bin: join(own, manifest.bin.openclaw), cwd: home, env: { HOME: home, XDG_CACHE_HOME: home } });
  await run('init', 'notes');
  for (const command of [['recall', 'x'], ['retain', 'W @A: x'], ['status'], ['index'], ['entity', 'list']]) {
    const { code, stdout, stderr } = await run('-w', 'notes', ...command);
    expect({ code, stdout }, command.join(' ')).toEqual({ code: 1, stdout: '' });
    const [error, hint, ...more] = stderr.trimEnd().split('\n');
    expect(error).toMatch(/^error: better-sqlite3 was installed without its install script/);
    for (const line of [
      'npm rebuild better-sqlite3',
      'npm install -g --allow-scripts=better-sqlite3',
      'pnpm approve-builds',
      ...(process.versions.node.startsWith('20.') ? ['Python, make and a C++ compiler'] : []),
    ])
      expect(hint).toContain(line);
    expect(more).toEqual([]);
  }
  const doctor = await run('-w', 'notes', 'doctor', '--json');
  const report: { checks: { check: string; state: string; hint?: string }[] } = JSON.parse(doctor.stdout);
  const problems = report.checks.filter(({ state }) => state === 'problem');
  expect(doctor.code).toBe(4);
  expect(problems).toEqual([expect.objectContaining({ check: 'sqlite' })]);
  expect(problems[0]?.hint).toContain('npm rebuild better-sqlite3');

  const program = `import { openWorkspace } from '${manifest.name}';
    const workspace = await openWorkspace({ workspace: 'notes' });
    await workspace.recall({ query: 'x' }).catch(({ failure }) => process.stdout.write(failure.hint));`;
  writeFileSync(join(home, 'library.mjs'), program);
  const library = await execute(process.execPath, ['library.mjs'], { cwd: home, env: childEnv() });
  expect(library.stdout).toContain('npm rebuild better-sqlite3');
});

test.each([
  ['es2023 alone: no types of Node, none of a browser', ['es2023'], (): string => CONSUMER],
  ['the default libraries, where every example of a docstring checks', undefined, examples],
])('a strict consumer of its types needs no other types: checked with %s', async (name, lib, source) => {
  const consumer = join(folder, `typed-${name.length}`);
  const own = join(consumer, 'node_modules', manifest.name);
  mkdirSync(own, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', own, '--strip-components', '1']);
  const options = {
    target: 'es2023',
    lib,
    module: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.mts'] }));
  writeFileSync(join(consumer, 'main.mts'), source());
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const checked = await execute(process.execPath, [tsc, '-p', consumer], { env: childEnv() }).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(checked.stdout).toBe('');
});

test('every type that the library refers to can be imported, and the only class is the error', () => {
  const types = readFileSync(join(ROOT, 'dist/index.d.ts'), 'utf8');
  // A global of the platform, if one is used.
  expect(unexportedNames(types)).toEqual(['AbortSignal']);
});

/** Returns every example as a function, with the names that a reader takes as given. */
function examples(): string {
  const called = ['Sessions', 'Reflection', 'Extraction', 'Proposals', 'History', 'EmbeddingModels', 'ChatModels'];
  const given = called.map((type) => `declare const ${type.charAt(0).toLowerCase()}${type.slice(1)}: library.${type};`);
  const functions = publicNames().map(
    ({ example = '' }, index) => `export async function f${index}() {\n${example}\n}`,
  );
  const heads = [`import * as library from '${manifest.name}';`, 'const { openWorkspace, checkHealth } = library;'];
  const memory = 'declare const memory: library.Workspace;';
  return [...heads, 'declare const folder: string;', memory, ...given, ...functions].join('\n');
}

/** Uses the documented API, and marks what the compiler must reject. */
const CONSUMER = `import type { Clock, Day, EvidenceLink, Settings, UnitKind } from '${manifest.name}';
import { MemoryError, openWorkspace, type RecallAnswer, type RetainReport, type Workspace } from '${manifest.name}';

const memory: Workspace = await openWorkspace({ workspace: '/nowhere', env: { HOME: '/' } });
export const named: { clock: Clock; day: Day; link?: EvidenceLink; settings: Settings; kind: UnitKind } = {
  clock: memory.clock,
  day: '2026-03-15',
  settings: memory.settings,
  kind: 'world',
};
// A user's own double is a workspace: the type has no private members.
export const double: Workspace = { ...memory, logPath: (name: string) => name };
const retained: RetainReport = await memory.retain({ facts: ['W @Peter: lives in Vienna'] });
const answer: RecallAnswer = await memory.recall({ query: 'where does Peter live?', k: 1 });
const content: string | undefined = answer.results[0]?.content;
const sessions = await memory.sessions();
const { archived } = await sessions.commit('chat', { keepRecent: 1 });
try {
  await memory.forget({ id: 'f-1' });
} catch (error) {
  if (error instanceof MemoryError) throw [error.failure.type, error.failure.hint, retained, content, archived];
}
// @ts-expect-error a question is text
await memory.recall({ query: 1 });
// @ts-expect-error there is no such verb
await memory.remember('x');
`;

/** @returns the `node_modules` folder with the package and only its declared dependencies */
async function unpack(): Promise<string> {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  await execute('tar', ['-xzf', tarball, '-C', folder]);
  symlinkSync(join(folder, 'package'), join(modules, manifest.name));
  const own = join(folder, 'package', 'node_modules');
  mkdirSync(own);
  for (const name of Object.keys(manifest.dependencies)) {
    symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), join(own, name));
  }
  return modules;
}

/** Links the programs like a global npm installation. */
async function linkGlobally(prefix: string): Promise<void> {
  const own = join(prefix, 'lib', 'node_modules', manifest.name);
  mkdirSync(join(own, 'node_modules'), { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', own, '--strip-components', '1']);
  for (const name of Object.keys(manifest.dependencies))
    symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), join(own, 'node_modules', name));
  mkdirSync(join(prefix, 'bin'));
  for (const [name, path] of Object.entries(manifest.bin)) {
    chmodSync(join(own, path), 0o755);
    symlinkSync(join('..', 'lib', 'node_modules', manifest.name, path), join(prefix, 'bin', name));
  }
}

async function installGlobally(prefix: string): Promise<void> {
  const args = ['install', '--global', '--prefix', prefix, '--allow-scripts=better-sqlite3', tarball];
  await execute('npm', args, { cwd: folder, env: process.env });
}

async function install(): Promise<string> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: manifest.allowScripts }));
  await execute('npm', ['install', tarball], { cwd: folder, env: process.env });
  return join(folder, 'node_modules');
}

function inPackage(path: string): string {
  return `package/${path}`;
}
