import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { checkHealth } from '../../src/app/health.js';
import { EVAL_REQUEST, INDEX_REQUEST, REFLECT_REQUEST } from '../../src/app/requests.js';
import { openWorkspace, type Workspace } from '../../src/app/workspace.js';
import { MemoryError } from '../../src/base/failure.js';
import { checkRequest, type RequestFields, type RequestFieldType, requestSchema } from '../../src/base/request.js';
import { OPINIONS_REQUEST } from '../../src/query/opinion-view.js';
import { RECALL_REQUEST } from '../../src/query/request.js';
import { FORGET_REQUEST } from '../../src/retain/forget.js';
import { RETAIN_REQUEST } from '../../src/retain/retain.js';
import {
  FLUSH_CHECK_REQUEST,
  SESSION_ADD_REQUEST,
  SESSION_COMMIT_REQUEST,
  SESSION_COMPACT_REQUEST,
  SESSION_CONTEXT_REQUEST,
  SESSION_SEARCH_REQUEST,
} from '../../src/session/requests.js';
import { cases } from '../support/cases.js';
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

const absent: unknown = undefined;

/** A value as a caller without types passes it. */
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

test('until, around and asOf accept the same times as their options', async () => {
  const { memory } = await open();
  const days = async (times: object) =>
    (await memory.recall({ query: 'heliotrope', kinds: ['world'], ...times })).results.map(
      ({ timestamp }) => timestamp,
    );
  expect(await days({ until: 'january' })).toEqual(['2026-01-02']);
  expect(await days({ around: '2026-01-04' })).toEqual(['2026-01-02']);
  expect(await days({ asOf: '8 weeks' })).toEqual(['2026-01-02']);
});

test('recall about an unknown entity finds nothing and says so; an empty list filters nothing', async () => {
  const { memory } = await open();
  const { results, warnings } = await memory.recall({ query: 'heliotrope', entities: ['Nobody'] });
  expect(results).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('nothing is known about "Nobody"')]);
  expect((await memory.recall({ query: 'heliotrope', entities: [], kinds: [] })).results).toHaveLength(3);
});

test.each([
  [{ query: 'h', since: 20260301 }, 'since must be a time such as 2026-03-01, 30d or "last week", not 20260301'],
  [{ query: 'h', since: 'garbage' }, 'since: "garbage" is not a date'],
  [{ query: 'h', asOf: 'garbage' }, 'asOf: "garbage" is not a date'],
  [{ query: 'h', until: 'since March' }, '"since March" has no end for until | write a date, or use since'],
  [{ query: 'h', kind: 'opinion' }, 'unknown key "kind" | did you mean kinds?'],
  [{ query: 'h', kinds: 'opinion' }, 'kinds must be a list, not "opinion" | for example kinds: ["opinion"]'],
  [{ query: 'h', kinds: ['O'] }, 'kinds[0]: unknown kind "O" | did you mean opinion?'],
  [{ query: 'h', entity: 'Nobody' }, 'unknown key "entity" | did you mean entities?'],
  [{ query: 'h', k: 'three' }, 'k must be a whole number from 1 on, not "three"'],
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

test('recall refuses a Date, and a batch line refuses a mode of its own', async () => {
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

test('eval counts times from each case’s own instant and accepts plural names of filters', async () => {
  const { memory } = await open();
  const found = { query: 'heliotrope', expect: ['memory/2026-01-02.md#L1'] };
  const report = await memory.eval([
    { ...found, now: '2026-01-10', options: { since: '2w', entities: ['Anna'], kinds: ['world'] }, meta: { own: 1 } },
    { query: 'heliotrope', empty: true, options: { since: '1w' } },
  ]);
  expect(report).toMatchObject({ cases: 2, passed: 2, warnings: [] });
});

test.each([
  [{ query: 'h', empty: true, options: { since: 20260301 } }, 'cases[0]: options.since must be a time'],
  [{ query: 'h', empty: true, options: { since: 'garbage' } }, 'case 1: since: "garbage" is not a date'],
  [
    { query: 'h', empty: true, options: { kind: 'O' } },
    'cases[0]: options.kinds[0]: unknown kind "O" | did you mean opinion?',
  ],
  [{ query: 'h', empty: true, limt: 5 }, 'cases[0]: unknown key "limt"'],
  [{ query: 'h', empty: true, options: { limt: 5 } }, 'cases[0]: unknown key "limt" in options'],
  [{ query: 'h', empty: 'yes' }, 'cases[0]: empty must be true or false'],
  [{ query: 'h', empty: true, now: 'someday' }, 'case 1: now: "someday" is not a date'],
  ['h', 'cases[0]: a case takes an object, not "h"'],
])('eval refuses the case %j', async (asked, message) => {
  const { memory } = await open();
  expect(await refusal(memory.eval([untyped(asked)]))).toContain(message);
});

test('a method called without a request says what it expects', async () => {
  const { memory } = await open({});
  expect(await refusal(memory.retain(absent as never))).toContain(
    'retain takes an object, not undefined | known keys: facts',
  );
  expect(await refusal(memory.recall(absent as never))).toContain('recall takes an object, not undefined');
  expect(await refusal(memory.watch(absent as never))).toContain('watch takes an object, not undefined');
});

type Memory = Awaited<ReturnType<typeof openWorkspace>>;

const WRONG: readonly (readonly [says: string, ask: (memory: Memory) => Promise<unknown>])[] = [
  ['unknown key "forse" | did you mean force?', (memory) => memory.index(untyped({ forse: true }))],
  ['retryRefused must be true or false, not "no"', (memory) => memory.embed(untyped({ retryRefused: 'no' }))],
  ['signal must be an AbortSignal, not an object', (memory) => memory.index(untyped({ signal: {} }))],
  ['recallBatch needs a list of requests', (memory) => memory.recallBatch(untyped('h')).next()],
  ['recallBatch needs a list of requests', (memory) => memory.recallBatch(absent as never).next()],
  ['openWorkspace takes an object, not null', () => checkHealth(untyped(null))],
  ['fix must be true or false, not "yes"', () => checkHealth({}, untyped({ fix: 'yes' }))],
  ['id must be text, not 7', (memory) => memory.forget(untyped({ id: 7 }))],
  ['unknown key "copi" | did you mean copy?', (memory) => memory.forget(untyped({ id: 'f-1', copi: false }))],
  ['dryRun must be true or false, not "yes"', (memory) => memory.unforget('f-1', untyped('yes'))],
  ['paths must be a list of texts, not "memory"', (memory) => memory.lint(untyped({ paths: 'memory' }))],
  ['unknown key "entity" | did you mean entities?', (memory) => memory.opinions(untyped({ entity: 'Peter' }))],
  ['minConfidence must be a number from 0 to 1, not 80', (memory) => memory.opinions({ minConfidence: 80 })],
  ['name must be text, not a list', (memory) => memory.entity(untyped(['Peter']))],
  ['wanted must be text, not null', (memory) => memory.findOpinions(untyped(null))],
  [
    'type: unknown edit "apend" | did you mean append?',
    (memory) => memory.changeCore(untyped({ type: 'apend', text: 'x' })),
  ],
  ['text is missing', (memory) => memory.changeCore(untyped({ type: 'append' }))],
  ['insert needs one of after, before and line', (memory) => memory.changeCore(untyped({ type: 'insert', text: 'x' }))],
  ['paths must be a list of texts', (memory) => memory.commit(untyped('a.md'), 'x')],
  [
    'maxCalls must be a whole number from 0 on, not -1',
    async (memory) => (await memory.reflection()).run({ maxCalls: -1 }),
  ],
  ['since: "garbage" is not a date', async (memory) => (await memory.reflection()).run({ since: 'garbage' })],
  ['unknown key "maxCalls"', async (memory) => (await memory.reflection()).prompt(untyped({ maxCalls: 1 }))],
  ['wanted must be text', async (memory) => (await memory.reflection()).why(untyped(7))],
  ['at: "garbage" is not a date', async (memory) => (await memory.history()).at('MEMORY.md', 'garbage')],
  ['which must be text, not null', async (memory) => (await memory.history()).of(untyped(null))],
  ['is not a valid session id', async (memory) => (await memory.sessions()).status(untyped(7))],
  [
    'messages must be a list, not an object',
    async (memory) => (await memory.sessions()).add('s', untyped({ messages: {} })),
  ],
  [
    'messages[0].role: unknown role "boss"',
    async (memory) =>
      (await memory.sessions()).add('s', untyped({ messages: [{ role: 'boss', parts: [], timestamp: null }] })),
  ],
  [
    'unknown key "content" in messages[0] | did you mean parts?',
    async (memory) => (await memory.sessions()).add('s', untyped({ messages: [{ role: 'user', content: 'hi' }] })),
  ],
  [
    'budget must be a whole number from 1 on, not "eight"',
    async (memory) => (await memory.sessions()).context('s', untyped('eight')),
  ],
  ['archive is missing', async (memory) => (await memory.sessions()).expand('s', absent as never)],
  ['query must be text, not 7', async (memory) => (await memory.sessions()).search('s', untyped(7))],
  [
    'unknown key "keep" | did you mean keepRecent?',
    async (memory) => (await memory.sessions()).commit('s', untyped({ keep: 1 })),
  ],
  [
    'threshold must be a number or true or false, not "x"',
    async (memory) => (await memory.sessions()).commit('s', untyped({ threshold: 'x' })),
  ],
  [
    'tokens must be a number, not "many"',
    async (memory) => (await memory.sessions()).compact('s', untyped({ tokens: 'many' })),
  ],
  [
    'unknown key "token" | did you mean tokens?',
    async (memory) => (await memory.sessions()).flushCheck('s', untyped({ token: 1 })),
  ],
  ['text must be text, not an object', async (memory) => (await memory.sessions()).importTranscript(untyped({}))],
  ['path must be text, not 5', async (memory) => (await memory.sessions()).importStore(untyped(5))],
  [
    'keepRecent must be a whole number, not NaN',
    async (memory) => (await memory.sessions()).commit('s', { keepRecent: Number.NaN }),
  ],
  [
    'keepRecent must be a whole number, not 1.5',
    async (memory) => (await memory.sessions()).commit('s', { keepRecent: 1.5 }),
  ],
  ['maxCalls must be a whole number', async (memory) => (await memory.reflection()).run({ maxCalls: 1.5 })],
  ['emit must be a function, not an object', async (memory) => (await memory.sessions()).flush('s', untyped({}))],
  ['emit must be a function, not 5', async (memory) => (await memory.sessions()).compact('s', {}, untyped(5))],
  ['signal must be an AbortSignal, not null', (memory) => memory.recall({ query: 'tea' }, untyped(null))],
  ['signal must be an AbortSignal, not 5', (memory) => memory.sessions(untyped(5))],
  ['signal must be an AbortSignal, not 5', (memory) => memory.probeModels(untyped(5))],
];

test.each(WRONG)('a wrong request is refused with: %s', async (says, ask) => {
  const { workspace, memory } = await open();
  const before = workspace.pages();
  expect(await refusal(ask(memory))).toContain(says);
  expect(workspace.pages()).toEqual(before);
});

test('reflect and history accept the same times as recall', async () => {
  const { memory } = await open();
  const reflection = await memory.reflection();
  expect(await reflection.run({ since: '30d', dryRun: true, maxCalls: 0 })).toMatchObject({ facts: 2 });
  expect(await reflection.run({ since: 'this year', dryRun: true, maxCalls: 0 })).toMatchObject({ facts: 3 });
});

test('days of a time zone are computed without changing the time zone of the process', async () => {
  const workspace = testWorkspace();
  const before = process.env.TZ;
  const changes: unknown[] = [];
  const env = process.env;
  const note = (name: string | symbol, value: unknown): void => void (name === 'TZ' && changes.push(value));
  process.env = new Proxy(env, {
    set: (target, name, value) => {
      note(name, value);
      return Reflect.set(target, name, value);
    },
    deleteProperty: (target, name) => {
      note(name, null);
      return Reflect.deleteProperty(target, name);
    },
  });
  try {
    const options = { workspace: workspace.root, now: '2026-03-10T23:30:00Z', env: { HOME: workspace.root } };
    for (const [timezone, day] of [
      ['Europe/Vienna', '2026-03-11'],
      ['America/New_York', '2026-03-10'],
      ['Pacific/Kiritimati', '2026-03-11'],
      ['UTC', '2026-03-10'],
    ] as const) {
      const memory = await openWorkspace({ ...options, timezone });
      const { retained } = await memory.retain({ facts: [`W @Zone: ${timezone}`] });
      expect(retained[0]?.source).toContain(`memory/${day}.md`);
    }
  } finally {
    process.env = env;
  }
  expect([changes, process.env.TZ]).toEqual([[], before]);
});

const DESCRIBED = Object.entries({
  ...{
    RECALL: RECALL_REQUEST,
    RETAIN: RETAIN_REQUEST,
    FORGET: FORGET_REQUEST,
    OPINIONS: OPINIONS_REQUEST,
    REFLECT: REFLECT_REQUEST,
    INDEX: INDEX_REQUEST,
    EVAL: EVAL_REQUEST,
  },
  ...{
    ADD: SESSION_ADD_REQUEST,
    COMMIT: SESSION_COMMIT_REQUEST,
    COMPACT: SESSION_COMPACT_REQUEST,
    CONTEXT: SESSION_CONTEXT_REQUEST,
    FLUSH_CHECK: FLUSH_CHECK_REQUEST,
    SEARCH: SESSION_SEARCH_REQUEST,
  },
});

/** Values of all kinds, with valid ones for this key. */
function valuesFor(value: RequestFieldType): fc.Arbitrary<unknown> {
  const right: fc.Arbitrary<unknown>[] = [];
  if (value.type === 'text' || value.type === 'time') right.push(fc.string());
  if (value.type === 'number') right.push(fc.constantFrom(1, 7, 0.5));
  if (value.type === 'boolean') right.push(fc.boolean());
  if (value.type === 'choice') right.push(fc.constantFrom(...value.choices));
  if (value.type === 'list') right.push(fc.array(valuesFor(value.of), { maxLength: 3 }));
  if (value.type === 'object') right.push(requestsFor(value.keys));
  if (value.type === 'either') right.push(...value.of.map(valuesFor));
  const others = fc.constantFrom<unknown>(
    0,
    1,
    -1,
    0.5,
    7,
    'x',
    '',
    '2026-03-01',
    true,
    false,
    null,
    [],
    ['x'],
    {},
    { a: 1 },
  );
  return fc.oneof(others, ...right.map((arbitrary) => ({ arbitrary, weight: 12 })));
}

function requestsFor(fields: RequestFields): fc.Arbitrary<object> {
  const keys = Object.entries(fields).filter(([, { type }]) => type !== 'function' && type !== 'signal');
  const record = fc.record(Object.fromEntries(keys.map(([key, field]) => [key, valuesFor(field)])), {
    requiredKeys: [],
  });
  const unknown = fc.constantFrom({}, {}, {}, { limt: 3 }, { entity: 'Peter' });
  return fc.tuple(record, unknown).map(([request, more]) => ({ ...request, ...more }));
}

test.each(DESCRIBED)('the schema of %s accepts exactly what the check accepts', (_, fields: RequestFields) => {
  const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(requestSchema(fields))));
  let taken = 0;
  fc.assert(
    fc.property(requestsFor(fields), (request) => {
      const isTaken = takes(fields, request);
      expect(isTaken).toBe(schema.safeParse(request).success);
      if (isTaken) taken++;
    }),
    { numRuns: cases(500) },
  );
  expect(taken).toBeGreaterThan(0);
});

/** Whether the check accepts the request; a refusal names the error and the remedy. */
function takes(fields: RequestFields, request: object): boolean {
  try {
    checkRequest('verb', fields, { ...request });
    return true;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    expect(error.failure).toMatchObject({
      type: 'usage',
      message: expect.stringMatching(/./),
      hint: expect.stringMatching(/./),
    });
    return false;
  }
}

describe('loose requests', () => {
  /** A value as a caller without types passes it. */
  const untyped = (value: unknown): never => JSON.parse(JSON.stringify(value)) as never;

  async function open(): Promise<Workspace> {
    const { root } = testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: likes tea\n- W @Peter: rows\n' });
    return openWorkspace({ workspace: root, now: '2026-03-10T12:00:00Z', timezone: 'UTC', env: { HOME: root } });
  }

  const message = { role: 'user', parts: [{ type: 'text', text: 'hello' }], timestamp: null } as const;
  const sessions = async (memory: Workspace) => {
    const found = await memory.sessions();
    await found.add('chat', { messages: [message, { ...message, source_id: 'b' }] });
    return found;
  };

  /** Each method with values that mean "not given", and numbers in quotes. */
  const CALLS: Readonly<Record<string, (memory: Workspace) => Promise<unknown>>> = {
    recall: (memory) => memory.recall(untyped({ query: 'tea', k: '1', since: '', entities: [''], kinds: null })),
    recallBatch: async (memory) => {
      for await (const { results } of memory.recallBatch(
        [untyped({ query: 'tea', k: '1', since: null })],
        untyped(null),
      ))
        expect(results).toHaveLength(1);
    },
    eval: (memory) => memory.eval([{ query: 'tea', expect: ['memory/2026-03-01.md#L1'] }], untyped({ mode: null })),
    lint: (memory) => memory.lint(untyped({ paths: [''], fix: null })),
    view: (memory) => memory.view(untyped({ out: '-', since: 'null', entity: null })),
    index: (memory) => memory.index(untyped({ force: null })),
    'options that are null': (memory) => memory.index(untyped(null)),
    'session add': async (memory) =>
      (await sessions(memory)).add('chat', untyped({ messages: [message], history: null })),
    'session context': async (memory) => (await sessions(memory)).context('chat', untyped('8000')),
    'session brief': async (memory) =>
      (await sessions(memory)).brief('chat', untyped({ budget: '500', compacted: null })),
    'session commit': async (memory) =>
      expect(
        await (await sessions(memory)).commit('chat', untyped({ keepRecent: '1', defer: true, threshold: null })),
      ).toMatchObject({
        archived: 1,
      }),
    'flush check': async (memory) =>
      (await sessions(memory)).flushCheck('chat', untyped({ tokens: '7000', contextWindow: '8192' })),
    'flush run': async (memory) => (await sessions(memory)).flush('chat', undefined, untyped({ maxWait: null })),
    'reflect run': async (memory) => (await memory.reflection()).run(untyped({ maxCalls: '0', since: '' })),
    'reflect prompt': async (memory) => (await memory.reflection()).prompt(untyped({ maxTokens: '16000', part: null })),
    'retain --infer': async (memory) => (await memory.extraction()).infer(untyped({ byRules: true, since: null })),
  };

  describe('a method of the library reads null as not given and a number in quotes as a number', () => {
    test.each(Object.entries(CALLS))('%s', async (_, call) => {
      await call(await open());
    });

    test('entity limits its facts by a number in quotes', async () => {
      const peter = await (await open()).entity('Peter', untyped({ facts: '1' }));
      expect(peter?.facts).toHaveLength(1);
    });

    test('a text for a number, and a blank required text, are refused', async () => {
      const memory = await open();
      await expect((await sessions(memory)).commit('chat', untyped({ keepRecent: 'two' }))).rejects.toThrow(
        'keepRecent',
      );
      await expect(memory.entity(untyped(null))).rejects.toThrow('name');
    });
  });
});
