import { expect, test } from 'vitest';
import type { LintReport } from '../../src/upkeep/lint.js';
import { testWorkspace } from '../support/test-workspace.js';

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
