import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { childEnv } from '../support/cli.js';
import type { BenchRun, Figure, Group } from './figure.js';
import { BIN, median, medians, memoryArguments, timedFloor, timedMemory } from './measure.js';
import { commonQuestions, datedQuestions, plainQuestions } from './questions.js';
import { type BenchWorkspace, benchWorkspace, indexFile } from './workspaces.js';

/** The day after the last log, so that relative dates hit days that have logs. */
const NOW = ['--now', '2026-07-01T12:00:00Z', '--tz', 'UTC'] as const;
/** Number of candidates of the floor, as recall takes for ten results. */
const DEPTH = '60';
const DATE_CUE_MS = 30;

/** `recall` from process start to exit, without changed files. */
export const recall: Group = function* (run) {
  for (const files of run.sizes) {
    const workspace = benchWorkspace(files);
    timedMemory(memoryArguments(workspace.root, 'index'));
    const factor = files >= 10_000 ? 1.3 : 1;
    const plain = measureRecall(run, workspace, plainQuestions(workspace, run.rounds + 1));
    const dated = measureRecall(run, workspace, datedQuestions(workspace, run.rounds + 1));
    yield figure('recall, plain question', files, plain, factor, 30);
    yield figure('recall, question with a date', files, dated, factor, 30 + DATE_CUE_MS);
    yield block(run, workspace);
    if (files >= 10_000) yield* fewWords(run, files);
  }
};

const FEW_WORDS = 2_000;

/** A workspace with a small vocabulary: words of a question occur in thousands of lines. */
function* fewWords(run: BenchRun, files: number): Iterable<Figure> {
  const workspace = benchWorkspace(files, FEW_WORDS);
  timedMemory(memoryArguments(workspace.root, 'index'));
  const questions = commonQuestions(FEW_WORDS, run.rounds + 1);
  const rare = measureRecall(
    run,
    workspace,
    questions.map((question) => question.rare),
  );
  yield figure(`recall, a rare word of ${FEW_WORDS}`, files, rare, 1, 30);
  const common = measureRecall(
    run,
    workspace,
    questions.map((question) => question.common),
  );
  const goal = { text: '≤ 1.5 × a rare word', most: rare.recall * 1.5 };
  yield {
    name: 'recall, a question of common words',
    files,
    measured: common.recall,
    floor: common.floor,
    unit: 'ms',
    goal,
  };
}

/** `context build` for a question, beside `recall` for the same one. */
function block({ rounds, note }: BenchRun, workspace: BenchWorkspace): Figure {
  const questions = plainQuestions(workspace, rounds + 1);
  const asked = (i: number): string => questions[i] ?? '';
  note(`context build over ${workspace.files} files`);
  const { floor, built } = medians(rounds, {
    floor: (i) => timedMemory(memoryArguments(workspace.root, 'recall', asked(i), ...NOW)).ms,
    built: (i) => timedMemory(memoryArguments(workspace.root, 'context', 'build', '--message', asked(i), ...NOW)).ms,
  });
  const goal = { text: '≤ 1.25 × recall', most: floor * 1.25 };
  return { name: 'context build', files: workspace.files, measured: built, floor, unit: 'ms', goal };
}

interface Medians {
  readonly recall: number;
  readonly floor: number;
}

/**
 * Medians of `recall` over several questions, and of the floor: every file is checked, and the index gets the same queries.
 */
export function measureRecall(
  { rounds, note }: BenchRun,
  workspace: BenchWorkspace,
  questions: readonly string[],
): Medians {
  const expressions = questions.map((question) => fullText(workspace, question));
  note(`recall over ${workspace.files} files`);
  return medians(rounds, {
    floor: (i) => timedFloor('recall.mjs', [workspace.root, indexFile(workspace), DEPTH, ...(expressions[i] ?? [])]).ms,
    recall: (i) => timedMemory(memoryArguments(workspace.root, 'recall', questions[i] ?? '', ...NOW)).ms,
  });
}

function figure(name: string, files: number, { recall, floor }: Medians, factor: number, extra: number): Figure {
  const text = factor === 1 ? `≤ floor + ${extra} ms` : `≤ ${factor} × floor + ${extra} ms`;
  return { name, files, measured: recall, floor, unit: 'ms', goal: { text, most: floor * factor + extra } };
}

/** The full-text expressions that recall sends to the index; the floor sends the same. */
function fullText({ root }: BenchWorkspace, question: string): readonly string[] {
  const answer: unknown = JSON.parse(
    timedMemory(memoryArguments(root, 'recall', question, '--explain', ...NOW)).stdout,
  );
  const notes = typeof answer === 'object' && answer !== null && 'explain' in answer ? answer.explain : [];
  const prefix = 'full text: ';
  return (Array.isArray(notes) ? notes : [])
    .filter((note): note is string => typeof note === 'string' && note.startsWith(prefix))
    .map((note) => note.slice(prefix.length));
}

const QUESTIONS = 200;

/** `recall --batch`: the cost of a single question, and its growth with the corpus. */
export const batch: Group = async function* (run) {
  let smaller: number | undefined;
  for (const files of run.sizes) {
    const workspace = benchWorkspace(files);
    timedMemory(memoryArguments(workspace.root, 'index'));
    run.note(`${QUESTIONS} questions over ${files} files`);
    const ms = median(await answerTimes(workspace, plainQuestions(workspace, QUESTIONS)));
    const goal = files >= 10_000 ? { text: '≤ 8 ms', most: 8 } : undefined;
    yield { name: 'recall --batch, a question', files, measured: ms, unit: 'ms', goal };
    if (smaller !== undefined) {
      const grown = { text: 'slower than the corpus: < 10 ×', most: 10 };
      yield {
        name: 'cost of a question, per tenfold',
        files,
        measured: ms / smaller,
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
