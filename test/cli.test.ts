import { expect, test } from 'vitest';
import { cli } from './support/cli.js';

test('an unknown command is wrong usage and names the nearest one', async () => {
  const result = await cli(['ini']);
  expect(result.code).toBe(2);
  expect(result.stdout).toBe('');
  expect(result.stderr).toContain('did you mean init?');
});
