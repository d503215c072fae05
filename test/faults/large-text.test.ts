import { expect, test } from 'vitest';
import { growthOfFourStarts, LINEAR_LIMIT } from '../support/growth.js';
import { testWorkspace } from '../support/test-workspace.js';

const LOG = 'memory/2026-03-01.md';

test.each(['%2', '5 mg ', 'Monday '])('two lines that repeat %j are compared in linear time', async (part) => {
  const start = async (text: string) => {
    const workspace = testWorkspace({ [LOG]: `- W @P: ${text}\n- W @P: ${text} more\n` });
    await workspace.run(['index']);
    return async () => {
      for (const args of [['recall', 'who is P?'], ['lint'], ['reflect', '--dry-run']]) {
        const { stderr } = await workspace.run(args);
        expect(stderr).not.toContain('error');
      }
    };
  };
  const repeat = (length: number): string => part.repeat(length / part.length);
  expect(await growthOfFourStarts(repeat, start, 10_000)).toBeLessThan(LINEAR_LIMIT);
});

/** More values than one call of a function takes as arguments. */
const MANY = 130_000;

test('view shows a page of 130,000 lines, and recall finds it', { timeout: 60_000 }, async () => {
  const lines = Array.from({ length: MANY }, (_, i) => `line ${i} of the page\n`);
  const workspace = testWorkspace({ 'memory/topics/long.md': lines.join('') });
  const view = await workspace.start(['view']);
  expect({ code: view.code, error: /error.*/.exec(view.stderr)?.[0] }).toEqual({ code: 0, error: undefined });
  const { stdout } = await workspace.start(['recall', 'line 129998']);
  expect(stdout).toContain('memory/topics/long.md#L129999');
});

const STARS = `${'*a'.repeat(40)}*b`;
const LONG = 'a'.repeat(200);

test('a pattern of many stars is tested quickly: for sessions, ignored pages and --path of recall', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': JSON.stringify({ bypassSessionPatterns: [STARS], ignore: [STARS] }),
    [`memory/topics/${LONG}.md`]: '- W @Peter: likes zinnias\n',
  });
  const recall = await workspace.start([
    'recall',
    'zinnias',
    '--path',
    `memory/topics/${STARS}`,
    '--path',
    `**/${LONG}.md`,
  ]);
  expect(recall.stdout).toContain('likes zinnias');
  const asked = ['context', 'build', '--message', 'what does Peter like?', '--session-key'];
  const build = async (key: string) => (await workspace.start([...asked, key])).stdout;
  expect(await build(LONG)).toContain('likes zinnias');
  expect(await build(`${LONG}b`)).not.toContain('likes zinnias');
});
