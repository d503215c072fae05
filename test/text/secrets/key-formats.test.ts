import { describe, expect, test } from 'vitest';
import { redactSecrets } from '../../../src/text/redact.js';
import { growthOfFour, LINEAR_LIMIT } from '../../support/growth.js';
import { testWorkspace } from '../../support/test-workspace.js';
import { HARMLESS, type SecretLine, SHAPES, TOKENS } from './key-formats.js';

/** Whether a usable part of the secret is left. */
function leaks({ secret }: SecretLine, stored: string): boolean {
  const length = Math.min(secret.length, 10);
  for (let from = 0; from + length <= secret.length; from++)
    if (stored.includes(secret.slice(from, from + length))) return true;
  return false;
}

test('the lists have their documented lengths', () => {
  expect(TOKENS.length).toBeGreaterThanOrEqual(60);
  expect(HARMLESS.length).toBeGreaterThanOrEqual(60);
});

test('session add stores none of the keys and all harmless texts', async () => {
  const workspace = testWorkspace();
  const secrets = [...TOKENS, ...SHAPES];
  const messages = [...secrets.map(({ text }) => text), ...HARMLESS].map((content) => ({ role: 'user', content }));
  await workspace.json(['session', 'add', 'chat', '--stdin'], { input: JSON.stringify(messages) });
  const stored = workspace.read('sessions/chat/messages.jsonl').trimEnd().split('\n');
  expect(stored).toHaveLength(messages.length);
  const leaked = secrets.filter((line, index) => leaks(line, stored[index] ?? ''));
  expect(leaked.map(({ format }) => format)).toEqual([]);
  const isKept = (text: string, index: number) =>
    stored[secrets.length + index]?.includes(JSON.stringify(text).slice(1, -1));
  expect(HARMLESS.filter((text, index) => !isKept(text, index))).toEqual([]);
});

test('retain redacts and reports the kind without the secret', async () => {
  const [line] = TOKENS;
  const workspace = testWorkspace();
  const { stdout, stderr } = await workspace.run(['retain', line?.text ?? '']);
  expect(stdout + stderr).toContain('a secret (gitlab-token) was replaced by a placeholder');
  expect(stdout + stderr + workspace.read('memory/2026-03-15.md')).not.toContain(line?.secret);
});

test.each(SHAPES)('$format: redacting twice finds nothing more', ({ text }) => {
  const once = redactSecrets(text).text;
  expect(redactSecrets(once)).toEqual({ text: once, found: [] });
});

describe('takes linear time', () => {
  const PARTS = [
    ...['password', 'password: ', 'password for a ', 'password is', 'token=', '"key": "', 'api_key', 'secret|', 'a_b-'],
    ...[
      '://a:',
      '://',
      '?sig=',
      'Bearer ',
      'cookie: a=',
      'curl ',
      'mysql ',
      'echo ',
      'otpauth://',
      'seed phrase: abc ',
    ],
    ...['glpat-', 'sk-', 'hf_', 'ghp_a.', 'xoxb-', 'eyJaaaaaaaa.', 'aaa8Q~', 'sl.', 'AAAA1=', 'a1B2', '-----BEGIN '],
  ];
  test.each(PARTS)('%j again and again', (part) => {
    const make = (length: number) => part.repeat(length / part.length);
    expect(growthOfFour(make, redactSecrets, 20_000)).toBeLessThan(LINEAR_LIMIT);
  });
});
