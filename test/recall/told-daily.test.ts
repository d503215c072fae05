import { expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import { testWorkspace } from '../support/test-workspace.js';

test('the newest of daily readings comes first, and each other one names it or its successor', async () => {
  const day = (i: number): string => addDays('2026-01-01', i);
  const logs = Array.from({ length: 60 }, (_, i) => {
    const facts = [
      `weighs ${82 + (i % 7) / 10} kg`,
      `${12 + (i % 11)} open tickets`,
      `the status is ${i % 2 ? 'red' : 'green'}`,
    ];
    return [`memory/${day(i)}.md`, `## Retain\n${facts.map((fact) => `- W @Max: ${fact}\n`).join('')}`] as const;
  });
  const workspace = testWorkspace(Object.fromEntries(logs));
  await workspace.run(['reflect', '--max-calls', '0', '--now', `${day(60)}T03:00:00Z`]);
  const ask = async (query: string) => (await workspace.recall(query, '--now', `${day(60)}T12:00:00Z`)).results;
  const [weight, ...lighter] = await ask("Max's weight in kg");
  expect(weight).toMatchObject({ content: '@Max: weighs 82.3 kg', source: `memory/${day(59)}.md#L2` });
  const weights = lighter.filter(({ content }) => content.includes('weighs'));
  expect(weights.length).toBeGreaterThan(3);
  for (const one of weights) expect(one.superseded, one.source).toMatch(/^f-/);
  const [tickets, ...fewer] = await ask('open tickets of Max');
  expect(tickets).toMatchObject({ content: '@Max: 16 open tickets', source: `memory/${day(59)}.md#L3` });
  const others = fewer.filter(({ content }) => content.includes('tickets'));
  expect(others.length).toBeGreaterThan(3);
  for (const one of others) expect(one.newer, one.source).toBe(tickets?.id);
});

test('a newer value supersedes one of the same thing, not one that only has the same kind', async () => {
  const workspace = testWorkspace({
    'memory/2026-01-12.md': '## Retain\n- W @Atlas: runs on Postgres 15\n',
    'memory/2026-02-16.md': '## Retain\n- W @Atlas: upgraded to Postgres 16\n',
    'memory/2026-03-02.md': '## Retain\n- W @Atlas: release 2.4 is out\n',
  });
  const { results } = await workspace.recall('which Postgres does Atlas run on?');
  expect(results.map(({ content }) => content).slice(0, 2)).toEqual([
    '@Atlas: upgraded to Postgres 16',
    '@Atlas: runs on Postgres 15',
  ]);
  expect(results[1]?.newer).toBe(results[0]?.id);
});

test('a daily repeated fact lists twenty of its places and their number', async () => {
  const logs = Array.from({ length: 60 }, (_, i) => {
    const day = addDays('2026-01-01', i);
    return [`memory/${day}.md`, '## Retain\n- O(c=0.7) @Max: likes green tea\n- W @Max: drives a van\n'] as const;
  });
  const workspace = testWorkspace(Object.fromEntries(logs));
  await workspace.run(['reflect', '--max-calls', '0', '--now', '2026-03-02T03:00:00Z']);
  const { results } = await workspace.recall('which van does Max drive?');
  expect(results[0]).toMatchObject({ standsForCount: 61, standsFor: { length: 20 } });
  const [belief] = (await workspace.recall('Max green tea')).results;
  expect(belief).toMatchObject({ evidence: { for: { length: 20 }, more: 40 } });
  expect(belief?.evidence?.for.at(-1)?.source).toBe('memory/2026-03-01.md#L2');
  const { stdout } = await workspace.run(['recall', 'which van does Max drive?', '--k', '1']);
  expect(stdout).toMatch(/stands for (?:\S+, ){4}\S+ and 56 more/);
});
