import { expect, test } from 'vitest';
import { pagesYear } from '../bench/half-year-pages.js';
import { TUNED } from '../bench/half-year-wordings.js';
import { livePages } from '../support/half-year-pages-run.js';

test('on twenty days of half a year, most of what stands under Now is true, and what is true stands there', async () => {
  const { shown, wrong, due, missing, lost, contradictions } = await livePages(pagesYear(2, TUNED));
  expect(shown).toBeGreaterThan(800);
  // What has changed in words that do not name the old value stands until somebody judges it.
  expect(wrong.length / shown, wrong.join('\n')).toBeLessThanOrEqual(0.22);
  expect(missing.length / due, missing.join('\n')).toBeLessThanOrEqual(0.1);
  expect([lost, contradictions]).toEqual([[], []]);
});
