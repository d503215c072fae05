import { describe, expect, test } from 'vitest';
import { MAX_QUERY_CHARACTERS, prepareQuery } from '../../src/text/query.js';
import { growthOfFour, LINEAR_LIMIT } from '../support/growth.js';

const query = (text: string) => prepareQuery(text).query;
const FENCE = '```';

describe('a query', () => {
  test.each([
    ['white space collapses, full-width too', '  a\u3000b\n\n c\t', 'a b c'],
    ['an injected block is removed', '<openviking-context>a</openviking-context>\n\nfix it', 'fix it'],
    ['NUL is removed', 'a\0b', 'ab'],
    ['a tool placeholder gives an empty query', '[toolUse: write_file]', ''],
    ['a placeholder with text behind it is text', '[tool: exec] then fix it', '[tool: exec] then fix it'],
    ['a placeholder with two brackets is text', '[tool: a] and [b]', '[tool: a] and [b]'],
    ['a compactor’s summary is the whole query', 'System: [2026-04-10] Compacted  the\tlogin work', 'the login work'],
    ['a compactor without a summary stays', 'System: [x] Compacted', 'System: [x] Compacted'],
    ['a summary of two lines stays as it is', 'System: [x] Compacted a\nb', 'System: [x] Compacted a b'],
    [
      'a compactor does not hide an injected block',
      'System: [x] Compacted a <relevant-memories>b</relevant-memories> c',
      'a c',
    ],
    ['a timestamp with weekday and zone', '[Fri 2026-04-10 17:20 GMT+8] fix it', 'fix it'],
    ['an ISO timestamp', '[2026-04-10T17:20:33.123Z] fix it', 'fix it'],
    ['an ISO timestamp with offset', '[2026-04-10T17:20:33+08:00] fix it', 'fix it'],
    ['a short date', '[10-04-26] fix it', 'fix it'],
    ['only the first timestamp', '[2026-04-10] [2026-04-11] fix it', '[2026-04-11] fix it'],
    ['a wiki link is not taken for a timestamp', '[[2026-04-10]] link', '[[2026-04-10]] link'],
    ['the mark of a subagent, even after a timestamp', '[2026-04-10] [Subagent Context] do it', 'do it'],
    [
      'a labelled metadata block',
      `Conversation info (untrusted metadata): ${FENCE}json\n{"a":1}\n${FENCE}\nfix it`,
      'fix it',
    ],
    ['a Chinese label', `对话信息 (meta): ${FENCE}\nfoo\n${FENCE} 帮我修复`, '帮我修复'],
    [
      'a label in the middle of a line is prose',
      `the Conversation info: ${FENCE}x${FENCE} y`,
      `the Conversation info: ${FENCE}x${FENCE} y`,
    ],
    ['a sender block anywhere', `mail Sender (me): ${FENCE}hi${FENCE} thanks`, 'mail thanks'],
    ['a sender without parentheses is prose', `Sender: ${FENCE}x${FENCE} y`, `Sender: ${FENCE}x${FENCE} y`],
    ['a label without a fence is prose', 'Sender (me): hello', 'Sender (me): hello'],
    [
      'the JSON of a gateway',
      `${FENCE}json\n{"session_id":"s","channel":"c","Sender":"x","message_id":1}\n${FENCE}\nfix it`,
      'fix it',
    ],
    [
      'JSON with two telling keys',
      `${FENCE}json {"session":1,"channel":2} ${FENCE} x`,
      `${FENCE}json {"session":1,"channel":2} ${FENCE} x`,
    ],
    [
      "the user's own JSON, though it has three such keys",
      `${FENCE}json {"sessionId":1,"userId":2,"timestamp":3,"payload":{}} ${FENCE} why?`,
      `${FENCE}json {"sessionId":1,"userId":2,"timestamp":3,"payload":{}} ${FENCE} why?`,
    ],
    ['a metadata block in the middle of a tag', `<Sender (x): ${FENCE}y${FENCE}openviking-context>a`, 'a'],
  ])('%s', (_, input, output) => {
    expect(query(input)).toBe(output);
  });

  test('is cut to its maximum length, and says so', () => {
    expect(prepareQuery(`${'a'.repeat(MAX_QUERY_CHARACTERS)}bc`)).toEqual({
      query: 'a'.repeat(MAX_QUERY_CHARACTERS),
      truncated: true,
      originalChars: MAX_QUERY_CHARACTERS + 2,
      finalChars: MAX_QUERY_CHARACTERS,
    });
  });

  test('is not cut inside a character', () => {
    const cut = query(`${'a'.repeat(MAX_QUERY_CHARACTERS - 1)}\u{1f680}`);
    expect(cut).toBe('a'.repeat(MAX_QUERY_CHARACTERS - 1));
  });
});

test.each<[string, (length: number) => string]>([
  ['labels without a fence', (n) => `\nConversation info (${' '.repeat(20)}`.repeat(n / 40) + FENCE],
  ['labels and white space', (n) => `Conversation info${' '.repeat(n)}`],
  ['senders with an open fence', (n) => `Sender (x): ${FENCE} `.repeat(n / 16)],
  ['JSON fences', (n) => `${FENCE}json {"session":`.repeat(n / 18)],
  ['a tool placeholder that never ends', (n) => `[tool:${' '.repeat(n)}`],
  ['compactors that say nothing', (n) => `System: [${']   '.repeat(n / 4)}`],
  ['a compactor and white space', (n) => `System: [x] Compacted${' '.repeat(n)}\na\nb`],
])('is prepared in linear time: %s', (_, make) => {
  expect(growthOfFour(make, query)).toBeLessThan(LINEAR_LIMIT);
});
