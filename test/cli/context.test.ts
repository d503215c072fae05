import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childEnv, cli } from '../support/cli.js';

const BIN = fileURLToPath(new URL('../../bin/openclaw.js', import.meta.url));

test('context strip removes blocks and keeps every other byte, even invalid UTF-8', () => {
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  const input = bytes(
    '\ufeffa\r\n',
    [0xff, 0x00],
    '<openviking-context>x',
    [0xfe],
    '</openviking-context>\n',
    [0xe4, 0xb8],
  );
  const args = [BIN, 'memory', 'context', 'strip'];
  const output = execFileSync(process.execPath, args, { input, env: childEnv() });
  expect(output).toEqual(bytes('\ufeffa\r\n', [0xff, 0x00], '\n', [0xe4, 0xb8]));
});

test('context strip --json returns the text in one document', async () => {
  const input = 'a <relevant-memories>b</relevant-memories> c';
  const { code, stdout } = await cli(['context', 'strip', '--json'], { input });
  expect([code, JSON.parse(stdout)]).toEqual([0, { text: 'a  c' }]);
});

test('context strip reads more than a megabyte through a pipe', async () => {
  const user = 'what the user wrote\n'.repeat(80_000);
  const { code, stdout } = await cli(['context', 'strip'], {
    input: `<openviking-context>\na\n</openviking-context>\n${user}`,
  });
  expect(code).toBe(0);
  expect(stdout).toBe(`\n${user}`);
});

test('context strip --query prints the query, or nothing', async () => {
  const text = '[2026-04-10] <openviking-context>a</openviking-context>\n\n fix\tit ';
  expect((await cli(['context', 'strip', '--query'], { input: text })).stdout).toBe('fix it\n');
  expect((await cli(['context', 'strip', '--query'], { input: '[tool: exec]' })).stdout).toBe('');
  expect(JSON.parse((await cli(['context', 'strip', '--query', '--json'], { input: text })).stdout)).toEqual({
    query: 'fix it',
    truncated: false,
    originalChars: 6,
    finalChars: 6,
  });
});

test('context gate answers with decision, score, reason, trigger and groups', async () => {
  const { code, stdout } = await cli(['context', 'gate', 'Could you deploy it to prod?', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    decision: 'recall',
    score: 5,
    reason: 'task_execution',
    trigger: 'task_start',
    groups: [
      { group: 'effect', points: 4, words: ['deploy'] },
      { group: 'cue', points: 1, words: ['prod'] },
    ],
  });
});

test('context gate reads text from stdin too, and obeys every option', async () => {
  const gate = async (args: string[], input?: string) =>
    JSON.parse((await cli(['context', 'gate', ...args, '--json'], input === undefined ? {} : { input })).stdout);
  expect((await gate([], 'fix the deploy script\n')).decision).toBe('recall');
  expect((await gate(['a quiet reminder', '--cron'])).trigger).toBe('cron_start');
  expect((await gate(['a quiet reminder', '--session-key', 'a:cron:b'])).trigger).toBe('cron_start');
  expect((await gate(['a quiet reminder', '--trigger', 'subagent_start'])).reason).toBe('forced_trigger');
  expect((await gate(['fix the deploy script', '--bypass'])).reason).toBe('session_bypassed');
  expect((await gate(['fix the deploy script', '--min-query-chars', '100'])).reason).toBe('query_too_short');
});

test.each([
  [['context', 'gate', 'x', '--trigger', 'whenever']],
  [['context', 'gate', 'x', '--min-query-chars', 'many']],
  [['flush', 'check', '--tokens', 'many']],
])('%s is wrong usage', async (args) => {
  expect((await cli(args)).code).toBe(2);
});

test('flush check answers with shouldFlush, threshold and reason', async () => {
  const check = async (...args: string[]) => JSON.parse((await cli(['flush', 'check', ...args, '--json'])).stdout);
  const at = ['--tokens', '176000', '--context-window', '200000'];
  expect(await check(...at)).toEqual({ shouldFlush: true, threshold: 176000, reason: 'threshold_reached' });
  expect(await check(...at, '--compaction-count', '1', '--last-flush', '1')).toMatchObject({
    reason: 'already_flushed',
  });
  expect(await check(...at, '--soft', '-1000', '--reserve', 'NaN')).toMatchObject({ threshold: 176000 });
  expect(await check(...at, '--soft', '0', '--reserve', '0')).toMatchObject({ shouldFlush: false, threshold: 200000 });
  expect(await check('--context-window', '200000')).toMatchObject({ shouldFlush: false, reason: 'no_tokens' });
});
