import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SECTION_NAMES } from '../../src/wm/document.js';
import { cli } from '../support/cli.js';
import { removeTree } from '../support/remove-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'wm-'));
afterAll(() => removeTree(folder));
const OLD = '# Working Memory\n\n## Key Facts & Decisions\n- port is 6380\n\n## Open Issues\n- rotate keys\n';
writeFileSync(join(folder, 'wm.md'), OLD);
writeFileSync(join(folder, 'ops.json'), '{"sections":{"Open Issues":{"op":"UPDATE","content":"- pay"}}}');
writeFileSync(join(folder, 'messages.jsonl'), '{"role":"user","content":"hi"}\n');

const wm = (args: string, input?: string) =>
  cli(['wm', ...args.split(' ')], { cwd: folder, ...(input === undefined ? {} : { input }) });

test('wm merge --json prints document, ledger of all seven sections, lost and reminders', async () => {
  const result = await wm('merge --old wm.md --answer ops.json --json');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  const answer: Record<string, Record<string, unknown>> = JSON.parse(result.stdout);
  expect(Object.keys(answer)).toEqual(['document', 'sections', 'lost', 'reminders']);
  expect(Object.keys(answer.sections ?? {})).toEqual([...SECTION_NAMES]);
  expect(answer.sections?.['Open Issues']).toEqual({
    op: 'UPDATE',
    decision: 'RESTORE',
    reason: '1 of 1 issues were left out without being resolved',
    appended: [],
    restored: ['rotate keys'],
    removed: [],
  });
});

test('wm merge prints the document; either file may come from stdin', async () => {
  const merged = await wm('merge --old - --answer ops.json', OLD);
  expect(merged.stdout).toMatch(/## Open Issues\n- pay\n- \[restored\] rotate keys\n$/);
  const kept = await wm('merge --old wm.md --answer -', 'null');
  expect(kept.stdout).toContain('## Open Issues\n- rotate keys\n');
});

test('a truncated answer is recovered with a warning; one without operations is an error', async () => {
  const cut = await wm('merge --old wm.md --answer -', '{"sections":{"Current State":{"op":"UPDATE","content":"ok"},');
  expect(cut).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: .*readable part/) });
  expect(cut.stdout).toContain('## Current State\nok\n');
  const none = await wm('merge --old wm.md --answer -', 'I cannot do that.');
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toMatch(/^error: .*\nhint: .*\n$/);
});

test.each([
  ['merge --old wm.md', 2],
  ['merge --old - --answer -', 2],
  ['merge --old missing.md --answer ops.json', 1],
  ['prompt --old wm.md --messages wm.md', 2],
  ['nonsense', 2],
])('wm %s exits with %i, one error line and a hint', async (args, code) => {
  const result = await wm(args);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
});

test('wm prompt --json prints system, user, schema, its name and reminders', async () => {
  const result = await wm('prompt --old wm.md --messages messages.jsonl --json');
  const answer: Record<string, unknown> = JSON.parse(result.stdout);
  expect(Object.keys(answer)).toEqual(['system', 'user', 'schema', 'schemaName', 'reminders']);
  expect(answer.user).toContain('[user]: hi');
});
