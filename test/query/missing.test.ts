import { describe, expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

const log = (...lines: readonly string[]) => ({ 'memory/2026-03-04.md': lines.map((line) => `- ${line}\n`).join('') });
const NOW = ['--now', '2026-03-10T12:00:00Z'] as const;

describe('what is not the word', () => {
  test.each([
    ['a stretch of letters', 'Der Gartenzwerg steht am Zaun.', 'Wo steht der Gartenschlauch?', 'gartenschlauch'],
    [
      'a stretch of letters',
      'The photosynthesis poster hangs there.',
      'which photographer hangs there?',
      'photographer',
    ],
    ['another spelling', 'The kumquat tree is in bloom.', 'is the kumqvat in bloom?', 'kumqvat'],
    ['a longer word', 'Il campanello della porta è rotto.', 'La campana della porta è rotta?', 'campana'],
    ['a longer word', 'The meadowlark sang on the porch.', 'is there a meadow behind the porch?', 'meadow'],
  ])('%s: %s', async (_, line, question, word) => {
    const { results, answers, missing } = await testWorkspace(log(line, 'The kettle leaks.')).recall(question);
    expect(results[0]?.content).toBe(line);
    expect(answers).not.toBe('all');
    expect(missing).toContainEqual({ word, indexed: false });
  });

  test('a line about somebody else does not make an answer complete', async () => {
    const workspace = testWorkspace(log('W @Ruth: paints boats', 'W @Egon: restores harpsichords', 'W @Ruth: is tall'));
    expect(await workspace.recall('does Egon restore harpsichords?')).toMatchObject({ answers: 'all' });
    const { answers, missing } = await workspace.recall('does Ruth restore harpsichords?');
    expect(answers).toBe('none');
    expect(missing).toBeUndefined();
  });
});

describe('the words that only ask', () => {
  test.each([
    ['W @Vera: drinks oolong', 'what is the preference of Vera?'],
    ['W @Vera: drinks oolong', 'Vera 的偏好是什么'],
    ['W @志明: 每天喝乌龙茶', '志明的偏好是什么？'],
    ['W @Vera: trinkt Oolong', 'Was ist die Vorliebe von Vera?'],
    ['W @Vera: boit du thé', 'Quelle est la préférence de Vera ?'],
    ['W @Vera: пьёт улун', 'Какое предпочтение у Vera?'],
    ['Tannery audit: we keep the old vats.', 'what was the conclusion of the tannery audit?'],
    ['Gerberei: die alten Bottiche bleiben.', 'Was war unser Fazit zur Gerberei?'],
    ['制革厂审计：保留旧桶', '制革厂审计的结论是什么？'],
  ])('"%s" answers "%s"', async (line, question) => {
    const workspace = testWorkspace(log(line, 'W @Max: is a cook'));
    expect(await workspace.recall(question)).toMatchObject({ answers: 'all' });
  });
});

describe('a time', () => {
  test.each([
    'last week',
    'letzte Woche',
    'la semaine dernière',
    'la semana pasada',
    '上周',
    '4 March 2026',
    '2026年3月4日',
  ])('each line of it is an answer to "%s"', async (question) => {
    const workspace = testWorkspace(log('Planted quinces.', 'The kettle leaks.'));
    expect(await workspace.recall(question, ...NOW)).toMatchObject({ answers: 'all' });
  });

  test.each([
    ['what did the stove repair cost on 4 March?', 'Stove | Ofenbau Lind | 310.50'],
    ['Was hat die Ofenreparatur am 4. März gekostet, der Kamin?', 'Kamin, Rechnung Lind: 310,50'],
  ])('a line of it with one of the words is near: %s', async (question, line) => {
    const answer = await testWorkspace({
      ...log(line, 'Slept badly.'),
      'memory/2026-03-01.md': Array.from({ length: 40 }, (_, at) => `- Rain ${at}.\n`).join(''),
    }).recall(question, ...NOW);
    expect(answer.results[0]?.content).toBe(line);
    expect(answer.answers).not.toBe('none');
  });
});

describe('missing words', () => {
  const NOTES = {
    ...log('The loft was insulated by Hollis & Daughter.', 'W @Ruth: plays the bassoon'),
    'memory/2026-03-05.md': '- The gutter was cleaned.\n',
    'memory/topics/词.md': '# 词\n\n- 阁楼的窗户换成了双层玻璃\n',
  };

  test('each says whether an indexed line has it, whatever the number of results', async () => {
    const workspace = testWorkspace({
      ...NOTES,
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [
          `memory/2026-02-${at + 10}.md`,
          `- Loft loft insulated insulated ${at}\n`,
        ]),
      ),
    });
    const question = 'is the loft insulated beside the gutter of the orangery?';
    const missing = [
      { word: 'gutter', indexed: true },
      { word: 'orangery', indexed: false },
    ];
    const { missing: found } = await workspace.recall(question);
    expect(found).toContainEqual(missing[1]);
    for (const k of ['1', '3', '50']) expect((await workspace.recall(question, '--k', k)).missing).toEqual(found);
  });

  test.each([
    ['which firm insulated the loft?', ['firm']],
    ['Wer hat the loft gedämmt?', ['gedämmt']],
    ['does Ruth play the sackbut?', ['sackbut']],
    ['阁楼的暖气呢？', ['暖气']],
  ])('%s', async (question, words) => {
    const { missing } = await testWorkspace(NOTES).recall(question);
    expect(missing?.map(({ word }) => word)).toEqual(words);
  });

  test('the key is left out where no word is missing', async () => {
    expect(await testWorkspace(NOTES).recall('who insulated the loft?')).not.toHaveProperty('missing');
  });

  test('the text output names them in one line', async () => {
    const workspace = testWorkspace(NOTES);
    const { stdout } = await workspace.run(['recall', 'which firm insulated the loft?']);
    expect(stdout.split('\n')[0]).toBe('In no line: "firm".');
    expect((await workspace.run(['recall', 'who insulated the loft?'])).stdout).not.toContain('In no line');
    const { stdout: none } = await workspace.run(['recall', 'sackbut orangery']);
    expect(none).not.toContain('In no line');
  });
});
