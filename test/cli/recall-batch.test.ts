import { expect, test } from 'vitest';
import { groupAvailableValues } from '../../src/app/asking.js';
import { testWorkspace } from '../support/test-workspace.js';

const workspace = () => testWorkspace({ 'memory/2026-03-01.md': '- W @Peter: likes heliotrope\n' });

async function answersTo(...lines: readonly string[]) {
  const { stdout, code } = await workspace().run(['recall', '--batch'], { input: lines.join('\n') });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, answers };
}

test('an unknown key is an error of its line and names the right key; the caller’s own data goes under meta', async () => {
  const { code, answers } = await answersTo(
    '{"id":1,"query":"heliotrope","as-of":"2026-03-01"}',
    '{"id":2,"query":"heliotrope","sinc":"2026-03-01"}',
    '{"id":3,"query":"heliotrope","since":"2026-03-01","category":4}',
    '{"id":"3","query":"heliotrope","since":"2026-03-01","meta":{"category":[4]}}',
    '{"id":4,"query":"heliotrope","kind":"world"}',
    '{"id":5,"query":"heliotrope","entity":"Peter"}',
    '{"id":6,"query":"heliotrope","kinds":["O"],"meta":null}',
    '{"id":7,"query":"heliotrope","mode":"lexical"}',
    '{"id":8,"query":"heliotrope","limt":3}',
  );
  expect(code).toBe(1);
  expect(answers).toMatchObject([
    { id: 1, ok: false, error: { type: 'usage', message: 'unknown key "as-of"', hint: 'did you mean asOf?' } },
    { id: 2, ok: false, error: { type: 'usage', message: 'unknown key "sinc"', hint: 'did you mean since?' } },
    { id: 3, ok: false, error: { message: 'unknown key "category"', hint: expect.stringContaining('meta') } },
    { id: '3', meta: { category: [4] }, results: [{ source: 'memory/2026-03-01.md#L1' }] },
    { id: 4, ok: false, error: { message: 'unknown key "kind"', hint: 'did you mean kinds?' } },
    { id: 5, ok: false, error: { message: 'unknown key "entity"', hint: 'did you mean entities?' } },
    { id: 6, meta: null, ok: false, error: { message: 'kinds[0]: unknown kind "O"', hint: 'did you mean opinion?' } },
    { id: 7, ok: false, error: { message: 'unknown key "mode"', hint: expect.stringContaining('--mode') } },
    { id: 8, ok: false, error: { message: 'unknown key "limt"', hint: 'did you mean k?' } },
  ]);
});

test('a line without a question keeps its id', async () => {
  const { answers } = await answersTo('{"id":"a"}', '{"id":7,"query":3}', '[1]');
  expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
    ['a', false],
    [7, false],
    [null, false],
  ]);
});

test.each([
  ['{"query":"heliotrope","k":"three"}', 'k must be a whole number from 1 on, not "three"'],
  ['{"query":"heliotrope","k":0}', 'k must be a whole number from 1 on, not 0'],
  [
    '{"query":"heliotrope","since":20260301}',
    'since must be a time such as 2026-03-01, 30d or "last week", not 20260301',
  ],
  ['{"query":"heliotrope","since":"garbage"}', 'since: "garbage" is not a date'],
  ['{"query":"heliotrope","since":"2026-03-02","until":"2026-03-01"}', 'the time ends (2026-03-01) before it begins'],
  ['{"query":"heliotrope","around":"2026-03-02","until":"2026-03-01"}', "around can't be used with since or until"],
  ['{"query":"heliotrope","entities":"Peter"}', 'entities must be a list of texts, not "Peter"'],
  ['{"query":"heliotrope","entities":[1]}', 'entities[0] must be text, not 1'],
  ['{"query":"heliotrope","explain":"yes"}', 'explain must be true or false, not "yes"'],
  ['{"query":"heliotrope","id":[1]}', 'id must be text or a number'],
  ['{"query":" "}', 'the question is empty'],
  ['"heliotrope"', 'a line takes an object, not "heliotrope"'],
])('the line %s is refused, and the next one is answered', async (line, message) => {
  const { code, answers } = await answersTo(line, '{"id":2,"query":"heliotrope","since":"last year"}');
  expect(code).toBe(1);
  expect(answers).toMatchObject([{ ok: false, error: { type: 'usage', hint: expect.any(String) } }, { id: 2 }]);
  expect(answers[0].error.message).toContain(message);
});

test('a time in a line counts from now and overrides that of the option', async () => {
  const { stdout } = await workspace().run(['recall', '--batch', '--since', '2026-03-05', '--now', '2026-03-20'], {
    input: '{"query":"heliotrope"}\n{"query":"heliotrope","since":"30d"}\n{"query":"heliotrope","around":"2026-03-02"}',
  });
  const counts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).results.length);
  expect(counts).toEqual([0, 1, 1]);
});

test('a byte order mark before the first line is ignored', async () => {
  const { code, answers } = await answersTo('\ufeff{"id":1,"query":"heliotrope"}');
  expect(code).toBe(0);
  expect(answers).toMatchObject([{ id: 1, results: [{ source: 'memory/2026-03-01.md#L1' }] }]);
});

test('a line that is not valid UTF-8 gets an error as its answer, and the next lines are answered', async () => {
  const input = Buffer.concat([
    Buffer.from('{"id":1,"query":"\xff"}\n', 'latin1'),
    Buffer.from('{"id":2,"query":"heliotrope"}'),
  ]);
  const { code, stdout } = await workspace().run(['recall', '--batch'], { input });
  expect(code).toBe(1);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { id: null, ok: false, error: { type: 'usage', message: 'a line is not valid UTF-8' } },
    { id: 2, results: [{ source: 'memory/2026-03-01.md#L1' }] },
  ]);
});

async function collect<T>(groups: AsyncIterable<readonly T[]>): Promise<readonly T[][]> {
  const all: T[][] = [];
  for await (const group of groups) all.push([...group]);
  return all;
}

test('available items form groups of up to 32, in order', async () => {
  const numbers = Array.from({ length: 70 }, (_, i) => i);
  const groups = await collect(groupAvailableValues(numbers));
  expect(groups.flat()).toEqual(numbers);
  expect(groups.map((group) => group.length)).toEqual([32, 32, 6]);
});

test('a first value is never delayed by a second', async () => {
  let answered = (): void => {};
  async function* asksInTurn() {
    for (let i = 0; i < 3; i++) {
      const answer = new Promise<void>((resolve) => {
        answered = resolve;
      });
      yield i;
      await answer;
    }
  }
  const seen: (readonly number[])[] = [];
  for await (const group of groupAvailableValues(asksInTurn())) {
    seen.push(group);
    answered();
  }
  expect(seen).toEqual([[0], [1], [2]]);
});

test('an error follows the items before it', async () => {
  async function* breaks() {
    yield 1;
    yield 2;
    throw new Error('broken');
  }
  const seen: number[] = [];
  const reading = (async () => {
    for await (const group of groupAvailableValues(breaks())) seen.push(...group);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(seen).toEqual([1, 2]);
});
