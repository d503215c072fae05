import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

test('an answer is found by the question before it, even at the very start of a log', async () => {
  const workspace = testWorkspace({
    'memory/2025-10-04.md':
      '- Ben: What is the code of the garage door?\n- Anna: Four seven one one, as ever.\n- Ben: Thanks.\n',
  });
  const { results } = await workspace.recall('the code of the garage door');
  const answer = results.find(({ startLine }) => startLine === 2);
  expect(answer?.score).toBeGreaterThan(results.find(({ startLine }) => startLine === 3)?.score ?? 1);
});

test('neighbours of a hit come from its own page', async () => {
  const { results } = await testWorkspace({
    'memory/2025-10-03.md': '# 2025-10-03\n\n- The bakery closed.\n- The old mill was sold.\n',
    'memory/2025-10-04.md': 'The sculptor broke a celadon kiln.\nHe was sorry.\n',
  }).recall('who broke a celadon kiln last time?');
  expect(results.map(({ path }) => path)).not.toContain('memory/2025-10-03.md');
});
