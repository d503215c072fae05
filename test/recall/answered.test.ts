import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/recall/request.js';
import { testWorkspace } from '../support/test-workspace.js';

const NOTES = {
  'memory/2025-10-04.md':
    '# 2025-10-04\n\n- W @Jonas: birthday on 3 May.\n- W @Jonas: works at the bakery in Linz.\n- The gate code is on the fridge.\n',
};

test.each([
  ['where is the gate code?', 'all'],
  ['is the gate code of the cellar on the fridge?', 'some'],
  ['has Jonas ever played the trombone?', 'none'],
  ['is there a submarine?', 'none'],
  // A name alone has no content word.
  ['Jonas', 'all'],
  // Any line of the day answers; a day without lines has no answer.
  ['what did we work on on 4 October?', 'all'],
  ['what did we do on 5 October?', 'none'],
  ['what did we decide about the submarine on 4 October?', 'none'],
])('lines that answer "%s": %s', async (question, answers) => {
  const workspace = testWorkspace(NOTES);
  expect((await workspace.recall(question)).answers).toBe(answers);
  expect((await workspace.recall(question, '--k', '1')).answers).toBe(answers);
});

/** Where somebody lives, in languages that a short question hardly shows, and a question without an answer. */
test.each([
  ['@Dora: wohnt in Bremen', 'Wo wohnt Dora?', 'Wo tanzt Dora?'],
  ['@Fleur: habite à Brême', 'Où habite Fleur ?', 'Où danse Fleur ?'],
  ['@Elena: vive en Bremen', '¿Dónde vive Elena?', '¿Dónde baila Elena?'],
  ['@Ilaria: abita a Brema', 'Dove abita Ilaria?', 'Dove balla Ilaria?'],
  ['@Paula: mora em Bremen', 'Onde mora Paula?', 'Onde dança Paula?'],
  ['@Noor: woont in Bremen', 'Waar woont Noor?', 'Waar danst Noor?'],
  ['@Рита: живёт в Бремене', 'Где живёт Рита?', 'Где танцует Рита?'],
  ['@志强: 和姐姐一起住在不来梅', '志强住在哪里？', '志强跳舞吗？'],
])('"%s" answers "%s", and nothing answers "%s"', async (line, asked, other) => {
  const workspace = testWorkspace({ 'memory/2025-10-04.md': `- W ${line}\n- W @Max: is a cook\n` });
  expect(await workspace.recall(asked)).toMatchObject({ answers: 'all' });
  expect(await workspace.recall(other)).toMatchObject({ answers: 'none' });
});

test('the text output says when no line clearly answers', async () => {
  const workspace = testWorkspace(NOTES);
  expect((await workspace.run(['recall', 'has Jonas ever played the trombone?'])).stdout).toMatch(
    /^No line clearly answers this\./,
  );
  expect((await workspace.run(['recall', 'where is the gate code?'])).stdout).not.toContain('(none of');
});

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

test('four fifths of fifty unanswerable questions are marked as unanswered, and hardly any answerable one', async () => {
  const workspace = testWorkspace();
  cpSync(join(FIXTURES, 'workspace'), workspace.root, { recursive: true });
  const shareOfNone = async (lines: readonly string[]): Promise<number> => {
    const { stdout } = await workspace.run(['recall', '--batch', '--now', '2026-01-15T12:00:00Z'], {
      input: lines.join('\n'),
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): Pick<RecallAnswer, 'answers'> => JSON.parse(line));
    return answers.filter(({ answers }) => answers === 'none').length / lines.length;
  };
  const linesOf = (file: string): readonly string[] => readFileSync(join(FIXTURES, file), 'utf8').trim().split('\n');
  const unanswered = linesOf('unanswered.jsonl');
  expect(unanswered).toHaveLength(50);
  expect(await shareOfNone(unanswered)).toBeGreaterThanOrEqual(0.8);
  const answered = linesOf('cases.jsonl')
    .map((line): { query: string; expect: readonly string[]; options?: object } => JSON.parse(line))
    .filter((one) => one.expect.length > 0 && one.options === undefined)
    .map(({ query }) => JSON.stringify({ query }));
  expect(await shareOfNone(answered)).toBeLessThanOrEqual(0.08);
});
