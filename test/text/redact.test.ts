import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactSecrets } from '../../src/text/redact.js';
import { cases } from '../support/cases.js';
import { growthOfFour, LINEAR_LIMIT } from '../support/growth.js';
import { testWorkspace } from '../support/test-workspace.js';
import { HARMLESS, type SecretLine, SHAPES, TOKENS } from './secrets/key-formats.js';

// The fakes are put together here, so that no scanner takes this file for a leak.
const letters = (length: number) => 'aB3dE5gH7jK9mN2pQ4sT6vW8xY'.repeat(12).slice(0, length);
const AWS = `AKI${'A'}${'ABCDEFGH12345678'}`;
const dashes = '-'.repeat(5);
const key = (kind: string) =>
  `${dashes}BEGIN ${kind}${dashes}\n${letters(64)}\n${letters(40)}==\n${dashes}END ${kind}${dashes}`;

describe('secrets of exact shape', () => {
  test.each([
    ['aws-access-key', AWS],
    ['github-token', `gh${'p'}_${letters(36)}`],
    ['github-token', `github${'_'}pat_${letters(82)}`],
    ['slack-token', `xox${'b'}-${'1234567890'}-${letters(24)}`],
    ['slack-webhook', `https://hooks.${'slack'}.com/services/T000/B000/${letters(24)}`],
    ['openai-key', `sk-${'proj'}-${letters(48)}`],
    ['openai-key', `sk-${letters(48)}`],
    ['anthropic-key', `sk-${'ant'}-api03-${letters(80)}`],
    ['google-key', `AI${'za'}${letters(35)}`],
    ['jwt', `ey${'J'}${letters(20)}.ey${'J'}${letters(40)}.${letters(43)}`],
    ['private-key', key('RSA PRIVATE KEY')],
    ['private-key', key('OPENSSH PRIVATE KEY')],
  ])('%s is replaced with its kind', (kind, secret) => {
    const { text, found } = redactSecrets(`before ${secret} after`);
    expect(text).toBe(`before [redacted:${kind}] after`);
    expect(found).toEqual([{ kind, index: 7, length: secret.length }]);
  });

  test.each([
    [`AWS_SECRET_ACCESS_KEY=${letters(40)}`, 'AWS_SECRET_ACCESS_KEY=[redacted:api-key]'],
    [`"secretAccessKey": "${letters(40)}"`, '"secretAccessKey": "[redacted:api-key]"'],
    ['password=hunter2', 'password=[redacted:password]'],
    ['DB_PASSWORD="hunter 2" x', 'DB_PASSWORD="[redacted:password]" x'],
    ['?user=a&password=b%20c&x=1', '?user=a&password=[redacted:password]&x=1'],
    ["password = 'hunter2'", "password = '[redacted:password]'"],
    ['my password is hunter2, keep it', 'my password is [redacted:password], keep it'],
    ['The wifi password: `Plum-7tango!`', 'The wifi password: `[redacted:password]`'],
    ['Das Passwort ist jetzt Sommer2024!', 'Das Passwort ist jetzt [redacted:password]'],
    ['数据库密码是abc123xyz。', '数据库密码是[redacted:password]。'],
  ])('%s', (input, output) => {
    expect(redactSecrets(input).text).toBe(output);
  });

  test('a truncated key block is redacted as far as it looks like a key', () => {
    const cut = `${dashes}BEGIN PRIVATE KEY${dashes}\n${letters(64)}`;
    expect(redactSecrets(`a ${cut}\nand then, prose`).text).toBe('a [redacted:private-key]\nand then, prose');
  });

  test('several secrets are found in order, with their offsets in the given text', () => {
    const { found } = redactSecrets(`${AWS} and password=x7#y and ${AWS}`);
    expect(found.map(({ kind, index }) => [kind, index])).toEqual([
      ['aws-access-key', 0],
      ['password', 34],
      ['aws-access-key', 43],
    ]);
  });
});

test.each([
  'the key to success; API key rotation; keyboard',
  'my password is stored in 1Password',
  'The password is in vault/db-2, ask Anna',
  'password: 12-character minimum, hashed with sha256',
  'The password is base64-encoded',
  'The root password lives on host hz-31',
  'password is $DB_PASSWORD2 in CI',
  '密码存在 vault/db2',
  'password=$DB_PASSWORD',
  `password=${'$'}{DB_PASSWORD}`,
  'password=<your password>',
  'password=***',
  'password=getPassword()',
  'if (password === other)',
  'sk-learn and sk-short',
  `commit ${'0123456789abcdef'.repeat(2)}01234567`,
  'AKIA is the prefix of a key id',
  'eyJust.a.word',
])('is not redacted: %s', (text) => {
  expect(redactSecrets(text)).toEqual({ text, found: [] });
});

test('redacting twice finds nothing more', () => {
  const parts = fc.array(
    fc.constantFrom(
      AWS,
      `gh${'o'}_${letters(36)}`,
      'password=',
      'passwd="',
      'a',
      ' ',
      '"',
      '$x',
      key('PRIVATE KEY'),
      '=',
      '[redacted:jwt]',
      '\n',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(parts, (all) => {
      const { text } = redactSecrets(all.join(''));
      expect(redactSecrets(text).text).toBe(text);
    }),
    { numRuns: cases(500), seed: 7 },
  );
});

test.each<[string, (length: number) => string]>([
  ['one long word', (n) => 'a'.repeat(n)],
  ['beginnings of key blocks', (n) => `${dashes}BEGIN PRIVATE KEY${dashes}\n`.repeat(n / 28)],
  ['beginnings of tokens', (n) => `ey${'J'}${'a'.repeat(9)}.`.repeat(n / 13)],
  ['a token without an end', (n) => `ey${'J'}`.repeat(n / 3)],
  ['open quotes', (n) => 'password="'.repeat(n / 10)],
  ['white space', (n) => `secret_key${' '.repeat(n)}`],
])('takes linear time: %s', (_, make) => {
  expect(growthOfFour(make, redactSecrets)).toBeLessThan(LINEAR_LIMIT);
});

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
