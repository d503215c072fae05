import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

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
