import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.js';
import { MemoryError } from '../../src/base/failure.js';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'memory/2026-03-01.md': '- W @Peter: likes heliotrope\n- O(c=0.8) @Peter: heliotrope is best\n',
  'memory/2026-01-02.md': '- W @Anna: grows heliotrope\n',
};

async function open(files: Readonly<Record<string, string>> = FILES) {
  const workspace = testWorkspace(files);
  const options = {
    workspace: workspace.root,
    now: '2026-03-10T12:00:00Z',
    timezone: 'UTC',
    env: { HOME: workspace.root },
  };
  return { workspace, memory: await openWorkspace(options) };
}

/** What a caller without types may give. */
const untyped = (value: unknown): never => JSON.parse(JSON.stringify(value) ?? 'null') as never;

async function refusal(answer: Promise<unknown>): Promise<string> {
  const error = await answer.then(
    () => expect.unreachable('it was taken'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MemoryError)) throw error;
  expect(error.failure).toMatchObject({ type: 'usage', hint: expect.any(String) });
  return `${error.failure.message} | ${error.failure.hint}`;
}

test.each([
  ['30d', 2],
  ['2026-03-01', 2],
  ['last week', 0],
  ['this year', 3],
])('recall since %j finds %i', async (since, count) => {
  const { results } = await (await open()).memory.recall({ query: 'heliotrope', since });
  expect(results).toHaveLength(count);
});

test('until, around and asOf take what their options take', async () => {
  const { memory } = await open();
  const days = async (times: object) =>
    (await memory.recall({ query: 'heliotrope', kinds: ['world'], ...times })).results.map(
      ({ timestamp }) => timestamp,
    );
  expect(await days({ until: 'january' })).toEqual(['2026-01-02']);
  expect(await days({ around: '2026-01-04' })).toEqual(['2026-01-02']);
  expect(await days({ asOf: '8 weeks' })).toEqual(['2026-01-02']);
});

test('nothing is found for an unknown entity, and the answer says so; an empty list is no filter', async () => {
  const { memory } = await open();
  const { results, warnings } = await memory.recall({ query: 'heliotrope', entities: ['Nobody'] });
  expect(results).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('nothing is known of "Nobody"')]);
  expect((await memory.recall({ query: 'heliotrope', entities: [], kinds: [] })).results).toHaveLength(3);
});

test.each([
  [{ query: 'h', since: 20260301 }, 'since must be a time such as 2026-03-01, 30d or "last week", not 20260301'],
  [{ query: 'h', since: 'garbage' }, 'since: "garbage" is not a date'],
  [{ query: 'h', asOf: 'garbage' }, 'asOf: "garbage" is not a date'],
  [{ query: 'h', until: 'since March' }, '"since March" has no end for until | name the day itself, or use since'],
  [{ query: 'h', kind: 'opinion' }, 'unknown key "kind" | did you mean kinds?'],
  [{ query: 'h', kinds: 'opinion' }, 'kinds must be a list, not "opinion" | for example kinds: ["opinion"]'],
  [{ query: 'h', kinds: ['O'] }, 'kinds[0]: unknown kind "O" | did you mean opinion?'],
  [{ query: 'h', entity: 'Nobody' }, 'unknown key "entity" | did you mean entities?'],
  [{ query: 'h', k: '3' }, 'k must be a whole number from 1 on, not "3"'],
  [{ query: 'h', k: 1.5 }, 'k must be a whole number from 1 on, not 1.5'],
  [{ query: 'h', limt: 3 }, 'unknown key "limt" | did you mean k?'],
  [{ query: 'h', mode: 'magic' }, 'mode: unknown mode "magic" | use auto, lexical, hybrid'],
  [{ query: 'h', explain: 1 }, 'explain must be true or false, not 1'],
  [{ query: ['h'] }, 'query must be text, not a list'],
  [{ Query: 'h' }, 'unknown key "Query" | did you mean query?'],
  [{ since: '30d' }, 'query is missing | recall takes query'],
  [{ query: ' ' }, 'the question is empty'],
  ['h', 'recall takes an object, not "h" | known keys: query'],
  [null, 'recall takes an object, not null'],
])('recall of %j is refused', async (request, message) => {
  const { memory } = await open();
  expect(await refusal(memory.recall(untyped(request)))).toContain(message);
});

test('recall takes no Date, and a batch no mode for a single question', async () => {
  const { memory } = await open();
  const date: unknown = new Date(0);
  expect(await refusal(memory.recall({ query: 'h', since: date as string }))).toContain('not an object');
  const batch = memory.recallBatch([untyped({ query: 'h', mode: 'lexical' })]);
  expect(await refusal(batch.next())).toContain('unknown key "mode"');
});

test.each([
  [{ facts: 'W @P: x' }, 'facts must be a list of texts, not "W @P: x" | for example facts: ["W @P: x"]'],
  [{ facts: ['W @P: x', 7] }, 'facts[1] must be text, not 7'],
  [{ fact: 'W @P: x' }, 'unknown key "fact" | did you mean facts?'],
  [{ facts: ['W @P: x'], dryrun: true }, 'unknown key "dryrun" | did you mean dryRun?'],
  [{ facts: ['W @P: x'], dryRun: 'no' }, 'dryRun must be true or false, not "no"'],
  [{ facts: ['W @P: x'], file: 'memory/2026-02-30.md' }, 'there is no day 2026-02-30'],
  [undefined, 'retain takes an object, not'],
])('retain of %j is refused, and nothing is written', async (request, message) => {
  const { workspace, memory } = await open({});
  expect(await refusal(memory.retain(untyped(request)))).toContain(message);
  expect(workspace.pages()).toEqual([]);
});

test.each([
  [{ workspce: '/tmp' }, 'unknown key "workspce" | did you mean workspace?'],
  [{ workspace: 7 }, 'workspace must be text, not 7'],
  [{ tz: 'UTC' }, 'unknown key "tz" | did you mean timezone?'],
  [{ onWarning: 'yes' }, 'onWarning must be a function, not "yes"'],
  [{ env: 'HOME=/' }, 'env must be an object, not "HOME=/"'],
  ['/tmp', 'openWorkspace takes an object, not "/tmp"'],
])('openWorkspace(%j) is refused', async (options, message) => {
  expect(await refusal(openWorkspace(untyped(options)))).toContain(message);
});

test('eval reads times from the instant of each case, and its filters by their plural names', async () => {
  const { memory } = await open();
  const found = { question: 'heliotrope', expect: ['memory/2026-01-02.md#L1'] };
  const report = await memory.eval([
    { ...found, now: '2026-01-10', options: { since: '2w', entities: ['Anna'], kinds: ['world'] }, meta: { own: 1 } },
    { question: 'heliotrope', empty: true, options: { since: '1w' } },
  ]);
  expect(report).toMatchObject({ cases: 2, passed: 2, warnings: [] });
});

test.each([
  [{ question: 'h', empty: true, options: { since: 20260301 } }, 'cases[0]: options.since must be a time'],
  [{ question: 'h', empty: true, options: { since: 'garbage' } }, 'case 1: since: "garbage" is not a date'],
  [
    { question: 'h', empty: true, options: { kind: 'O' } },
    'cases[0]: options.kinds[0]: unknown kind "O" | did you mean opinion?',
  ],
  [{ question: 'h', empty: true, limt: 5 }, 'cases[0]: unknown key "limt"'],
  [{ question: 'h', empty: true, options: { limt: 5 } }, 'cases[0]: unknown key "limt" in options'],
  [{ question: 'h', empty: 'yes' }, 'cases[0]: empty must be true or false'],
  [{ question: 'h', empty: true, now: 'someday' }, 'case 1: "someday" is not a date'],
  ['h', 'cases[0]: a case takes an object, not "h"'],
])('eval refuses the case %j', async (asked, message) => {
  const { memory } = await open();
  expect(await refusal(memory.eval([untyped(asked)]))).toContain(message);
});
