import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import type { BenchRun, Figure } from './figure.js';
import { median, memoryArguments, timedMemory } from './measure.js';

const TOPICS = ['tea', 'trains', 'reviews', 'bees', 'boats', 'bread', 'queues', 'maps'] as const;
const TALK = [
  { role: 'user', content: 'I moved the bees to the garden in Linz. @Entity-7 has the key.' },
  { role: 'user', content: 'For reviews I want short comments from now on.' },
];
const OPERATIONS = 200;

/** The cost of extraction besides the model: searching a large bank, and applying many operations. */
export function* extract(run: BenchRun): Iterable<Figure> {
  for (const pages of run.sizes) {
    run.note(`extract over ${pages.toLocaleString('en')} pages`);
    const workspace = bankOf(pages);
    const empty = bankOf(0);
    try {
      const talk = join(workspace.base, 'talk.json');
      writeFileSync(talk, JSON.stringify(TALK));
      const prompt = () => timedMemory(memoryArguments(workspace.root, 'extract', 'prompt', '--file', talk)).ms;
      const bare = () => timedMemory(memoryArguments(empty.root, 'extract', 'prompt', '--file', talk)).ms;
      prompt();
      bare();
      const rounds = Array.from({ length: Math.min(7, run.rounds) }, () => [prompt(), bare()] as const);
      const floor = median(rounds.map(([, ms]) => ms));
      const most = pages === 10_000 ? { text: '150 ms more', most: floor + 150 } : undefined;
      yield figure('extract prompt, pages of a bank', pages, median(rounds.map(([ms]) => ms)), floor, most);
      const applied = Array.from({ length: Math.min(5, run.rounds) }, (_, round) => apply(workspace, round));
      const goal = pages === 10_000 ? { text: '1 s', most: 1_000 } : undefined;
      yield figure(
        `extract apply, ${OPERATIONS} operations`,
        pages,
        median(applied.map(({ ms }) => ms)),
        median(applied.map(({ raw }) => raw)),
        goal,
      );
    } finally {
      empty.dispose();
      workspace.dispose();
    }
  }
}

/** @returns the time, and that of reading and writing as many pages */
function apply(workspace: TemporaryWorkspace, round: number): { readonly ms: number; readonly raw: number } {
  const preferences = Array.from({ length: OPERATIONS }, (_, index) => ({
    topic: `new ${round} ${index}`,
    content: `- Wants number ${index} in round ${round}`,
  }));
  const ops = join(workspace.base, 'ops.json');
  writeFileSync(ops, JSON.stringify({ preferences }));
  const { ms } = timedMemory(memoryArguments(workspace.root, 'extract', 'apply', '--answer', ops));
  const start = performance.now();
  for (const index of preferences.keys()) {
    const path = workspace.path(`bank/preferences/new-${round}-${index}.md`);
    const text = readFileSync(path);
    writeFileSync(path, text);
  }
  return { ms, raw: performance.now() - start };
}

function figure(name: string, files: number, measured: number, floor: number, goal: Figure['goal']): Figure {
  return { name, files, measured, floor, unit: 'ms', goal };
}

function bankOf(pages: number): TemporaryWorkspace {
  const workspace = new TemporaryWorkspace();
  const random = new Random(5);
  for (const folder of ['entities', 'preferences']) mkdirSync(workspace.path(`bank/${folder}`), { recursive: true });
  for (let index = 0; index < pages; index++) {
    const folder = index % 4 === 0 ? 'preferences' : 'entities';
    const text = `# Entity ${index}\n\n- Knows of ${random.pick(TOPICS)} since ${random.between(1990, 2025)}.\n- Likes ${random.pick(TOPICS)}.\n`;
    writeFileSync(workspace.path(`bank/${folder}/Entity-${index}.md`), text);
  }
  return workspace;
}
