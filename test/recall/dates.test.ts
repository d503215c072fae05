import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2025-11-27.md': '# Thursday\n\nPeter left for Marrakech.\n\n## Retain\n- B @warelay: I fixed the crash.\n',
  'memory/2025-12-20.md': '# Saturday\n\nThe crash of 2025-11-27 has not come back.\n',
};

test('a date alone finds lines of that day first, then lines that mention it', async () => {
  const { results } = await testWorkspace(FILES).recall('2025-11-27');
  expect(results.slice(0, 3).map(({ content }) => content)).toEqual([
    '@warelay: I fixed the crash.',
    'Peter left for Marrakech.',
    'The crash of 2025-11-27 has not come back.',
  ]);
});

test('"around" finds three days on either side and lines that name one of them, and nothing else', async () => {
  const answer = await testWorkspace(FILES).recall('what happened around Nov 29?');
  expect(answer.window).toEqual({ since: '2025-11-26', until: '2025-12-02' });
  const paths = answer.results.map(({ path }) => path);
  expect(paths[0]).toBe('memory/2025-11-27.md');
  expect(new Set(paths)).toEqual(new Set(['memory/2025-11-27.md', 'memory/2025-12-20.md']));
});
