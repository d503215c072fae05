import { expect, test } from 'vitest';
import { cli } from '../support/cli.js';
import { mcpSession } from '../support/mcp.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2026-03-12.md': '## Retain\n- W @Peter: lives in Vienna\n- W @Anna: lives in Vienna\n',
  'MEMORY.md': '# Core\n\n- Peter is the owner.\n- an old line\n',
};
const QUERY = { query: 'who lives in Vienna?' };

test('null, an empty value and "null" count as not given for optional keys that are not text', async () => {
  const mcp = await mcpSession(testWorkspace(FILES), { args: ['--tools', 'all'] });
  const { results } = await mcp.call('recall', QUERY);
  for (const given of [
    { entities: ['null'], tags: [''], kinds: [''], paths: ['null'], since: '', until: 'null', asOf: ' ', k: '5' },
    { entities: null, tags: null, kinds: null, paths: null, since: null, until: null, asOf: null, k: null },
    { entities: [null], tags: '', kinds: 'null', budget: 'null', explain: '', k: '' },
  ])
    expect(await mcp.call('recall', { ...QUERY, ...given })).toMatchObject({ results });
  expect((await mcp.call('recall', { ...QUERY, k: '1' })).results).toHaveLength(1);
  expect(await mcp.failure('recall', { query: null })).toContain('query is missing');
  expect(await mcp.failure('recall', { ...QUERY, k: 'five' })).toContain('k must be a whole number');
  expect((await mcp.call('recall', { ...QUERY, entities: ['Peter', ''] })).results).toHaveLength(1);
});

test('an empty text is kept for keys where it is a value', async () => {
  const workspace = testWorkspace(FILES);
  const mcp = await mcpSession(workspace);
  await mcp.call('core', { action: 'replace', old: '- an old line\n', new: '', section: '', line: null });
  expect(workspace.read('MEMORY.md')).toBe('# Core\n\n- Peter is the owner.\n');
  expect(await mcp.failure('entity', { name: '' })).toContain('nothing is known about ""');
});

test('a protocol message with null for an optional key is answered', async () => {
  const messages = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    },
    { id: 1, method: 'ping', params: null },
    { id: 2, method: 'tools/list', params: null },
    { id: 3, method: 'tools/call', params: { name: 'core', arguments: null } },
    { id: 4, method: 'resources/list', params: { cursor: null, _meta: null } },
  ];
  const { args, options } = testWorkspace(FILES).command(['mcp'], {
    input: messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
  });
  const { stdout } = await cli(args, options);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4]);
  expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(answers.find(({ id }) => id === 3).result.content[0].text).toContain('action is missing');
});

test('the library and the command line read a request in the same way', async () => {
  const workspace = testWorkspace(FILES);
  const memory = await workspace.open();
  const given = JSON.parse(
    '{ "query": "who lives in Vienna?", "k": "1", "since": "", "entities": [""], "tags": null }',
  );
  expect((await memory.recall(given)).results).toHaveLength(1);
  const { results } = await workspace.json<{ results: unknown[] }>([
    'recall',
    QUERY.query,
    '--since',
    '',
    '--entity',
    '',
  ]);
  expect(results.length).toBeGreaterThan(1);
});
