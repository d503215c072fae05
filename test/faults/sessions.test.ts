import { expect, test } from 'vitest';
import { listArchives, readArchivedMessages } from '../../src/session/archive/archives.js';
import { sessionPaths } from '../../src/session/log/paths.js';
import { readMessages } from '../../src/session/log/read.js';
import { messageText } from '../../src/session/message.js';
import { cases } from '../support/cases.js';
import { canFail } from '../support/failing-disk/failing-disk.js';
import { importKillRounds } from '../support/import-kill-rounds.js';
import { seeded } from '../support/kill-rounds.js';
import { sessionKillRounds } from '../support/session-kill-rounds.js';
import { testWorkspace } from '../support/test-workspace.js';

const ROUNDS = cases(40, 8);

test.runIf(canFail())(
  'session add and commit, killed at random, keep every message once and in order after resume',
  async () => {
    const report = await sessionKillRounds(testWorkspace(), ROUNDS, seeded(20_260_316));
    expect(report).toMatchObject({ refused: [], wrong: [], cutPairs: 0, unfinished: [], metaFits: true });
    // The test proves nothing if no process was killed or nothing was archived.
    expect(report.within).toBeGreaterThan(ROUNDS / 4);
    expect(report.archives).toBeGreaterThan(0);
  },
);

test.runIf(canFail())(
  'import and hooks, killed while a transcript grows, keep every acknowledged message once and in order',
  async () => {
    const { broken, within, acknowledged } = await importKillRounds(testWorkspace(), ROUNDS, seeded(20_261_123));
    expect(broken).toEqual([]);
    // The test proves nothing if no write was interrupted or no command finished.
    expect(Math.min(within, acknowledged)).toBeGreaterThan(0);
  },
);

test('processes that add and commit at once lose nothing and write nothing twice', async () => {
  const workspace = testWorkspace();
  await workspace.start(['session', 'add', 's', '--role', 'user', '--text', 'begin']);
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let i = 0; i < 4; i++) {
      const said = await workspace.start(['session', 'add', 's', '--role', 'user', '--text', `${writer}-${i}`]);
      expect(said).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/^error/m) });
    }
  });
  const committers = Array.from({ length: 2 }, async () => {
    for (let i = 0; i < 4; i++) {
      const said = await workspace.start(['session', 'commit', 's', '--keep-recent', '1']);
      expect(said).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/^error/m) });
    }
  });
  await Promise.all([...writers, ...committers]);
  const resumed = await workspace.startJson<{ sessions: readonly unknown[] }>(['session', 'resume', 's']);
  expect(resumed.sessions).toMatchObject([{ pending: [] }]);
  const paths = sessionPaths(workspace.root, 's');
  const found = [...listArchives(paths).flatMap(readArchivedMessages), ...readMessages(paths.log)].map(messageText);
  expect(found.toSorted()).toEqual(['begin', ...fourByFour()].toSorted());
  for (let writer = 0; writer < 4; writer++) {
    const own = found.filter((text) => text.startsWith(`${writer}-`));
    expect(own).toEqual(own.toSorted());
  }
  expect(listArchives(paths).every(({ state }) => state === 'completed')).toBe(true);
});

test('after a kill between archive and log no message is shown twice, and the next command continues', async () => {
  const workspace = testWorkspace();
  const add = (text: string) => workspace.run(['session', 'add', 's', '--role', 'user', '--text', text]);
  for (const text of ['zebra one', 'zebra two', 'zebra three']) await add(text);
  const shown = async () => [
    (await workspace.run(['session', 'context', 's'])).stdout,
    (await workspace.run(['session', 'search', 's', 'zebra'])).stdout,
  ];
  const before = await shown();
  expect(before.join('').match(/zebra two/g)).toHaveLength(2);
  const [first, second] = workspace.read('sessions/s/messages.jsonl').split('\n');
  workspace.write('sessions/s/history/archive_001/messages.jsonl', `${first}\n${second}\n`);
  expect(await shown()).toEqual(before);
  await add('zebra four');
  expect(await workspace.json(['session', 'status', 's'])).toMatchObject({
    live_messages: 2,
    archives: { pending: 1 },
  });
  expect((await shown()).join('').match(/zebra two/g)).toHaveLength(2);
});

function fourByFour(): readonly string[] {
  return Array.from({ length: 16 }, (_, i) => `${i >> 2}-${i % 4}`);
}
