import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countMessageTokens,
  formatMessage,
  parseMessage,
  readDraft,
  readDrafts,
  type SessionMessage,
} from '../../src/session/message.js';
import { cases } from '../support/cases.js';

const CALL = { type: 'tool_call', id: 't1', name: 'bash', input: { command: 'ls' } };
const RESULT = { type: 'tool_result', id: 't1', name: 'bash', output: 'a.ts', status: 'completed' };

describe('messages are read in the shapes that clients write', () => {
  test.each([
    ['text', { role: 'user', content: 'hi' }, 'user', [{ type: 'text', text: 'hi' }]],
    ['a list of texts', { role: 'human', content: ['a', 'b'] }, 'user', [text('a'), text('b')]],
    ['text parts', { role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }, 'assistant', [text('hi')]],
    [
      "Anthropic's call",
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'bash', input: { command: 'ls' } }] },
      'assistant',
      [CALL],
    ],
    [
      "Anthropic's result",
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.ts' }] }],
      },
      'user',
      [{ ...RESULT, name: '' }],
    ],
    [
      "OpenAI's call beside the content",
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 't1', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
      },
      'assistant',
      [CALL],
    ],
    ["OpenAI's result", { role: 'tool', tool_call_id: 't1', name: 'bash', content: 'a.ts' }, 'tool', [RESULT]],
    [
      "OpenClaw's call",
      { role: 'assistant', content: [{ type: 'toolCall', id: 't1', name: 'bash', arguments: { command: 'ls' } }] },
      'assistant',
      [CALL],
    ],
    [
      "OpenClaw's failed result",
      {
        role: 'toolResult',
        toolCallId: 't1',
        toolName: 'bash',
        isError: true,
        content: [{ type: 'text', text: 'no' }],
      },
      'tool',
      [{ ...RESULT, output: 'no', status: 'error' }],
    ],
    [
      "the reference's tool part, which holds both",
      {
        role: 'assistant',
        parts: [{ type: 'tool', tool_id: 't1', tool_name: 'bash', tool_input: { command: 'ls' }, tool_output: 'a.ts' }],
      },
      'assistant',
      [CALL, RESULT],
    ],
    [
      'an unknown part',
      { role: 'user', content: [{ type: 'image', data: 'x' }] },
      'user',
      [{ type: 'other', value: { type: 'image', data: 'x' } }],
    ],
  ])('%s', (_, value, role, parts) => {
    expect(readDraft(value)).toMatchObject({ role, parts });
  });

  test.each([[null], [7], ['text'], [[]], [{}], [{ role: 'nobody', content: 'x' }], [{ role: 7 }]])(
    '%j is not a message',
    (value) => {
      expect(readDraft(value)).toBeUndefined();
    },
  );

  test('times are ISO, seconds or milliseconds; anything else is unknown', () => {
    const at = (timestamp: unknown) => readDraft({ role: 'user', content: 'x', timestamp })?.timestamp;
    expect(at('2026-01-02T03:04:05Z')).toBe('2026-01-02T03:04:05Z');
    expect(at(1_767_323_045)).toBe('2026-01-02T03:04:05.000Z');
    expect(at(1_767_323_045_000)).toBe('2026-01-02T03:04:05.000Z');
    expect([at('soon'), at(Number.NaN), at(1e300), at({})]).toEqual([null, null, null, null]);
  });
});

describe('a written message is read back', () => {
  test('any message, on one line', () => {
    fc.assert(
      fc.property(message, (written) => {
        const line = formatMessage(written);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(parseMessage(line)).toEqual(written);
      }),
      { numRuns: cases(200) },
    );
  });

  test('from any JSON value without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), (content, calls) => {
        const draft = readDraft({ role: 'tool', content, tool_calls: calls, tool_call_id: 'x' });
        if (draft !== undefined) countMessageTokens(draft);
      }),
      { numRuns: cases(200) },
    );
  });

  test('from the same lines by the prompt builder', () => {
    const line = formatMessage({ id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'hi' }], timestamp: null });
    expect(readDrafts(line)).toMatchObject([{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]);
  });
});

describe('tokens of a message', () => {
  test('include texts, tool calls with their input, and outputs, but not images', () => {
    const tokens = (parts: SessionMessage['parts']) => countMessageTokens({ role: 'user', parts, timestamp: null });
    expect(tokens([{ type: 'text', text: 'abcd' }])).toBe(1);
    // t1 + bash + {"command": "ls"} = 2 + 4 + 17 characters
    expect(tokens([{ type: 'tool_call', id: 't1', name: 'bash', input: { command: 'ls' } }])).toBe(6);
    expect(tokens([{ type: 'other', value: 'x'.repeat(1_000) }])).toBe(0);
  });

  test('are more for Cyrillic, Arabic and Thai than for Latin (W25)', () => {
    const tokens = (letter: string) =>
      countMessageTokens({ role: 'user', parts: [text(letter.repeat(40))], timestamp: null });
    expect([tokens('a'), tokens('п'), tokens('م'), tokens('ก')]).toEqual([10, 20, 20, 20]);
  });
});

function text(value: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: value };
}

const part: fc.Arbitrary<SessionMessage['parts'][number]> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'grapheme' }) }),
  fc.record({
    type: fc.constant('tool_call' as const),
    id: fc.string(),
    name: fc.string(),
    input: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
  }),
  fc.record({
    type: fc.constant('tool_result' as const),
    id: fc.string(),
    name: fc.string(),
    output: fc.string({ unit: 'binary' }),
    status: fc.constantFrom('completed', 'error', 'running'),
  }),
  fc.record({ type: fc.constant('context' as const), uri: fc.string(), abstract: fc.string() }),
);

const message: fc.Arbitrary<SessionMessage> = fc.record(
  {
    id: fc.string({ minLength: 1 }),
    role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const, 'tool' as const),
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    timestamp: fc.constantFrom(null, '2026-01-02T03:04:05.000Z'),
    idempotency_key: fc.tuple(fc.string(), fc.nat()),
    source_id: fc.string(),
  },
  { requiredKeys: ['id', 'role', 'parts', 'timestamp'] },
);
