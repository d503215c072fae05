import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { EVAL_REQUEST, INDEX_REQUEST, REFLECT_REQUEST } from '../../src/app/requests.js';
import { MemoryError } from '../../src/base/failure.js';
import { checkRequest, type RequestFields, type RequestFieldType, requestSchema } from '../../src/base/request.js';
import { OPINIONS_REQUEST } from '../../src/recall/opinion-view.js';
import { RECALL_REQUEST } from '../../src/recall/request.js';
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
