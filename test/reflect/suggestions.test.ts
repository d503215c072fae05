import { expect, test } from 'vitest';
import { suggestCoreRemovals } from '../../src/reflect/pages/promotion.js';
import { testWorkspace } from '../support/test-workspace.js';

const LONG =
  '- Peter answers mail twice a day. He reads on the train, writes drafts on paper, and sends at noon and at six.';
const PLAIN = `- ${'a single sentence about the heating that goes on and on '.repeat(3).trim()}`;
const CORE = `# Core\n\n${LONG}\n${PLAIN}\n- Short.\n`;

test('long lines of a nearly full core are shortened to their first sentence or moved out', () => {
  expect(suggestCoreRemovals('MEMORY.md', CORE, CORE.length)).toMatchObject([
    { action: 'move-out', text: PLAIN, citations: ['MEMORY.md#L4'] },
  ]);
  expect(suggestCoreRemovals('MEMORY.md', CORE.replace(PLAIN, '- x'), 110)).toMatchObject([
    { action: 'shorten', old: LONG, text: '- Peter answers mail twice a day.', citations: ['MEMORY.md#L3'] },
  ]);
  expect(suggestCoreRemovals('MEMORY.md', CORE, 2 * CORE.length)).toEqual([]);
});

test('a nearly complete first sentence and an abbreviation are not cut off; Chinese sentences are recognised', () => {
  const short = (line: string) => suggestCoreRemovals('MEMORY.md', line, line.length)[0]?.action;
  expect(short('- This one says nearly everything that there is to say about it. Yes.')).toBe('move-out');
  expect(short('- Version 2.4 of e.g. the gateway is out and works well enough on the small machine too')).toBe(
    'move-out',
  );
  const chinese =
    '- 老张每天早上六点起床跑步，然后喝两杯绿茶再开始工作。他不喜欢早上开会，也不喜欢在火车上打电话，下午三点以后才看邮件，晚上十点以前睡觉，周末去山里。';
  expect(suggestCoreRemovals('MEMORY.md', chinese, 40)).toMatchObject([
    { action: 'shorten', text: '- 老张每天早上六点起床跑步，然后喝两杯绿茶再开始工作。' },
  ]);
});

test('reflect proposes the change, and accepting it keeps the whole line where recall finds it', async () => {
  const workspace = testWorkspace({
    'MEMORY.md': `# Core\n\n${'Prose that stays. '.repeat(46)}\n\n${LONG}\n`,
    'memory.config.json5': '{ "coreBudgetChars": 1000 }',
    'memory/2026-01-10.md': '# 2026-01-10\n\n## Retain\n- W @Peter: Lives in Vienna.\n',
  });
  const { proposals } = await workspace.json<{ proposals: readonly string[] }>(['reflect']);
  expect(proposals).toEqual(['- Peter answers mail twice a day.']);
  expect((await workspace.run(['core', 'accept', '1'])).code).toBe(0);
  expect(workspace.read('MEMORY.md')).toContain('- Peter answers mail twice a day.\n');
  expect(workspace.read('MEMORY.md')).not.toContain('on the train');
  expect(workspace.read('memory/topics/moved-from-core.md')).toContain(LONG);
});
