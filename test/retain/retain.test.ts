import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cli } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW } from '../support/workspace.js';

const LOG = `memory/${NOW.slice(0, 10)}.md`;

interface Retained {
  readonly retained: readonly {
    readonly id: string;
    readonly source: string;
    readonly kind: string;
    readonly nearDuplicateOf?: string;
  }[];
  readonly skipped: readonly { readonly text: string; readonly reason: string }[];
  readonly warnings: readonly string[];
}

test('several quoted arguments are several lines; unquoted words are one', async () => {
  const workspace = testWorkspace();
  await workspace.run(['retain', 'W @Peter: lives in Graz', 'O(c=0.8) @Peter: prefers short replies']);
  await workspace.run(['retain', 'B', '@Peter:', 'moved', 'his boxes', 'W', 'of', 'Graz']);
  await workspace.run(['retain', 'W @Anna: has two', 'sons', 'die Katze frisst nur Nassfutter']);
  expect(workspace.read(LOG)).toBe(
    '# 2026-03-15\n\n## Retain\n\n- W @Peter: lives in Graz\n- O(c=0.8) @Peter: prefers short replies\n- B @Peter: moved his boxes W of Graz\n- W @Anna: has two sons\n- S die Katze frisst nur Nassfutter\n',
  );
});

test.each([
  ['W @A: x\nW @B: y', ['W @A: x', 'W @B: y']],
  ['- W @A: x\r\n  goes on\r\n- O(c=0.5) @B: y', ['W @A: x goes on', 'O(c=0.5) @B: y']],
  ['W lives in Vienna\nB fixed the door', ['W lives in Vienna', 'B fixed the door']],
  ['W @A: collects records.\nB sides are rare,\nI think', ['W @A: collects records. B sides are rare, I think']],
  ['W：住在维也纳\nW @李雷：喜欢茶', ['W 住在维也纳', 'W @李雷: 喜欢茶']],
])('every line of %j that begins like a fact is one', async (text, facts) => {
  const workspace = testWorkspace();
  expect((await workspace.run(['retain', text])).code).toBe(0);
  const written = workspace
    .read(LOG)
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(written).toEqual(facts.map((fact) => `- ${fact}`));
});

test('any spelling of a path names the same page; a date that does not exist is refused', async () => {
  const workspace = testWorkspace();
  const { retained } = await workspace.json<Retained>(['retain', '--file', './memory//./2026-03-01.md', 'W @A: x']);
  expect(retained[0]?.source).toBe('memory/2026-03-01.md#L5');
  for (const page of ['memory/2026-02-30.md', 'memory//2026-13-01.md', 'memory/2026-02-29-call.md']) {
    const { code, stderr } = await workspace.run(['retain', '--file', page, 'W @A: y']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('error: there is no day 2026-')]);
  }
});

test('the next question indexes new facts; retain shows an id without indexing', async () => {
  const workspace = testWorkspace();
  await workspace.run(['retain', 'W @Peter: lives in Graz']);
  await workspace.run(['index']);
  const { stdout } = await workspace.run(['retain', 'W @Anna: keeps bees']);
  const [shown = ''] = /\bf-\w+/.exec(stdout) ?? [];
  expect(shown).toMatch(/^f-\w{6}$/);
  expect(await workspace.json(['index'])).toMatchObject({ changed: 1 });
  expect((await workspace.run(['get', shown])).stdout).toContain('keeps bees');
});

test('a fact becomes one line in the log of the day, is cited with its line, and is found at once', async () => {
  const workspace = testWorkspace();
  const { retained } = await workspace.json<Retained>(['retain', 'O(c=0.9) @Peter: prefers', 'short', 'replies']);
  expect(workspace.read(LOG)).toBe('# 2026-03-15\n\n## Retain\n\n- O(c=0.9) @Peter: prefers short replies\n');
  expect(retained).toMatchObject([{ kind: 'opinion', source: `${LOG}#L5` }]);
  const { results } = await workspace.recall('short replies');
  expect(results[0]).toMatchObject({ id: retained[0]?.id, source: `${LOG}#L5`, confidence: 0.9 });
});

test('retaining the same fact in a slightly different spelling changes nothing', async () => {
  const workspace = testWorkspace();
  await workspace.json(['retain', 'W @Peter: lives in Vienna']);
  const before = workspace.read(LOG);
  const again = await workspace.json<Retained>(['retain', 'W @peter:   Lives in VIENNA.']);
  expect(again).toMatchObject({ retained: [], skipped: [{ reason: expect.stringContaining('already saved as f-') }] });
  expect(workspace.read(LOG)).toBe(before);
});

test('a near-duplicate of the last 30 days is written and reported; older ones are not compared', async () => {
  const words = 'the kitchen tap of the upper floor drips again since the plumber of last week was there with his son';
  const workspace = testWorkspace({
    'memory/2026-03-01.md': `- W @Home: ${words}.\n`,
    'memory/2026-01-01.md': '- W @Roof: one two three four five six seven eight nine ten.\n',
  });
  const near = await workspace.json<Retained>(['retain', `W @Home: ${words} today`]);
  expect(near.retained[0]?.nearDuplicateOf).toMatch(/^f-/);
  const far = await workspace.json<Retained>(['retain', 'W @Roof: one two three four five six seven eight nine ten!']);
  expect(far.retained[0]).not.toHaveProperty('nearDuplicateOf');
});

test("the day is the user's, from --tz, the settings or openclaw.json (complaint: wrong date by UTC)", async () => {
  const workspace = testWorkspace();
  const late = ['-w', workspace.root, '--now', '2026-03-15T23:30:00Z', 'retain', '--json'];
  const day = async (fact: string, ...options: string[]) => {
    const { stdout } = await cli([...late, fact, ...options], {
      cwd: workspace.base,
      env: { ...workspace.env, TZ: 'UTC' },
    });
    const { retained } = JSON.parse(stdout) as Retained;
    return retained[0]?.source.slice(7, 17);
  };
  expect(await day('W one')).toBe('2026-03-15');
  mkdirSync(`${workspace.home}/.openclaw`);
  writeFileSync(
    `${workspace.home}/.openclaw/openclaw.json`,
    "{ agents: { defaults: { userTimezone: 'Asia/Tokyo' } } }",
  );
  expect(await day('W two')).toBe('2026-03-16');
  workspace.write('memory.config.json5', "{ timezone: 'America/New_York' }");
  expect(await day('W three')).toBe('2026-03-15');
  expect(await day('W four', '--tz', 'Asia/Shanghai')).toBe('2026-03-16');
});

test('a secret is redacted before writing, and the word "key" is not one (complaint: secrets in memory)', async () => {
  const workspace = testWorkspace();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const report = await workspace.json<Retained>(['retain', `W @CI: the key is ${secret} and the key holder is Anna`]);
  expect(workspace.read(LOG)).not.toContain(secret);
  expect(workspace.read(LOG)).toContain('the key holder is Anna');
  expect(report.warnings.join()).toContain('was replaced by a placeholder');
});

test('line breaks are folded, control characters refused', async () => {
  const workspace = testWorkspace();
  await workspace.json(['retain', 'W @X: one\n  two\r\nthree']);
  expect(workspace.read(LOG)).toContain('- W @X: one two three\n');
  const refused = await workspace.run(['retain', 'W @X: bell\u0007']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('control characters');
});

test('--stdin writes good lines, names a malformed one, and reports it in the exit code', async () => {
  const workspace = testWorkspace();
  const run = await workspace.run(['retain', '--stdin', '--json'], { input: 'W @A: one\nW@B two\n\nB @C: three\n' });
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({ retained: [{}, {}], skipped: [{ text: 'W@B two' }] });
});

test('--dry-run shows a diff and writes nothing', async () => {
  const workspace = testWorkspace({ [LOG]: '# today\n' });
  const run = await workspace.run(['retain', '--dry-run', 'W @X: new']);
  expect(run.stdout).toContain('+- W @X: new');
  expect(workspace.read(LOG)).toBe('# today\n');
});

test('--file writes undated facts to a topic, and nowhere else', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': '# Memory\n' });
  await workspace.json(['retain', '--file', 'memory/topics/redis.md', 'W @Redis: is a cache']);
  expect(workspace.read('memory/topics/redis.md')).toBe('# redis\n\n## Retain\n\n- W @Redis: is a cache\n');
  for (const path of ['MEMORY.md', '../outside.md', 'bank/world.md', 'memory/2026-01-01-dump.md', '/etc/x.md']) {
    expect(await workspace.run(['retain', '--file', path, 'W a b']), path).toMatchObject({ code: 2, stdout: '' });
  }
  expect(workspace.read('MEMORY.md')).toBe('# Memory\n');
});

test('a page linked to a file outside of the workspace is not written', async () => {
  const workspace = testWorkspace();
  writeFileSync(`${workspace.base}/outside.md`, 'mine\n');
  mkdirSync(workspace.path('memory'));
  symlinkSync(`${workspace.base}/outside.md`, workspace.path(LOG));
  const run = await workspace.run(['retain', 'W @X: a']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('is a link to a place outside of the workspace');
});

test('bytes that are not UTF-8 stay, even when the page is rewritten in the middle', async () => {
  const workspace = testWorkspace();
  const head = Buffer.from('# d\n\n## Retain\n\n- W @X: a\n\n## Photo\n\n');
  const bytes = Buffer.concat([head, Buffer.from([0xff, 0xfe, 0x80, 0x0a])]);
  workspace.write(LOG, bytes);
  await workspace.json(['retain', 'W @Y: b']);
  const after = (await import('node:fs')).readFileSync(workspace.path(LOG));
  expect(after.subarray(-4)).toEqual(bytes.subarray(-4));
  expect(after.toString('latin1')).toContain('- W @X: a\n- W @Y: b\n');
});
