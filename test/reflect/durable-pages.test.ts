import { describe, expect, test } from 'vitest';
import { askedPairs } from '../support/asked-pairs.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

const log = (day: string, ...facts: readonly string[]): FileContents => ({
  [`memory/${day}.md`]: `## Retain\n\n${facts.map((fact) => `- ${fact}\n`).join('')}`,
});

async function worldAfter(files: FileContents, day = '2026-03-15'): Promise<string> {
  const workspace = testWorkspace({ 'bank/world.md': '# World\n', ...files });
  await workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
  return workspace.read('bank/world.md');
}

test.each([
  'lives in Graz',
  'Anna owns the schema',
  'must never be restarted on a Friday',
  'is allergic to nuts',
  'decided on Postgres instead of MySQL',
  'ask Anna before any migration',
  '必须先备份再升级',
  'wohnt in der Lindengasse 4',
  'darf niemals gegossen werden',
  'ne doit jamais manger de noix',
  'trabaja en el puerto',
  'responsabile del magazzino',
  'é alérgica a amendoim',
  'moet altijd op slot',
  'живёт в Казани',
  '東京に住んでいる',
])('a fact that matters for half a year is durable: %s', async (fact) => {
  expect(await worldAfter(log('2026-03-01', `W @Peter: ${fact}`))).toContain(`- W @Peter: ${fact} ^f-`);
});

test.each([
  'is in a bad mood today',
  'ate at the new place by the river',
  'met Ada in Rome',
  'considering a move to Berlin',
  '今天感冒了',
])('a temporary state or an event is not durable: %s', async (fact) => {
  expect(await worldAfter(log('2026-03-01', `W @Peter: ${fact}`))).toBe('# World\n');
});

test('only the replaced part of a fact is struck through, and lint accepts the page', async () => {
  const workspace = testWorkspace(log('2026-03-01', 'W @Aino: potter, lives in Tampere; has a kiln'));
  const reflect = (day: string) => workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
  await reflect('2026-03-02');
  workspace.write('memory/2026-03-10.md', '## Retain\n\n- W @Aino: moved from Tampere to Turku\n');
  await reflect('2026-03-11');
  expect(workspace.read('bank/world.md')).toContain(
    '- W @Aino: potter, ~~lives in Tampere~~; has a kiln (replaced on 2026-03-10: [memory/2026-03-10.md#L3]',
  );
  const { stdout } = await workspace.run(['lint']);
  expect(stdout).not.toContain('shared-id');
  workspace.write('memory/2026-03-20.md', '## Retain\n\n- W @Aino: moved back to Tampere\n');
  await reflect('2026-03-21');
  expect(workspace.read('bank/world.md')).toContain('~~lives in Tampere~~');
});

test('a replaced fact is struck through, and a value that returns is not', async () => {
  const workspace = testWorkspace(log('2026-03-01', 'W @Atlas: the manager is Dan'));
  const reflect = (day: string) => workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
  await reflect('2026-03-02');
  workspace.write('memory/2026-03-03.md', '- W @Atlas: the manager is Cleo instead of Dan\n');
  await reflect('2026-03-04');
  expect(workspace.read('bank/world.md')).toMatch(/~~W @Atlas: the manager is Dan~~ \(replaced on 2026-03-03/);
  workspace.write('memory/2026-03-05.md', '- W @Atlas: the manager is Dan again instead of Cleo\n');
  await reflect('2026-03-06');
  expect(workspace.read('bank/world.md')).toMatch(/^- W @Atlas: the manager is Dan again instead of Cleo \^f-/m);
  expect(workspace.read('bank/world.md')).toContain('~~W @Atlas: the manager is Cleo instead of Dan~~');
});

test('a fact that a person wrote on the page is not generated again, and the mark of importance is not copied', async () => {
  const world = await worldAfter({
    ...log('2026-03-01', 'W @Peter: lives in Graz', 'W @Peter: plays chess (important)'),
    'bank/world.md': '# World\n\n- W @Peter: lives in Graz, near the river\n',
  });
  expect(world.match(/lives in Graz/g)).toHaveLength(1);
  expect(world).toMatch(/^- W @Peter: plays chess \^f-/m);
});

test('decisions and lasting rules among the agent’s experiences are durable', async () => {
  const lasting = [
    'always run the migration before the deploy of @Quill',
    'must never restart @Quill during a backup',
    'decided to keep the queue of @Quill in one region',
    'wir starten @Quill immer zuerst',
    '部署 @Quill 之前必须先备份',
  ];
  const over = ['never saw the error of @Quill again', 'fixed a flaky test of @Quill', 'read the policy of @Quill'];
  const workspace = testWorkspace(log('2026-03-01', ...[...lasting, ...over].map((fact) => `B ${fact}`)));
  await workspace.run(['reflect', '--now', '2026-03-15T12:00:00Z', '--max-calls', '0']);
  const page = workspace.read('bank/experience.md');
  for (const fact of lasting) expect(page).toContain(`- B ${fact} ^f-`);
  for (const fact of over) expect(page).not.toContain(fact);
});

test('a replaced fact stays struck through while other facts come, and as long as its successor exists', async () => {
  const workspace = testWorkspace(log('2026-03-01', 'W @Aino: lives in Tampere'));
  const world = async (day: string): Promise<string> => {
    await workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
    return workspace.read('bank/world.md');
  };
  await world('2026-03-02');
  workspace.write('memory/2026-03-10.md', '## Retain\n\n- W @Aino: moved from Tampere to Turku\n');
  const struck = /^- ~~W @Aino: lives in Tampere~~ \(replaced on 2026-03-10/m;
  expect(await world('2026-03-11')).toMatch(struck);
  workspace.write('memory/2026-03-12.md', '## Retain\n\n- W @Aino: has a kiln\n');
  expect(await world('2026-03-13')).toMatch(struck);
  workspace.write('memory/2026-03-10.md', '## Retain\n\n- W @Aino: owns a boat\n');
  expect(await world('2026-03-14')).toMatch(/^- W @Aino: lives in Tampere \^f-/m);
});

test('a person’s verdict that a line is replaced strikes it through, until a verdict says that both hold', async () => {
  const workspace = testWorkspace({
    ...log('2026-03-01', 'W @Aino: lives in Tampere'),
    ...log('2026-03-10', 'W @Aino: has keys for a flat by the lake'),
  });
  const world = async (day: string): Promise<string> => {
    await workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
    return workspace.read('bank/world.md');
  };
  expect(await world('2026-03-11')).toMatch(/^- W @Aino: lives in Tampere \^f-/m);
  const ids = await Promise.all(
    ['2026-03-01', '2026-03-10'].map(async (day) => {
      const { item } = await workspace.json<{ item: { id: string } }>(['get', `memory/${day}.md#L3`]);
      return item.id;
    }),
  );
  await workspace.run(['settle', ...ids, 'replaces', '--now', '2026-03-12T12:00:00Z']);
  workspace.write('memory/2026-03-12.md', '## Retain\n\n- W @Aino: has a kiln\n');
  expect(await world('2026-03-13')).toMatch(/^- ~~W @Aino: lives in Tampere~~/m);
  await workspace.run(['settle', ...ids, 'both', '--now', '2026-03-14T12:00:00Z']);
  workspace.write('memory/2026-03-14.md', '## Retain\n\n- W @Aino: owns a boat\n');
  expect(await world('2026-03-15')).toMatch(/^- W @Aino: lives in Tampere \^f-/m);
});

const DECISIONS = [
  ['Decision: the office closes at five on Fridays.', 'Decision: closing the office at five on Fridays is cancelled.'],
  ['Decision: always deploy the shop from the tower.', 'Deploying the shop from the tower was called off.'],
  ['Entscheidung: Der Zaun darf niemals gestrichen werden.', 'Die Entscheidung zum gestrichenen Zaun ist aufgehoben.'],
  ['决定：必须先备份再升级数据库。', '先备份再升级数据库的决定取消了。'],
] as const;

test.each(DECISIONS)('a decision without entity that is cancelled later is struck: %s', async (decided, cancelled) => {
  const workspace = testWorkspace(log('2026-03-01', `W ${decided}`, 'W Decision: backups run on Fridays at five.'));
  const reflect = (day: string) => workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
  await reflect('2026-03-02');
  expect(workspace.read('bank/world.md')).toContain(`\n- W ${decided} ^`);
  workspace.write('memory/2026-03-05.md', `## Retain\n\n- W ${cancelled}\n`);
  await reflect('2026-03-06');
  const struck = workspace.read('bank/world.md');
  expect(struck).toContain(`\n- ~~W ${decided}~~ (replaced on 2026-03-05: [memory/2026-03-05.md#L3]`);
  expect(struck).toContain('\n- W Decision: backups run on Fridays at five. ^');
  await reflect('2026-03-07');
  expect(workspace.read('bank/world.md')).toBe(struck);
  // Without its cancellation the decision holds again.
  workspace.write('memory/2026-03-05.md', '## Retain\n');
  await reflect('2026-03-08');
  expect(workspace.read('bank/world.md')).toContain(`\n- W ${decided} ^`);
});

test('a decision without entity that was cancelled before it is read is not promoted', async () => {
  const [[decided, cancelled]] = DECISIONS;
  const files = { ...log('2026-03-01', `W ${decided}`), ...log('2026-03-05', `W ${cancelled}`) };
  expect(await worldAfter(files)).not.toContain(decided);
  const workspace = testWorkspace(log('2026-03-05', `W ${cancelled}`));
  const reflect = (day: string) => workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
  await reflect('2026-03-06');
  workspace.write('memory/2026-03-01.md', `## Retain\n\n- W ${decided}\n`);
  await reflect('2026-03-07');
  expect(workspace.read('bank/world.md')).not.toContain(decided);
});

test.each([
  'Decision: the trip to Oslo is cancelled.',
  'The decision is cancelled.',
  '@Shop: Decision: closing the office at five on Fridays is cancelled.',
])('a decision without entity stays if something else is cancelled: %s', async (cancelled) => {
  const decided = ['Decision: the office closes at five on Fridays.', 'Decision: the trip to Rome is always in May.'];
  const workspace = testWorkspace(log('2026-03-01', ...decided.map((one) => `W ${one}`)));
  const reflect = (day: string) => workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
  await reflect('2026-03-02');
  workspace.write('memory/2026-03-05.md', `## Retain\n\n- W ${cancelled}\n`);
  await reflect('2026-03-06');
  for (const one of decided) expect(workspace.read('bank/world.md')).toContain(`\n- W ${one} ^`);
});

describe('pages follow verdicts', () => {
  const LOGS = {
    ...log('2026-02-01', 'W @Bob: lives in Vienna', 'W @Bob: works at the harbor'),
    ...log('2026-02-10', 'W @Bob: lives in a house in Linz'),
  };
  const world = async (workspace: TemporaryWorkspace, day: string): Promise<readonly string[]> => {
    const { code } = await workspace.run(['reflect', '--now', `${day}T12:00:00Z`, '--max-calls', '0']);
    expect(code).toBe(0);
    return Array.from(
      workspace.read('bank/world.md').matchAll(/^- (.*?)(?:: \[[^\n]*)? \^f-\S+$/gm),
      ([, line]) => line ?? '',
    );
  };
  const OPEN = [
    'W @Bob: works at the harbor',
    'W @Bob: lives in a house in Linz (said on 2026-02-10)',
    'W @Bob: lives in Vienna (said on 2026-02-01)',
  ];

  test('a pair that nobody settled stands together, the newest first, with its days', async () => {
    const workspace = testWorkspace(LOGS);
    expect(await world(workspace, '2026-02-11')).toEqual(OPEN);
    workspace.write('memory/2026-02-12.md', '## Retain\n\n- W @Carla: lives in Rome\n');
    expect(await world(workspace, '2026-02-13')).toEqual([...OPEN, 'W @Carla: lives in Rome']);
    expect((await workspace.run(['lint'])).stdout).toMatch(/, no problems\.$/m);
  });

  test.each([
    ['replaces', 'replaced'],
    ['ends', 'ended'],
  ])('a pair that a person settled by %s is struck in the next run, without a new fact', async (relation, how) => {
    const workspace = testWorkspace(LOGS);
    await world(workspace, '2026-02-11');
    const places = ['memory/2026-02-01.md#L3', 'memory/2026-02-10.md#L3'];
    await workspace.run(['settle', ...places, relation, '--now', '2026-02-12T12:00:00Z']);
    expect(await world(workspace, '2026-02-12')).toEqual([
      'W @Bob: works at the harbor',
      `~~W @Bob: lives in Vienna~~ (${how} on 2026-02-10`,
      'W @Bob: lives in a house in Linz',
    ]);
    expect((await workspace.run(['lint'])).stdout).toMatch(/, no problems\.$/m);
    await workspace.run(['settle', ...places, 'both', '--now', '2026-02-13T12:00:00Z']);
    expect((await world(workspace, '2026-02-13')).join('\n')).not.toContain('~~');
  });

  test('a pair that the agent settled is struck in the run that takes the answer, in part if it said so', async () => {
    const workspace = testWorkspace(LOGS);
    await world(workspace, '2026-02-11');
    const { user } = await workspace.json<{ user: string }>(['reflect', 'prompt', '--now', '2026-02-12T12:00:00Z']);
    const verdicts = askedPairs(user).map(({ pair, earlier, later }) => ({
      pair,
      relation: earlier.text.includes('Vienna') && later.text.includes('Linz') ? 'replaces' : 'both',
    }));
    const apply = ['reflect', 'apply', '--answer', '-', '--now', '2026-02-12T12:00:00Z'];
    expect((await workspace.run(apply, { input: JSON.stringify({ verdicts }) })).code).toBe(0);
    expect(workspace.read('bank/world.md')).toMatch(/^- ~~W @Bob: lives in Vienna~~ \(replaced on 2026-02-10: /m);
  });

  test('a move leaves the new place on the page', async () => {
    const workspace = testWorkspace(log('2026-02-01', 'W @Carl: lives in Vienna', 'W @Dora: lives in Graz'));
    await world(workspace, '2026-02-02');
    workspace.write(
      'memory/2026-02-10.md',
      '## Retain\n\n- W @Carl: moved from Vienna to Graz\n- W @Dora: moved from Vienna to Graz\n',
    );
    expect(await world(workspace, '2026-02-11')).toEqual(
      expect.arrayContaining([
        '~~W @Carl: lives in Vienna~~ (replaced on 2026-02-10',
        'W @Carl: moved from Vienna to Graz',
        expect.stringMatching(/^W @Dora: lives in Graz/),
      ]),
    );
  });
});
