import { describe, expect, test } from 'vitest';
import { suggestCoreRemovals } from '../../src/reflect/pages/core-suggestions.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

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

describe('entries for the core', () => {
  const WEEKS = ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26', '2026-02-02', '2026-02-09'];
  const RULES = ['the relay', 'the gateway', 'the mail server', 'the cellar pump', 'the old router', 'the door lock'];

  /** Six weeks with Ines, who is told of every week, and Otto, who is told of once. */
  function sixWeeks(more: FileContents = {}) {
    const logs = WEEKS.map((day, week) => {
      const facts = [
        `W @Ines: repaired boat ${week}`,
        ...(week === 0 ? ['W @Ines: is a potter in Linz', 'W @Otto: is a baker'] : []),
      ];
      if (week < 2) facts.push('O(c=0.8) @Ines: prefers calls to mail');
      if (week === 2) facts.push('O(c=0.8) @Otto: No meetings before ten', 'O(c=0.8) @Otto: likes plum jam');
      return [`memory/${day}.md`, `## Retain\n\n${facts.map((fact) => `- ${fact}\n`).join('')}`] as const;
    });
    return testWorkspace({ 'MEMORY.md': '# Core\n\n- Ines owns the boats.\n', ...Object.fromEntries(logs), ...more });
  }

  const added = async (workspace: TemporaryWorkspace, day: string) =>
    (
      await workspace.json<{ proposals: readonly string[] }>([
        'reflect',
        '--max-calls',
        '0',
        '--now',
        `${day}T12:00:00Z`,
      ])
    ).proposals;

  test('are who the people of every week are, preferences said twice or as a rule, and standing rules', async () => {
    const workspace = sixWeeks({
      'memory/2026-02-10.md': '## Retain\n\n- W @Relay: must never be restarted on a Friday\n',
    });
    const proposals = await added(workspace, '2026-02-11');
    expect(proposals.toSorted()).toEqual([
      '@Ines: is a potter in Linz',
      '@Ines: prefers calls to mail',
      '@Otto: No meetings before ten',
      '@Relay: must never be restarted on a Friday',
    ]);
    expect(workspace.read('bank/proposals/2026-02-11.md')).toContain(
      'add to the core: @Ines: is a potter in Linz (named in 6 of the last 8 weeks; cites memory/2026-01-05.md#L4)',
    );
    expect(await added(workspace, '2026-02-11')).toEqual([]);
  });

  test('are at most five in seven days; a rejected one does not come again, and the rest comes a week later', async () => {
    const rules = RULES.map((name) => `- W must never restart ${name} by hand\n`).join('');
    const workspace = sixWeeks({ 'memory/2026-02-10.md': `## Retain\n\n${rules}` });
    const first = await added(workspace, '2026-02-11');
    expect(first).toHaveLength(5);
    for (const _ of first) await workspace.run(['core', 'reject', '1']);
    workspace.write('memory/2026-02-12.md', '## Retain\n\n- W @Quill: must always be restarted twice\n');
    expect(await added(workspace, '2026-02-13')).toEqual([]);
    const second = await added(workspace, '2026-02-18');
    expect(second.length).toBeGreaterThan(2);
    expect(new Set([...first, ...second]).size).toBe(first.length + second.length);
  });

  test('leave the core within its budget, and stand above the sections that OpenClaw writes', async () => {
    const core =
      '# Core\n\n- Ines owns the boats.\n\n## Promoted From Short-Term Memory (2026-01-20)\n\n- Candidate: the pump hums.\n';
    const full = sixWeeks({
      'MEMORY.md': `${'Prose that stays. '.repeat(55)}\n`,
      'memory.config.json5': '{ "coreBudgetChars": 1000 }',
    });
    const moves = await added(full, '2026-02-11');
    expect(moves.filter((text) => text.startsWith('@'))).toEqual([]);
    const workspace = sixWeeks({ 'MEMORY.md': core });
    await added(workspace, '2026-02-11');
    expect((await workspace.run(['core', 'accept', '1'])).code).toBe(0);
    expect(workspace.read('MEMORY.md')).toBe(core.replace('boats.\n', 'boats.\n- @Ines: is a potter in Linz\n'));
    const bare = testWorkspace({ 'MEMORY.md': core.slice(core.indexOf('##')) });
    await bare.run(['core', 'append', '- Ines owns the boats.']);
    expect(bare.read('MEMORY.md')).toBe(`- Ines owns the boats.\n\n${core.slice(core.indexOf('##'))}`);
  });
});
