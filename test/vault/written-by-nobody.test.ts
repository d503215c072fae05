import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const NOTE = '- W @Anna keeps bees on the roof\n- W @Anna: plays the harp\n';
const OTHER = '- W @Clara: plays the lute in the harp room\n\n- x\n';

test('no command writes to an extra folder, inside or outside of the workspace', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n',
    'notes/anna.md': NOTE,
    '../outside/anna.md': OTHER,
    'memory.config.json5': '{ extraFolders: ["notes", "../outside"] }',
  });
  await workspace.run(['doctor', '--allow-folders']);
  const { results } = await workspace.json<{ results: { id: string }[] }>(['recall', 'who plays the harp?']);
  expect(results.length).toBeGreaterThan(1);
  for (const { id } of results.slice(0, 2)) {
    const { erased, remaining } = await workspace.json<{ erased: []; remaining: { source: string }[] }>(['forget', id]);
    expect([erased, remaining.map(({ source }) => source)]).toEqual([[], [expect.stringMatching(/anna\.md#L[12]$/)]]);
  }
  expect(await workspace.json(['recall', 'harp'])).toMatchObject({ results: [] });
  await workspace.run(['lint', '--fix']);
  await workspace.run(['reflect']);
  expect(workspace.read('notes/anna.md')).toBe(NOTE);
  expect(workspace.read('../outside/anna.md')).toBe(OTHER);
});
