import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ForgottenStatements } from '../../src/memory/forgotten.js';
import { cases } from '../support/cases.js';
import type { CliResult } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'memory/2026-03-01.md';
const FACT = 'W @Peter: keeps seven bees in Graz';
const FILES = {
  [LOG]: `# 2026-03-01\n\n## Retain\n\n- ${FACT}\n- W @Peter: plays chess\n- O(c=0.8) @Peter: likes seven teas\n`,
  'memory/2026-03-02.md': '# 2026-03-02\n\n- W @Peter: plays chess\n- W @Anna: swims\n',
};
const ROUNDS = cases(20, 2);

/** The place where a command is paused: the n-th time that it is about to take the writer lock. */
interface Hold {
  readonly command: string;
  readonly times?: number;
}

/** Starts a command, pauses it between reading and writing, runs something else, and lets it continue. */
async function whileHeld(
  workspace: TemporaryWorkspace,
  { command, times = 1 }: Hold,
  args: readonly string[],
  meanwhile: () => Promise<unknown>,
): Promise<CliResult> {
  const file = join(workspace.base, 'held');
  const env = { OPENCLAW_TEST_HOLD: `${command}:${times}:${file}` };
  let hasEnded = false;
  const running = workspace.start(args, { env }).finally(() => {
    hasEnded = true;
  });
  while (!existsSync(file) && !hasEnded) await delay(5);
  expect(hasEnded ? await running : 'held').toBe('held');
  await meanwhile();
  rmSync(file);
  return running;
}

/** Returns the pages that contain a text. */
function pagesWith(workspace: TemporaryWorkspace, text: RegExp): readonly string[] {
  const names = readdirSync(workspace.root, { recursive: true, encoding: 'utf8' });
  const pages = names.filter((name) => /\.(?:md|jsonl)$/.test(name) && !name.startsWith('.memory'));
  return pages.filter((name) => text.test(readFileSync(join(workspace.root, name), 'utf8')));
}

async function idOf(workspace: TemporaryWorkspace, query: string): Promise<string> {
  const { results } = await workspace.json<{ results: { id: string; content: string }[] }>(['recall', query]);
  return (results.find(({ content }) => content.includes(query)) ?? results[0])?.id ?? '';
}

async function forget(workspace: TemporaryWorkspace, id: string): Promise<void> {
  expect(await workspace.run(['forget', id])).toMatchObject({ code: 0 });
}

const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

test.each(rounds)('reflect, paused before it writes, leaves out what is forgotten meanwhile (round %i)', async () => {
  const workspace = testWorkspace(FILES);
  const id = await idOf(workspace, 'Peter keeps seven bees');
  const hold = { command: 'reflect', times: 2 };
  const result = await whileHeld(workspace, hold, ['reflect'], () => forget(workspace, id));
  expect(result.code).toBe(0);
  expect(pagesWith(workspace, /seven bees/)).toEqual([]);
  expect(pagesWith(workspace, /plays chess/)).toContain('bank/entities/Peter.md');
});

test.each(rounds)('forget, paused before it writes, removes what reflect writes meanwhile (round %i)', async () => {
  const workspace = testWorkspace(FILES);
  const id = await idOf(workspace, 'Peter keeps seven bees');
  const reflect = async () => expect(await workspace.run(['reflect'])).toMatchObject({ code: 0 });
  const result = await whileHeld(workspace, { command: 'forget' }, ['forget', id], reflect);
  expect(result.code).toBe(0);
  expect(pagesWith(workspace, /seven bees/)).toEqual([]);
});

test.each(rounds)('retain --infer writes no fact from a line that is forgotten meanwhile (round %i)', async () => {
  const day = 'memory/2026-03-15.md';
  const workspace = testWorkspace({
    [day]: '# 2026-03-15\n\nDecision: we sell the seven bees.\n\nDecision: we sell the old barn.\n',
  });
  const id = await idOf(workspace, 'we sell the seven bees');
  const result = await whileHeld(workspace, { command: 'retain' }, ['retain', '--infer'], () => forget(workspace, id));
  expect(result.code).toBe(0);
  expect(pagesWith(workspace, /seven bees/)).toEqual([]);
  expect(workspace.read(day)).toContain('by rules');
});

test.each(rounds)('retain and core do not write a text that is forgotten meanwhile (round %i)', async () => {
  const workspace = testWorkspace(FILES);
  const id = await idOf(workspace, 'Peter keeps seven bees');
  const retained = await whileHeld(workspace, { command: 'retain' }, ['retain', FACT], () => forget(workspace, id));
  expect(retained.stdout + retained.stderr).toContain('was forgotten');
  const core = await workspace.run(['core', 'append', `- ${FACT}`]);
  expect(core).toMatchObject({ code: 1 });
  expect(core.stderr).toContain('was forgotten');
  expect(pagesWith(workspace, /seven bees/)).toEqual([]);

  const older = await idOf(workspace, 'likes seven teas');
  const held = ['core', 'append', '- O @Peter: likes seven teas'];
  expect(await whileHeld(workspace, { command: 'core' }, held, () => forget(workspace, older))).toMatchObject({
    code: 1,
  });
  expect(pagesWith(workspace, /seven teas/)).toEqual([]);
});

test.each(rounds)('core accept does not write a text that is forgotten meanwhile (round %i)', async () => {
  const workspace = testWorkspace(FILES);
  const id = await idOf(workspace, 'Peter keeps seven bees');
  const page = 'bank/proposals/2026-03-15.md';
  workspace.write(page, `- [ ] add to the core: ${FACT} (seen on 3 days; cites ${LOG}#L5)\n`);
  const accepted = await whileHeld(workspace, { command: 'core' }, ['core', 'accept', '1'], () =>
    forget(workspace, id),
  );
  expect(accepted).toMatchObject({ code: 1 });
  expect(accepted.stderr).toMatch(/forgotten|not_found|no proposal/);
  expect(pagesWith(workspace, /seven bees/).filter((name) => name !== page)).toEqual([]);
});

test.each(rounds)('flush apply does not save a fact that is forgotten meanwhile (round %i)', async () => {
  const workspace = testWorkspace(FILES);
  const id = await idOf(workspace, 'Peter keeps seven bees');
  await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', 'Anna rows on the lake now.']);
  const content = `- ${FACT}\n- W @Anna: rows on the lake`;
  const file = join(workspace.base, 'flush.json');
  writeFileSync(file, JSON.stringify({ calls: [{ tool: 'memory_write', arguments: { content } }] }));
  const args = ['flush', 'apply', '--session', 'chat', '--answer', file];
  const result = await whileHeld(workspace, { command: 'retain' }, args, () => forget(workspace, id));
  expect(result.code).toBe(0);
  expect(pagesWith(workspace, /seven bees/)).toEqual([]);
  expect(pagesWith(workspace, /rows on the lake/).some((name) => name.startsWith('memory/'))).toBe(true);
});

test('a tombstone that an earlier version made of a statement with its final mark still covers the statement', () => {
  const key = 'ab'.repeat(32);
  const form = (words: string) => JSON.stringify(['W', ['peter'], words]);
  const hash = createHmac('sha256', Buffer.from(key, 'hex'))
    .update(form('lives in vienna!'))
    .digest('hex')
    .slice(0, 32);
  const forgotten = new ForgottenStatements([{ hash, nonce: 'aaaaaaaa' }], [key]);
  const has = (text: string) => forgotten.has({ kind: 'W', entities: ['Peter'], text });
  const texts = ['lives in Vienna', 'lives in Vienna.', 'lives in Vienna!', 'lives in Vienna?', 'lives in Graz'];
  expect(texts.map(has)).toEqual([true, true, true, true, false]);
});

test.each(rounds)('settle writes no words of a fact that is forgotten meanwhile (round %i)', async () => {
  const workspace = testWorkspace({
    [LOG]: '# 2026-03-01\n\n- W @Peter: keeps seven bees and two cats\n',
    'memory/2026-03-02.md': '# 2026-03-02\n\n- W @Peter: gave the bees away\n',
  });
  const older = await idOf(workspace, 'keeps seven bees and two cats');
  const newer = await idOf(workspace, 'gave the bees away');
  const args = ['settle', older, newer, 'partly', '--over', 'seven bees'];
  const result = await whileHeld(workspace, { command: 'settle' }, args, () => forget(workspace, older));
  expect(result.code).toBe(1);
  expect(pagesWith(workspace, /seven bees/)).toEqual([]);
});

test.each(rounds)(
  'extract writes no line that is forgotten meanwhile, with or without its kind (round %i)',
  async () => {
    const workspace = testWorkspace(FILES);
    const id = await idOf(workspace, 'Peter keeps seven bees');
    const content = `- ${FACT}!\n- @Peter: keeps seven bees in Graz\n- sings`;
    const answer = JSON.stringify({ entities: [{ name: 'Peter', category: 'person', content }] });
    const file = join(workspace.base, 'answer.json');
    writeFileSync(file, answer);
    const args = ['extract', 'apply', '--answer', file];
    const result = await whileHeld(workspace, { command: 'extract' }, args, () => forget(workspace, id));
    expect(result.code).toBe(0);
    expect(pagesWith(workspace, /seven bees/)).toEqual([]);
    expect(pagesWith(workspace, /sings/)).toContain('bank/entities/Peter.md');
  },
);

test.each([
  ['W @Peter: lives in Vienna', 'W @Peter: lives in Vienna!'],
  ['W @Peter: lives in Vienna.', 'W @Peter: lives in Vienna?!'],
  ['W @Peter: lives in Vienna!', 'W @Peter: lives in Vienna'],
  ['W @Peter: 住在维也纳。', 'W @Peter: 住在维也纳！'],
  ['W @Peter: 住在维也纳', 'W @Peter: 住在维也纳？'],
])('forgetting %s also forgets %s', async (said, again) => {
  const workspace = testWorkspace({ [LOG]: `# 2026-03-01\n\n- ${said}\n- ${again}\n` });
  await forget(workspace, await idOf(workspace, 'Peter'));
  const { stdout, stderr } = await workspace.run(['retain', again]);
  expect(stdout + stderr).toContain('was forgotten');
  expect(pagesWith(workspace, /Vienna|维也纳/)).toEqual([]);
  expect((await workspace.run(['index', '--verify'])).code).toBe(0);
});
