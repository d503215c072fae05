import { expect, test } from 'vitest';
import { listArchives, readArchivedMessages } from '../../src/session/archive/archives.js';
import { sessionPaths } from '../../src/session/log/meta.js';
import { ParsedFiles } from '../../src/session/log/read.js';
import { messageText } from '../../src/session/message.js';
import { canFail, FailingDisk } from '../support/failing-disk/failing-disk.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW } from '../support/workspace.js';
import { manyLogs } from './page-kills.js';

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
  const found = [...listArchives(paths).flatMap(readArchivedMessages), ...new ParsedFiles().messages(paths.log)].map(
    messageText,
  );
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
