import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { childEnv } from '../support/cli.js';
import type { Group } from './figure.js';
import { BIN, median, memoryArguments, timedMemory } from './measure.js';
import { plainQuestions } from './questions.js';
import { NOW } from './recall.js';
import { type BenchWorkspace, benchWorkspace } from './workspaces.js';

const QUESTIONS = 200;

/** `recall --batch`: the cost of a single question, and its growth with the corpus. */
export const batch: Group = async function* (run) {
  let smaller: number | undefined;
  for (const files of run.sizes) {
    const workspace = benchWorkspace(files);
    timedMemory(memoryArguments(workspace.root, 'index'));
    run.note(`${QUESTIONS} questions over ${files} files`);
    const ms = median(await answerTimes(workspace, plainQuestions(workspace, QUESTIONS)));
    const goal = files >= 10_000 ? { text: '≤ 8 ms', most: 8 } : null;
    yield { name: 'recall --batch, a question', files, measured: ms, floor: null, unit: 'ms', goal };
    if (smaller !== undefined) {
      const grown = { text: 'slower than the corpus: < 10 ×', most: 10 };
      yield {
        name: 'cost of a question, per tenfold',
        files,
        measured: ms / smaller,
        floor: null,
        unit: '×',
        goal: grown,
      };
    }
    smaller = ms;
  }
};

/**
 * Asks questions one after the other.
 * @returns ms from question to answer
 */
export async function answerTimes({ root }: BenchWorkspace, questions: readonly string[]): Promise<readonly number[]> {
  const child = spawn(process.execPath, [BIN, 'memory', ...memoryArguments(root, 'recall', '--batch', ...NOW)], {
    env: childEnv(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const times: number[] = [];
  for (const [id, query] of questions.entries()) {
    const start = performance.now();
    child.stdin.write(`${JSON.stringify({ id, query })}\n`);
    const answer = await answers.next();
    if (answer.done === true) throw new Error('recall --batch ended early');
    // The first one also waits for the process to start.
    if (id > 0) times.push(performance.now() - start);
  }
  child.stdin.end();
  await exited;
  return times;
}
