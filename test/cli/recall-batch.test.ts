import { expect, test } from 'vitest';
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

test('a misspelt key is an error of its line, which names the right one; what is not like ours is the caller’s', async () => {
  const { code, answers } = await answersTo(
    '{"id":1,"query":"heliotrope","as-of":"2026-03-01"}',
    '{"id":2,"query":"heliotrope","sinc":"2026-03-01"}',
    '{"id":3,"query":"heliotrope","since":"2026-03-01","category":4}',
  );
  expect(code).toBe(1);
  expect(answers).toMatchObject([
    { id: 1, ok: false, error: { type: 'usage', message: 'unknown key "as-of"', hint: 'did you mean asOf?' } },
    { id: 2, ok: false, error: { type: 'usage', message: 'unknown key "sinc"', hint: 'did you mean since?' } },
    { id: 3, results: [{ source: 'memory/2026-03-01.md#L1' }] },
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

test('a byte order mark before the first line is no part of it', async () => {
  const { code, answers } = await answersTo('\ufeff{"id":1,"query":"heliotrope"}');
  expect(code).toBe(0);
  expect(answers).toMatchObject([{ id: 1, results: [{ source: 'memory/2026-03-01.md#L1' }] }]);
});
