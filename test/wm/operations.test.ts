import { expect, test } from 'vitest';
import * as z from 'zod';
import { bySectionName, SECTION_NAMES } from '../../src/wm/document.js';
import { parseOperations, readOperations, recoverOperations } from '../../src/wm/operations.js';
import { WM_ANSWER_SCHEMA } from '../../src/wm/prompt.js';
import { effort } from '../support/growth.js';

const KEEPS = bySectionName(() => ({ op: 'KEEP' }));

test('the schema requires all seven sections and allows nothing else', () => {
  expect(WM_ANSWER_SCHEMA.safeParse({ sections: KEEPS }).success).toBe(true);
  expect(WM_ANSWER_SCHEMA.safeParse({ sections: { ...KEEPS, Notes: { op: 'KEEP' } } }).success).toBe(false);
  const { 'Open Issues': _, ...six } = KEEPS;
  expect(WM_ANSWER_SCHEMA.safeParse({ sections: six }).success).toBe(false);
  expect(
    WM_ANSWER_SCHEMA.safeParse({ sections: { ...KEEPS, 'Open Issues': { op: 'KEEP', content: '' } } }).success,
  ).toBe(false);
  expect(z.toJSONSchema(WM_ANSWER_SCHEMA)).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: { sections: { required: [...SECTION_NAMES], additionalProperties: false } },
  });
});

const UPDATE = { op: 'UPDATE', content: 'x' };

test.each([
  { sections: { 'Current State': UPDATE } },
  { 'Current State': UPDATE },
  { 'current state:': UPDATE },
  { 'Current State': { op: ' update ', content: 'x' } },
  { name: 'update_working_memory', arguments: { sections: { 'Current State': UPDATE } } },
  { function: { arguments: JSON.stringify({ sections: { 'Current State': UPDATE } }) } },
  { raw: JSON.stringify({ sections: { 'Current State': UPDATE } }) },
  JSON.stringify({ 'Current State': UPDATE }),
])('operations are found in %j', (answer) => {
  const read = readOperations(answer);
  expect(read.ok && read.value['Current State'].operation).toEqual(UPDATE);
  expect(read.ok && read.value['Open Issues'].operation).toEqual({ op: 'KEEP' });
});

test.each([7, true, [], 'no json', { sections: [] }])('%j has no operations: an error, not seven KEEPs', (answer) => {
  expect(readOperations(answer).ok).toBe(Array.isArray(answer) ? false : answer === 'no json');
  expect(parseOperations(String(JSON.stringify(answer)).slice(0, 3)).ok).toBe(false);
});

test('the usable items of an APPEND are taken, and the others are reported', () => {
  const read = readOperations({ 'Open Issues': { op: 'APPEND', items: ['a', 7, null, ' ', 'b'] } });
  expect(read.ok && read.value['Open Issues']).toEqual({
    name: 'APPEND',
    operation: { op: 'APPEND', items: ['a', 'b'] },
    problem: '3 of 5 items are empty or not text',
  });
});

test('a section as a list of bullets is read, as is the name of an operation that a local model writes', () => {
  const items = ['- uses Redis', 'port 6390', '## no heading', ' '];
  const answer = {
    'Session Title': { _op: 'UPDATE', content: ['- Redis', 'ports'] },
    'Current State': { _op: 'UPDATE', content: items },
  };
  const read = readOperations(answer);
  expect(read.ok && read.value['Session Title'].operation).toEqual({ op: 'UPDATE', content: 'Redis; ports' });
  const content = '- uses Redis\n- port 6390\n- ## no heading';
  expect(read.ok && read.value['Current State']).toMatchObject({ operation: { op: 'UPDATE', content } });
  const cut = JSON.stringify({ 'Open Issues': { _op: 'UPDATE', content: ['a', 'b'] } }).slice(0, -5);
  expect(recoverOperations(cut)).toEqual({ 'Open Issues': { op: 'UPDATE', content: ['a'] } });
});

test('a fenced answer is read, and a truncated one is recovered', () => {
  const answer = JSON.stringify({ sections: { 'Current State': UPDATE } });
  expect(parseOperations(`\`\`\`json\n${answer}\n\`\`\``)).toMatchObject({ ok: true, value: { recovered: false } });
  expect(parseOperations(`Sure! ${answer.slice(0, -1)}`)).toMatchObject({ ok: true, value: { recovered: true } });
});

test.each([
  ['any key order', '{"Current State": {"content": "x", "op": "UPDATE"}', { 'Current State': UPDATE }],
  [
    'a missing brace',
    '{"Current State": {"op":"UPDATE","content":"x", "Open Issues": {"op":"KEEP"}}',
    { 'Current State': UPDATE, 'Open Issues': { op: 'KEEP' } },
  ],
  [
    'stray quotes',
    '{"Current State": {"op":"UPDATE","content":"he said "hi" to me"},',
    { 'Current State': { op: 'UPDATE', content: 'he said "hi" to me' } },
  ],
  [
    'escapes',
    '{"Current State": {"op":"UPDATE","content":"a\\n\\"b\\" \\u00e9"},',
    { 'Current State': { op: 'UPDATE', content: 'a\n"b" é' } },
  ],
  ['a content cut behind its quote', '{"Current State": {"op":"UPDATE","content":"x"', {}],
  [
    'the first of two',
    '{"Open Issues": {"op":"KEEP"}, "Open Issues": {"op":"APPEND","items":["x"]}',
    { 'Open Issues': { op: 'KEEP' } },
  ],
  ['an unknown operation', '{"Open Issues": {"op":"RESET"}', {}],
])('recovery handles %s', (_, broken, expected) => {
  expect(recoverOperations(broken)).toEqual(expected);
});

test('recovery of a long broken answer is quick', () => {
  for (const part of ['"', '{"', '\\', '"Open Issues": {"op": "', '[', ' '])
    expect(
      effort(() => recoverOperations(`{${part.repeat(200_000)}`)),
      part,
    ).toBeLessThan(800);
});
