import { Random } from '../support/random.js';
import { ENTITY_NAMES, Vocabulary } from './generate.js';
import { type BenchWorkspace, sampleLines } from './workspaces.js';

const SEED = 11;

/** Questions of four or five words that occur together in some line, common and rare ones as they come. */
export function plainQuestions(workspace: BenchWorkspace, count: number): readonly string[] {
  const random = new Random(SEED);
  const vocabulary = new Vocabulary();
  const name = () => random.pick(ENTITY_NAMES);
  return sampleLines(workspace, count).map((line, i) => {
    const words = line.toLowerCase().match(/\b[a-z]{3,}\b/g) ?? [];
    const content = [...new Set(words)].filter((word) => !vocabulary.isStopWord(word));
    const [a = 'gateway', b = 'ledger', c = 'harbor'] = content.slice(
      random.between(0, Math.max(0, content.length - 3)),
    );
    switch (i % 4) {
      case 0:
        return `did ${name()} mention ${a} ${b}`;
      case 1:
        return `where is the ${a} ${b}`;
      case 2:
        return `${name()} and ${a} ${b} ${c}`;
      default:
        return `what about ${a} ${c}`;
    }
  });
}

/** The same questions with a month that has logs. */
export function datedQuestions(workspace: BenchWorkspace, count: number): readonly string[] {
  const months = ['May 2026', 'last month', 'in the last two weeks', '2026-06-12', 'around June 3'];
  return plainQuestions(workspace, count).map((question, i) => `${question} ${months[i % months.length]}`);
}

/** Natural questions of words that thousands of lines contain, with one rare word each. */
export function commonQuestions(
  words: number,
  count: number,
): readonly { readonly common: string; readonly rare: string }[] {
  const random = new Random(SEED);
  const vocabulary = new Vocabulary(words);
  const content = vocabulary.words.filter((word) => !vocabulary.isStopWord(word));
  const drawn = (from: number, to: number): string => content[random.between(from, to)] ?? '';
  return Array.from({ length: count }, () => ({
    common: `what did ${random.pick(ENTITY_NAMES)} decide about the ${drawn(0, 99)} ${drawn(100, 199)} last month?`,
    rare: drawn(content.length - 200, content.length - 1),
  }));
}
