import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lazy } from '../../src/base/cache.js';
import type { Day } from '../../src/base/clock.js';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { cases } from '../support/cases.js';
import { git, identity } from '../support/git.js';
import { Random } from '../support/random.js';
import {
  bankOf,
  copiesOn,
  type Days,
  logOf,
  randomDays,
  reflectAt,
  STATED,
  statedConfidences,
} from '../support/reflecting.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const END = '2026-03-15T12:00:00Z';
const CONFLICT = /^(?:<{7} |\|{7} |={7}$|>{7} )/m;
const PETER = '---\nname: Peter\naliases: [Pete]\n---\n\n# Peter\n\nWhat I know of him myself.\n';

/** A workspace as `init --git` makes it, with what somebody wrote there, and a clone of it. */
async function twoClones(): Promise<readonly [TemporaryWorkspace, TemporaryWorkspace]> {
  const [one, other] = [testWorkspace(), testWorkspace()];
  expect((await one.run(['init', '--git'], { env: identity(one) })).code).toBe(0);
  await git(one.root, 'branch', '-M', 'main');
  one.write('bank/opinions.md', STATED);
  one.write('bank/entities/Peter.md', PETER);
  await commit(one, 'begin');
  other.remove('');
  await git(one.root, 'clone', '-q', one.root, other.root);
  return [one, other];
}

async function commit({ root }: TemporaryWorkspace, message: string): Promise<void> {
  await git(root, 'add', '-A');
  await git(root, 'commit', '-q', '--allow-empty', '-m', message);
}

/** Merges without resolving conflicts: commits the files as git leaves them. */
async function mergeFrom(here: TemporaryWorkspace, there: TemporaryWorkspace): Promise<readonly string[]> {
  await git(here.root, 'fetch', '-q', there.root, 'main');
  await git(here.root, 'merge', '--no-edit', 'FETCH_HEAD').catch(() => '');
  const conflicted = await git(here.root, 'diff', '--name-only', '--diff-filter=U');
  await commit(here, 'merged');
  return conflicted.split('\n').filter((path) => path !== '');
}

/** Appends to the logs of the days, and reflects after every `every` days. */
async function live(workspace: TemporaryWorkspace, days: Days, every: number): Promise<void> {
  for (const [index, [day, facts]] of [...days].entries()) {
    const path = join(workspace.root, `memory/${day}.md`);
    const log = textOf(path);
    workspace.write(`memory/${day}.md`, log === '' ? logOf(facts) : `${log}${facts.join('\n')}\n`);
    if ((index + 1) % every === 0) await reflectAt(workspace.root, END);
  }
  await reflectAt(workspace.root, END);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the workspace of one machine with all these facts. */
async function alone(...lives: readonly Days[]): Promise<TemporaryWorkspace> {
  const workspace = testWorkspace({ 'bank/opinions.md': STATED, 'bank/entities/Peter.md': PETER });
  const all = new Map<string, readonly string[]>();
  for (const days of lives) for (const [day, facts] of days) all.set(day, [...(all.get(day) ?? []), ...facts]);
  for (const [day, facts] of all) workspace.write(`memory/${day}.md`, logOf([...new Set(facts)]));
  await reflectAt(workspace.root, END);
  return workspace;
}

async function expectSettled(workspace: TemporaryWorkspace, lives: readonly Days[]): Promise<void> {
  const bank = bankOf(workspace.root);
  for (const [path, text] of bank) {
    expect(text, path).not.toMatch(CONFLICT);
    const blocks = findManagedBlocks(text);
    for (const { name, state } of blocks) expect(`${path} ${name} ${state}`).toBe(`${path} ${name} intact`);
    expect(new Set(blocks.map(({ name }) => name)).size, path).toBe(blocks.length);
  }
  const opinions = bank.get('bank/opinions.md') ?? '';
  expect(copiesOn(opinions)).toEqual([]);
  expect(opinions.startsWith('# Opinions\n\nMy own words.\n\n')).toBe(true);
  expect(bank.get('bank/entities/Peter.md')?.startsWith(PETER)).toBe(true);
  expect(bank.get('bank/evidence.jsonl')).not.toContain('"by":"human"');
  for (const days of lives)
    for (const [day, facts] of days)
      expect(workspace.read(`memory/${day}.md`).split('\n')).toEqual(expect.arrayContaining([...facts]));
  const confidences = await statedConfidences(workspace.root, END);
  const expected = await statedConfidences((await alone(...lives)).root, END);
  expect(confidences.size).toBe(5);
  for (const [id, confidence] of confidences) {
    expect(
      Math.abs(confidence - (expected.get(id) ?? Number.NaN)),
      `${id} ${confidence} ${expected.get(id)}`,
    ).toBeLessThan(1e-9);
  }
  expect((await workspace.run(['lint'])).stdout).toMatch(/, no problems\.$/m);
  // Processing everything again gives the same result.
  workspace.remove('.memory');
  await reflectAt(workspace.root, END);
  expect(bankOf(workspace.root)).toEqual(bank);
}

test.each([2, 12].slice(0, cases(2, 1)))(
  'two clones that append, reflect and merge automatically end like one machine with all facts (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const [one, other] = await twoClones();
    const lives = [
      randomDays(random, '2026-02-01', 5),
      // The same days, and some more.
      randomDays(random, '2026-02-03', 6),
      randomDays(random, '2026-02-08', 4),
      randomDays(random, '2026-02-09', 4),
    ] as const;
    const conflicts: string[] = [];
    await live(one, lives[0], random.between(1, 6));
    await live(other, lives[1], random.between(1, 6));
    await commit(one, 'one');
    await commit(other, 'other');
    conflicts.push(...(await mergeFrom(one, other)));
    await reflectAt(one.root, END);
    await expectSettled(one, lives.slice(0, 2));
    await commit(one, 'reflected');

    // The other clone has continued meanwhile.
    await live(other, lives[2], 2);
    await live(one, lives[3], 4);
    await commit(one, 'one again');
    await commit(other, 'other again');
    conflicts.push(...(await mergeFrom(other, one)));
    await reflectAt(other.root, END);
    await expectSettled(other, lives);
    expect(conflicts).toContain('bank/opinions.md');
    expect(conflicts).toContain('bank/entities/Peter.md');
  },
);

describe('any order of runs', () => {
  const END = '2026-03-15T12:00:00Z';

  interface Life {
    readonly confidences: ReadonlyMap<string, number>;
    readonly bank: ReadonlyMap<string, string>;
  }

  /** Writes the days in this order and reflects after every `every` days. */
  async function live(days: Days, order: readonly Day[], every: number): Promise<Life> {
    const workspace = testWorkspace({ 'bank/opinions.md': STATED });
    for (const [index, day] of order.entries()) {
      workspace.write(`memory/${day}.md`, logOf(days.get(day) ?? []));
      if ((index + 1) % every === 0) await reflectAt(workspace.root, END);
    }
    await reflectAt(workspace.root, END);
    return { confidences: await statedConfidences(workspace.root, END), bank: bankOf(workspace.root) };
  }

  function same(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): void {
    expect(a.size).toBe(5);
    for (const [id, confidence] of a) expect(Math.abs(confidence - (b.get(id) ?? Number.NaN)), id).toBeLessThan(1e-9);
  }

  function shuffled(days: readonly Day[], random: Random): readonly Day[] {
    return days
      .map((day) => [random.next(), day] as const)
      .sort(([a], [b]) => a - b)
      .map(([, day]) => day);
  }

  describe.each([1, 2].slice(0, cases(2, 1)))('the same three weeks (seed %i)', (seed) => {
    const random = new Random(seed);
    const days = randomDays(random, '2026-02-01', 21);
    const inOrder = [...days.keys()];
    const weekly = lazy(() => live(days, inOrder, 7));

    test('give the same confidences in daily, weekly and monthly runs and in any order of days', async () => {
      const { confidences, bank } = await live(days, inOrder, 30);
      // All beliefs have changed, so the comparison means something.
      for (const opinion of readOpinionsPage(bank.get('bank/opinions.md') ?? '').slice(0, 5))
        expect(opinion.confidence, opinion.id).not.toBe(opinion.prior?.confidence);
      for (const other of [() => live(days, inOrder, 1), weekly, () => live(days, shuffled(inOrder, random), 4)]) {
        same(confidences, (await other()).confidences);
      }
    });

    test('give the same bytes of the whole bank under the same clock', async () => {
      const [a, b] = [await weekly(), await live(days, inOrder, 7)];
      expect(a.bank).toEqual(b.bank);
      expect([...a.bank.keys()]).toContain('bank/entities/Peter.md');
    });
  });
});
