import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/tokens.js';
import { askedPairs } from '../support/asked-pairs.js';
import { cases } from '../support/cases.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const OPINIONS = `# Opinions

- O(c=0.70) @Peter: prefers trains to planes ^o-aaaaaaaaaaaaa
- O(c=0.60) @Peter: trusts the night shift ^o-bbbbbbbbbbbbb
- O(c=0.80) @李雷: 喜欢简短的回复 ^o-ccccccccccccc
`;
const DAYS = cases(25, 14);
/** So few that one prompt has all pairs of unchanged pages. */
const FEW_DAYS = 14;

function days(length = DAYS): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length }, (_, index) => {
      const lines = [
        `- W @Peter: took the ${index}:15 to Linz and slept in coach ${index}`,
        `- W @李雷: 要了第${index}份报告`,
      ];
      return [`memory/2026-02-${String(index + 1).padStart(2, '0')}.md`, `## Retain\n${lines.join('\n')}\n`];
    }),
  );
}

interface Prompt {
  readonly user: string;
  readonly system: string;
  readonly schema: unknown;
  readonly pairs: number;
  readonly part: number;
  readonly parts: number;
}

const SMALL = ['--max-tokens', '1500'];
const prompt = (workspace: TemporaryWorkspace, ...more: readonly string[]) =>
  workspace.json<Prompt>(['reflect', 'prompt', ...SMALL, ...more]);

const pairsOf = ({ user }: Prompt) =>
  [...user.matchAll(/^fact (f-\S+), opinion (o-\S+)$/gm)].map(([, fact, opinion]) => ({ fact, opinion }));

const answerTo = (form: Prompt) => ({
  part: form.part,
  verdicts: [
    ...pairsOf(form).map((pair) => ({ ...pair, verdict: 'supports' })),
    ...askedPairs(form.user).map(({ pair }) => ({ pair, relation: 'both' })),
  ],
});

const apply = (workspace: TemporaryWorkspace, answer: unknown, ...more: readonly string[]) =>
  workspace.run(['reflect', 'apply', '--answer', '-', '--json', ...SMALL, ...more], { input: JSON.stringify(answer) });

describe('reflect prompt in parts', () => {
  test('asks about every pair once, in prompts that fit, and stores the given answers', async () => {
    const workspace = testWorkspace({ 'bank/opinions.md': OPINIONS, ...days() });
    const asked: string[] = [];
    const statements: string[] = [];
    for (let turn = 0; turn < 60; turn++) {
      const form = await prompt(workspace);
      if (form.pairs === 0) break;
      const text = `${form.system}\n${form.user}\n${JSON.stringify(form.schema)}`;
      expect(estimateTokens(text)).toBeLessThanOrEqual(1500);
      expect(pairsOf(form).length + askedPairs(form.user).length).toBe(form.pairs);
      statements.push(...askedPairs(form.user).map(({ earlier, later }) => `${earlier.text} ${later.text}`));
      asked.push(...pairsOf(form).map((pair) => JSON.stringify(pair)));
      const { code, stdout } = await apply(workspace, answerTo(form));
      expect(code).toBe(0);
      expect(JSON.parse(stdout).partsLeft).toBe(form.parts - form.part);
    }
    // Each fact about Peter with two beliefs, each about 李雷 with one.
    expect(asked).toHaveLength(DAYS * 3);
    expect(new Set(asked).size).toBe(asked.length);
    // Each statement, but the first eight, with eight earlier ones of its subject at least.
    expect(statements.length).toBeGreaterThanOrEqual(2 * (DAYS * 8 - 36));
    expect(new Set(statements).size).toBe(statements.length);
    const verdicts = workspace.read('bank/evidence.jsonl').trim().split('\n');
    expect(verdicts.filter((line) => line.includes('"supports","by":"agent"'))).toHaveLength(asked.length);
    expect(await workspace.json(['reflect'])).toMatchObject({ facts: 0, written: [] });
  });

  test('refuses an answer for another or no part, and changes nothing', async () => {
    const workspace = testWorkspace({ 'bank/opinions.md': OPINIONS, ...days() });
    const first = await prompt(workspace);
    const second = await prompt(workspace, '--part', '2');
    expect([first.part, second.part, first.parts === second.parts]).toEqual([1, 2, true]);
    expect(pairsOf(second)).not.toEqual(pairsOf(first));
    const early = await apply(workspace, answerTo(second));
    expect(`${early.code} ${early.stdout}${early.stderr}`).toMatch(/^1 .*the next part is 1, not 2/s);
    const unnamed = await apply(workspace, { verdicts: answerTo(first).verdicts });
    expect(`${unnamed.code} ${unnamed.stdout}${unnamed.stderr}`).toMatch(/^2 .*does not name its part/s);
    const empty = await apply(workspace, { ...answerTo(first), verdicts: [] });
    expect(`${empty.code} ${empty.stdout}${empty.stderr}`).toMatch(/^1 .*has no verdict/s);
    expect(workspace.pages().some(({ path }) => path === 'bank/evidence.jsonl')).toBe(false);
    expect((await apply(workspace, answerTo(first))).code).toBe(0);
    expect((await apply(workspace, answerTo(first))).code).toBe(1);
    expect((await workspace.run(['reflect', 'prompt', ...SMALL, '--part', '99'])).code).toBe(2);
    expect((await workspace.run(['reflect', 'prompt', '--max-tokens', '50'])).stderr).toMatch(/use --max-tokens \d+/);
  });

  test('asks after a run by rules about what it did not settle, the newest first, as many as wanted', async () => {
    const workspace = testWorkspace({ 'bank/opinions.md': OPINIONS, ...days(FEW_DAYS) });
    const before = await workspace.json<Prompt>(['reflect', 'prompt', '--max-tokens', '100000']);
    await workspace.json(['reflect', '--max-calls', '0']);
    expect(await workspace.json<Prompt>(['reflect', 'prompt', '--max-tokens', '100000'])).toEqual(before);
    const few = ['--max-pairs', '20'];
    const first = await workspace.json<Prompt>(['reflect', 'prompt', ...few]);
    expect([first.pairs, first.parts]).toEqual([20, Math.ceil(before.pairs / 20)]);
    const newest = `2026-02-${String(FEW_DAYS).padStart(2, '0')}`;
    expect(first.user).toContain(`fact of ${newest}: took`);
    expect(first.user).not.toContain('2026-02-01');
    // A verdict that can't be read costs only itself.
    const { verdicts, part } = answerTo(first);
    const bad = {
      part,
      verdicts: verdicts.map((one, index) => (index === 1 ? { ...one, relation: 'maybe', verdict: 'maybe' } : one)),
    };
    const { code, stdout } = await workspace.run(['reflect', 'apply', '--answer', '-', '--json', ...few], {
      input: JSON.stringify(bad),
    });
    expect([code, JSON.parse(stdout).warnings]).toEqual([
      0,
      [expect.stringMatching(/^verdict 2 is left out: (?:verdict|relation): /)],
    ]);
    // The next night by rules leaves the rest open.
    await workspace.json(['reflect', '--max-calls', '0']);
    expect(await workspace.json(['reflect', 'prompt', '--max-tokens', '100000'])).toMatchObject({
      pairs: before.pairs - 19,
    });
  });

  test('asks after a run by rules about each pair, also if one prompt has not all of them', async () => {
    const workspace = testWorkspace({ 'bank/opinions.md': OPINIONS, ...days(25) });
    const one = ['--max-tokens', '100000'];
    const keysOf = (form: Prompt) => [
      ...pairsOf(form).map((pair) => JSON.stringify(pair)),
      ...askedPairs(form.user).map(({ pair }) => String(pair)),
    ];
    const all = keysOf(await workspace.json<Prompt>(['reflect', 'prompt', ...one]));
    await workspace.json(['reflect', '--max-calls', '0']);
    const asked: string[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const form = await workspace.json<Prompt>(['reflect', 'prompt', ...one]);
      if (form.pairs === 0) break;
      asked.push(...keysOf(form));
      const input = JSON.stringify(answerTo(form));
      expect((await workspace.run(['reflect', 'apply', '--answer', '-', ...one], { input })).code).toBe(0);
    }
    expect(asked.toSorted()).toEqual(all.toSorted());
  });

  test('asks with --rejudge also about what the rules have judged, and refuses an answer about other pairs', async () => {
    const workspace = testWorkspace({
      'memory/2026-02-01.md': '## Retain\n- O(c=0.8) @Peter: prefers trains to planes\n',
      'memory/2026-02-02.md': '## Retain\n- W @Peter: prefers trains to planes\n',
    });
    await workspace.json(['reflect', '--max-calls', '0']);
    expect(await workspace.json(['reflect', 'prompt'])).toMatchObject({ pairs: 0 });
    const form = await workspace.json<Prompt>(['reflect', 'prompt', '--rejudge']);
    expect(pairsOf(form)).toHaveLength(1);
    const answer = JSON.stringify({ verdicts: pairsOf(form).map((pair) => ({ ...pair, verdict: 'none' })) });
    const apply = ['reflect', 'apply', '--answer', '-', '--rejudge'];
    const other = await workspace.run(apply, { input: answer.replace('"f-', '"f-x') });
    expect(`${other.code} ${other.stderr}`).toMatch(/^1 .*no verdict about an open pair.*options/s);
    expect((await workspace.run(apply, { input: answer })).code).toBe(0);
    expect(workspace.read('bank/evidence.jsonl')).toContain('"direction":"none","by":"agent"');
    expect(await workspace.json(['reflect', 'prompt', '--rejudge'])).toMatchObject({ pairs: 0 });
  });
});
