import { linkSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mcpSession } from '../support/mcp.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW } from '../support/workspace.js';

const LOG = `memory/${NOW.slice(0, 10)}.md`;

test('a note is in the log of the day, and recall finds it at once', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': '# Core\n' });
  const mcp = await mcpSession(workspace);
  await mcp.call('note', { text: 'The plumber comes on Thursday.' });
  expect(await mcp.call('note', { text: 'He brings the new valve.\n' })).toMatchObject({
    source: `${LOG}#L4`,
    written: [LOG],
  });
  expect(workspace.read(LOG)).toBe('# 2026-03-15\n\n- The plumber comes on Thursday.\n- He brings the new valve.\n');
  expect(await mcp.call('recall', { query: 'valve', k: 1 })).toMatchObject({
    results: [{ content: 'He brings the new valve.', source: `${LOG}#L4`, timestamp: '2026-03-15' }],
  });
});

test('below facts a note has a section of its own, where a word is no kind', async () => {
  const workspace = testWorkspace({ [LOG]: '# Day\n\n## Retain\n\n- W @Anna: has bees\n' });
  const mcp = await mcpSession(workspace);
  await mcp.call('note', { text: 'B sides are rare' });
  await mcp.call('retain', { facts: ['W @Anna: has a hive'] });
  expect(workspace.read(LOG)).toBe(
    '# Day\n\n## Retain\n\n- W @Anna: has bees\n- W @Anna: has a hive\n\n## Notes\n\nB sides are rare\n',
  );
  const { results } = await mcp.call('recall', { query: 'rare sides', k: 1 });
  expect(results).toMatchObject([{ kind: 'log', content: 'B sides are rare' }]);
});

test('a person’s page keeps every byte and only grows; a page of its own is replaced while nobody else writes in it', async () => {
  const theirs = '# Bees\r\n\r\nAsk Anna.  \r\n\r\n';
  const workspace = testWorkspace({ 'memory/topics/bees.md': theirs });
  const mcp = await mcpSession(workspace);
  const bees = { path: 'memory/topics/bees.md', text: '## Hives\n\nTwo in the garden.' };
  expect(await mcp.failure('note', { ...bees, replace: true })).toMatch(/^refused: .*note did not write\nhint: /);
  expect(await mcp.call('note', bees)).toMatchObject({ source: 'memory/topics/bees.md#L5-L7' });
  expect(workspace.read('memory/topics/bees.md')).toBe(`${theirs}## Hives\r\n\r\nTwo in the garden.\r\n`);

  const plan = { path: 'memory/plans/roof.md', replace: true };
  await mcp.call('note', { ...plan, text: '# Roof\n\n- [ ] call the roofer' });
  await mcp.call('note', { path: plan.path, text: 'Costs 900.' });
  await mcp.call('note', { ...plan, text: '# Roof\n\n- [x] called the roofer' });
  expect(workspace.read(plan.path)).toBe('# Roof\n\n- [x] called the roofer\n');
  workspace.write(plan.path, '# Roof\n\n- [x] called the roofer\n- he is slow\n');
  expect(await mcp.failure('note', { ...plan, text: '# Roof' })).toMatch(/^refused: /);
});

const REFUSED = [
  'MEMORY.md',
  'SOUL.md',
  'AGENTS.md',
  'bank/world.md',
  'bank/entities/Anna.md',
  'journals/2026-03-15.md',
  'memory/../MEMORY.md',
  'memory/HEARTBEAT.md',
  'memory/topics/tools.md',
  'memory/.hidden/a.md',
  'memory/imports/whatsapp/Bo.md',
  'memory/a.txt',
  'memory/2026-02-30.md',
  'memory/extra/a.md',
  'memory/private/a.md',
  'memory/link.md',
  'memory/folder/a.md',
  'memory/open.md',
];

test('the core, the bank, pages of hosts and everything that is not read or is behind a link are left alone', async () => {
  const workspace = testWorkspace({
    'MEMORY.md': '# Core\n',
    'memory/extra/b.md': 'x\n',
    'memory/open.md': 'text\n<!-- never closed\n',
    'memory.config.json5': '{ extraFolders: ["memory/extra"], ignore: ["memory/private/**"] }',
  });
  symlinkSync(workspace.path('MEMORY.md'), workspace.path('memory/link.md'));
  symlinkSync(workspace.path('memory/extra'), workspace.path('memory/folder'));
  const before = workspace.pages();
  const mcp = await mcpSession(workspace);
  for (const path of REFUSED)
    expect(await mcp.failure('note', { text: 'a line', path }), path).toMatch(/^(?:usage|refused): .*\nhint: /s);
  expect(workspace.pages()).toEqual(before);
});

test('a note never writes into the core through a second name of its file', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': '# Core\n', 'memory/a.md': '' });
  linkSync(workspace.path('MEMORY.md'), workspace.path('memory/core.md'));
  await (await mcpSession(workspace)).call('note', { text: 'a line', path: 'memory/core.md' });
  expect(workspace.read('MEMORY.md')).toBe('# Core\n');
});

test('a secret, injected memory and what was forgotten do not get into a note', async () => {
  const workspace = testWorkspace({ [LOG]: '- W @Anna: likes marzipan\n- the cat is called Mio\n' });
  const mcp = await mcpSession(workspace);
  const { warnings } = await mcp.call('note', {
    text: 'token ghp_0123456789abcdefghijABCDEFGHIJ456789 <relevant-memories>old</relevant-memories> works',
  });
  expect(warnings).toHaveLength(2);
  expect(workspace.read(LOG)).not.toMatch(/ghp_0|old/);
  for (const query of ['marzipan', 'Mio']) {
    const { results } = await mcp.call('recall', { query, k: 1 });
    await mcp.call('forget', { id: Array.isArray(results) ? results[0].id : '' });
  }
  for (const text of ['W @Anna: likes marzipan', '# Pets\n\n- the cat is called Mio'])
    expect(await mcp.failure('note', { text })).toMatch(/^refused: .*forgotten/);
  expect(await mcp.failure('note', { text: '<!-- hidden -->' })).toMatch(/^refused: /);
  expect(await mcp.failure('note', { text: ' \n' })).toMatch(/^usage: there is no text/);
  expect(workspace.read(LOG)).not.toMatch(/marzipan|Mio|hidden/);
});
