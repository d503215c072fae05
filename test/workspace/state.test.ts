import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.js';
import { readEntries, readEntry, removeTexts, storeEntries } from '../../src/workspace/state.js';
import { cases } from '../support/cases.js';
import { canFail, FailingDisk } from '../support/failing-disk/failing-disk.js';
import { git, identity } from '../support/git.js';
import { Random } from '../support/random.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

/**
 * A workspace as the version before the store left it: two runs of reflect, three of extract (the second undone, the third
 * killed while it wrote its pages), a forgotten fact, an imported session, a printed prompt, and a commit that git refused.
 */
const OLD: FileContents = JSON.parse(readFileSync(new URL('old-workspace.json', import.meta.url), 'utf8'));
const OLD_PLACES = ['pending-changes.json', 'uncommitted.json', 'reflect', 'extract', 'runs', 'forgotten', 'imports'];
const TALK = ['I like oolong tea', 'Noted.', 'And I row on Sundays'];

const state = (workspace: TemporaryWorkspace): string => workspace.path('.memory');

/** Every file of the workspace that contains a text, with those of SQLite. */
function filesWith({ root }: TemporaryWorkspace, text: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

describe('what an earlier version left', () => {
  test('is taken over by the first writer, after the killed run is finished', async () => {
    const workspace = testWorkspace(OLD);
    await workspace.json(['retain', 'W @Anna: sails']);
    expect(workspace.read('bank/tools/saw.md')).toContain('Calls: 1');
    expect(workspace.read('bank/preferences/.overview.md')).toContain('wooden boats');
    expect(readdirSync(state(workspace)).filter((name) => OLD_PLACES.includes(name))).toEqual([]);
    expect([...readEntries(state(workspace), 'reflect').keys()]).toEqual(['r-20260312T120000Z', 'r-20260313T120000Z']);
    expect(readEntry(state(workspace), 'reflect pages', 'bank/entities/Anna.md')).toMatchObject({ slug: 'anna' });
    expect(readEntry(state(workspace), 'inferred day', 'memory/2026-03-11.md')).toMatch(/ rules$/);
    // Earlier versions stored the conversation with a prompt.
    expect(JSON.stringify([...readEntries(state(workspace), 'extract prompt')])).not.toContain('oolong');
  });

  test('lets an agent answer a prompt that was printed before', async () => {
    const workspace = testWorkspace(OLD);
    const answer = {
      id: 'x-734da1be85ac1',
      preferences: [{ page_id: 2, topic: 'tea', content: '- Likes green and oolong tea', sources: ['m1'] }],
    };
    const file = join(workspace.base, 'answer.json');
    writeFileSync(file, JSON.stringify(answer));
    const report = await workspace.json<{ pages: readonly object[] }>(['extract', 'apply', '--answer', file]);
    expect(report.pages).toEqual([{ path: 'bank/preferences/tea.md', operation: 'update' }]);
    expect(workspace.read('bank/preferences/tea.md')).toContain(
      'sessions/talk/messages.jsonl#m-0mmp0wo00-2a14f355af06243f',
    );
    // All parts of the session are answered, so nothing of it is left to extract.
    expect((await workspace.run(['extract', 'prompt', '--session', 'talk'])).stdout).toBe('');
  });

  test('lets each run be undone', async () => {
    const workspace = testWorkspace(OLD);
    const undo = (verb: string) => workspace.json<{ run: string }>([verb, '--undo']);
    expect((await undo('extract')).run).toBe('x-20260313T160000Z');
    expect(existsSync(workspace.path('bank/preferences/boats.md'))).toBe(false);
    expect((await undo('extract')).run).toBe('x-20260313T130000Z');
    expect(existsSync(workspace.path('bank/profile.md'))).toBe(false);
    expect((await undo('reflect')).run).toBe('r-20260313T120000Z');
    expect(workspace.read('bank/entities/Anna.md')).not.toContain('boats');
    expect((await undo('reflect')).run).toBe('r-20260312T120000Z');
    expect(existsSync(workspace.path('bank/entities/Anna.md'))).toBe(false);
  });

  test('lets a forgotten fact be restored', async () => {
    const workspace = testWorkspace(OLD);
    await workspace.json(['forget', '--undo', 'f-9tfw2s']);
    expect(workspace.read('memory/2026-03-10.md')).toContain('- W @Anna: moved to Linz with heliotrope pots');
    expect((await workspace.json<{ results: readonly object[] }>(['recall', 'heliotrope'])).results).toHaveLength(1);
  });

  test('says which part of a transcript is imported, and which run was the last', async () => {
    const workspace = testWorkspace(OLD);
    const [one, two, three] = TALK.map((content, i) =>
      JSON.stringify({
        type: i === 1 ? 'assistant' : 'user',
        uuid: ['u1', 'a1', 'u2'][i],
        ...(i === 0 ? {} : { parentUuid: ['u1', 'a1'][i - 1] }),
        sessionId: 'talk',
        timestamp: `2026-03-13T10:0${i}:00Z`,
        message: { role: i === 1 ? 'assistant' : 'user', content },
      }),
    );
    const transcript = join(workspace.base, 'talk.jsonl');
    writeFileSync(transcript, [one, two, three, ''].join('\n'));
    const report = await workspace.json(['session', 'import', transcript, '--session', 'talk']);
    expect(report).toMatchObject({ added: 0, known: 3 });
    const schedule = await workspace.json<{ last: object }>(['schedule', '--check', '--now', '2026-03-13T20:00:00Z']);
    expect(schedule.last).toMatchObject({ run: 'r-20260313T120000Z' });
    const { runs } = await workspace.json<{ runs: readonly object[] }>(['history', 'bank/profile.md']);
    expect(runs).toMatchObject([{ run: 'x-20260313T130000Z', operation: 'add' }]);
  });

  test('is committed if git had refused it', async () => {
    const workspace = testWorkspace(OLD);
    await git(workspace.root, 'init', '--quiet');
    await workspace.json(['retain', 'W @Anna: sails', '--commit'], { env: identity(workspace) });
    expect(await git(workspace.root, 'ls-files')).toContain('memory/2026-03-13.md');
  });

  test.runIf(canFail())('is whole after a kill at any step, and after a kill of the run that follows', async () => {
    const clean = testWorkspace(OLD);
    await clean.json(['reflect', '--undo']);
    const disk = new FailingDisk();
    let kills = 0;
    try {
      for (let at = 1; ; at += cases(1, 6)) {
        const hurt = testWorkspace(OLD);
        const env = disk.env(hurt.root, { at, error: 'KILLED', lasting: false });
        const { signal } = await hurt.start(['reflect', '--undo'], { env });
        if (signal === null) break;
        kills++;
        await hurt.run(['reflect', '--undo', 'r-20260313T120000Z']);
        expect(hurt.pages().filter(({ path }) => path.startsWith('bank'))).toEqual(
          clean.pages().filter(({ path }) => path.startsWith('bank')),
        );
        expect(OLD_PLACES.filter((name) => existsSync(join(state(hurt), name)))).toEqual([]);
        expect([...readEntries(state(hurt), 'extract').keys()]).toHaveLength(3);
      }
    } finally {
      disk.dispose();
    }
    expect(kills).toBeGreaterThan(5);
  });
});

describe('a forgotten text', () => {
  const SECRET = 'hyacinth-4711 opens the vault';

  test('is in no file of the workspace, whatever stored it', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-14.md': `- W @Vera: ${SECRET}\n- W @Vera: keeps bees\n` });
    await workspace.json(['reflect']);
    const answer = join(workspace.base, 'answer.json');
    writeFileSync(answer, JSON.stringify({ profile: [{ content: `- Vera: ${SECRET}` }] }));
    await workspace.json(['extract', 'apply', '--answer', answer]);
    await workspace.json(['extract', '--undo']);
    await workspace.json(['view']);
    // With a copy for --undo first, then restored and forgotten without a copy.
    const forgetIt = (...args: readonly string[]) =>
      workspace.json<{ id: string }>(['forget', '--query', SECRET, ...args]);
    const { id } = await forgetIt();
    expect(filesWith(workspace, SECRET)).toContain(workspace.path('.memory/state.sqlite'));
    await workspace.json(['forget', '--undo', id]);
    await workspace.json(['reflect']);
    await forgetIt('--no-copy');
    await workspace.json(['reflect']);
    expect(filesWith(workspace, SECRET)).toEqual([]);
    expect((await workspace.run(['forget', '--undo', id])).code).toBe(1);
  });

  test('leaves no byte in the store, however its rows were moved', () => {
    const folder = state(testWorkspace());
    const random = new Random(7);
    const below = (most: number) => Math.floor(random.next() * most);
    for (let round = 0; round < cases(60, 12); round++) {
      const words = (most: number) => Array.from({ length: 1 + below(most) }, () => 'w'.repeat(1 + below(40)));
      const entries = Array.from({ length: 40 }, (_, i) => ({
        kind: 'note',
        name: `${below(200)}`,
        value: i % 5 === 0 ? [...words(200), SECRET.toUpperCase()] : words(60),
      }));
      storeEntries(folder, entries);
      removeTexts(folder, [`${SECRET.replace(' ', '\n  ')}`]);
      expect(readFileSync(join(folder, 'state.sqlite')).includes(SECRET.toUpperCase())).toBe(false);
      expect(readdirSync(folder).filter((name) => name.startsWith('state.sqlite'))).toEqual(['state.sqlite']);
    }
    expect(readEntries(folder, 'note').size).toBeGreaterThan(20);
  });
});

describe('the store', () => {
  const FACTS = { 'memory/2026-03-14.md': '- W @Peter: lives in Graz\n- W @Peter: keeps bees\n' };

  test('is not opened by recall', async () => {
    const workspace = testWorkspace(FACTS);
    await workspace.json(['index']);
    workspace.write('memory/2026-03-13.md', '- W @Peter: sold his bees\n');
    // Whatever opens this sets it aside.
    mkdirSync(workspace.path('.memory/state.sqlite'));
    expect((await workspace.json<{ results: readonly object[] }>(['recall', 'bees'])).results).toHaveLength(2);
    expect(readdirSync(state(workspace))).toContain('state.sqlite');
    await workspace.json(['reflect']);
    expect(readdirSync(state(workspace))).toContain('state.sqlite.unusable');
  });

  test('is set aside when it is damaged: pages stay, and --undo says where the runs were', async () => {
    const workspace = testWorkspace(FACTS);
    await workspace.json(['reflect']);
    const pages = workspace.pages();
    workspace.write('.memory/state.sqlite', 'no database'.repeat(1_000));
    await workspace.json(['retain', 'W @Peter: rows', '--file', 'memory/topics/rowing.md']);
    const { code, stderr } = await workspace.run(['reflect', '--undo']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('state.sqlite.unusable')]);
    expect(workspace.pages()).toEqual(expect.arrayContaining([...pages]));
    await workspace.json(['reflect']);
    expect((await workspace.json<{ run: string }>(['reflect', '--undo'])).run).toMatch(/^r-/);
  });

  test('of a later version stays as it is; facts are still saved', async () => {
    const workspace = testWorkspace(FACTS);
    await workspace.json(['reflect']);
    const path = workspace.path('.memory/state.sqlite');
    const db = openDatabase(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    const before = readFileSync(path);
    await workspace.json(['retain', 'W @Peter: rows']);
    const { code, stderr } = await workspace.run(['reflect']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('made by another version')]);
    expect(readFileSync(path)).toEqual(before);
  });

  test('is in the folder of the index and the lock', async () => {
    const workspace = testWorkspace(FACTS);
    await workspace.json(['reflect']);
    const names = readdirSync(state(workspace));
    expect(names).toEqual(expect.arrayContaining(['index.sqlite', 'lock.sqlite', 'state.sqlite']));
  });
});
