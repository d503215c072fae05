import { expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { Random } from '../support/random.js';
import { logOf, randomDays, reflectAt, STATED } from '../support/reflecting.js';
import { testWorkspace } from '../support/test-workspace.js';

const PAGES = ['bank/opinions.md', 'bank/entities/Peter.md', 'bank/world.md'] as const;
const ROUNDS = 20;
const EDITS = 50;
const LINES: readonly [string, ...string[]] = [
  'Words of mine, mark N.',
  '- a point of mine, mark N',
  '  - a note of mine, mark N',
  '### A heading, mark N',
  '> quoted, mark N',
  '<!-- kept, mark N -->',
  '| a | mark N |',
  'trailing blanks, mark N   ',
  '- W @Peter: told me about thing N himself, mark N',
  '```\ncode, mark N\n```',
];

/** Lines that only the program writes: inside generated blocks, and the notes and headlines of opinions. */
function oursIn(text: string): ReadonlySet<number> {
  const ours = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let line = from; line <= to; line++) ours.add(line - 1);
  };
  for (const { startLine, endLine } of findManagedBlocks(text)) add(startLine, endLine);
  for (const opinion of readOpinionsPage(text)) {
    add(opinion.startLine, opinion.textEndLine);
    for (const line of [opinion.priorLine, opinion.updatedLine, opinion.moreLine]) if (line !== null) add(line, line);
    for (const { line } of opinion.evidence) add(line, line);
  }
  return ours;
}

/** One edit by a person outside of generated text: a line added, removed, replaced, or a word changed. */
function edit(text: string, random: Random, number: number): string {
  const lines = text.split('\n');
  const ours = oursIn(text);
  const free = lines.flatMap((line, index) => (ours.has(index) || line === '' ? [] : [index]));
  const at = free[random.between(0, free.length - 1)] ?? 0;
  const words = random.pick(LINES).replaceAll('N', String(number));
  const choice = random.next();
  if (choice < 0.6 || free.length === 0) {
    // Not inside a generated block.
    const places = [...lines.keys()].filter((index) => index > 0 && !(ours.has(index) && ours.has(index - 1)));
    lines.splice(places[random.between(0, places.length - 1)] ?? lines.length, 0, ...words.split('\n'));
  } else if (choice < 0.7) lines.splice(at, 1);
  else if (choice < 0.85) lines[at] = `${lines[at]} and another word, mark ${number}`;
  else lines[at] = `Instead of it, mark ${number}`;
  return lines.join('\n');
}

/** A person's lines of a page: all except blank and generated ones. */
function personsLines(text: string): readonly string[] {
  const ours = oursIn(text);
  return text.split('\n').filter((line, index) => !ours.has(index) && line.trim() !== '');
}

function moved(before: string, after: string): boolean {
  const retired = (text: string) => readOpinionsPage(text).flatMap(({ id, isRetired }) => (isRetired ? [id] : []));
  return retired(before).join() !== retired(after).join();
}

test('a thousand edits anywhere on pages of the bank survive reflect in place', async () => {
  const random = new Random(20_260_315);
  const workspace = testWorkspace({ 'bank/opinions.md': STATED, 'bank/world.md': '# World\n\nMy own words.\n' });
  const days = [...randomDays(random, '2026-02-01', ROUNDS + 1)];
  let [edits, lines, evidenced] = [0, 0, 0];
  for (const [round, [day, facts]] of days.entries()) {
    workspace.write(
      `memory/${day}.md`,
      logOf([...facts, `- W @Peter: lives in Vienna`, `- W: seen on ${addDays(day, 3)}`]),
    );
    const before = new Map<string, string>();
    for (const path of round === 0 ? [] : PAGES) {
      let text = workspace.read(path);
      for (let i = 0; i < EDITS / PAGES.length; i++) text = edit(text, random, ++edits);
      workspace.write(path, text);
      before.set(path, text);
    }
    await reflectAt(workspace.root, `${addDays(day, 1)}T03:40:00Z`);
    for (const { evidence } of readOpinionsPage(workspace.read('bank/opinions.md')))
      evidenced = Math.max(evidenced, evidence.length);
    for (const [path, text] of before) {
      const after = workspace.read(path);
      const theirs = personsLines(text);
      const kept = personsLines(after).filter((line) => theirs.includes(line));
      // Opinions that move to Retired take their notes along.
      if (moved(text, after)) expect(kept.toSorted(), `${path} of ${day}`).toEqual(theirs.toSorted());
      else expect(kept, `${path} of ${day}`).toEqual(theirs);
      lines += theirs.length;
    }
  }
  expect(edits).toBeGreaterThanOrEqual(1_000);
  expect(lines).toBeGreaterThan(5_000);
  // Reflect did change the pages.
  expect(evidenced).toBeGreaterThan(2);
});
