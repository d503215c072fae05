import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitSummary } from '../../src/session/context/cut.js';
import { partitionBudget } from '../../src/session/context/fit.js';
import { repairToolPairs } from '../../src/session/context/recent.js';
import type { MessagePart, SessionMessage } from '../../src/session/message.js';
import { estimateTokens } from '../../src/text/tokens.js';
import { parseDocument, renderDocument } from '../../src/wm/document.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const add = (workspace: TemporaryWorkspace, id: string, messages: readonly unknown[]) =>
  workspace.json(['session', 'add', id, '--stdin'], { input: messages.map(line).join('') });

test.each([
  [32_000, { reserve: 4_800, archive: 4_080 }],
  [40_000, { reserve: 20_000, archive: 3_000 }],
  [128_000, { reserve: 20_000, archive: 8_000 }],
  [200_000, { reserve: 30_000, archive: 8_000 }],
] as const)('a budget of %i tokens is divided as specified', (total, shares) => {
  expect(partitionBudget(total, 0)).toMatchObject(shares);
});

test('session context has the summary first, the rules beside it, and every message outside of archives', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': '# Memory\nbe brief\n' });
  await add(workspace, 's', [
    { role: 'user', content: 'use Redis on port 6380' },
    { role: 'assistant', content: 'Done.' },
  ]);
  await workspace.json(['session', 'commit', 's', '--keep-recent', '0']);
  await add(workspace, 's', [{ role: 'user', content: 'and now?' }]);
  await workspace.json(['session', 'commit', 's', '--keep-recent', '0', '--defer']);
  await add(workspace, 's', [{ role: 'user', content: 'last' }]);
  const context = await workspace.json<{
    messages: { role: string; content: string }[];
    system_prompt_addition: string;
    latest_archive_overview: string;
    pre_archive_abstracts: unknown[];
    instruction: string;
    budget: { reserve: number };
  }>(['session', 'context', 's']);
  expect(context.messages.map(({ content }) => content.split('\n')[0])).toEqual([
    '[Session History Summary]',
    'use Redis on port 6380',
    'Done.',
    'and now?',
    'last',
  ]);
  expect(context.latest_archive_overview).toContain('6380');
  expect(context).toMatchObject({
    pre_archive_abstracts: [],
    instruction: '# Memory\nbe brief\n',
    budget: { reserve: 20_000 },
  });
  const rules = context.system_prompt_addition.split('\n');
  expect(rules).toHaveLength(4);
  for (const [i, part] of [
    '[Session History Summary]',
    'newest',
    'the message is right',
    'session search s ',
  ].entries())
    expect(rules[i]).toContain(part);
  expect(rules[3]).toContain('ask the user');
  const { stdout } = await workspace.run(['session', 'context', 's']);
  expect(stdout.startsWith(`[system]:\n# Memory\nbe brief\n\n${rules[0]}`)).toBe(true);
});

test('session context counts every omitted message, even unread ones', async () => {
  const workspace = testWorkspace();
  await add(
    workspace,
    's',
    Array.from({ length: 300 }, (_, i) => ({ role: 'user', content: `${i} ${'word '.repeat(200)}` })),
  );
  const context = await workspace.json<{ messages: unknown[]; left_out_messages: number }>([
    'session',
    'context',
    's',
    '--budget',
    '2000',
  ]);
  expect(context.messages.length).toBeGreaterThan(0);
  expect(context.messages.length + context.left_out_messages).toBe(300);
});

test('an item dropped by a commit is counted and found again, and a damaged archive is named', async () => {
  const workspace = testWorkspace();
  const rule = (n: number) => `We must always keep rule number ${n} of ${'the long list '.repeat(8)}`.trim();
  await add(
    workspace,
    's',
    Array.from({ length: 90 }, (_, n) => ({ role: 'user', content: rule(n) })),
  );
  const { stdout } = await workspace.run(['session', 'commit', 's', '--keep-recent', '0']);
  const count = Number(/(\d+) items dropped; see: openclaw memory session show s --removed/u.exec(stdout)?.[1]);
  expect(count).toBeGreaterThan(10);
  const { removed } = await workspace.json<{ removed: unknown[] }>(['session', 'show', 's', '--removed']);
  expect(removed).toHaveLength(count);
  const overview = 'sessions/s/history/archive_001/.overview.md';
  workspace.write(overview, `${workspace.read(overview)}- only the zebra overview says this\n`);
  expect((await workspace.run(['session', 'search', 's', 'zebra', 'overview'])).stdout).toContain('only the zebra');
  const log = 'sessions/s/history/archive_001/messages.jsonl';
  workspace.write(log, workspace.read(log).split('\n').slice(0, 7).join('\n'));
  const expanded = await workspace.run(['session', 'expand', 's', '1']);
  expect(expanded).toMatchObject({ code: 1, stderr: expect.stringContaining('7 of 90 messages can be read') });
  expect((await workspace.run(['session', 'resume', 's'])).stderr).toContain('archive_001 is damaged');
});

test('expand shows every message unchanged and without overview, marks unfinished archives, and refuses unknown ones', async () => {
  const workspace = testWorkspace();
  await add(workspace, 's', [
    { role: 'user', content: 'a\n\nb' },
    { role: 'assistant', content: [{ type: 'tool_call', id: 't', name: 'ls', input: { path: '/' } }] },
    { role: 'tool', tool_call_id: 't', content: 'x' },
  ]);
  await workspace.json(['session', 'commit', 's', '--keep-recent', '0', '--defer']);
  const text = await workspace.run(['session', 'expand', 's', 'archive_001']);
  expect(text.stderr).toContain('not finished');
  await workspace.json(['session', 'resume', 's']);
  const { stdout } = await workspace.run(['session', 'expand', 's', '1']);
  expect(stdout).toMatch(
    /^## archive_001\n\n\*\*Summary\*\*: .+\n\n\*\*Messages\*\*: 3\n\n\[user\]:\na\n\nb\n\n\[assistant\]:\n\[Tool call: ls\]/,
  );
  expect(stdout).not.toContain('# Working Memory');
  const json = await workspace.json<Record<string, unknown>>(['session', 'expand', 's', '1']);
  expect(json).toMatchObject({
    archive_id: 'archive_001',
    overview: expect.stringContaining('# Working Memory'),
    messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }],
  });
  expect(await workspace.run(['session', 'expand', 's', '9'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('archive_001'),
  });
});

test('search finds messages by text instead of JSON, in any case, by several words, in Chinese, and advises when nothing is found', async () => {
  const workspace = testWorkspace();
  await add(workspace, 's', [
    { role: 'user', content: `${'x '.repeat(2_000)}The "Redis" port\nis 6380.${' y'.repeat(2_000)}` },
    { role: 'user', content: '缓存改为六小时' },
  ]);
  await workspace.json(['session', 'commit', 's', '--keep-recent', '1']);
  const found = async (...args: string[]) =>
    (
      await workspace.json<{ matches: { archive: string; position: number; excerpt: string }[] }>([
        'session',
        'search',
        's',
        ...args,
      ])
    ).matches;
  expect(await found('"redis"', 'PORT')).toMatchObject([{ archive: 'archive_001', position: 1 }]);
  expect((await found('6380'))[0]?.excerpt.length).toBeLessThan(800);
  expect(await found('六小时')).toMatchObject([{ archive: 'live', position: 1 }]);
  for (const label of ['role', 'user', 'content']) expect(await found(label)).toEqual([]);
  expect(await found('6380', '--archive', 'live')).toEqual([]);
  expect((await workspace.run(['session', 'search', 's', 'nothing'])).stdout).toContain('other words');
  expect(await workspace.json(['session', 'search', 's', 'nothing'])).toMatchObject({
    found: 0,
    advice: expect.stringContaining('other words'),
  });
  expect(await workspace.run(['session', 'search', 's', 'redis', '--archive', '7'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('archive_001'),
  });
});

test('search reads tool input as text: quotes and line feeds are unescaped, labels and statuses are left out', async () => {
  const workspace = testWorkspace();
  const input = { command: 'echo "hello"\nls /srv' };
  await add(workspace, 's', [
    { role: 'assistant', content: [{ type: 'tool_call', id: 't', name: 'exec', input }] },
    { role: 'tool', tool_call_id: 't', tool_name: 'exec', content: 'hello' },
  ]);
  const found = async (query: string) =>
    (await workspace.json<{ found: number }>(['session', 'search', 's', query])).found;
  expect(await found('"hello" ls')).toBe(1);
  expect(await found('exec')).toBe(1);
  for (const label of ['completed', 'Output', '{', '\\n']) expect(await found(label)).toBe(0);
});

test('import follows the current branch, leaves out noise, and adds nothing twice', async () => {
  const workspace = testWorkspace();
  const message = (id: string, parentId: string | null, value: unknown) =>
    line({ type: 'message', id, parentId, message: value });
  const transcript =
    line({ type: 'session', id: 'abc' }) +
    message('a', null, { role: 'user', content: 'use Redis' }) +
    line({ type: 'model_change', id: 'm', parentId: 'a' }) +
    message('b', 'm', {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'secret thought' },
        { type: 'toolCall', id: 't', name: 'ls', arguments: {} },
      ],
    }) +
    message('c', 'b', {
      role: 'toolResult',
      toolCallId: 't',
      toolName: 'ls',
      content: [{ type: 'text', text: 'files' }],
    }) +
    message('left', 'a', { role: 'assistant', content: 'another branch' }) +
    message('d', 'c', { role: 'user', content: '[cron:1 nightly] do the backup' }) +
    message('e', 'd', { role: 'assistant', content: 'Backup done.' }) +
    message('f', 'e', { role: 'user', content: '/status' }) +
    message('g', 'f', { role: 'assistant', content: 'NO_REPLY' });
  workspace.write('t.jsonl', `${transcript}{"type":"mess`);
  const imported = (...args: string[]) =>
    workspace.json<Record<string, unknown>>(['session', 'import', workspace.path('t.jsonl'), ...args]);
  expect(await imported()).toMatchObject({
    session: 'abc',
    added: 3,
    known: 0,
    noise: 4,
    other_branches: 1,
    unreadable: 0,
  });
  await workspace.json(['session', 'commit', 'abc', '--keep-recent', '1']);
  workspace.write('t.jsonl', transcript + message('h', 'g', { role: 'user', content: 'and now?' }));
  expect(await imported()).toMatchObject({ added: 1, known: 3 });
  const { messages } = await workspace.json<{ messages: { parts: MessagePart[] }[] }>(['session', 'show', 'abc']);
  expect(JSON.stringify(messages)).not.toContain('secret thought');
  const claude =
    line({
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: 's-9',
      message: { role: 'user', content: 'hello' },
    }) +
    line({
      type: 'assistant',
      uuid: 'u2',
      parentUuid: 'u1',
      isSidechain: true,
      message: { role: 'assistant', content: 'aside' },
    });
  workspace.write(
    't.jsonl',
    claude + line({ type: 'assistant', uuid: 'u3', parentUuid: 'u1', message: { role: 'assistant', content: 'hi' } }),
  );
  expect(await imported()).toMatchObject({ session: 's-9', added: 2 });
  workspace.write('t.jsonl', line({ role: 'user', content: 'plain' }) + line({ role: 'user', content: 'plain' }));
  expect(await imported('--session', 'p')).toMatchObject({ added: 2 });
  expect(await imported('--session', 'p')).toMatchObject({ added: 0, known: 2 });
  expect(await workspace.run(['session', 'import', workspace.path('sessions')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${workspace.path('sessions')} is a folder`),
  });
});

test('import finds the conversation beside its helpers and before a compaction, and names the tools of results', async () => {
  const workspace = testWorkspace();
  const record = (uuid: string, parentUuid: string | null, message: unknown, more: object = {}) =>
    line({ type: 'user', uuid, parentUuid, sessionId: 'c', message, ...more });
  const transcript =
    record('a', null, { role: 'user', content: 'list it' }) +
    record('b', 'a', { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] }) +
    record('c', 'b', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x.ts' }] }) +
    line({ type: 'system', subtype: 'compact_boundary', uuid: 'd', parentUuid: null, logicalParentUuid: 'c' }) +
    record('e', 'd', { role: 'user', content: 'and now?' }) +
    record('f', null, { role: 'user', content: 'look around' }, { isSidechain: true });
  workspace.write('t.jsonl', transcript);
  const args = ['session', 'import', workspace.path('t.jsonl')];
  const reports = await Promise.all([1, 2, 3].map(() => workspace.json<{ added: number; known: number }>(args)));
  expect(reports.map(({ added, known }) => added + known)).toEqual([4, 4, 4]);
  expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(4);
  const { stdout } = await workspace.run(['session', 'show', 'c']);
  expect(stdout).toContain('[Tool: Bash] (completed)\nOutput:\nx.ts');
});

test('import removes the sender of a message, and still recognises a machine turn', async () => {
  const workspace = testWorkspace();
  const sender = (said: string) => ({
    role: 'user',
    content: `Sender (untrusted metadata):\n\`\`\`json\n{"sender":"peter"}\n\`\`\`\n\n${said}`,
  });
  workspace.write('t.jsonl', line(sender('use Postgres')) + line(sender('/status')) + line(sender('[cron:1 x] go')));
  const args = ['session', 'import', workspace.path('t.jsonl'), '--session', 'g'];
  expect(await workspace.json(args)).toMatchObject({ added: 1, noise: 2 });
  expect((await workspace.run(['session', 'show', 'g'])).stdout).toBe('[user]:\nuse Postgres\n');
});

const partArbitrary = (ids: readonly string[]): fc.Arbitrary<MessagePart> =>
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    fc.record({
      type: fc.constant('tool_call' as const),
      id: fc.constantFrom(...ids),
      name: fc.constant('ls'),
      input: fc.constant(null),
    }),
    fc.record({
      type: fc.constant('tool_result' as const),
      id: fc.constantFrom(...ids),
      name: fc.constant('ls'),
      output: fc.string({ maxLength: 2_000 }),
      status: fc.constant('completed'),
    }),
  );
const messagesArbitrary = fc
  .array(
    fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
      parts: fc.array(partArbitrary(['a', 'b', 'c']), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 12 },
  )
  .map((drafts) => drafts.map((draft, i): SessionMessage => ({ ...draft, id: `m${i}`, timestamp: null })));

test('after the repair every result follows its call, and every call except in the last message has one', () => {
  fc.assert(
    fc.property(messagesArbitrary, (messages) => {
      const repaired = repairToolPairs(messages);
      const parts = repaired.flatMap(({ parts: own }) => own);
      const called = new Set<string>();
      for (const part of parts) {
        if (part.type === 'tool_call') called.add(part.id);
        if (part.type === 'tool_result') expect(called.has(part.id)).toBe(true);
      }
      const texts = (all: readonly SessionMessage[]) =>
        all.flatMap(({ parts: own }) => own.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
      expect(texts(repaired)).toEqual(texts(messages));
      const last = messages.at(-1);
      const answered = new Set(parts.flatMap((part) => (part.type === 'tool_result' ? [part.id] : [])));
      for (const id of called) {
        const waits = last?.parts.some((part) => part.type === 'tool_call' && part.id === id);
        if (!waits) expect(answered.has(id)).toBe(true);
      }
    }),
  );
});

test('a reused id gets the result of its own turn, or an error if there is none', () => {
  const call = (id: string): SessionMessage => ({
    id,
    role: 'assistant',
    timestamp: null,
    parts: [{ type: 'tool_call', id: 'call_0', name: 'ls', input: null }],
  });
  const result = (output: string): SessionMessage => ({
    id: output,
    role: 'tool',
    timestamp: null,
    parts: [{ type: 'tool_result', id: 'call_0', name: 'ls', output, status: 'completed' }],
  });
  const repaired = repairToolPairs([
    call('1'),
    result('first'),
    call('2'),
    call('3'),
    result('third'),
    result('again'),
  ]);
  expect(repaired.map(({ id }) => id)).toEqual(['1', 'first', '2', '2-missing', '3', 'third']);
});

test('a long summary keeps whole items, current work first, and names what is missing', () => {
  const bodies = { ...parseDocument(null).bodies };
  const many = (name: string) =>
    Array.from({ length: 200 }, (_, i) => `- ${name} item number ${i} with a few words`).join('\n');
  const document = renderDocument({
    ...bodies,
    'Session Title': 'Caching',
    'Current State': '- deploying now',
    'Open Issues': '- the port is taken',
    'Key Facts & Decisions': many('fact'),
  });
  for (const budget of [200, 500, 1_500]) {
    const fitted = fitSummary(document, budget);
    expect(fitted).toContain('## Session Title\nCaching\n');
    expect(estimateTokens(fitted)).toBeLessThanOrEqual(budget);
    for (const text of ['deploying now', 'the port is taken', 'left out for lack of room'])
      expect(fitted).toContain(text);
    for (const item of fitted.split('\n').filter((text) => text.startsWith('- fact')))
      expect(document).toContain(`${item}\n`);
  }
});

test('no output prints base64: not live messages, not archives, neither text nor JSON', async () => {
  const workspace = testWorkspace();
  const image = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7_919) % 251)).toString('base64');
  await add(workspace, 's', [
    {
      role: 'user',
      content: [
        { type: 'text', text: `as a picture ${image}` },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
      ],
    },
    { role: 'assistant', content: 'Seen.' },
  ]);
  const show = ['session', 'show', 's'];
  const shown = [(await workspace.run(show)).stdout, JSON.stringify(await workspace.json(show))];
  await workspace.json(['session', 'commit', 's', '--keep-recent', '0']);
  const expand = ['session', 'expand', 's', 'archive_001'];
  shown.push((await workspace.run(expand)).stdout, JSON.stringify(await workspace.json(expand)));
  for (const text of shown) {
    expect(text).not.toContain(image.slice(100, 300));
    expect(text).toContain('[image/png, 3 KB, left out; the original: message m-');
  }
  expect(workspace.read('sessions/s/history/archive_001/messages.jsonl')).toContain(image);
});

test('search shows the newest hits first, --k of them from --offset on, without binary text', async () => {
  const workspace = testWorkspace();
  const image = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7_919) % 251)).toString('base64');
  await add(workspace, 's', [
    ...Array.from({ length: 20 }, (_, i) => ({ role: 'user', content: `the tide of day ${i}` })),
    {
      role: 'user',
      content: [
        { type: 'text', text: `the tide as a picture ${image}` },
        { type: 'image', data: image },
      ],
    },
  ]);
  await workspace.json(['session', 'commit', 's', '--keep-recent', '5']);
  const search = (...args: string[]) =>
    workspace.json<{
      found: number;
      offset: number;
      matches: { excerpt: string; archive: string; position: number }[];
    }>([...['session', 'search', 's', 'tide', ...args]]);
  const first = await search();
  expect(first).toMatchObject({ found: 21, offset: 0 });
  expect(first.matches).toHaveLength(12);
  expect(first.matches.slice(0, 2)).toMatchObject([
    { archive: 'live', position: 5 },
    { excerpt: 'the tide of day 19' },
  ]);
  expect(JSON.stringify(first)).not.toContain(image.slice(0, 60));
  const more = await search('--k', '2', '--offset', '12');
  expect(more.matches).toMatchObject([{ excerpt: 'the tide of day 8' }, { archive: 'archive_001', position: 8 }]);
  expect((await workspace.run(['session', 'search', 's', 'tide', '--k', '2'])).stdout).toContain('Found 21 messages');
  expect(await workspace.run(['session', 'search', 's', 'tide', '--k', '0'])).toMatchObject({ code: 2 });
});
