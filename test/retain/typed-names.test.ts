import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

test.each([
  ['W @Anna Schmidt: is our tax adviser', '@Anna-Schmidt'],
  ['O(c=0.8) @Анна Петровна Шмидт: любит чай', '@Анна-Петровна-Шмидт'],
])(
  '%s stands in the log as it was typed, with the hint how a name of several words is written',
  async (typed, hint) => {
    const workspace = testWorkspace();
    const { code, stdout, stderr } = await workspace.run([
      'retain',
      typed,
      '--now',
      '2026-03-01T12:00:00Z',
      '--tz',
      'UTC',
    ]);
    expect(code).toBe(0);
    expect(workspace.read('memory/2026-03-01.md')).toContain(`- ${typed}\n`);
    expect(stdout).toContain(typed.slice(typed.indexOf('@')));
    expect(stderr).toContain(hint);
  },
);

test('a name of one word gets its colon as ever', async () => {
  const workspace = testWorkspace();
  await workspace.run(['retain', 'W @Anna keeps bees', '--now', '2026-03-01T12:00:00Z', '--tz', 'UTC']);
  expect(workspace.read('memory/2026-03-01.md')).toContain('- W @Anna: keeps bees\n');
});
