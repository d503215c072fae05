import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/tokens.js';
import { relating } from '../support/asked-pairs.js';
import { cli } from '../support/cli.js';
import { mcpSession } from '../support/mcp.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2026-03-12.md': '## Retain\n- W @Peter: lives in Vienna\n- O(c=0.8) @Peter: prefers tea\n',
  'MEMORY.md': '# Core\n\n- Peter is the owner.\n',
};

const ALL = { args: ['--tools', 'all'] } as const;
const DEFAULT =
  'recall agenda recent get retain note forget context_build entity core session_expand session_search'.split(' ');
const OTHERS =
  `opinion_why settle reflect reflect_prompt reflect_apply core_show core_append core_replace core_insert session_add session_status
  session_commit session_context wm_prompt wm_apply flush_check flush_prompt flush_apply extract_prompt
  extract_apply`.split(/\s+/);

/** What a host puts into every conversation. Hosts do not show output schemas to a model. */
function tokensOf(tools: readonly { name: string; description?: string | undefined; inputSchema: object }[]): number {
  return estimateTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}

test('the listing says for every tool what it does, takes and returns, and whether it writes', async () => {
  const { client } = await mcpSession(testWorkspace(FILES), ALL);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([...DEFAULT, ...OTHERS].sort());
  expect(tokensOf(tools)).toBeLessThanOrEqual(5_000);
  for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
    expect(title, name).toBeTruthy();
    expect(description?.length, name).toBeGreaterThan(40);
    for (const [key, about] of Object.entries(inputSchema.properties ?? {}))
      expect(about, `${name} ${key}`).toHaveProperty('description');
    expect(Object.keys(outputSchema?.properties ?? {}).length, name).toBeGreaterThan(0);
    // Defaults of the protocol are left out: that a tool writes and may destroy.
    const { readOnlyHint = false, destructiveHint = !readOnlyHint } = annotations ?? {};
    expect(destructiveHint, name).toBe(['forget', 'core', 'core_replace', 'extract_apply'].includes(name));
  }
});

test('an agent gets the newest of an entity’s hundreds of facts, and their number', async () => {
  const facts = Array.from({ length: 300 }, (_, i) => `- W @Peter: owns relic${i}\n`).join('');
  const mcp = await mcpSession(testWorkspace({ 'memory/2026-03-12.md': `## Retain\n${facts}` }));
  const { holds, ...known } = await mcp.call('entity', { name: 'Peter' });
  expect(known).toMatchObject({ factCount: 300, holdsCount: { now: 300, before: 0 } });
  expect(known.facts).toHaveLength(10);
  expect(holds).toHaveProperty('now.length', 10);
});

test('a long page comes in parts, each naming the next', async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `line ${i + 1} of a long book about the sea`);
  const mcp = await mcpSession(testWorkspace({ 'memory/topics/book.md': lines.join('\n') }));
  const parts: string[] = [];
  for (let path: unknown = 'memory/topics/book.md'; path !== undefined; ) {
    const { item } = await mcp.call('get', { path });
    expect(item).toHaveProperty('content');
    const { content, next } = item as { content: string; next?: string };
    expect(content.length).toBeLessThanOrEqual(40_000);
    parts.push(content);
    path = next;
  }
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join('\n')).toBe(lines.join('\n'));
});

test('the server offers the most used tools by default, and says how to get another', async () => {
  const { client } = await mcpSession(testWorkspace(FILES));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(DEFAULT);
  expect(tokensOf(tools)).toBeLessThanOrEqual(2_000);
  await expect(client.callTool({ name: 'reflect' })).rejects.toThrow(/reflect is not offered; .*--tools all/);
  const named = await mcpSession(testWorkspace(FILES), { args: ['--tools', 'recall, core_replace'] });
  expect((await named.client.listTools()).tools.map(({ name }) => name)).toEqual(['recall', 'core_replace']);
  const workspace = testWorkspace(FILES);
  expect(await workspace.run(['mcp', '--tools', 'recal'])).toMatchObject({
    code: 2,
    stderr: 'error: there is no tool "recal"\nhint: did you mean recall?\n',
  });
});

test('the default tools suffice to find, keep, correct and forget, and to ask who X is', async () => {
  const workspace = testWorkspace(FILES);
  const mcp = await mcpSession(workspace);
  const { results } = await mcp.call('recall', { query: 'What does Peter like to drink?', k: 1 });
  expect(results).toMatchObject([{ content: '@Peter: prefers tea' }]);
  await mcp.call('retain', { facts: ['W @Peter: moved from Vienna to Graz'] });
  expect(await mcp.call('recall', { query: 'Where does Peter live?', k: 2 })).toMatchObject({
    results: [{ content: '@Peter: moved from Vienna to Graz' }, { content: '@Peter: lives in Vienna' }],
  });
  await mcp.call('core', { action: 'replace', old: 'the owner', new: 'a guest' });
  expect(await mcp.call('core', { action: 'show' })).toMatchObject({ text: '# Core\n\n- Peter is a guest.\n' });
  const [{ id } = { id: '' }] = Array.isArray(results) ? results : [];
  await mcp.call('forget', { id });
  expect(await mcp.call('recall', { query: 'tea' })).toMatchObject({ results: [] });
  expect(await mcp.call('entity', { name: 'Peter' })).toMatchObject({ name: 'Peter', facts: [{}, {}] });
});

test('a verdict on two statements is stored as the agent gave it, and decides which one is current', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': '## Retain\n- W @Peter: is out of work\n',
    'memory/2026-03-13.md': '## Retain\n- W @Peter: started at Harrow Logistics\n',
  });
  const mcp = await mcpSession(workspace, ALL);
  const { results } = await mcp.call('recall', { query: 'Peter', kinds: ['world'] });
  const ids = Array.isArray(results) ? results.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)) : [];
  const [older = '', newer = ''] = ids.map(({ id }) => id);
  expect(await mcp.call('settle', { older, newer, relation: 'replaces' })).toMatchObject({
    verdict: { relation: 'replaces', by: 'agent' },
    earlier: { text: 'is out of work' },
    written: ['bank/evidence.jsonl'],
  });
  expect(await mcp.call('entity', { name: 'Peter' })).toMatchObject({
    holds: { now: [{ text: 'started at Harrow Logistics' }], before: [{ text: 'is out of work' }] },
  });
});

test('an agent judges the open pairs of a day, and applies its verdicts', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': '## Retain\n- W @Peter: is out of work\n',
    'memory/2026-03-13.md': '## Retain\n- W @Peter: started at Harrow Logistics\n',
  });
  const mcp = await mcpSession(workspace, { args: ['--tools', 'reflect,reflect_prompt,reflect_apply'] });
  await mcp.call('reflect', { maxCalls: 0 });
  const { user, pairs } = await mcp.call('reflect_prompt');
  expect(pairs).toBe(1);
  const answer = JSON.stringify(relating(String(user), 'replaces'));
  expect(await mcp.call('reflect_apply', { answer })).toMatchObject({
    partsLeft: 0,
    written: expect.arrayContaining(['bank/evidence.jsonl', 'bank/entities/Peter.md']),
  });
  expect(await mcp.call('reflect_prompt')).toMatchObject({ pairs: 0 });
});

test('facts are retained, recalled with their line, and forgotten', async () => {
  const workspace = testWorkspace(FILES);
  const mcp = await mcpSession(workspace);
  expect(await mcp.call('retain', { facts: ['W @Anna: works in Graz'] })).toMatchObject({
    retained: [{ entities: ['Anna'], source: 'memory/2026-03-15.md#L5' }],
    written: ['memory/2026-03-15.md'],
  });
  const { results } = await mcp.call('recall', { query: 'where does Anna work?', k: 1, entities: null });
  expect(results).toMatchObject([{ content: '@Anna: works in Graz', source: 'memory/2026-03-15.md#L5' }]);
  const [{ id } = { id: '' }] = Array.isArray(results) ? results : [];
  expect(await mcp.call('forget', { id })).toMatchObject({
    erased: ['memory/2026-03-15.md#L5'],
    written: ['bank/.salt', 'bank/forgotten.md', 'memory/2026-03-15.md'],
  });
  expect(workspace.read('memory/2026-03-15.md')).not.toContain('Graz');
  expect(await mcp.call('recall', { query: 'Graz' })).toMatchObject({ results: [] });
});

test('the neighbours of a result are read by its id, its source and its page', async () => {
  const mcp = await mcpSession(testWorkspace(FILES));
  const { results } = await mcp.call('recall', { query: 'Vienna', k: 1 });
  const [{ id } = { id: '' }] = Array.isArray(results) ? results : [];
  expect(await mcp.call('get', { path: id, context: 1 })).toMatchObject({
    item: { content: '@Peter: lives in Vienna', source: 'memory/2026-03-12.md#L2' },
    before: [{ line: 1, text: '## Retain' }],
    after: [{ line: 3 }],
  });
  expect(await mcp.call('get', { path: 'MEMORY.md' })).toMatchObject({
    item: { content: FILES['MEMORY.md'].trimEnd() },
  });
  expect(await mcp.failure('get', { path: '../secret.md' })).toMatch(/^not_found: /);
});

test('the memories for a message come as a block with their lines', async () => {
  const mcp = await mcpSession(testWorkspace(FILES));
  expect(await mcp.call('context_build', { message: 'Where does Peter live these days?' })).toMatchObject({
    injected: true,
    block: expect.stringContaining('lives in Vienna (memory/2026-03-12.md#L2)'),
  });
  expect(await mcp.call('context_build', { message: 'ok' })).toMatchObject({ injected: false, block: '' });
  const before = [
    { role: 'user', content: 'Where does Peter live these days?' },
    { role: 'assistant', content: 'Shall I look?' },
  ];
  expect(await mcp.call('context_build', { message: 'go on', before })).toMatchObject({ injected: true });
});

test('the tools of the bank work: entity, core, reflect, why', async () => {
  const workspace = testWorkspace(FILES);
  const mcp = await mcpSession(workspace, ALL);
  expect(await mcp.call('entity', { name: 'peter' })).toMatchObject({ name: 'Peter', page: null });
  expect(await mcp.call('core_show')).toMatchObject({ path: 'MEMORY.md', text: FILES['MEMORY.md'] });
  await mcp.call('core_append', { text: '- Anna is his sister.' });
  await mcp.call('core_replace', { old: 'owner', text: 'founder' });
  await mcp.call('core_insert', { text: '- He is British.', after: 'founder' });
  expect(workspace.read('MEMORY.md')).toBe(
    '# Core\n\n- Peter is the founder.\n- He is British.\n- Anna is his sister.\n',
  );
  const { written } = await mcp.call('reflect', { maxCalls: 0 });
  expect(await mcp.call('entity', { name: 'peter' })).toMatchObject({ summary: expect.stringContaining('Peter') });
  expect(written).toContain('bank/entities/Peter.md');
  expect(await mcp.call('opinion_why', { opinion: 'tea' })).toMatchObject({ opinions: [{ confidence: 0.8 }] });
});

test('the tools of a session work: add, status, commit, search, expand, context, and its turns', async () => {
  const mcp = await mcpSession(testWorkspace(FILES), ALL);
  const messages = ['use Redis on port 6380', 'and never deploy on Fridays', 'thanks'].map((content) => ({
    role: 'user',
    content,
  }));
  const inSession = { session: 'chat' };
  expect(await mcp.call('session_add', { ...inSession, messages })).toMatchObject({ live_messages: 3 });
  expect(await mcp.call('flush_check', { ...inSession, tokens: 7_000, contextWindow: 8_192 })).toMatchObject({
    shouldFlush: true,
  });
  expect(await mcp.call('flush_prompt', inSession)).toMatchObject({ user: expect.stringContaining('6380') });
  expect(await mcp.call('flush_apply', { ...inSession, answer: '[SILENT]' })).toMatchObject({ status: 'silent' });
  expect(await mcp.call('session_commit', { ...inSession, keepRecent: 1 })).toMatchObject({ archived: 2, pending: [] });
  const found = await mcp.call('session_search', { ...inSession, query: 'redis port', archive: '1' });
  expect(found).toMatchObject({ found: 1, matches: [{ archive: 'archive_001' }] });
  const elsewhere = { session: 'other', messages: [{ role: 'user', content: 'no redis port here' }] };
  await mcp.call('session_add', elsewhere);
  const everywhere = await mcp.call('session_search', { query: 'redis port', session: null });
  expect(everywhere).toMatchObject({ found: 2 });
  expect(new Set(Object.values(everywhere.matches ?? []).map(({ session }) => session))).toEqual(
    new Set(['chat', 'other']),
  );
  const { messages: expanded } = await mcp.call('session_expand', { ...inSession, archive: 'archive_001' });
  expect(expanded).toHaveLength(2);
  expect(await mcp.call('session_context', { ...inSession, budget: 8_000 })).toMatchObject({
    latest_archive_overview: expect.stringContaining('6380'),
  });
  expect(await mcp.call('session_status', inSession)).toMatchObject({ archives: { completed: 1 } });
  expect(await mcp.failure('wm_prompt', inSession)).toMatch(/^not_found: /);
  await mcp.call('session_add', { ...inSession, messages });
  expect(await mcp.call('session_commit', { ...inSession, keepRecent: 0, defer: true })).toMatchObject({
    pending: ['archive_002'],
  });
  expect(await mcp.call('wm_prompt', inSession)).toMatchObject({ archive: 'archive_002' });
});

test('the tools of an extraction give a prompt and apply its answer to a page', async () => {
  const workspace = testWorkspace(FILES);
  const mcp = await mcpSession(workspace, ALL);
  const text = JSON.stringify([{ role: 'user', content: 'I only drink green tea after lunch' }]);
  expect(await mcp.call('extract_prompt', { text })).toMatchObject({
    prompt: { parts: 1, user: expect.stringContaining('green tea') },
  });
  const answer = JSON.stringify({ preferences: [{ topic: 'tea', content: '- Drinks green tea after lunch' }] });
  expect(await mcp.call('extract_apply', { answer })).toMatchObject({
    pages: [{ path: 'bank/preferences/tea.md', operation: 'add' }],
  });
  expect(workspace.read('bank/preferences/tea.md')).toContain('green tea after lunch');
});

test('an error is returned in the answer, with its remedy', async () => {
  const mcp = await mcpSession(testWorkspace(FILES), ALL);
  expect(await mcp.failure('recall', { question: 'x' })).toMatch(/^usage: .*question.*\nhint: /);
  expect(await mcp.failure('recall', { query: 'x', k: 'many' })).toMatch(/k must be a whole number/);
  expect(await mcp.failure('recall', { query: 'x', since: 'garbage' })).toMatch(/^usage: /);
  expect(await mcp.failure('entity', { name: 'Nobody' })).toMatch(
    /^not_found: nothing is known about "Nobody"\nhint: /,
  );
  expect(await mcp.failure('core_insert', { text: 'x' })).toMatch(/one of after, before and line/);
  expect(await mcp.failure('core_replace', { old: 'owner' })).toMatch(/new is missing/);
  // The hint names a tool, not a shell command.
  expect(await mcp.failure('core_replace', { old: 'nowhere', new: '' })).toMatch(/; see core_show$/);
  expect(await mcp.failure('wm_prompt', { session: 'none', maxTokens: 1 })).not.toContain('--');
  expect(await mcp.failure('session_expand', { session: 'none', archive: '1' })).toMatch(/^not_found: /);
  await expect(mcp.client.callTool({ name: 'nothing' })).rejects.toThrow(/unknown tool nothing/);
});

test('without a workspace the server runs and says so, and answers once a workspace exists', async () => {
  const workspace = testWorkspace();
  rmSync(workspace.root, { recursive: true });
  const mcp = await mcpSession(workspace);
  expect(await mcp.failure('recall', { query: 'Peter' })).toMatch(/^workspace: .*\nhint: /s);
  await expect(mcp.client.listResources()).rejects.toThrow(/workspace/);
  workspace.write('memory/2026-03-12.md', FILES['memory/2026-03-12.md']);
  expect(await mcp.call('recall', { query: 'Vienna' })).toMatchObject({ results: [{ entities: ['Peter'] }] });
});

test('--read-only offers only tools that read', async () => {
  const mcp = await mcpSession(testWorkspace(FILES), { args: ['--read-only'] });
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).not.toContain(false);
  expect(tools.map(({ name }) => name)).toContain('recall');
  await expect(mcp.client.callTool({ name: 'retain', arguments: { facts: ['W @A: b'] } })).rejects.toThrow(
    /retain writes, but this server was started with --read-only/,
  );
});

describe('values that are not given', () => {
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
});

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
