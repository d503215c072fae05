import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { TemporaryWorkspace } from '../support/workspace.js';

/** Two lines about one subject in two logs. */
type Lines = readonly [earlier: string, later: string];

const TABLE = readFileSync(new URL('replaced-lines.txt', import.meta.url), 'utf8');

/** Returns the lines of a section of the table. */
function section(name: string): readonly Lines[] {
  const [, text = ''] = TABLE.split(`## ${name}\n`);
  const rows =
    text
      .split('\n\n')[0]
      ?.split('\n')
      .filter((row) => row.includes(' | ')) ?? [];
  return rows.map((row) => {
    const [earlier = '', later = ''] = row.split(' | ');
    return [earlier, later];
  });
}

const [SETTLED, NEWER, KEPT] = [section('settled'), section('newer'), section('kept')];
const LINES = [...SETTLED, ...NEWER, ...KEPT];
const [EARLIER, LATER] = ['memory/2025-11-04.md', 'memory/2026-01-20.md'];
const FIRST_LINE = 4;

function log(of: 0 | 1): string {
  const bullets = LINES.map((pair) => `- ${/^[WBOS][ (]/.test(pair[of]) ? '' : 'W '}${pair[of]}\n`);
  return `# Log\n\n## Retain\n${bullets.join('')}`;
}

/** The marks on the entity's lines, found by its name. */
const answers = new Map<string, RecallAnswer['results']>();

beforeAll(async () => {
  const workspace = new TemporaryWorkspace({ [EARLIER]: log(0), [LATER]: log(1) });
  const questions = LINES.map(([earlier], i) => ({ id: `${i}`, query: nameOf(earlier), k: 20 }));
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const { stdout } = await workspace.run(['recall', '--batch', '--now', '2026-11-23T12:00:00Z'], { input });
  workspace.dispose();
  for (const line of stdout.trim().split('\n')) {
    const { id, results } = JSON.parse(line) as RecallAnswer & { readonly id: string };
    answers.set(LINES[Number(id)]?.[0] ?? '', results);
  }
});

function nameOf(line: string): string {
  return /@([^\s:]+):/.exec(line)?.[1] ?? '';
}

function found([earlier]: Lines, path: string): RecallAnswer['results'][number] | undefined {
  const line = FIRST_LINE + LINES.findIndex(([text]) => text === earlier);
  return answers.get(earlier)?.find(({ source }) => source === `${path}#L${line}`);
}

test.each(SETTLED)('superseded: %s ← %s', (...pair) => {
  const [old, holds] = [found(pair, EARLIER), found(pair, LATER)];
  expect(old?.superseded).toBe(holds?.id);
  expect(holds).not.toHaveProperty('superseded');
  expect(holds?.score ?? 0).toBeGreaterThanOrEqual(old?.score ?? 1);
});

test.each(NEWER)('newer: %s, later %s', (...pair) => {
  const [old, newer] = [found(pair, EARLIER), found(pair, LATER)];
  expect(old?.newer).toBe(newer?.id);
  expect(old).not.toHaveProperty('superseded');
  expect(newer?.score ?? 0).toBeGreaterThanOrEqual(old?.score ?? 1);
});

test.each(KEPT)('both stay: %s | %s', (...pair) => {
  expect(found(pair, EARLIER)).toBeDefined();
  expect(found(pair, EARLIER)).not.toHaveProperty('superseded');
  expect(found(pair, LATER)?.superseded).toBeUndefined();
});
