import { describe, expect, test } from 'vitest';
import { lazy } from '../../src/base/cache.js';
import type { Day } from '../../src/base/clock.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { cases } from '../support/cases.js';
import { Random } from '../support/random.js';
import { bankOf, type Days, logOf, randomDays, reflectAt, STATED, statedConfidences } from '../support/reflecting.js';
import { testWorkspace } from '../support/test-workspace.js';

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
