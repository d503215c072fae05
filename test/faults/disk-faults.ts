import { EmbeddingServer } from '../support/embedding-server.js';
import type { DiskFault, FailingDisk } from '../support/failing-disk/failing-disk.js';
import type { TemporaryWorkspace } from '../support/workspace.js';
import { surroundingsOf, type WritingCommand } from './writing-commands.js';
import {
  copyOf,
  differing,
  leftovers,
  type Pages,
  pagesOf,
  samePages,
  startOf,
  verifyFailure,
  wrongWords,
} from './writing-state.js';

/** The result of several faults under one command. Every list must be empty. */
interface FaultReport {
  readonly command: string;
  /** Number of calls that could fail in a run without a fault, for all kinds of faults. */
  readonly calls: number;
  readonly faults: number;
  /** Runs that succeeded in spite of the fault. */
  readonly done: number;
  readonly broken: readonly string[];
}

export const FAULTS: readonly Omit<DiskFault, 'at'>[] = [
  { error: 'EIO', lasting: false },
  { error: 'EIO', lasting: true },
  { error: 'ENOSPC', lasting: true },
  { error: 'EACCES', lasting: true },
  { error: 'EROFS', lasting: true },
  { error: 'EMFILE', lasting: false },
  { error: 'EMFILE', lasting: true },
];

/**
 * Runs a command repeatedly, each time on a new copy of its workspace and with another failing call. Each run succeeds, or
 * says plainly that it failed; each page has its old or its new text; a repetition without a fault gives the normal result;
 * the index equals the files.
 * @param points which calls fail, given their number; from 1
 */
export async function faultRounds(
  command: WritingCommand,
  disk: FailingDisk,
  points: (calls: number) => readonly number[],
  faults = FAULTS,
): Promise<FaultReport> {
  const start = await startOf(command);
  const clean = copyOf(start);
  const server = command.embeds && (await new EmbeddingServer().start());
  const env = server ? { OLLAMA_HOST: server.host } : {};
  try {
    const whole = await clean.run(command.args, surroundingsOf(command, clean, env));
    const round: Round = { command, disk, env, before: pagesOf(start), after: pagesOf(clean), code: whole.code };
    const broken: string[] = [];
    let count = 0;
    let done = 0;
    let calls = 0;
    for (const fault of faults) {
      const callsOfIt = await countCalls(start, round, fault);
      calls += callsOfIt;
      for (const at of points(callsOfIt)) {
        const outcome = await oneFault(start, round, { ...fault, at });
        count++;
        if (outcome.done) done++;
        const where = `${command.name}: ${fault.error}${fault.lasting ? ' from' : ' at'} call ${at} (${outcome.call}): `;
        broken.push(...outcome.broken.map((what) => where + what));
      }
    }
    return { command: command.name, calls, faults: count, done, broken };
  } finally {
    start.dispose();
    clean.dispose();
    if (server) await server.stop();
  }
}

interface Round {
  readonly command: WritingCommand;
  readonly disk: FailingDisk;
  readonly env: NodeJS.ProcessEnv;
  readonly before: Pages;
  readonly after: Pages;
  /** Exit code of a run without a fault. */
  readonly code: number | null;
}

interface Outcome {
  readonly done: boolean;
  readonly call: string;
  readonly broken: readonly string[];
}

/** Returns the number of calls that such a fault can hit. */
async function countCalls(start: TemporaryWorkspace, round: Round, fault: Omit<DiskFault, 'at'>): Promise<number> {
  const { command, disk } = round;
  const workspace = copyOf(start);
  const options = surroundingsOf(command, workspace, round.env);
  await disk.run(workspace.base, { ...fault, at: 0 }, workspace.command(command.args, options));
  workspace.dispose();
  return disk.calls().length;
}

async function oneFault(start: TemporaryWorkspace, round: Round, fault: DiskFault): Promise<Outcome> {
  const { command, disk, after } = round;
  const workspace = copyOf(start);
  try {
    const options = surroundingsOf(command, workspace, round.env);
    const run = await disk.run(workspace.base, fault, workspace.command(command.args, options));
    const call = disk.calls().find((line) => line.startsWith('!')) ?? 'not reached';
    const done = run.code === round.code && !(command.onlyWarns && run.stderr.includes('warning: '));
    const left = pagesOf(workspace);
    const isDone = samePages(left, after);
    const broken = [...wrongWords(run, command, round.code), ...wrongPages(left, round)];
    if (done && !isDone) broken.push(`said to be done, and is not: ${differing(left, after)}`);
    if (done && command.says?.test(run.stdout) === false) broken.push(`said to be done, but ${run.stdout}`);
    if (!fault.lasting) broken.push(...leftovers(workspace).map((path) => `left ${path} behind`));
    if (!isDone || (!done && command.says)) broken.push(...(await askedAgain(workspace, round)));
    broken.push(...(await verifyFailure(workspace)));
    return { done, call, broken };
  } finally {
    workspace.dispose();
  }
}

async function askedAgain(
  workspace: TemporaryWorkspace,
  { command, env, after, code }: Round,
): Promise<readonly string[]> {
  const runs = [await workspace.run(command.args, surroundingsOf(command, workspace, env))];
  if (command.again !== undefined) runs.push(await workspace.run(command.again));
  const last = runs.at(-1);
  const broken = last?.code === (command.again === undefined ? code : 0) ? [] : [`asked again: ${last?.stderr}`];
  if (command.says?.test(last?.stdout ?? '') === false) broken.push(`asked again, it says ${last?.stdout}`);
  const pages = pagesOf(workspace);
  return samePages(pages, after) ? broken : [...broken, `asked again, differs: ${differing(pages, after)}`];
}

/** Returns pages with neither their old nor their new text. */
function wrongPages(left: Pages, { command, before, after }: Round): readonly string[] {
  const broken: string[] = [];
  for (const path of new Set([...before.keys(), ...after.keys(), ...left.keys()])) {
    const text = left.get(path);
    if (text === before.get(path) || text === after.get(path)) continue;
    if (command.inSteps && text !== undefined && isWhole(path, text)) continue;
    broken.push(`${path} is ${JSON.stringify(text)}`);
  }
  return broken;
}

function isWhole(path: string, text: string): boolean {
  if (path.endsWith('.html')) return text.startsWith('<!doctype html>') && text.endsWith('</html>\n');
  const parts = path.endsWith('.jsonl') ? text.split('\n').slice(0, -1) : path.endsWith('.json') ? [text] : [];
  try {
    for (const part of parts) JSON.parse(part);
  } catch {
    return false;
  }
  return text === '' || path.endsWith('.json') || text.endsWith('\n');
}
