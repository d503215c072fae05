import { expect, test } from 'vitest';
import { pagesYear } from '../bench/half-year-pages.js';
import { TUNED } from '../bench/half-year-wordings.js';
import { livePages } from '../support/half-year-pages-run.js';

test('on twenty days of half a year most lines under Now are true, and most true statements are listed there', async () => {
  const { shown, wrong, due, missing, lost, contradictions } = await livePages(pagesYear(2, TUNED));
  expect(shown).toBeGreaterThan(800);
  // A change in words that do not name the old value needs a judge; until then both are listed.
  expect(wrong.length / shown, wrong.join('\n')).toBeLessThanOrEqual(0.22);
  expect(missing.length / due, missing.join('\n')).toBeLessThanOrEqual(0.1);
  expect([lost, contradictions]).toEqual([[], []]);
});
