import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mcpSession } from '../support/mcp.js';
import { testWorkspace } from '../support/test-workspace.js';

test('resources list the pages of the bank, then the newest logs, a hundred at a time', async () => {
  const logs = Array.from({ length: 130 }, (_, i) => new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10));
  const files = Object.fromEntries(logs.map((day) => [`memory/${day}.md`, `- W @Anna: noted ${day}\n`]));
  const { client } = await mcpSession(
    testWorkspace({ ...files, 'bank/entities/Zoë Weiß.md': '# Zoë\n\nLikes hills.\n' }),
  );
  const first = await client.listResources();
  expect(first.resources).toHaveLength(100);
  expect(first.resources.slice(0, 2).map(({ name }) => name)).toEqual([
    'bank/entities/Zoë Weiß.md',
    'memory/2025-05-10.md',
  ]);
  const { resources, nextCursor } = await client.listResources({ cursor: first.nextCursor });
  expect([resources.length, nextCursor]).toEqual([31, undefined]);
  const uri = first.resources[0]?.uri ?? '';
  const { contents } = await client.readResource({ uri });
  expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: '# Zoë\n\nLikes hills.\n' }]);
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
});

test('only pages of the workspace can be read', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: x\n', 'secret.env': 'KEY=1\n' });
  writeFileSync(join(workspace.base, 'outside.md'), 'outside\n');
  symlinkSync(join(workspace.base, 'outside.md'), workspace.path('memory/link.md'));
  const { client } = await mcpSession(workspace);
  for (const path of [
    '../outside.md',
    '%2e%2e%2foutside.md',
    'memory/../../outside.md',
    'memory/link.md',
    'secret.env',
  ])
    await expect(client.readResource({ uri: `memory://${path}` }), path).rejects.toThrow(/there is no page/);
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/there is no page/);
});

test('the server has a prompt for before an answer and one for the end of a session', async () => {
  const { client } = await mcpSession(testWorkspace());
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['before-you-answer', 'end-of-session']);
  const { messages } = await client.getPrompt({ name: 'before-you-answer', arguments: { question: 'who is Peter?' } });
  expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('who is Peter?') } }]);
  await expect(client.getPrompt({ name: 'before-you-answer' })).rejects.toThrow(/needs question/);
});

test('a partly typed path is completed', async () => {
  const { client } = await mcpSession(
    testWorkspace({ 'bank/entities/Zoë.md': '# Zoë\n', 'memory/2026-03-12.md': 'x\n' }),
  );
  const complete = (value: string) =>
    client.complete({ ref: { type: 'ref/resource', uri: 'memory://{+path}' }, argument: { name: 'path', value } });
  expect((await complete('zo')).completion).toEqual({ values: ['bank/entities/Zoë.md'], total: 1, hasMore: false });
  expect((await complete('nothing')).completion.values).toEqual([]);
});

test('a client sets the lowest log level that it wants', async () => {
  const { client } = await mcpSession(testWorkspace());
  await expect(client.setLoggingLevel('warning')).resolves.toEqual({});
});
