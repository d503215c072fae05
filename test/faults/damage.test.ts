import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { testWorkspace } from '../support/test-workspace.js';
import { damageable, damageRounds } from './damages.js';

/** This variable raises the count; `npm run torture` takes 200. */
const ROUNDS = Number(process.env.DAMAGE_ROUNDS ?? 14);

test(
  'damage to the index, its vectors or the lock leaves every command working from the files',
  async () => {
    const start = damageable();
    await start.json(['reflect']);
    await start.json(['index']);
    const { broken } = await damageRounds(start, ROUNDS, new Random(20_261_123));
    start.dispose();
    expect(broken).toEqual([]);
  },
  20_000 + ROUNDS * 5_000,
);

test('a row that was changed on the disk is never shown: the index is rebuilt from the files', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: likes heliotrope and zinnias\n' });
  await workspace.json(['index']);
  const path = workspace.path('.memory/index.sqlite');
  const bytes = readFileSync(path);
  // SQLite does not check here: the text of the row, and not the words that find it.
  for (let at = bytes.indexOf('and zinnias'); at >= 0; at = bytes.indexOf('and zinnias', at + 1))
    bytes.write('not', at);
  writeFileSync(path, bytes);
  const { results, warnings } = await workspace.recall('heliotrope');
  expect(results.map(({ content }) => content)).toEqual(['@Peter: likes heliotrope and zinnias']);
  expect(warnings).toEqual([expect.stringContaining('index was damaged')]);
});

test('a changed letter in any name or word of the index is found by --verify and repaired by --force', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '- W @Peter: likes zinnias\n',
    'bank/entities/Peter.md': '---\nname: Peter\naliases: [Petrus]\n---\n',
  });
  await workspace.json(['index']);
  const path = workspace.path('.memory/index.sqlite');
  const whole = readFileSync(path);
  const places = ['eter', 'etrus', 'innia'].flatMap((word) => placesOf(whole, word));
  expect(places.length).toBeGreaterThan(8);
  for (const at of places) {
    writeFileSync(path, Buffer.from(whole).fill('x', at, at + 1));
    const verify = await workspace.run(['index', '--verify']);
    const isHealed = verify.stderr.includes('index was damaged');
    const isFound = verify.code === 4 && verify.stdout.includes('openclaw memory index --force');
    expect({ at, isKnown: isHealed || isFound }).toEqual({ at, isKnown: true });
    await workspace.json(['index', '--force']);
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
  }
});

function placesOf(bytes: Buffer, word: string): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) places.push(at);
  return places;
}

test('index --force copies nothing from a damaged index, and keeps it when interrupted', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: likes heliotrope\n' });
  await workspace.json(['index']);
  const path = workspace.path('.memory/index.sqlite');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, 4_096));
  expect((await workspace.run(['index', '--force'])).code).toBe(0);
  expect((await workspace.run(['index', '--verify'])).code).toBe(0);
});

test.runIf(process.platform === 'linux').each([
  ['a folder with content', (path: string) => mkdirSync(join(path, 'inner'), { recursive: true })],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a device', (path: string) => symlinkSync('/dev/full', path)],
])('%s in place of the index is set aside, and in place of the lock it is named', async (_, put) => {
  const workspace = testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: likes heliotrope\n' });
  for (let round = 0; round < 2; round++) {
    rmSync(workspace.path('.memory/index.sqlite'), { force: true });
    put(workspace.path('.memory/index.sqlite'));
    const { results } = await workspace.recall('heliotrope');
    expect(results.map(({ content }) => content)).toEqual(['@Peter: likes heliotrope']);
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
  }
  expect((await workspace.run(['doctor', '--fix'])).stdout).toContain('leftovers');
  expect(readdirSync(workspace.path('.memory')).filter((name) => name.includes('unusable'))).toEqual([]);
  rmSync(workspace.path('.memory/lock.sqlite'));
  put(workspace.path('.memory/lock.sqlite'));
  const refused = await workspace.run(['retain', 'W @Anna: likes mauve']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^error: \S+lock\.sqlite is not a regular file\nhint: remove it; it is made again automatically\n$/,
  );
});

test('a lock file that is not a database is created anew, and only one of several processes writes at a time', async () => {
  const workspace = testWorkspace();
  await workspace.json(['retain', 'W @Peter: likes heliotrope']);
  for (let round = 0; round < 3; round++) {
    workspace.write('.memory/lock.sqlite', 'no database at all '.repeat(500));
    const facts = [0, 1, 2, 3].map((i) => `W @Peter: counted ${round}${i} lanterns`);
    const runs = await Promise.all(facts.map((fact) => workspace.start(['retain', fact])));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(facts.map(() => ({ code: 0, stderr: '' })));
    const log = workspace.read('memory/2026-03-15.md').split('\n');
    for (const fact of facts) expect(log.filter((line) => line === `- ${fact}`)).toHaveLength(1);
  }
});
