import { expect, test } from 'vitest';
import { reflectAt } from '../support/reflecting.js';
import { testWorkspace } from '../support/test-workspace.js';

/** The lines of a section of the page, without citations. */
async function page(
  facts: readonly (readonly [day: string, text: string])[],
  day: string,
): Promise<(section: string) => string> {
  const workspace = testWorkspace();
  for (const [said, text] of facts) workspace.write(`memory/${said}.md`, `## Retain\n\n- W @Kim: ${text}\n`);
  await reflectAt(workspace.root, `${day}T12:00:00Z`);
  // Lines below a newer one do not count as current.
  const all = workspace.read('bank/entities/Kim.md');
  const text = all.replace(/^ {2}- .*\n/gm, '');
  return (section) =>
    section === 'all'
      ? all
      : (new RegExp(`\\*\\*${section}\\*\\*\\n\\n([\\s\\S]*?)\\n(?:\\n|<!--)`).exec(text)?.[1] ?? '');
}

test.each([
  ['plays the piano', 'sold the piano'],
  ['has a dog called Rex', 'the dog died'],
  ['works at Fjord', 'was laid off from Fjord'],
  ['nimmt Antibiotika', 'hat die Antibiotika abgesetzt'],
  ['fährt einen Golf', 'hat den Golf verkauft'],
  ['joue du violon', 'a arrêté le violon'],
  ['tiene un coche rojo', 'vendió el coche'],
  ['играет на скрипке', 'бросила скрипку'],
  ['ピアノを習っている', 'ピアノをやめた'],
  ['有一辆摩托车', '摩托车卖掉了'],
])('%s: listed below a later statement that ends it: %s', async (state, end) => {
  const at = await page(
    [
      ['2025-08-01', state],
      ['2025-08-20', end],
    ],
    '2025-09-01',
  );
  expect(at('Now')).not.toContain(state);
  expect(at('Now')).toContain(end);
});

test.each([
  ['the landlady is Mrs. Novak', 'Mrs. Dietz bought the house and is the landlady'],
  ['teaches at Elmwood', 'left and teaches at Northgate'],
  ['gets 8 hours of help a week from this month', 'the help was cut to 5 hours a week'],
  ['is in year 7', 'is in year 8 as of this term'],
  ['用随手记记账', '记账换成表格'],
  ['训练由孙教练带', '训练交给马教练带'],
])('%s: is replaced by %s', async (old, fresh) => {
  const at = await page(
    [
      ['2025-08-01', old],
      ['2025-08-20', fresh],
    ],
    '2025-09-01',
  );
  expect(at('Now')).toContain(fresh);
  expect(at('Now')).not.toContain(old);
});

test.each([
  ['reports to Mira', 'finished the report'],
  ['writes for the board', 'left the house early'],
  ['the dentist is Dr. Ott', 'cancelled the dentist'],
  ['has two dogs', 'one dog died'],
  ['sister lives in Bonn', 'lives in Jena now'],
  ['plays the piano', 'might have sold the piano'],
  ['hat zwei Söhne', 'ist nach Passau gezogen'],
  ['会弹钢琴', '会弹吉他'],
  ['生日是8月26日', '10月20日结束陪产假'],
])('%s: is not ended by a statement about something else (%s)', async (state, other) => {
  const at = await page(
    [
      ['2025-08-01', state],
      ['2025-08-20', other],
    ],
    '2025-11-01',
  );
  expect(at('Before')).not.toContain(state);
  expect(at('all')).toContain(state);
});

test.each([
  ['für zwei Wochen in Rom', '2025-08-10', '2025-08-20'],
  ['pour trois semaines à Lyon', '2025-08-20', '2025-08-25'],
  ['на три недели в Москве', '2025-08-20', '2025-08-25'],
  ['去成都学习三周', '2025-08-20', '2025-08-25'],
  ['三週間東京に滞在', '2025-08-20', '2025-08-25'],
  ['人在青岛,8月9日回', '2025-08-09', '2025-08-10'],
  ['off to Rome, back on August 9', '2025-08-09', '2025-08-10'],
])('%s is current on %s and not on %s', async (stay, last, after) => {
  expect((await page([['2025-08-01', stay]], last))('Now')).toContain(stay);
  expect((await page([['2025-08-01', stay]], after))('Now')).toBe('');
});

test.each([
  'potter',
  'Keramikerin aus Jena',
  'internal billing tool',
  'ist Lehrerin',
  'is the accountant of the club',
  'Kim is an architect',
  'potière à Lyon',
  '后端工程师',
  '是小学老师',
  '看護師です',
])('%s says who or what the entity is: it is listed above Now', async (who) => {
  const workspace = testWorkspace({ 'memory/2025-08-01.md': `## Retain\n\n- W @Kim: ${who}\n- W @Kim: keeps bees\n` });
  await reflectAt(workspace.root, '2025-08-02T12:00:00Z');
  expect(workspace.read('bank/entities/Kim.md')).toMatch(
    new RegExp(`-->\\n${who} \\(\\[memory[^\\n]*\\n\\n\\*\\*Now\\*\\*\\n\\n- keeps bees`),
  );
});

test.each(['left-handed', 'plays with the server', 'dentist on August 20', 'good with dogs', 'in the house near Linz'])(
  '%s is listed under Now',
  async (state) => {
    const at = await page([['2025-08-01', state]], '2025-08-02');
    expect(at('Now')).toContain(state.replace(/ on August 20/, ''));
  },
);

test('a line of which one clause is replaced is reported as divided', async () => {
  const workspace = testWorkspace({ 'memory/2025-08-01.md': '## Retain\n\n- W @Kim: lives in Graz; keeps bees\n' });
  await reflectAt(workspace.root, '2025-08-02T12:00:00Z');
  workspace.write('memory/2025-08-10.md', '## Retain\n\n- W @Kim: moved from Graz to Linz\n');
  const { stdout } = await workspace.run(['reflect', '--now', '2025-08-11T12:00:00Z', '--max-calls', '0']);
  expect(stdout).toContain('+ Kim: […] keeps bees (divided)');
  expect(stdout).toContain('- Kim: lives in Graz; keeps bees (replaced');
});
