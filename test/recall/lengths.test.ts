import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

/** A text of several thousand characters with every word of a question, each in another place. */
const EVERYTHING = Array.from(
  { length: 30 },
  (_, at) => `Step ${at} of a sound plan names its parts, from the sprint to the budget and back, and ends there.`,
).join(' ');

test('a long text with each word somewhere does not win', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md': [
      '# 2026-03-10\n',
      '- User: My first sprint ends on March 29 and I want to be done by then. Can you help me plan it?',
      `- Assistant: ${EVERYTHING} It ends first. ${EVERYTHING}`,
      '- User: Thanks, that is what I need.',
      `- Assistant: ${EVERYTHING}`,
      '',
    ].join('\n'),
  });
  const { results } = await workspace.recall('When does the first sprint end?');
  expect(results[0]?.content).toContain('March 29');
});

test.each([
  ['8:05 PM', '20:05 Rosa: the lamp is on'],
  ['8:05 AM', '08:05 Rosa: the lamp is off'],
])('%s matches as a time of day, and not inside other digits', async (clock, line) => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md':
      '# 2026-03-10\n\n- 08:05 Rosa: the lamp is off\n- 18:05 Rosa: the lamp is dim\n- 20:05 Rosa: the lamp is on\n',
  });
  const { results } = await workspace.recall(`At ${clock}, what did Rosa say of the lamp?`);
  expect(results[0]?.content).toContain(line);
});
