import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findJsonCandidates, readAnswer, withoutThoughts } from '../../src/model/answer.js';
import { effort } from '../support/growth.js';

const ANY_OBJECT = z.record(z.string(), z.json());
const SCHEMA = z.strictObject({ title: z.string(), tags: z.array(z.string()) });

/** Objects as models write them, without values that `JSON` changes and keys that a schema drops for safety. */
const object = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
  .map((value) => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

describe('an answer is parsed', () => {
  test.each<[string, (json: string) => string]>([
    ['as it is', (json) => json],
    ['between white space', (json) => `\n\n  ${json}\n `],
    ['in a code fence', (json) => `\`\`\`json\n${json}\n\`\`\``],
    ['in a fence between sentences', (json) => `Sure!\n\n\`\`\`\n${json}\n\`\`\`\nI hope it helps.`],
    ['behind thoughts', (json) => `<think>\nIt could be {"a": 1}.\n</think>\n${json}`],
    ['behind thoughts that the template began', (json) => `so it is {"a": 1}.</think>\n\n${json}`],
    ['behind <thinking>', (json) => `<thinking>hm</thinking>${json}`],
  ])('%s', async (_, wrap) => {
    await fc.assert(
      fc.asyncProperty(object, async (value) => {
        expect(await readAnswer(wrap(JSON.stringify(value)), ANY_OBJECT)).toEqual({ ok: true, value });
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['between sentences', 'Here it is: {"title": "a {b} c", "tags": []} and that is all.'],
    ['with single quotes and an extra comma', `{'title': 'a {b} c', 'tags': [],}`],
    ['without its last bracket', '{"title": "a {b} c", "tags": []'],
    ['with a comment', '{"title": "a {b} c", /* none */ "tags": []}'],
    [
      'from the last fence',
      '```json\n{"title": "draft"}\n```\nbetter:\n```json\n{"title": "a {b} c", "tags": []}\n```',
    ],
  ])('%s', async (_, text) => {
    expect(await readAnswer(text, SCHEMA)).toEqual({ ok: true, value: { title: 'a {b} c', tags: [] } });
  });
});

describe('an answer is refused with a reason', () => {
  test.each([
    ['of the wrong shape', '{"title": 3}', ['title: Invalid input: expected string, received number', 'tags:']],
    ['with an additional key', '{"title": "a", "tags": [], "more": 1}', ['Unrecognized key: "more"']],
    ['without any JSON', 'I would rather not.', ['there is no JSON object in the answer']],
    ['that is empty', '', ['there is no JSON object in the answer']],
    ['of thoughts without an end', '<think>{"title": "a", "tags": []}', ['there is no JSON object in the answer']],
  ])('%s', async (_, text, says) => {
    const read = await readAnswer(text, SCHEMA);
    expect(read.ok ? [] : read.problems).toEqual(says.map((one) => expect.stringContaining(one)));
  });

  test('that was truncated is never repaired: half a list would look complete', async () => {
    const cut = '{"title": "a", "tags": ["one", "two"';
    expect(await readAnswer(cut, SCHEMA, { cut: true })).toMatchObject({ ok: false });
    expect(await readAnswer(cut, SCHEMA)).toMatchObject({ ok: true });
    // A complete answer is accepted even if the server says that it was cut.
    expect(await readAnswer(`${cut}]}`, SCHEMA, { cut: true })).toMatchObject({ ok: true });
  });
});

test('text before the end of the thoughts is removed, and nothing of the answer', () => {
  expect(withoutThoughts('<think>a</think> b')).toBe('b');
  expect(withoutThoughts('{"text": "</think>"}')).toBe('{"text": "</think>"}');
  expect(withoutThoughts('<think>never ends')).toBe('');
  expect(withoutThoughts('plain')).toBe('plain');
});

test('hostile text is read in linear time', () => {
  for (const piece of ['```\n', '<think>', '{', '[{"a":', '}\n```json\n', '\\"']) {
    const text = piece.repeat(100_000 / piece.length);
    expect(
      effort(() => findJsonCandidates(text)),
      piece,
    ).toBeLessThan(200);
  }
});
