import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const FILES = {
  'bank/entities/Nordfjord.md': '---\nname: Nordfjord\n---\n# Nordfjord\n\nA chain of eleven hotels.\n',
  'bank/entities/Jonas.md': "---\nname: Jonas\n---\n# Jonas\n\nRuns Nordfjord's IT.\n",
  'memory/2025-03-02.md':
    '# 2025-03-02\n\n- We keep RabbitMQ as the job queue.\n\n## Retain\n- W @queue: RabbitMQ stays the job queue\n',
  'memory/2025-09-01.md': '# 2025-09-01\n\n## Retain\n- W @Nordfjord: go-live planned for 5 October\n',
  'memory/2025-09-20.md':
    '# 2025-09-20\n\n## Retain\n- W @Nordfjord: go-live moved from 5 October to 19 October\n- W @queue: replaced RabbitMQ with NATS as the job queue\n',
  'memory/2025-07-10-backup.md':
    '# Session\n\n- assistant: The restic repository is mounted from the closet machine.\n- user: no, that is wrong\n',
  'memory/2025-07-11.md': '# 2025-07-11\n\n- The restic repository is mounted from the rented machine.\n',
  'memory/2025-07-12.md': '# 2025-07-12\n\n## Retain\n- W @backup: fourteen copies are kept\n',
};

const ask = (question: string) => testWorkspace(FILES).recall(question, '--now', '2025-12-10', '--tz', 'UTC');
const sources = async (question: string) => (await ask(question)).results.map(({ source }) => source);

test('a question that only names an entity finds its own page before pages that mention it', async () => {
  expect((await sources('Nordfjord'))[0]).toBe('bank/entities/Nordfjord.md#L6');
});

test('a session dump comes after a log with the same content', async () => {
  expect(await sources('where is the restic repository mounted from?')).toEqual(
    expect.arrayContaining(['memory/2025-07-11.md#L3', 'memory/2025-07-10-backup.md#L3']),
  );
  expect((await sources('where is the restic repository mounted from?'))[0]).toBe('memory/2025-07-11.md#L3');
});

test('the plural of an entity means that entity, if nothing else has the name', async () => {
  const { results } = await ask('and the backups?');
  expect(results[0]?.source).toBe('memory/2025-07-12.md#L4');
});

test('"replaced A with B" supersedes the fact about A and ranks the log line behind it lower', async () => {
  const { results } = await ask('which job queue, RabbitMQ?');
  const order = results.map(({ source }) => source);
  expect(order[0]).toBe('memory/2025-09-20.md#L5');
  expect(results.find(({ source }) => source === 'memory/2025-03-02.md#L6')?.superseded).toMatch(/^f-/);
  expect(order.indexOf('memory/2025-03-02.md#L3')).toBeGreaterThan(0);
});

test('a question about history does not rank a replaced fact lower', async () => {
  const order = await sources('when did the go-live of Nordfjord planned for October happen?');
  const [old, current] = ['memory/2025-09-01.md#L4', 'memory/2025-09-20.md#L4'].map((source) => order.indexOf(source));
  expect([old, current].toSorted()).toEqual([0, 1]);
});

test('a line that only asks about an entity comes after every fact about it', async () => {
  const { results } = await testWorkspace({
    'memory/2026-03-18.md':
      '# Log\n\n## Retain\n- W @Harbor: Its uploads go to 9443.\n- W @Harbor: moved to the new rack.\n',
    'memory/2026-03-19.md': '# Log\n\n- Which port does @Harbor use?\n',
  }).recall('which port does Harbor use?');
  const asking = results.findIndex(({ content }) => content.endsWith('?'));
  expect(results.slice(0, asking).map(({ kind }) => kind)).toEqual(['world', 'world']);
});
