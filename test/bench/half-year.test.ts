import { expect, test } from 'vitest';
import { halfYear, liveThrough } from './half-year.js';
import { livePages, pagesYear } from './half-year-pages.js';
import { WORDS } from './half-year-words.js';

const year = halfYear(1);

// Rules see only denials in a belief's own words; whether another value replaced it is for a judge to say.
test('after half a year by rules most true beliefs rank above false ones; the table is in BENCHMARKS.md', async () => {
  const run = await liveThrough(year, { every: 14 });
  expect(run.pairs).toBeGreaterThan(400);
  expect(run.right / run.pairs, run.wrong.join('\n')).toBeGreaterThanOrEqual(0.72);
});

test('on twenty days of half a year most lines under Now are true, and most true statements are listed there', async () => {
  const { shown, wrong, due, missing, lost, contradictions } = await livePages(
    pagesYear(2, WORDS.wordings.tuned ?? []),
  );
  expect(shown).toBeGreaterThan(800);
  // A change in words that do not name the old value needs a judge; until then both are listed. A sentence is shown whole,
  // so with a clause that is true it also shows one that is not, and below a newer one it takes its other clauses along.
  expect(wrong.length / shown, wrong.join('\n')).toBeLessThanOrEqual(0.2);
  expect(missing.length / due, missing.join('\n')).toBeLessThanOrEqual(0.15);
  expect([lost, contradictions]).toEqual([[], []]);
});
