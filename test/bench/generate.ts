import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../support/random.js';

/** Raised with every change of the generated text, so that older workspaces in the temporary folder are not used. */
export const GENERATOR_VERSION = 1;

// biome-ignore format: a list of names reads best in two lines
export const ENTITY_NAMES = [
  'Rina', 'Tomas', 'Yusuf', 'Ingrid', 'Mateo', 'Aiko', 'Priya', 'Lars', 'Nadia', 'Otto', 'Chen', 'Zola',
  'Warehouse', 'Billing', 'Gateway', 'Atlas', 'Kestrel', 'Harbor', 'Ledger', 'Beacon', 'Orchard', 'Quarry',
] as const;
const KINDS = ['W', 'W', 'B', 'S', 'O(c=0.8)'] as const;
const LAST_DAY = Date.UTC(2026, 5, 30);
const DAY_MS = 86_400_000;

/**
 * Writes a workspace of `files` daily logs, one a day up to 2026-06-30, of about 36 lines and 4 KB each: a heading, log
 * text with now and then an entity, a code or a Chinese remark, and a Retain section with a few facts; and a page for
 * every entity. The same seed writes the same bytes.
 * @param words how many words its lines are drawn from
 */
export function generateWorkspace(root: string, files: number, seed: number, words: number): void {
  const random = new Random(seed);
  const writer = new Writer(random, new Vocabulary(words));
  for (const folder of ['memory', 'bank/entities']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'MEMORY.md'), `# Memory\n\n${writer.list(12)}`);
  for (const name of ENTITY_NAMES) {
    writeFileSync(join(root, 'bank/entities', `${name}.md`), `---\nname: ${name}\n---\n\n${writer.list(8)}`);
  }
  for (let i = 0; i < files; i++) {
    const day = new Date(LAST_DAY - (files - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    writeFileSync(join(root, 'memory', `${day}.md`), writer.day(day));
  }
}

class Writer {
  constructor(
    private readonly random: Random,
    private readonly vocabulary: Vocabulary,
  ) {}

  day(day: string): string {
    const sections = Array.from({ length: 3 }, () => `## ${this.sentence(2, 5)}\n\n${this.list(8)}\n${this.text()}`);
    const facts = Array.from({ length: this.random.between(2, 5) }, () => this.fact()).join('');
    return `# ${day}\n\n${sections.join('\n')}\n## Retain\n\n${facts}`;
  }

  list(most: number): string {
    return Array.from({ length: this.random.between(most - 3, most + 1) }, () => `- ${this.line()}\n`).join('');
  }

  private text(): string {
    return `${this.line()}\n${this.line()}\n${this.line()}\n`;
  }

  private fact(): string {
    return `- ${this.random.pick(KINDS)} @${this.random.pick(ENTITY_NAMES)}: ${this.sentence(9, 18)}.\n`;
  }

  private line(): string {
    const text = this.sentence(12, 22);
    const { random } = this;
    const dice = random.next();
    if (dice < 0.1) return `@${random.pick(ENTITY_NAMES)} ${text}`;
    if (dice < 0.2) return `${random.pick(ENTITY_NAMES)}: ${text}.`;
    if (dice < 0.23)
      return `${text} (\`ERR_${random.between(1000, 9999)}\`, v${random.between(1, 9)}.${random.between(0, 20)})`;
    if (dice < 0.24) return `${text} 使用Redis缓存第${random.between(1, 99)}号结果`;
    return `${text}.`;
  }

  private sentence(least: number, most: number): string {
    return Array.from({ length: this.random.between(least, most) }, () => this.vocabulary.draw(this.random)).join(' ');
  }
}

const STOP_WORDS =
  'the of and to in a is that for it was on with as we at by this be from are not or have an they which had were but so there all can if has will more when no out up what about into than them only some could these two may then do any my now such like our over me even most after also did many before must through back where much your way well should because each just those people how too little good very make still own see work long get here between both being under never same another know while last might us great go come since against right take used himself few during without again place around however home small found thought went say part once high general upon every does got number course until always away something fact less though put think almost done look set'.split(
    ' ',
  );

const ONSETS = 'b c d f g h j k l m n p r s t v w z br cl dr gr pl sh st th tr'.split(' ');
const VOWELS = 'a e i o u a e i o u ai ea ou'.split(' ');
const CODAS = ['', '', '', '', '', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'st'];

/** Words with frequencies by Zipf's law: first stop words, then invented words. */
export class Vocabulary {
  readonly words: readonly string[];
  private readonly cumulative: Float64Array;

  /** @param size number of words */
  constructor(size = 100_000) {
    const words = new Set(STOP_WORDS);
    for (let i = 0; words.size < size; i++) words.add(inventedWord(i));
    this.words = [...words];
    this.cumulative = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) {
      sum += 1 / (rank + 2.7);
      this.cumulative[rank] = sum;
    }
  }

  draw(random: Random): string {
    const at = random.next() * (this.cumulative.at(-1) ?? 0);
    let low = 0;
    let high = this.words.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.cumulative[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? '';
  }

  isStopWord(word: string): boolean {
    return STOP.has(word);
  }
}

const STOP = new Set(STOP_WORDS);

// Syllables numbered in a scrambled order, so that neighbours in rank look nothing alike.
function inventedWord(i: number): string {
  let rest = Math.imul(i + 1, 2_654_435_761) >>> 0;
  let word = '';
  const syllables = i < 20_000 ? 2 : 3;
  for (let s = 0; s < syllables; s++) {
    for (const parts of [ONSETS, VOWELS, CODAS]) {
      word += parts[rest % parts.length] ?? '';
      rest = Math.floor(rest / parts.length);
    }
    if (rest === 0) rest = i + s + 7;
  }
  return word;
}
