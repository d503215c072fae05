import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimilarFactFinder } from '../../src/retain/near-duplicate.js';
import { cli } from '../support/cli.js';
import { growthOfFour, LINEAR_LIMIT } from '../support/growth.js';
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

const WORDS = ['red', 'blue', 'bike', 'house', 'Graz', 'tea', '7', '17', 'likes', 'moved', 'never', '茶'];

test('the first fact with the same entities and 85 % common words is found, for any facts', () => {
  const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((words) => words.join(' '));
  const fact = fc.record({ entities: fc.subarray(['Peter', 'Anna']), text });
  const facts = fc.array(fact, { maxLength: 40 });
  fc.assert(
    fc.property(facts, fact, (known, wanted) => {
      const listed = known.map((one, i) => ({ ...one, id: `f-${i}` }));
      const words = (one: { text: string }) => new Set(one.text.toLowerCase().split(' '));
      const isNear = (one: (typeof listed)[number]): boolean => {
        const [a, b] = [words(one), words(wanted)];
        const shared = [...a].filter((word) => b.has(word)).length;
        return one.entities.join() === wanted.entities.join() && shared / (a.size + b.size - shared) >= 0.85;
      };
      expect(new SimilarFactFinder(listed).near(wanted)?.id).toBe(listed.find(isNear)?.id);
    }),
  );
});

test('a near-duplicate is found in time linear in the number of facts', () => {
  const facts = (length: number) =>
    Array.from({ length: length / 40 }, (_, i) => `likes thing ${i} of the ${i * 7} things in the house`).join('\n');
  const retain = (text: string) => {
    const known = new SimilarFactFinder();
    for (const [i, line] of text.split('\n').entries()) {
      const fact = { id: `f-${i}`, entities: ['Peter'], text: line };
      expect(known.near(fact)).toBeUndefined();
      known.add(fact);
    }
  };
  expect(growthOfFour(facts, retain)).toBeLessThan(LINEAR_LIMIT);
});

test.each([
  ['W @Anna Schmidt: is our tax adviser', '@Anna-Schmidt'],
  ['O(c=0.8) @Анна Петровна Шмидт: любит чай', '@Анна-Петровна-Шмидт'],
])('%s is logged as typed, with a hint how to write a name of several words', async (typed, hint) => {
  const workspace = testWorkspace();
  const { code, stdout, stderr } = await workspace.run([
    'retain',
    typed,
    '--now',
    '2026-03-01T12:00:00Z',
    '--tz',
    'UTC',
  ]);
  expect(code).toBe(0);
  expect(workspace.read('memory/2026-03-01.md')).toContain(`- ${typed}\n`);
  expect(stdout).toContain(typed.slice(typed.indexOf('@')));
  expect(stderr).toContain(hint);
});

test('a one-word name gets its colon without a hint', async () => {
  const workspace = testWorkspace();
  await workspace.run(['retain', 'W @Anna keeps bees', '--now', '2026-03-01T12:00:00Z', '--tz', 'UTC']);
  expect(workspace.read('memory/2026-03-01.md')).toContain('- W @Anna: keeps bees\n');
});

test('lint gives the same hint for a line of a person', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '- W @Anna Schmidt: is our tax adviser\n- W @Anna: sings\n',
  });
  const { code, stdout } = await workspace.run(['lint', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).problems).toEqual([
    expect.objectContaining({ rule: 'cut-name', line: 1, message: expect.stringContaining('@Anna-Schmidt') }),
  ]);
});

test('marks that reverse text are shown escaped on the screen; JSON and files keep them', async () => {
  const text = 'W @Anna: keeps \u202ecba\u202c bees';
  const workspace = testWorkspace({ 'memory/2026-03-01.md': `- ${text}\n` });
  expect((await workspace.run(['recall', 'bees'])).stdout).toContain('keeps \\u202ecba\\u202c bees');
  expect(await workspace.json(['recall', 'bees'])).toMatchObject({
    results: [{ content: '@Anna: keeps \u202ecba\u202c bees' }],
  });
});

test.each([
  ['Anna Schmidt', 'Anna', 'tax adviser'],
  ['Иван Петров', 'Иван', 'налоговый консультант'],
  ['María de la Cruz', 'María', 'asesora fiscal'],
])(
  'with a page named %s, lines about @%s and the rest of the name are about that entity',
  async (name, first, role) => {
    const slug = name.replaceAll(' ', '-');
    const workspace = testWorkspace({
      'memory/2026-03-01.md': `- W @${name}: ${role}\n- W @${first}: sings\n`,
      'memory/2026-03-02.md': `- W @Annie Bell: ${role}, too\n`,
    });
    const facts = async (entity: string) => {
      const { stdout, code } = await workspace.run(['entity', 'show', entity, '--json']);
      return code === 0
        ? JSON.parse(stdout)
            .facts.map(({ content }: { content: string }) => content)
            .sort()
        : [];
    };
    const sings = `@${first}: sings`;
    expect(await facts(first)).toEqual([`@${name}: ${role}`, sings].sort());
    workspace.write(`bank/entities/${slug}.md`, `---\nname: ${name}\naliases: [Annie Bell]\n---\n`);
    expect(await facts(first)).toEqual([sings]);
    expect(await facts(name)).toEqual([`@${name}: ${role}`, `@Annie Bell: ${role}, too`].sort());
    expect(await facts('Annie Bell')).toHaveLength(2);
    expect((await workspace.run(['lint'])).stdout).not.toContain('cut-name');
    await workspace.json(['reflect']);
    expect(workspace.read(`bank/entities/${slug}.md`)).toContain(role);
    expect(workspace.read(`bank/entities/${first}.md`)).not.toContain(role);
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
    workspace.remove(`bank/entities/${slug}.md`);
    expect(await facts(first)).toContain(`@${name}: ${role}`);
  },
);
