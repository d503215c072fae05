import { describe, expect, test } from 'vitest';
import type { IndexReport } from '../../src/index/run.js';
import type { LintReport, Problem } from '../../src/upkeep/lint.js';
import type { StatusReport } from '../../src/upkeep/status.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const PAGE = [
  '# Depot',
  '',
  '- W @Depot: the gate code is 4411',
  '- W @Depot: opens at eight',
  '- W @Depot: the roof leaks',
];
/** The copy from the other machine: it changed one line and added one. */
const OTHER = [...PAGE.slice(0, 4), '- W @Depot: the roof was tarred', '- W @Depot: the forklift is Lena’s'];
const DEPOT = 'memory/topics/Depot.md';

const recall = (workspace: TemporaryWorkspace, question: string) => workspace.recall(question);
const status = (workspace: TemporaryWorkspace) => workspace.json<StatusReport>(['status']);

async function lint(workspace: TemporaryWorkspace): Promise<readonly string[]> {
  const { stdout } = await workspace.run(['lint', '--json']);
  const { problems }: { problems: readonly Problem[] } = JSON.parse(stdout);
  return problems.filter(({ rule }) => rule === 'conflict-copy').map(({ path, line }) => `${path}:${line}`);
}

const NAMES: Readonly<Record<string, string>> = {
  iCloud: 'Depot 2.md',
  'Google Drive': 'Depot (1).md',
  'Google Drive without a space': 'Depot(2).md',
  OneDrive: 'Depot-LAPTOP-7QK2.md',
  Seafile: 'Depot (SFConflict lena@example.org 2026-03-12-09-14-55).md',
  Dropbox: 'Depot (Lena’s conflicted copy 2026-03-12).md',
  'Dropbox in German': 'Depot (In Konflikt stehende Kopie von Lena 2026-03-12).md',
  'Dropbox in French': 'Depot (Copie en conflit de Lena 2026-03-12).md',
  'Dropbox in Chinese': 'Depot (Lena 的冲突副本 2026-03-12).md',
  'Dropbox in Japanese': 'Depot（Lena の競合コピー 2026-03-12）.md',
  'Dropbox in Russian': 'Depot (конфликтующая копия с компьютера Lena 2026-03-12).md',
  Syncthing: 'Depot.sync-conflict-20260312-091455-K3XJ7QA.md',
  ownCloud: 'Depot_conflict-20260312-091455.md',
  'ownCloud with a name': 'Depot_conflict-lena-20260312-091455.md',
  Nextcloud: 'Depot (conflicted copy 2026-03-12 091455).md',
  'Obsidian Sync': 'Depot (Conflicted copy ThinkPad-T14 202603120914).md',
  Synology: 'Depot_NAS_Mar-12-091455-2026_Conflict.md',
};

test('every form of a conflict copy is distinguished from a note', async () => {
  const forms = Object.keys(NAMES);
  const folder = (form: string): string => `memory/topics/${form}`;
  const files = forms.flatMap((form) => [
    [`${folder(form)}/Depot.md`, `${PAGE.join('\n')}\n`] as const,
    [`${folder(form)}/${NAMES[form]}`, `${OTHER.join('\r\n')}\r\n`] as const,
  ]);
  const workspace = testWorkspace(Object.fromEntries(files));
  const { facts, copies } = await status(workspace);
  expect({ facts, copies }).toEqual({ facts: 3, copies: { files: forms.length, lines: 2 * forms.length } });
  const expected = forms.flatMap((form) => [5, 6].map((line) => `${folder(form)}/${NAMES[form]}:${line}`));
  expect([...(await lint(workspace))].sort()).toEqual(expected.sort());
});

test('a line of a conflict copy comes last as marked log text, and commands write nothing to the copy', async () => {
  const copy = 'memory/topics/Depot (1).md';
  const workspace = testWorkspace({ [DEPOT]: `${PAGE.join('\n')}\n`, [copy]: `${OTHER.join('\n')}\n` });
  expect((await workspace.run(['status'])).stdout).toContain('1 conflict copy with 2 lines of its own');
  const { results } = await recall(workspace, 'what is with the roof of the depot?');
  const marked = results.map(({ path, kind, conflictCopy }) => `${path} ${kind} ${conflictCopy}`);
  const [first] = marked;
  expect(first).toBe(`${DEPOT} world undefined`);
  expect(marked.at(-1)).toBe(`${copy} log true`);
  expect(marked.lastIndexOf(`${DEPOT} world undefined`)).toBeLessThan(marked.indexOf(`${copy} log true`));
  expect((await workspace.run(['recall', 'whose is the forklift?'])).stdout).toMatch(/log, conflict copy/);
  const { verify } = await workspace.json<IndexReport>(['index', '--verify']);
  expect(verify?.differences).toEqual([]);
  const retained = await workspace.run(['retain', 'W @Depot: has a dog', '--file', copy]);
  expect(retained.code).toBe(1);
  expect(retained.stderr).toContain(`${copy} is a conflict copy of ${DEPOT}`);
  expect(workspace.read(copy)).toBe(`${OTHER.join('\n')}\n`);
});

test('a page with such a name but other content is a note', async () => {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
  const week = (title: string, of: (day: string) => string): string =>
    `# ${title}\n${days.map((day) => `## ${day}\n${of(day)}\n`).join('')}`;
  const workspace = testWorkspace({
    'memory/topics/Week.md': week('Week', (day) => `- W @Lena: cleans the hall on ${day}`),
    'memory/topics/Week 2.md': week('Week', (day) => `- W @Omar: paints the fence on ${day}`),
    'memory/topics/Plan.md': '- W @Plan: begins in May\n- W @Plan: needs a permit\n',
    'memory/topics/Plan (2026-02-01).md': '- W @Plan: begins in June\n- W @Plan: costs 900\n',
    'bank/entities/Anna.md': '---\nname: Anna\n---\n- W @Anna and @Anna-Berg run the shop\n',
    'bank/entities/Anna-Berg.md': '---\nname: Anna-Berg\n---\n- W @Anna and @Anna-Berg run the shop\n',
    'memory/topics/Lonely 2.md': '- W @Lonely: has nobody beside it\n',
  });
  expect((await status(workspace)).copies).toEqual({ files: 0, lines: 0 });
  expect(await lint(workspace)).toEqual([]);
  const { results } = await recall(workspace, 'what does Omar paint?');
  expect(results[0]).toMatchObject({ path: 'memory/topics/Week 2.md', kind: 'world' });
});

test('a file is classified anew when its original changes', async () => {
  const copy = 'memory/topics/Depot 2.md';
  const workspace = testWorkspace({ [DEPOT]: `${PAGE.join('\n')}\n`, [copy]: `${OTHER.join('\n')}\n` });
  expect((await status(workspace)).copies).toEqual({ files: 1, lines: 2 });
  workspace.write(DEPOT, '# Depot\n\n- W @Depot: was sold\n');
  expect((await status(workspace)).copies).toEqual({ files: 0, lines: 0 });
  workspace.write(DEPOT, `${OTHER.join('\n')}\n`);
  expect((await status(workspace)).copies).toEqual({ files: 1, lines: 0 });
  expect(await lint(workspace)).toEqual([`${copy}:null`]);
  workspace.remove(DEPOT);
  expect((await status(workspace)).copies).toEqual({ files: 0, lines: 0 });
  const { verify } = await workspace.json<IndexReport>(['index', '--verify']);
  expect(verify?.differences).toEqual([]);
});

test('a copied log is not evidence, and a copied entity page is not written to', async () => {
  const log = '## Retain\n- O(c=0.8) @Lena: prefers tea\n- W @Lena: lives in Graz\n- W @Lena: rents the hall\n';
  const workspace = testWorkspace({ 'memory/2026-03-01.md': log });
  await workspace.json(['reflect']);
  const opinions = workspace.read('bank/opinions.md');
  const page = workspace.read('bank/entities/Lena.md');
  workspace.write('memory/2026-03-01 2.md', `${log}- O(c=0.9) @Lena: prefers tea over coffee\n`);
  workspace.write('bank/entities/Lena (1).md', `${page}\nA line of the other machine.\n`);
  workspace.write('MEMORY.md', 'The hall is ours.\nThe key is blue.\n');
  workspace.write(
    'MEMORY.sync-conflict-20260312-091455-K3XJ7QA.md',
    'The hall is ours.\nThe key is blue.\nThe lamp is red.\n',
  );
  workspace.write('memory/2026-03-02.md', '- W @Lena: has a van\n');
  await workspace.json(['reflect']);
  expect(workspace.read('bank/opinions.md')).toBe(opinions);
  expect(workspace.read('bank/entities/Lena.md')).toContain('has a van');
  expect(workspace.read('bank/entities/Lena (1).md')).toBe(`${page}\nA line of the other machine.\n`);
  expect((await status(workspace)).copies).toEqual({ files: 3, lines: 3 });
  const { results } = await recall(workspace, 'what colour is the lamp?');
  expect(results[0]).toMatchObject({ content: 'The lamp is red.', conflictCopy: true });
  expect(
    (await workspace.json<{ block: string }>(['context', 'build', '--message', 'what colour is the lamp?'])).block,
  ).not.toContain('red');
});

test('a forgotten line does not return from a conflict copy', async () => {
  const copy = 'memory/topics/Depot 2.md';
  const workspace = testWorkspace({ [DEPOT]: `${PAGE.join('\n')}\n`, [copy]: `${PAGE.join('\n')}\n` });
  const { stdout } = await workspace.run(['forget', '--query', 'the gate code is 4411']);
  expect(stdout).toContain(`Copies that were not removed:\n  ${copy}`);
  expect(workspace.read(DEPOT)).not.toContain('4411');
  expect(JSON.stringify(await recall(workspace, 'gate code 4411'))).not.toContain('code is 4411');
  expect((await workspace.run(['lint'])).stdout).toContain(`${copy}:3: warning: this statement was forgotten`);
});

describe('lines of JSON', () => {
  const LINE =
    '{"fact":"f-aaaaaaaaaaaaa","opinion":"o-aaaaaaaaaaaaa","direction":"supports","by":"rules","day":"2026-03-01"}';
  const OTHER = LINE.replace('supports', 'contradicts');

  test.each([
    ['bank/evidence.jsonl', 'bank/evidence (1).jsonl'],
    ['bank/evidence.jsonl', 'bank/evidence 2.jsonl'],
    ['bank/evidence.jsonl', 'bank/evidence-LAPTOP-7QK2.jsonl'],
    ['bank/evidence.jsonl', 'bank/evidence.sync-conflict-20260312-091455-K3XJ7QA.jsonl'],
    ['bank/.applied.jsonl', 'bank/.applied (1).jsonl'],
    ['sessions/chat/messages.jsonl', 'sessions/chat/messages (Lena’s conflicted copy 2026-03-12).jsonl'],
  ])('lint and status name the conflict copy of %s: %s', async (path, copy) => {
    const workspace = testWorkspace({ 'memory/2026-03-01.md': '- W @Mo: sails\n', [path]: `${LINE}\n` });
    workspace.write(copy, `${LINE}\n${OTHER}\n`);
    const { problems }: LintReport = JSON.parse((await workspace.run(['lint', '--json'])).stdout);
    const found = problems.filter(({ rule }) => rule === 'conflict-copy');
    expect(found.map((one) => [one.path, one.line])).toEqual([[copy, 2]]);
    expect(found[0]?.message).toContain(`only in this conflict copy of ${path}: {"fact"`);
    expect((await workspace.run(['lint', copy])).code).toBe(4);
    expect((await workspace.run(['status'])).stdout).toContain('1 conflict copy with 1 line of its own');
    workspace.write(path, `${LINE}\n${OTHER}\n`);
    expect((await workspace.run(['lint'])).stdout).toContain(`this conflict copy of ${path} has no lines of its own`);
  });

  test('other files in JSON lines are no conflict copies', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-01.md': '- W @Mo: sails\n', 'bank/evidence.jsonl': `${LINE}\n` });
    workspace.write('bank/numbers.jsonl', '{}\n');
    workspace.write('bank/numbers 2.jsonl', '{}\n');
    expect((await workspace.run(['lint'])).stdout).not.toContain('conflict copy');
  });
});
