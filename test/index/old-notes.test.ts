import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const log = (day: string, ...facts: readonly string[]): string =>
  `# ${day}\n\n## Retain\n\n${facts.map((fact) => `- W @Max: ${fact}\n`).join('')}`;

test('the latest statement is found by its day, even after hundreds of older notes are added', async () => {
  const workspace = testWorkspace({
    'memory/2026-01-02.md': log('2026-01-02', 'lives in Linz'),
    'memory/2026-02-02.md': log('2026-02-02', 'moved to Salzburg, where he lives now'),
  });
  await workspace.run(['index']);
  const counted = Array.from({ length: 200 }, (_, i) => `counted crate ${i}`);
  workspace.write('memory/2020-01-01.md', log('2020-01-01', ...counted));
  const first = async (): Promise<string | undefined> =>
    (await workspace.recall('@Max in Linz', '--k', '1')).results[0]?.source;
  const shown = async (): Promise<string> => (await workspace.run(['entity', 'show', 'Max', '--all'])).stdout;
  expect(await first()).toBe('memory/2026-02-02.md#L5');
  const before = await shown();
  await workspace.run(['index', '--force']);
  expect(await first()).toBe('memory/2026-02-02.md#L5');
  expect(await shown()).toBe(before);
});
