import { describe, expect, test } from 'vitest';
import { replaces } from '../../src/memory/replaces.js';
import { KEPT, REPLACED } from './replaced-pairs.js';

describe('replaced', () => {
  test.each(REPLACED)('%s ← %s', (earlier, later) => expect(replaces(earlier, later)).toBe(true));
});

describe('kept', () => {
  test.each(KEPT)('%s | %s', (earlier, later) => expect(replaces(earlier, later)).toBe(false));
});
