import { expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { canFail, FailingDisk } from '../support/failing-disk/failing-disk.js';
import { killRounds, leftovers, manyLogs, seeded } from '../support/kill-rounds.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW } from '../support/workspace.js';

const ROUNDS = cases(40, 10);
const LOGS = cases(2_000, 700);
const LOG = `memory/${NOW.slice(0, 10)}.md`;

interface Answer {
  readonly results: readonly { readonly content: string }[];
  readonly stale: boolean;
}

test('eight processes that retain at once lose nothing (complaints: overwritten notes, lost appends)', async () => {
  const workspace = testWorkspace({ [LOG]: '# today\n\nA line of a person.\n' });
  const facts = Array.from({ length: 8 }, (_, writer) =>
    Array.from({ length: 5 }, (_, i) => `W @writer${writer}: saw thing ${i}`),
  );
  const codes = await Promise.all(
    facts.map(async (own) => (await workspace.start(['retain', '--stdin'], { input: own.join('\n') })).code),
  );
  expect(codes).toEqual(Array(8).fill(0));
  const lines = workspace.read(LOG).split('\n');
  expect(lines.slice(0, 3)).toEqual(['# today', '', 'A line of a person.']);
  expect(lines.filter((line) => line.startsWith('- ')).toSorted()).toEqual(
    facts
      .flat()
      .map((fact) => `- ${fact}`)
      .toSorted(),
  );
  expect(lines.filter((line) => line === '## Retain')).toHaveLength(1);
});

test('a fact retained by eight processes at once is stored once (complaint: duplicates)', async () => {
  const workspace = testWorkspace();
  const runs = await Promise.all(
    Array.from({ length: 8 }, () => workspace.start(['retain', 'W @Peter: lives in Vienna'])),
  );
  expect(runs.map(({ code }) => code)).toEqual(Array(8).fill(0));
  expect(workspace.read(LOG).match(/lives in Vienna/g)).toHaveLength(1);
});

test('ten recalls during a forced rebuild all answer (complaints: "database is locked", readers that wait)', async () => {
  const workspace = manyLogs(1_500);
  try {
    await workspace.startJson(['index']);
    const rebuild = workspace.start(['index', '--force']);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        workspace.startJson<Answer>(['recall', `counted to ${i * 100}`, '--k', '3']),
      ),
    );
    expect((await rebuild).code).toBe(0);
    for (const [i, answer] of answers.entries()) {
      expect(answer.results[0]?.content).toContain(`counted to ${i * 100}.`);
      expect(answer.stale).toBe(false);
    }
    expect((await workspace.start(['index', '--verify'])).code).toBe(0);
  } finally {
    workspace.dispose();
  }
});

test.runIf(canFail())('many facts in one command, killed at any write to the log, are all stored or none', async () => {
  const workspace = testWorkspace();
  const disk = new FailingDisk();
  const input = Array.from({ length: 200 }, (_, i) => `W @round: fact number ${i} with some words to tear\n`).join('');
  const retain = (at: number) => {
    const page = `# today\n\n## Retain\n\n- W @Peter: likes heliotrope\n`;
    workspace.write(LOG, page);
    const env = disk.env(workspace.root, { at, error: 'KILLED', lasting: false });
    return workspace.start(['retain', '--stdin'], { input, env });
  };
  expect(await retain(0)).toMatchObject({ code: 0 });
  const calls = disk.calls().flatMap((call, index) => (call.includes(' memory/') ? [index + 1] : []));
  expect(calls.length).toBeGreaterThan(1);
  for (const at of calls) {
    expect(await retain(at)).toMatchObject({ signal: 'SIGKILL' });
    const facts = workspace
      .read(LOG)
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect([1, 201]).toContain(facts.length);
    expect(facts.every((line) => line.endsWith('words to tear') || line.endsWith('heliotrope'))).toBe(true);
  }
  disk.dispose();
});

test.runIf(canFail())(
  'retain and index, killed at random, store acknowledged facts once and tear nothing; the index verifies',
  async () => {
    const workspace = manyLogs(LOGS);
    try {
      const report = await killRounds(workspace, ROUNDS, seeded(20_260_315));
      expect(report).toMatchObject({ rounds: ROUNDS, wrong: [], torn: [], verifies: true });
      // The test proves nothing if no process was killed or nothing was written.
      expect(report.killed).toBeGreaterThan(ROUNDS / 10);
      expect(report.acknowledged).toBeGreaterThan(ROUNDS / 10);
      const notices = await workspace.startJson<{ files: number }>(['status']);
      expect(notices.files).toBe(LOGS + 1);
      expect(leftovers(workspace).every((name) => name.startsWith('.'))).toBe(true);
    } finally {
      workspace.dispose();
    }
  },
);
