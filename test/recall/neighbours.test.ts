import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

test('an answer is found by the question before it, even in the first lines of all', async () => {
  const workspace = testWorkspace({
    'memory/2025-10-04.md':
      '- Ben: What is the code of the garage door?\n- Anna: Four seven one one, as ever.\n- Ben: Thanks.\n',
  });
  const { results } = await workspace.json<RecallAnswer>(['recall', 'the code of the garage door']);
  const answer = results.find(({ startLine }) => startLine === 2);
  expect(answer?.score).toBeGreaterThan(results.find(({ startLine }) => startLine === 3)?.score ?? 1);
});
