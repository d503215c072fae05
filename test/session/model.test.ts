import { beforeEach, expect, test } from 'vitest';
import type { Sessions } from '../../src/app/sessions.js';
import { openWorkspace } from '../../src/app/workspace.js';
import { SECTION_NAMES } from '../../src/wm/document.js';
import { cases } from '../support/cases.js';
import type { FaultName } from '../support/ollama/faults.js';
import { oneOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import { WEAK_MODELS, type WeakModel } from '../support/weak-models.js';
import { NOW, TemporaryWorkspace } from '../support/workspace.js';

const server = oneOllama();
let workspace: TemporaryWorkspace;

beforeEach(() => {
  workspace = testWorkspace();
});

const env = () => ({ OLLAMA_HOST: server.url });
const add = (text: string) => workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', text]);
const commit = ['session', 'commit', 'chat', '--keep-recent', '0'];

const SPOILT: readonly (FaultName | undefined)[] = [
  undefined,
  'wrong-schema',
  'prose',
  'fence',
  'broken-json',
  'think-leak',
  'think-only',
  'empty-content',
  'cut-by-length',
  'not-json',
  'runner-stopped',
  'reset-mid-line',
  'error-line',
  'end-without-done',
];

test('commits with any server answers keep every message once and in order, and explain every loss', async () => {
  const sessions = await open();
  const said: string[] = [];
  for (let round = 0; round < cases(3, 1) * SPOILT.length; round++) {
    const fault = SPOILT[round % SPOILT.length];
    server.faults.clear();
    if (fault !== undefined) server.faults.set(fault);
    const text = `request ${round}: why does src/m${round}.ts fail with E${round}?`;
    said.push(text);
    await sessions.add('chat', { messages: [{ role: 'user', parts: [{ type: 'text', text }], timestamp: null }] });
    const { finished } = await sessions.commit('chat', { keepRecent: round % 3 });
    expect(finished.filter(({ state }) => state !== 'completed')).toEqual([]);
  }
  const { archives } = await sessions.status('chat');
  const all: unknown[] = [];
  for (let i = 1; i <= archives.completed; i++) all.push(...(await sessions.expand('chat', `${i}`)).messages);
  all.push(...(await sessions.live('chat')));
  expect(all).toMatchObject(said.map((text) => ({ parts: [{ text }] })));
  for (const { reason } of await sessions.removed('chat')) expect(reason).not.toBe('');
});

async function open(): Promise<Sessions> {
  const environment = { ...workspace.env, ...env() };
  const opened = await openWorkspace({ workspace: workspace.root, now: NOW, timezone: 'UTC', env: environment });
  return opened.sessions();
}

test('--max-wait limits the wait for a silent server, and the rules finish the archive', async () => {
  await add('We decided to keep Redis on port 6380');
  server.faults.set('hang-after-headers');
  const report = await workspace.json([...commit, '--max-wait', '1'], { env: env() });
  expect(report).toMatchObject({
    finished: [{ state: 'completed', overview_by: 'deterministic', notes: [expect.stringContaining('in time')] }],
  });
  expect((await workspace.run(['wm', 'show', 'chat'])).stdout).toContain('port 6380');
});

test('session resume --max-wait shares its limit among all sessions, and the rules finish their archives', async () => {
  const other = ['session', 'add', 'other', '--role', 'user', '--text', 'We decided to keep Redis on port 6390'];
  await add('We decided to keep Redis on port 6380');
  await workspace.run(other);
  for (const session of ['chat', 'other'])
    await workspace.run(['session', 'commit', session, '--keep-recent', '0', '--defer']);
  server.faults.set('hang-after-headers');
  const { sessions } = await workspace.json<{ sessions: readonly unknown[] }>(
    ['session', 'resume', '--max-wait', '1'],
    {
      env: env(),
    },
  );
  const finished = [{ state: 'completed', overview_by: 'deterministic' }];
  expect(sessions).toMatchObject([{ finished }, { finished }]);
  expect((await workspace.run(['wm', 'show', 'other'])).stdout).toContain('port 6390');
});

test('a command that waits for a silent server says so, and how to continue later', async () => {
  await add('We decided to keep Redis on port 6380');
  server.faults.set('hang-after-headers');
  const { code, stderr } = await workspace.run([...commit, '--max-wait', '3'], { env: env() });
  expect(code).toBe(0);
  expect(stderr).toContain('waiting for the chat model');
  expect(stderr).toContain('openclaw memory session resume chat');
});

const SAID = [
  'We decided to deploy on Tuesdays only. Remember: the database lives on hz-3.',
  'Remember: the cache port is 6390. Never deploy without my approval.',
  'Please fix the login in src/login.ts: it fails with E42.',
  'Which region do we use?',
];

const sections = (of: (name: string) => unknown) => ({
  content: JSON.stringify({ sections: Object.fromEntries(SECTION_NAMES.map((name) => [name, of(name)])) }),
});
const writing = (content: string): WeakModel => ({ reply: () => sections(() => ({ op: 'UPDATE', content })) });

/** The items of a Working Memory after one commit, without the line of Current State that counts questions. */
async function itemsAfterCommit({ reply, fault, waitMs }: WeakModel = {}) {
  const place = new TemporaryWorkspace();
  place.modelWaitMs = waitMs;
  try {
    for (const text of SAID) await place.run(['session', 'add', 'chat', '--role', 'user', '--text', text]);
    if (fault !== undefined) server.faults.set(fault);
    for (let i = 0; i < 3 && reply !== undefined; i++) server.replies.push(reply);
    const away = reply === undefined && fault === undefined;
    const report = await place.json<{ finished: readonly { overview_by: string; notes: readonly string[] }[] }>(
      commit,
      {
        env: away ? { OLLAMA_HOST: '127.0.0.1:9' } : env(),
      },
    );
    const shown = (await place.run(['wm', 'show', 'chat'])).stdout;
    const items = shown.split('\n').filter((line) => line.startsWith('- ') && !line.startsWith('- Open: '));
    return { shown, items, by: report.finished[0]?.overview_by, notes: report.finished[0]?.notes ?? [] };
  } finally {
    server.faults.clear();
    server.replies.length = 0;
    place.dispose();
  }
}

const { 'half an answer': half, ...WEAK } = WEAK_MODELS;

test.each<readonly [string, 'model' | 'deterministic', WeakModel]>([
  ...Object.entries(WEAK).map(([name, model]) => [name, 'deterministic', model] as const),
  ['half an answer', 'model', { ...half, ...writing('- the port is 6390') }],
  ['dots', 'deterministic', writing('...')],
  ['a part of the prompt', 'deterministic', writing('What is being done, the next step')],
  ['the example of the prompt', 'deterministic', writing('- Zorvane waits at Plimtree')],
  ['repeated lines', 'deterministic', writing('- the port is\n'.repeat(300))],
  ['what nobody said', 'deterministic', writing('- He is a very good person.')],
])('a commit has every line of the rules, whatever the model does: %s', async (_, by, model) => {
  const rules = await itemsAfterCommit();
  expect(rules.items).toHaveLength(7);
  const made = await itemsAfterCommit(model);
  expect(made.by).toBe(by);
  expect(made.items).toEqual(expect.arrayContaining([...rules.items]));
  expect(new Set(made.items).size).toBeLessThan(rules.items.length + 8);
  expect(made.notes).toHaveLength(by === 'model' ? 0 : 1);
});

test('a commit does not repeat a line of the rules whose names, values and negations the model keeps', async () => {
  const content =
    '- Deploys happen on Tuesdays only\n- The cache port is 6390, the database lives on hz-3\n- The login fails with E42';
  const answer = sections((name) => (name === 'Key Facts & Decisions' ? { op: 'UPDATE', content } : { op: 'KEEP' }));
  const made = await itemsAfterCommit({ reply: () => answer });
  expect(made.by).toBe('model');
  expect(made.shown).toContain(`${content}\n- Never deploy without my approval.\n`);
  expect(made.shown).not.toContain('Remember:');
  expect(made.shown).toContain('src/login.ts: it fails with E42');
});

test('what no message carries is left out of a Working Memory, and listed with the reason', async () => {
  await add('Larkspur runs on Postgres 16. Thistle uses MySQL 8. Anna flies to Oslo tomorrow.');
  const items = [
    'Larkspur runs on Postgres 16',
    'Larkspur uses MySQL 8',
    'Anna is a very good person and works hard',
    'Anna flies to Oslo on 2026-03-16',
    'Anna flies to Oslo on 2026-03-17',
  ];
  server.replies.push(sections((name) => (name.startsWith('Key') ? { op: 'APPEND', items } : { op: 'KEEP' })));
  const { stdout, stderr } = await workspace.run([...commit, '--verbose'], { env: env() });
  expect(stdout).toContain('by the model (3 items left out, see --verbose)');
  expect(stderr.match(/^left out of Key Facts & Decisions: ".+": .+$/gm)).toHaveLength(3);
  const shown = (await workspace.run(['wm', 'show', 'chat'])).stdout;
  expect(items.map((item) => shown.includes(`- ${item}`))).toEqual([true, false, false, true, false]);
  const archive = 'sessions/chat/history/archive_001';
  const { refused } = JSON.parse(workspace.read(`${archive}/guard.json`));
  expect(refused.map(({ item }: { item: string }) => item)).toEqual([items[1], items[2], items[4]]);
  expect(JSON.parse(workspace.read(`${archive}/.done`))).toMatchObject({ overview_model: 'qwen3:4b-instruct' });
});

test('a commit asks for lists of short bullets, and reads what the grammar of the server makes of them', async () => {
  const bullets = ['The database lives on hz-3', '- The cache port is 6390'];
  server.received.length = 0;
  const answer = sections((name) =>
    name === 'Session Title' ? { _op: 'UPDATE', content: ['Deploys on Tuesdays'] } : { _op: 'APPEND', items: bullets },
  );
  const made = await itemsAfterCommit({ reply: () => answer });
  expect(made.by).toBe('model');
  expect(made.shown).toContain('## Session Title\nDeploys on Tuesdays\n');
  expect(made.shown).toContain('- The database lives on hz-3\n- The cache port is 6390\n');
  const [{ messages, format } = {}] = server.bodies('/api/chat').filter((body) => body.format !== undefined);
  expect(JSON.stringify(format)).toContain('"type":"array","items":{"type":"string","maxLength":400},"maxItems":60');
  const [system] = Array.isArray(messages) ? messages : [];
  expect(system.content).toContain('{"_op":"UPDATE","content":["Zorvane waits at Plimtree"]}');
});

test('a later commit does not bring back a line that the rules have replaced', async () => {
  const only = (name: string, content: string) =>
    sections((each) => (each === name ? { op: 'UPDATE', content } : { op: 'KEEP' }));
  for (const [text, state] of [
    ['Please paint the walrus in src/walrus.ts', 'painting'],
    ['Please feed the ostrich in src/ostrich.ts', 'feeding'],
  ] as const) {
    await add(text);
    server.replies.push(only('Current State', `The work is ${state}.`));
    await workspace.json(commit, { env: env() });
    server.replies.length = 0;
  }
  const { stdout } = await workspace.run(['wm', 'show', 'chat']);
  expect(stdout.match(/^- Last request: .*/gm)).toEqual(['- Last request: Please feed the ostrich in src/ostrich.ts']);
  expect(stdout).toContain('- Please paint the walrus in src/walrus.ts');
});

test('a resume ends the use of a model after two unusable answers, with one warning', async () => {
  const round = ['session', 'commit', 'chat', '--keep-recent', '0', '--defer'];
  for (let i = 0; i < 6; i++) {
    await add(`Please paint wall ${i} in src/wall${i}.ts`);
    await workspace.run(round);
  }
  server.replies.push(...Array.from({ length: 60 }, () => ({ content: 'I can not do that.' })));
  server.received.length = 0;
  const { stdout, stderr } = await workspace.run(['session', 'resume', 'chat', '--json'], { env: env() });
  const [{ finished }] = JSON.parse(stdout).sessions;
  expect(finished).toHaveLength(6);
  expect(finished.every((one: { state: string }) => one.state === 'completed')).toBe(true);
  expect(stderr.match(/^warning: /gm)).toHaveLength(1);
  const asked = server.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0);
  // Two archives: two questions each for the Working Memory, up to six for two groups of types of the extraction.
  expect(asked.length).toBeLessThanOrEqual(16);
  const { stdout: shown } = await workspace.run(['wm', 'show', 'chat']);
  for (let i = 0; i < 6; i++) expect(shown).toContain(`src/wall${i}.ts`);
});
