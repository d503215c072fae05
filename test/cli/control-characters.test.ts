import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const HOSTILE = 'zinnias\u001b[2J\u001b]0;owned\u0007\u009b31m\rred\u202eder';
/** Characters that move the cursor, colour the screen or reverse text. */
const UNSAFE = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const ESCAPED = 'zinnias\\u001b[2J';

async function hostileWorkspace(): Promise<TemporaryWorkspace> {
  const line = HOSTILE.replace('\r', '');
  const workspace = testWorkspace({
    'MEMORY.md': `# Memory\n\n- likes ${line}\n`,
    'memory/2026-03-01.md': `- W @Peter: likes ${line}\n- O(c=0.8) @Peter: prefers ${line} over tulips\n`,
    'memory/2026-03-02.md': `- O(c=0.8) @Peter: prefers ${line} over roses\n`,
    'memory/topics/a\u001b[31mb.md': '- W @Peter: likes heather\n',
  });
  const input = JSON.stringify([{ role: 'user', content: `remember ${HOSTILE}` }]);
  await workspace.json(['session', 'add', 'chat', '--stdin'], { input });
  return workspace;
}

test('text output escapes control characters of a memory', async () => {
  const workspace = await hostileWorkspace();
  const shown = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await workspace.run(args);
    expect({ args, unsafe: UNSAFE.exec(stdout + stderr)?.[0] }).toEqual({ args, unsafe: undefined });
    return stdout;
  };
  expect(await shown('recall', 'who likes zinnias?')).toContain(ESCAPED);
  expect(await shown('get', 'memory/2026-03-01.md#L1')).toContain(ESCAPED);
  expect(await shown('core', 'show')).toContain(ESCAPED);
  expect(await shown('entity', 'show', 'Peter')).toContain(ESCAPED);
  expect(await shown('reflect', '--dry-run')).toContain(ESCAPED);
  await workspace.json(['reflect']);
  expect(await shown('opinion', 'list')).toContain(ESCAPED);
  expect(await shown('opinion', 'show', 'zinnias')).toContain(ESCAPED);
  expect(await shown('opinion', 'why', 'zinnias')).toContain(ESCAPED);
  expect(await shown('session', 'show', 'chat')).toContain(ESCAPED);
  expect(await shown('session', 'search', 'chat', 'zinnias')).toContain('zinnias\\u001b');
  expect(await shown('session', 'context', 'chat')).toContain(ESCAPED);
  expect(await shown('recall', 'heather')).toContain('a\\u001b[31mb.md');
  for (const args of [['lint'], ['status'], ['doctor'], ['retain', `W @P: ${HOSTILE}`], ['get', `${HOSTILE}.md`]])
    await shown(...args);
});

test('JSON has the same text without control characters', async () => {
  const workspace = await hostileWorkspace();
  const { stdout } = await workspace.run(['get', 'memory/2026-03-01.md#L1', '--json']);
  expect(UNSAFE.exec(stdout)).toBeNull();
  expect(JSON.parse(stdout).item.content).toContain(HOSTILE.replace('\r', ''));
});

test('a prompt read through a pipe has the exact text', async () => {
  const workspace = testWorkspace({ 'wm.md': `# Session Title\n\nThe ${HOSTILE}\n` });
  const input = JSON.stringify([{ role: 'user', content: 'remember the tulips' }]);
  const { stdout } = await workspace.run(['wm', 'prompt', '--old', workspace.path('wm.md'), '--messages', '-'], {
    input,
  });
  expect(stdout).toContain('\u001b[2J');
});
