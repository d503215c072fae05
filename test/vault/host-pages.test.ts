import { expect, test } from 'vitest';
import type { BuiltContext } from '../../src/context/build.js';
import { testWorkspace } from '../support/test-workspace.js';

const TOOLS =
  '# Tools\n\n- The printer in the cellar wants the tray of blue paper.\n- W @Nas: runs on the quokka port\n';
const RULES = '- Reply to the landlord in German.\n';

test('pages that the host gives to its agent are found, but are no facts, no context, and never written', async () => {
  const workspace = testWorkspace({
    'TOOLS.md': TOOLS,
    'config/MEMORY.md': RULES,
    'config/other.md': 'quokka two\n',
    'AGENTS.md': 'quokka three\n',
    'HEARTBEAT.md': 'quokka four\n',
    'memory/2026-01-10.md': '- The printer in the cellar is out of order, the landlord knows.\n',
  });
  const { results } = await workspace.recall('quokka');
  expect(results.map(({ source, kind }) => [source, kind])).toEqual([['TOOLS.md#L4', 'page']]);
  expect((await workspace.recall('landlord German')).results[0]).toMatchObject({ path: 'config/MEMORY.md' });

  const message = 'Tell the landlord in German that the printer in the cellar has no blue paper';
  const { block } = await workspace.json<BuiltContext>(['context', 'build', '--message', message]);
  expect(block).toContain('out of order');
  expect(block).not.toMatch(/tray|Reply to/);

  await workspace.run(['forget', results[0]?.id ?? '']);
  await workspace.run(['retain', 'W @Nas: runs', '--file', 'TOOLS.md']);
  await workspace.run(['lint', '--fix']);
  expect([workspace.read('TOOLS.md'), workspace.read('config/MEMORY.md')]).toEqual([TOOLS, RULES]);
});
