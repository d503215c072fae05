import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const FILES = {
  'memory/2026-03-01.md': '## Retain\n- W @Peter: the audit is on 03/04/2026\n- W @Peter: the party is on 27/11/2026\n',
  'memory/2026-02-28.md': '## Retain\n- W @陈伟: 审计在03/04/2026\n',
};

const validity = async (workspace: TemporaryWorkspace, query: string) => {
  const { results } = await workspace.json<RecallAnswer>(['recall', query]);
  return results[0]?.validFrom;
};

test('03/04/2026 is the fourth of March in English and the third of April elsewhere', async () => {
  const workspace = testWorkspace(FILES);
  expect(await validity(workspace, 'audit')).toBe('2026-03-04');
  expect(await validity(workspace, '审计')).toBe('2026-04-03');
  expect(await validity(workspace, 'party')).toBe('2026-11-27');
});

test('the setting overrides this, for questions and options too, and a change of it indexes all files again', async () => {
  const workspace = testWorkspace(FILES);
  expect(await validity(workspace, 'audit')).toBe('2026-03-04');
  workspace.write('memory.config.json5', '{ dateOrder: "dmy" }');
  expect(await validity(workspace, 'audit')).toBe('2026-04-03');
  const { window } = await workspace.json<RecallAnswer>(['recall', 'what is on 03/04/2026']);
  expect(window).toEqual({ since: '2026-04-03', until: '2026-04-03' });
  const given = await workspace.json<RecallAnswer>(['recall', 'audit', '--since', '03/04/2026']);
  expect(given.window?.since).toBe('2026-04-03');
  workspace.write('memory.config.json5', '{ dateOrder: "mdy" }');
  expect(await validity(workspace, '审计')).toBe('2026-03-04');
  expect((await workspace.run(['index', '--verify'])).code).toBe(0);
});

test('the setting applies in every language to dates with slashes; with full stops the day comes first', async () => {
  const workspace = testWorkspace(FILES);
  const window = async (question: string) => (await workspace.json<RecallAnswer>(['recall', question])).window?.since;
  expect(await window('Was geschah am 04.03.2026?')).toBe('2026-03-04');
  workspace.write('memory.config.json5', '{ dateOrder: "mdy" }');
  expect(await window('Was geschah am 03/04/2026?')).toBe('2026-03-04');
  expect(await window("Qu'y avait-il le 03/04 ?")).toMatch(/-03-04$/);
  expect(await window('¿Qué pasó el 27/11/2025?')).toBe('2025-11-27');
  expect(await window('Was geschah am 04.03.2026?')).toBe('2026-03-04');
});

test('an unknown order is refused with the valid ones', async () => {
  const workspace = testWorkspace({ ...FILES, 'memory.config.json5': '{ dateOrder: "ymd" }' });
  const { code, stderr } = await workspace.run(['recall', 'audit']);
  expect(code).toBe(2);
  expect(stderr).toContain('dateOrder');
});
