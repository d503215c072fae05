import { describe, expect, test } from 'vitest';
import { readSpokenLine } from '../../src/language/speakers.js';
import { testWorkspace } from '../support/test-workspace.js';

describe('the speaker of a line', () => {
  test.each([
    ['Mara: the boat leaks', 'Mara'],
    ['**Mara**: the boat leaks', 'Mara'],
    ['**Mara:** the boat leaks', 'Mara'],
    ['[22:42] Mara: the boat leaks', 'Mara'],
    ['12/03/26, 10:42 PM - Mara: the boat leaks', 'Mara'],
    ['Mara (22:42): the boat leaks', 'Mara'],
    ['Anna Kowalska [22:42]: the boat leaks', 'Anna Kowalska'],
    ["O'Brien: the boat leaks", "O'Brien"],
    ['王芳：船漏水了', '王芳'],
    ['[22:42] 佐藤: 船が漏れている', '佐藤'],
    ['Mara – the boat leaks', 'Mara'],
    ['<mara_k> the boat leaks', 'mara_k'],
    ['Mara 🌻: the boat leaks', 'Mara'],
    ['Mara (Kiel): the boat leaks', 'Mara'],
    ['Frau Dr. Weber: the boat leaks', 'Frau Dr. Weber'],
    ['Ursula von der Heide: the boat leaks', 'Ursula von der Heide'],
    ['أحمد علي: the boat leaks', 'أحمد علي'],
    ['山田 太郎：船が漏れている', '山田 太郎'],
    ['\u200e[12.03.24, 22:42:10] Mara Lund: the boat leaks', 'Mara Lund'],
    ['12 мар. 2024 г., 22:42 - Анна: the boat leaks', 'Анна'],
    ['上午10:42 王芳：船漏水了', '王芳'],
  ])('%s', (line, name) => {
    expect(readSpokenLine(line)).toMatchObject({ name, said: expect.stringMatching(/^(?:the boat leaks|船)/) });
  });

  test.each([
    'Note: the boat leaks',
    'TODO: mend the boat',
    'Decision: the boat is sold',
    'Entscheidung: das Boot wird verkauft',
    '备注：船漏水',
    'https://example.org/a: b',
    'The boat is: green',
    '10:30 the boat comes back',
  ])('has no speaker: %s', (line) => {
    expect(readSpokenLine(line)?.name).toBeUndefined();
  });
});

const FORMS = [
  '- {name}: {said}',
  '- **{name}**: {said}',
  '- [22:42] {name}: {said}',
  '- {name} (22:42): {said}',
  '{name} - {said}',
  '{name} – {said}',
  '<{name}> {said}',
  '- {name} 🌻: {said}',
  '[12.03.24, 22:42:10] {name}: {said}',
  '{name}, [12.03.24 22:42]\n{said}',
  '{name}  10:42 PM\n{said}',
  '- {name}： {said}',
  '- **{name}** [22:42]: {said}',
] as const;

function conversation(form: string, names: readonly [string, string], turns: readonly string[]): string {
  const lines = turns.map((said, i) =>
    form
      .replace('{name}', form.startsWith('<') ? (names[i % 2] ?? '').replace(' ', '_') : (names[i % 2] ?? ''))
      .replace('{said}', said),
  );
  return `# Chat\n\n${lines.join(form.startsWith('-') ? '\n' : '\n\n')}\n`;
}

const ask = async (page: string, question: string) => {
  const workspace = testWorkspace({ 'memory/2026-03-01-chat.md': page });
  return (await workspace.recall(question)).results.map(({ content }) => content);
};

describe('a question about a speaker searches that speaker’s lines', () => {
  test.each(FORMS)('%s', async (form) => {
    const page = conversation(
      form,
      ['Anna Kowalska', 'Piotr Zander'],
      [
        'Zander wants the porch lamp green, the porch lamp of all things, says Zander',
        'a brass one for the porch, and a lamp that dims',
        'fine by me',
        'good',
      ],
    );
    expect((await ask(page, 'which lamp did Zander want for the porch?'))[0]).toContain('dims');
  });

  test.each(FORMS)('in Chinese: %s', async (form) => {
    const page = conversation(
      form,
      ['王芳', '李强'],
      ['门口的灯我想要绿色，李强说门口的灯', '门口的灯我想要黄色', '好', '行'],
    );
    expect((await ask(page, '李强想要什么颜色的门口的灯？'))[0]).toContain('黄色');
  });
});

test('a name before a single line is not a speaker', async () => {
  const whys = async (page: string) => {
    const workspace = testWorkspace({ 'memory/2026-03-01-notes.md': page });
    const { results } = await workspace.recall('which port does Redis use?', '--explain');
    return results.map(({ why }) => why).join('\n');
  };
  expect(
    await whys('- Redis: port 6380\n- Kitchen: painted\n- Password: in the safe\n- Milk: two litres\n'),
  ).not.toContain('entity');
  expect(await whys('- Redis: my port is 6380\n- Nginx: fine\n- Redis: and yours?\n')).toContain('entity');
});

test('a speaker is not an entity of the line', async () => {
  const page = conversation('**{name}**: {said}', ['Ana', 'Ben'], ['the boat leaks', 'oh', 'badly', 'no']);
  const workspace = testWorkspace({ 'memory/2026-03-01-chat.md': page });
  const { results } = await workspace.recall('what did Ana say of the boat?');
  expect(results[0]?.content).toContain('leaks');
  expect(results.flatMap(({ entities }) => entities)).toEqual([]);
});

test.each(FORMS.filter((form) => form.includes('22:42')))(
  'the time before a line does not answer "when": %s',
  async (form) => {
    const page = conversation(
      form,
      ['Mara', 'Omar'],
      ['I mended the bilge pump', 'the bilge pump was mended on Tuesday', 'really?', 'yes'],
    );
    expect((await ask(page, 'when was the bilge pump mended?'))[0]).toContain('Tuesday');
  },
);

test('the one of two speakers who never begins a talk is the assistant, whose words are not statements', async () => {
  const talk = (at: number, said: string): string =>
    `## Talk ${at}\n\n- Mara: ${said}\n- Helper: Good. ${said}\n- Mara: Thanks a lot.\n- Helper: Any time.\n`;
  const said = ['The kiln is booked for May', 'The van is in the yard', 'The gate is open', 'The roof is dry'];
  const { results } = await testWorkspace({
    'memory/2026-03-19.md': `# 2026-03-19\n\n${said.map((one, at) => talk(at, one)).join('\n')}`,
  }).recall('when is the kiln booked?');
  expect(results[0]?.content).toBe('Mara: The kiln is booked for May');
});
