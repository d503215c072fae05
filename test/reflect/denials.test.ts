import { expect, test } from 'vitest';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const NOW = ['--now', '2026-03-10T12:00:00Z'];

const beliefs = (workspace: TemporaryWorkspace) =>
  readOpinionsPage(workspace.read('bank/opinions.md')).map(({ confidence, bullet, evidence }) => ({
    text: bullet.text,
    confidence,
    against: evidence.filter(({ supports }) => !supports).length,
  }));

test.each([
  ['O(c=0.8) @Atlas: SQLite is too small', 'W @Dan moved the newsletter of @Atlas from SQLite to Postgres'],
  ['O(c=0.8) @Atlas: SQLite is too small', 'W @Atlas: moved the newsletter from SQLite to Postgres'],
  ['O(c=0.8) @Atlas: uses Redis for the queue', 'W @Atlas: uses Kafka for the queue'],
  ['O(c=0.8) @Atlas: prefers vim over emacs', 'W @Atlas: is using emacs now'],
  ['O(c=0.8) @Atlas: the build is reliable', 'W @Dan: told @Atlas that the build is not reliable'],
])('%s: %s does not contradict it and begins no belief', async (opinion, fact) => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md': `## Retain\n\n- ${opinion}\n`,
    'memory/2026-03-02.md': `## Retain\n\n- ${fact}\n`,
  });
  await workspace.json(['reflect', ...NOW]);
  expect(beliefs(workspace)).toEqual([{ text: opinion.replace(/^.*: /, ''), confidence: 0.8, against: 0 }]);
});

test('the moves of two people are two facts, and not beliefs against each other', async () => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md':
      '## Retain\n\n- O @Atlas: lives on SQLite\n- W @Dan moved the wiki of @Atlas from SQLite to Postgres\n',
    'memory/2026-03-02.md': '## Retain\n\n- W @Eva moved the shop of @Atlas from Postgres to SQLite\n',
  });
  await workspace.json(['reflect', ...NOW]);
  expect(beliefs(workspace)).toMatchObject([{ text: 'lives on SQLite', against: 0 }]);
});

test.each([
  ['likes coffee', 'does not like coffee any more'],
  ['lives in Vienna', 'moved from Vienna to Graz'],
  ['prefers short replies', 'asked for long replies'],
])('%s: %s contradicts it and begins no belief', async (opinion, fact) => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md': `## Retain\n\n- O(c=0.8) @Mo: ${opinion}\n`,
    'memory/2026-03-02.md': `## Retain\n\n- W @Mo: ${fact}\n`,
  });
  await workspace.json(['reflect', ...NOW]);
  const [belief, ...others] = beliefs(workspace);
  expect(others).toEqual([]);
  expect(belief?.against).toBe(1);
  expect(belief?.confidence).toBeLessThan(0.8);
});

test('the next run removes verdicts of older rules against a belief, and keeps those of a person', async () => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md':
      '## Retain\n\n- O(c=0.8) @Atlas: SQLite is too small\n- O(c=0.8) @Atlas: SQLite is too slow\n',
    'memory/2026-03-02.md': '## Retain\n\n- W @Atlas: moved the newsletter from SQLite to Postgres\n',
  });
  await workspace.json(['reflect', ...NOW]);
  const small = readOpinionsPage(workspace.read('bank/opinions.md')).find(({ bullet }) =>
    bullet.text.endsWith('small'),
  );
  const { results } = await workspace.json<{ readonly results: readonly { readonly id: string }[] }>([
    'recall',
    'newsletter moved Postgres',
    ...NOW,
  ]);
  const fact = results[0]?.id;
  // A person's verdict: the second has ended.
  workspace.write(
    'bank/opinions.md',
    workspace
      .read('bank/opinions.md')
      .replace(
        /(too slow[^\n]*\n(?: {2}-[^\n]*\n)*)/,
        `$1  - against: [memory/2026-03-02.md#L3](../memory/2026-03-02.md#L3) ${fact}\n`,
      ),
  );
  await workspace.json(['reflect', ...NOW]);
  // A verdict that the rules of an earlier version gave.
  const line = { fact, opinion: small?.id, direction: 'contradicts', by: 'rules', day: '2026-03-02' };
  workspace.write('bank/evidence.jsonl', `${workspace.read('bank/evidence.jsonl')}${JSON.stringify(line)}\n`);
  await workspace.json(['reflect', ...NOW]);
  const of = (word: string) => beliefs(workspace).find(({ text }) => text.endsWith(word));
  expect(of('small')).toMatchObject({ confidence: 0.8, against: 0 });
  expect(of('slow')).toMatchObject({ against: 1 });
  expect(workspace.read('bank/evidence.jsonl')).toContain(`"opinion":"${small?.id}","direction":"none","by":"rules"`);
  const again = await workspace.json<{ readonly written: readonly string[] }>(['reflect', ...NOW]);
  expect(again.written).toEqual([]);
});
