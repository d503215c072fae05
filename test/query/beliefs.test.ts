import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpinionView } from '../../src/query/opinion-view.js';
import type { RecallAnswer } from '../../src/query/request.js';
import type { OpinionWhy } from '../../src/reflect/why.js';
import { testWorkspace } from '../support/test-workspace.js';
import { TemporaryWorkspace } from '../support/workspace.js';

async function here<T>(workspace: TemporaryWorkspace, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await workspace.run([...args, '--json']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

async function recalled(workspace: TemporaryWorkspace, question: string, ...options: string[]) {
  return (await here<RecallAnswer>(workspace, 'recall', question, ...options)).results;
}

const listed = async (workspace: TemporaryWorkspace) =>
  (await here<{ opinions: OpinionView[] }>(workspace, 'opinion', 'list')).opinions;

const LOGS = {
  'memory/2026-01-10.md': '# Log\n\n## Retain\n- O(c=0.9) @Ruben: prefers printed maps on hikes\n',
  'memory/2026-01-20.md': '# Log\n\n## Retain\n- O(c=0.8) @Ruben: prefers printed maps on long hikes\n',
  'memory/2026-02-02.md': '# Log\n\n## Retain\n- W @Ruben: does not like printed maps on hikes\n',
};

describe('the line on the page is the belief', () => {
  test('recall answers with it; its source lines are listed below without a confidence', async () => {
    const workspace = testWorkspace(LOGS);
    await here(workspace, 'reflect');
    const results = await recalled(workspace, 'which maps does Ruben prefer on hikes?');
    const opinions = results.filter(({ kind }) => kind === 'opinion');
    expect(opinions).toHaveLength(1);
    expect(opinions[0]?.path).toBe('bank/opinions.md');
    const sources = opinions[0]?.standsFor?.map(({ source }) => source) ?? [];
    expect(sources).toEqual(expect.arrayContaining(['memory/2026-01-10.md#L4', 'memory/2026-01-20.md#L4']));
    for (const place of opinions[0]?.standsFor ?? []) expect(place).not.toHaveProperty('confidence');
    expect(await listed(workspace)).toHaveLength(1);
  });

  test('a confidence set by hand counts at once, in every command', async () => {
    const workspace = testWorkspace(LOGS);
    await here(workspace, 'reflect');
    workspace.write('bank/opinions.md', workspace.read('bank/opinions.md').replace(/O\(c=[\d.]+\)/, 'O(c=0.31)'));
    const [shown] = (await recalled(workspace, 'printed maps')).filter(({ kind }) => kind === 'opinion');
    const [asOf] = (await recalled(workspace, 'printed maps', '--as-of', '2026-03-15')).filter(
      ({ kind }) => kind === 'opinion',
    );
    expect([shown?.confidence, asOf?.confidence]).toEqual([0.31, 0.31]);
    expect((await listed(workspace)).map(({ confidence }) => confidence)).toEqual([0.31]);
    expect(await here<OpinionView>(workspace, 'opinion', 'show', 'printed maps')).toMatchObject({ confidence: 0.31 });
    expect(await here<OpinionWhy>(workspace, 'opinion', 'why', 'printed maps')).toMatchObject({ confidence: 0.31 });
    expect((await workspace.run(['opinion', 'why', 'printed maps'])).stdout).toContain('set by hand on the page');
  });

  test('opinions under an alias belong to the belief of that entity', async () => {
    const workspace = testWorkspace({
      ...LOGS,
      'bank/entities/Ruben.md': '---\naliases: [Rubi]\n---\n# Ruben\n',
      'memory/2026-01-20.md': '# Log\n\n## Retain\n- O(c=0.8) @Rubi: prefers printed maps on long hikes\n',
    });
    await here(workspace, 'reflect');
    const opinions = (await recalled(workspace, 'printed maps')).filter(({ kind }) => kind === 'opinion');
    expect(opinions.map(({ path }) => path)).toEqual(['bank/opinions.md']);
    const sources = opinions[0]?.standsFor?.map(({ source }) => source) ?? [];
    expect(sources).toEqual(expect.arrayContaining(['memory/2026-01-10.md#L4', 'memory/2026-01-20.md#L4']));
  });

  test('a stated opinion that is not judged yet is shown as in the log', async () => {
    const workspace = testWorkspace(LOGS);
    const confidences = (await recalled(workspace, 'printed maps')).map(({ confidence }) => confidence);
    expect(confidences).toEqual(expect.arrayContaining([0.9, 0.8]));
  });

  test('a repeated opinion has the confidence of its newest line, in every command', async () => {
    const said = (day: string, c: string) => ({ [`memory/${day}.md`]: `- O(c=${c}) @小林: 喜欢在早上开会\n` });
    const workspace = testWorkspace({ ...said('2026-01-05', '0.95'), ...said('2026-01-26', '0.55') });
    expect((await listed(workspace)).map(({ confidence }) => confidence)).toEqual([0.55]);
    expect((await recalled(workspace, '小林喜欢早上开会吗？'))[0]?.confidence).toBe(0.55);
    expect((await recalled(workspace, '小林 早上', '--as-of', '2026-01-10'))[0]?.confidence).toBe(0.95);
    const why = await workspace.run(['opinion', 'why', '早上开会']);
    expect(why).toMatchObject({ code: 1 });
    expect(why.stderr).toContain('is in a log (memory/2026-01-26.md#L1)');
  });

  test('a similar opinion of the same day begins no second belief', async () => {
    const said = ['O(c=0.8) @Odile: trouve le métro pratique', 'O(c=0.8) @Odile: trouve le métro très pratique'];
    const workspace = testWorkspace({ 'memory/2026-01-10.md': said.map((line) => `- ${line}\n`).join('') });
    await here(workspace, 'reflect');
    expect(await listed(workspace)).toHaveLength(1);
    const found = await recalled(workspace, 'que pense Odile du métro ?', '--kind', 'opinion');
    expect(found.map(({ path }) => path)).toEqual(['bank/opinions.md']);
    expect(found[0]?.standsFor).toHaveLength(2);
    workspace.write('bank/opinions.md', '# Opinions\n');
    await here(workspace, 'reflect');
    expect(await listed(workspace)).toEqual([]);
    expect(await recalled(workspace, 'que pense Odile du métro ?', '--kind', 'opinion')).toEqual([]);
  });

  test('a change of confidence by hand is not a new statement: the opinion stated last stays first', async () => {
    const workspace = testWorkspace({
      'memory/2026-01-10.md': '- O(c=0.9) @Karla: prefers trains over flights\n',
      'memory/2026-02-02.md': '- O(c=0.5) @Karla: prefers flights over trains\n',
    });
    await here(workspace, 'reflect');
    const page = workspace.read('bank/opinions.md');
    workspace.write(
      'bank/opinions.md',
      page.replace(/O\(c=[\d.]+\) @Karla: prefers trains/, 'O(c=0.8) @Karla: prefers trains'),
    );
    await here(workspace, 'reflect');
    const [first, second] = await recalled(workspace, 'what does Karla prefer?', '--kind', 'opinion');
    expect(first?.content).toContain('flights over trains');
    expect(second).toMatchObject({ confidence: 0.8, newer: first?.id });
  });

  test('a belief written by hand is explained like any other', async () => {
    const workspace = testWorkspace({ 'bank/opinions.md': '# Opinions\n\n- O(c=0.42) @Kim: likes rain boots\n' });
    const [stated] = await listed(workspace);
    for (const name of ['rain boots', stated?.id ?? ''])
      expect(await here<OpinionWhy>(workspace, 'opinion', 'why', name)).toMatchObject({ confidence: 0.42 });
  });

  test('a belief that a person deletes does not come back from its source lines', async () => {
    const workspace = testWorkspace(LOGS);
    await here(workspace, 'reflect');
    workspace.write('bank/opinions.md', '# Opinions\n');
    for (const options of [[], ['--as-of', '2026-03-15'], ['--kind', 'opinion'], ['--k', '50']]) {
      const found = await recalled(workspace, 'which printed maps does Ruben prefer on hikes?', ...options);
      expect(found.filter(({ content }) => content.includes('prefers printed maps'))).toEqual([]);
    }
    expect((await recalled(workspace, 'printed maps'))[0]?.content).toContain('does not like printed maps');
    expect(await listed(workspace)).toEqual([]);
    expect((await workspace.run(['opinion', 'show', 'printed maps'])).code).toBe(1);
    await here(workspace, 'reflect');
    expect(await listed(workspace)).toEqual([]);
  });

  test('in a time before the page, a log line has the confidence of its belief', async () => {
    const workspace = testWorkspace(LOGS);
    await here(workspace, 'reflect');
    const [belief] = await listed(workspace);
    const [line] = await recalled(workspace, 'printed maps', '--since', '2026-01-10', '--until', '2026-01-11');
    expect(line).toMatchObject({ source: 'memory/2026-01-10.md#L4', confidence: belief?.confidence });
  });

  test('entity pages show the same confidence', async () => {
    const workspace = testWorkspace(LOGS);
    await here(workspace, 'reflect');
    const [belief] = await listed(workspace);
    expect(workspace.read('bank/entities/Ruben.md')).toContain(
      `printed maps on hikes (c=${belief?.confidence.toFixed(2)};`,
    );
  });
});

describe('as of a day', () => {
  const files = {
    'memory/2026-01-10.md':
      '# Log\n\n## Retain\n- O(c=0.9) @Ruben: prefers printed maps on hikes\n- W @Ruben: owns three tents for hikes (important)\n',
    'memory/2026-02-20.md':
      '# Log\n\n## Retain\n- O(c=0.6) @Ruben: prefers gas stoves on hikes\n- W @Ruben: owns four tents for hikes (important)\n',
  };

  test('beliefs and facts of later days are left out', async () => {
    const workspace = testWorkspace(files);
    await here(workspace, 'reflect');
    const results = await recalled(workspace, 'Ruben hikes maps stoves tents', '--as-of', '2026-02-01', '--k', '50');
    const all = JSON.stringify(results);
    expect(all).not.toContain('gas stoves');
    expect(all).not.toContain('four tents');
    expect(all).toContain('three tents');
    for (const result of results) expect(result).not.toHaveProperty('superseded');
    expect(results.find(({ kind }) => kind === 'opinion')).toMatchObject({ path: 'bank/opinions.md', confidence: 0.9 });
  });

  test('a page’s note of the day on which something ended is left out before that day', async () => {
    const workspace = testWorkspace({
      'memory/2026-01-10.md': '- W @Ruben: lives in Perth\n',
      'memory/2026-02-20.md': '- W @Ruben: moved from Perth to Hobart\n',
    });
    await here(workspace, 'reflect');
    expect(workspace.read('bank/entities/Ruben.md')).toContain('2026-02-20: lives in Perth');
    const then = await recalled(workspace, 'where does Ruben live?', '--as-of', '2026-02-01');
    expect(then[0]?.content).toContain('lives in Perth');
    expect(JSON.stringify(then)).not.toContain('2026-02-20');
  });

  test('log lines with their own confidence replace a belief that the page dates later', async () => {
    const workspace = testWorkspace({
      ...files,
      'bank/opinions.md':
        '# Opinions\n\n- O(c=0.40) @Ruben: prefers printed maps on hikes\n  - prior: 0.40 (2026-03-01)\n',
    });
    const [line] = await recalled(workspace, 'printed maps', '--as-of', '2026-02-01');
    expect(line).toMatchObject({ source: 'memory/2026-01-10.md#L4', confidence: 0.9 });
    const [belief] = await recalled(workspace, 'printed maps', '--as-of', '2026-03-02');
    expect(belief).toMatchObject({ path: 'bank/opinions.md', confidence: 0.4 });
  });
});

const THINGS = ['tea', 'trains', 'tulips', 'tents', 'tapes'];
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-02-${String(n).padStart(2, '0')}`);
const step = fc.record({
  day,
  thing: fc.constantFrom(...THINGS),
  says: fc.constantFrom('likes', 'does not like', 'O'),
});

test('recall, opinion list, show and why, and as of today agree to two digits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.option(fc.integer({ min: 5, max: 95 })),
      fc.boolean(),
      async (steps, byHand, isNews) => {
        const workspace = new TemporaryWorkspace();
        try {
          const logs = new Map<string, string>();
          for (const { day: on, thing, says } of steps) {
            const line = says === 'O' ? `- O(c=0.8) @Ida: likes ${thing}\n` : `- W @Ida: ${says} ${thing}\n`;
            logs.set(on, (logs.get(on) ?? '# Log\n\n## Retain\n') + line);
          }
          for (const [on, text] of logs) workspace.write(`memory/${on}.md`, text);
          await here(workspace, 'reflect');
          const page = await here<{ opinions: OpinionView[] }>(workspace, 'opinion', 'list');
          if (page.opinions.length > 0 && byHand !== null) {
            const text = workspace.read('bank/opinions.md').replace(/O\(c=[\d.]+\)/, `O(c=${byHand / 100})`);
            workspace.write('bank/opinions.md', text);
          }
          if (isNews) workspace.write('memory/2026-03-10.md', '## Retain\n- W @Ida: does not like tea\n');
          for (const { id, confidence } of await listed(workspace)) {
            const [recall, asOf] = [
              await recalled(workspace, 'Ida likes', '--kind', 'opinion'),
              await recalled(workspace, 'Ida likes', '--kind', 'opinion', '--as-of', '2026-03-15'),
            ].map((results) => results.find((result) => result.id === id)?.confidence);
            const show = await here<OpinionView>(workspace, 'opinion', 'show', id);
            const why = await here<OpinionWhy>(workspace, 'opinion', 'why', id);
            for (const other of [recall, asOf, show.confidence, why.confidence])
              expect(other?.toFixed(2)).toBe(confidence.toFixed(2));
          }
        } finally {
          workspace.dispose();
        }
      },
    ),
    { numRuns: 12 },
  );
});
