import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliHere } from '../support/cli-here.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

// Today is 2026-03-15.
const LOG = 'memory/2026-03-14.md';
const infer = (workspace: TemporaryWorkspace, ...args: readonly string[]) =>
  cliHere(workspace, ['retain', '--infer', '--date', '2026-03-14', ...args]);
const read = (workspace: TemporaryWorkspace): string => readFileSync(join(workspace.root, LOG), 'utf8');

const DAY = `# 2026-03-14

Long talk about the boiler.
09:30 We decided to use Postgres 16 for the archive.
Should we have decided earlier?
@Anna prefers calls before noon.
Remember: the spare key is at @Peter's.
> He decided to leave.
我们决定把端口改成 6380。
`;

test('explicit words become facts in their own words, each with its line, what is to be remembered first', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  expect(await infer(workspace)).toMatchObject({ code: 0 });
  expect(read(workspace)).toBe(`${DAY}
## Retain

- W Remember: the spare key is at @Peter's. (from L7, by rules)
- W We decided to use Postgres 16 for the archive. (from L4, by rules)
- W 我们决定把端口改成 6380。 (from L9, by rules)
- O(c=0.7) @Anna: prefers calls before noon. (from L6, by rules)
`);
});

test('a second run changes no byte, and one fact is one answer of recall', async () => {
  const workspace = testWorkspace({ [LOG]: DAY });
  await infer(workspace);
  const before = read(workspace);
  await infer(workspace);
  expect(read(workspace)).toBe(before);
  const { stdout } = await cliHere(workspace, ['recall', 'Postgres archive', '--json']);
  const { results }: { results: readonly { content: string; standsFor?: unknown }[] } = JSON.parse(stdout);
  expect(results.filter(({ content }) => content.includes('Postgres'))).toHaveLength(1);
});

test('lines that the new facts move are named where they are then', async () => {
  const workspace = testWorkspace({
    [LOG]: '## Retain\n\n- W @Anna: keeps bees\n\n## Afternoon\n\nWe fixed the pump.\n',
  });
  await infer(workspace);
  const line = /\(from L(\d+), by rules\)/.exec(read(workspace))?.[1];
  expect(read(workspace).split('\n')[Number(line) - 1]).toBe('We fixed the pump.');
});

test('a day has at most five, and one without a cue gives nothing', async () => {
  const many = Array.from({ length: 9 }, (_, index) => `We decided on colour number ${index} of the list.`).join('\n');
  const workspace = testWorkspace({ [LOG]: `${many}\n`, 'memory/2026-03-15.md': 'Nothing much.\n' });
  await infer(workspace);
  await infer(workspace);
  expect(read(workspace).match(/by rules/g)).toHaveLength(5);
  const { stdout } = await cliHere(workspace, ['retain', '--infer', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ retained: [] });
});

test('a fact that was stated already is not inferred again', async () => {
  const text = 'We decided to use Postgres.\n\n## Retain\n\n- W We decided to use Postgres.\n';
  const workspace = testWorkspace({ [LOG]: text });
  await infer(workspace);
  expect(read(workspace)).toBe(text);
});
