import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { checkAnswer, toPromptForm } from '../../src/model/answer.js';
import { readToolCalls, toolCallsQuestion } from '../../src/model/ask.js';

const TOOLS = [
  { name: 'memory_write', description: 'write a note', schema: z.strictObject({ text: z.string() }) },
  { name: 'memory_drop', description: 'drop one', schema: z.strictObject({ text: z.string() }) },
];
const CALL = { name: 'memory_write', arguments: { text: 'a' } };
const READ = { tool: 'memory_write', arguments: { text: 'a' } };
const reply = (content: string, calls: readonly { name: string; arguments: unknown }[] = []) => ({
  content,
  calls,
  cut: false,
  promptTokens: undefined,
});

describe('calls', () => {
  test.each([
    ['bare JSON', JSON.stringify(CALL)],
    ['a fence', `I will save this.\n\`\`\`json\n${JSON.stringify(CALL)}\n\`\`\``],
    ['tags', `<tool_call>\n${JSON.stringify(CALL)}\n</tool_call>`],
    ['the key parameters', JSON.stringify({ name: 'memory_write', parameters: { text: 'a' } })],
    ['a function around it', JSON.stringify({ type: 'function', function: CALL })],
    ['a list', JSON.stringify([CALL])],
    ['thoughts before it', `<think>{"name": "memory_drop"}</think>${JSON.stringify(CALL)}`],
  ])('written as text are recognised: %s', (_, content) => {
    expect(readToolCalls(reply(content), TOOLS)).toEqual({ calls: [READ], text: '' });
  });

  test('several in tags are all recognised', () => {
    const other = { name: 'memory_drop', arguments: { text: 'b' } };
    const content = [CALL, other].map((call) => `<tool_call>${JSON.stringify(call)}</tool_call>`).join('\n');
    expect(readToolCalls(reply(content), TOOLS)?.calls).toEqual([
      READ,
      { tool: 'memory_drop', arguments: { text: 'b' } },
    ]);
  });

  test('with arguments as text are parsed, and a repeated call counts once', () => {
    const asText = { name: 'memory_write', arguments: JSON.stringify({ text: 'a' }) };
    expect(readToolCalls(reply('Noted.', [CALL, asText]), TOOLS)).toEqual({ calls: [READ], text: 'Noted.' });
  });

  test.each([
    ['an unknown tool', { name: 'rm_rf', arguments: {} }, 'there is no tool "rm_rf"'],
    ['a list for a text', { name: 'memory_write', arguments: { text: [42] } }, 'memory_write: text: '],
    ['no arguments', { name: 'memory_write', arguments: {} }, 'memory_write: text: '],
  ])('with %s are dropped alone, and named', (_, bad, why) => {
    const read = readToolCalls(reply('', [CALL, bad]), TOOLS);
    expect(read).toMatchObject({ calls: [READ], refused: [expect.stringContaining(why)] });
    expect(readToolCalls(reply('', [bad]), TOOLS)).toBeUndefined();
  });

  test.each([
    ['a number for a text', { text: 42 }, { text: '42' }],
    ['an unknown argument', { text: 'b', force: true }, { text: 'b' }],
  ])('with %s are accepted in their obvious meaning', (_, given, read) => {
    const bad = { name: 'memory_write', arguments: given };
    expect(readToolCalls(reply('', [bad]), TOOLS)?.calls).toEqual([{ tool: 'memory_write', arguments: read }]);
  });

  test('JSON that calls no known tool is plain text', () => {
    for (const content of ['{"name": "rm_rf", "arguments": {}}', '{"a": 1}', 'memory_write("a")', '']) {
      expect(readToolCalls(reply(content), TOOLS)).toEqual({ calls: [], text: content });
    }
  });
});

test('a turn put as a question accepts the same calls, and its prompt lists the tools', async () => {
  const question = toolCallsQuestion({ prompt: { system: 'Save.', user: 'I moved.' }, tools: TOOLS });
  expect(question.prompt.system).toMatch(/^Save\.\n\nTools:\n- memory_write: write a note\n- memory_drop: drop one/);
  expect(toPromptForm(question)).toMatchObject({
    user: 'I moved.',
    schemaName: 'tool_calls',
    schema: { type: 'object' },
  });
  expect(await checkAnswer(question, JSON.stringify({ calls: [READ] }))).toMatchObject({
    ok: true,
    value: { calls: [READ] },
  });
  expect(await checkAnswer(question, '{"calls": []}')).toMatchObject({ ok: true, value: { calls: [] } });
  const wrong = '{"calls": [{"tool": "rm_rf", "arguments": {}}]}';
  expect(await checkAnswer(question, wrong)).toMatchObject({
    ok: false,
    error: { type: 'invalid_answer', raw: wrong },
  });
});
