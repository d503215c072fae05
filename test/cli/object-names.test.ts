import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

/** Names of properties that every JavaScript object has. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'] as const;

test.each(NAMES)('an entity, a heading, a field and a tag may be called %s', async (name) => {
  const workspace = testWorkspace({
    'memory/2026-03-12.md': `- W @${name}: keeps heliotrope bees\n- O(c=0.8) @${name}: prefers honey over sugar\n`,
    'memory/topics/notes.md': `---\n${name}: zinnias\ntags: [${name}]\n---\n# ${name}\n\n## ${name}\n\n- ${name}:: tulips\n`,
  });
  await workspace.json(['reflect']);
  const recall = await workspace.json<{ results: { source: string }[]; warnings: string[] }>([
    'recall',
    'bees',
    '--entity',
    name,
  ]);
  expect(recall.warnings).toEqual([]);
  expect(recall.results.map(({ source }) => source)).toContain('memory/2026-03-12.md#L1');
  const tagged = await workspace.json<{ results: { content: string }[] }>(['recall', 'tulips', '--tag', name]);
  expect(tagged.results.map(({ content }) => content)).toContainEqual(expect.stringContaining('tulips'));
  const shown = await workspace.json<{ factCount: number }>(['entity', 'show', name]);
  expect(shown.factCount).toBe(2);
  for (const args of [
    ['lint'],
    ['view'],
    ['opinion', 'why', name],
    ['context', 'build', '--message', `what does ${name} keep?`],
  ])
    expect((await workspace.run(args)).code, args[0]).toBe(0);
});

test.each(NAMES)('%s as a key or a choice is refused as unknown', async (name) => {
  const workspace = testWorkspace({ 'memory.config.json5': `{ "${name}": 1 }` });
  expect(await workspace.run(['status'])).toMatchObject({ code: 2, stderr: expect.stringContaining(name) });
  workspace.remove('memory.config.json5');
  for (const args of [
    ['types', name],
    ['recall', 'x', '--kind', name],
    ['connect', name],
    ['get', name],
  ]) {
    const { code, stderr } = await workspace.run(args);
    expect({ args, isRefused: [1, 2].includes(code ?? 0), stderr }).toMatchObject({
      isRefused: true,
      stderr: expect.stringContaining(name),
    });
    expect(stderr).not.toContain('--verbose');
  }
});
