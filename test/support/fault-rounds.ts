import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CliResult } from './cli.js';
import type { DiskFault, FailingDisk } from './failing-disk/failing-disk.js';
import { TemporaryWorkspace } from './workspace.js';
import type { WritingCommand } from './writing-commands.js';

/** What a number of faults under one command came to. Every list must be empty. */
export interface FaultReport {
  readonly command: string;
  /** Calls that change something in a run without a fault: each is a place where the disk may fail. */
  readonly calls: number;
  readonly faults: number;
  /** Runs that did it in spite of the fault. */
  readonly done: number;
  readonly broken: readonly string[];
}

/** Page and session files with their text. What is derived, locks and leftovers are left out. */
type Pages = ReadonlyMap<string, string>;

export const FAULTS: readonly Omit<DiskFault, 'at'>[] = [
  { error: 'EIO', lasting: false },
  { error: 'EIO', lasting: true },
  { error: 'ENOSPC', lasting: true },
  { error: 'EACCES', lasting: true },
];

/**
 * Runs a command again and again, each time on a fresh copy of its workspace, and lets another call fail. Then: it is
 * done, or it says in plain words that it is not; no page has anything but its old text or its new one; said again
 * without a fault it comes to what it would have come to; the index equals the files.
 * @param points which calls fail, of so many
 */
export async function faultRounds(
  command: WritingCommand,
  disk: FailingDisk,
  points: (calls: number, fault: Omit<DiskFault, 'at'>) => readonly number[],
  faults = FAULTS,
): Promise<FaultReport> {
  const start = await started(command);
  const clean = copyOf(start);
  try {
    const whole = await clean.run(command.args, { input: command.input ?? '', env: disk.env(clean.root) });
    const calls = disk.calls().length;
    const round: Round = { command, disk, before: pagesOf(start), after: pagesOf(clean), code: whole.code };
    const broken: string[] = [];
    let count = 0;
    let done = 0;
    for (const fault of faults) {
      for (const at of points(calls, fault)) {
        const outcome = await oneFault(start, round, { ...fault, at });
        if (outcome === undefined) break;
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
  }
}

interface Round {
  readonly command: WritingCommand;
  readonly disk: FailingDisk;
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

/** One run with a fault; undefined when no call failed, because there are not so many. */
async function oneFault(start: TemporaryWorkspace, round: Round, fault: DiskFault): Promise<Outcome | undefined> {
  const { command, disk, after } = round;
  const workspace = copyOf(start);
  try {
    const run = await workspace.run(command.args, { input: command.input ?? '', env: disk.env(workspace.root, fault) });
    const call = disk.calls().find((line) => line.startsWith('!'));
    if (call === undefined) return undefined;
    const done = run.code === round.code;
    const left = pagesOf(workspace);
    const isDone = samePages(left, after);
    const broken = [...wrongWords(run, round), ...wrongPages(left, round)];
    if (done && !isDone) broken.push(`said to be done, and is not: ${differing(left, after)}`);
    if (!fault.lasting) broken.push(...leftovers(workspace).map((path) => `left ${path} behind`));
    if (!isDone) broken.push(...(await askedAgain(workspace, round)));
    const verified = await workspace.run(['index', '--verify']);
    if (verified.code !== 0) broken.push(`the index does not verify: ${verified.stdout}${verified.stderr}`);
    return { done, call, broken };
  } finally {
    workspace.dispose();
  }
}

async function askedAgain(workspace: TemporaryWorkspace, { command, after, code }: Round): Promise<readonly string[]> {
  const runs = [await workspace.run(command.args, { input: command.input ?? '' })];
  if (command.again !== undefined) runs.push(await workspace.run(command.again));
  const last = runs.at(-1);
  const broken = last?.code === (command.again === undefined ? code : 0) ? [] : [`asked again: ${last?.stderr}`];
  const pages = pagesOf(workspace);
  return samePages(pages, after) ? broken : [...broken, `asked again, differs: ${differing(pages, after)}`];
}

function wrongWords({ code, signal, stdout, stderr }: CliResult, { command, code: whole }: Round): readonly string[] {
  if (signal !== null) return [`died of ${signal}`];
  if (code === whole || code === 4) return [];
  const broken: string[] = [];
  if (code !== 1) broken.push(`ended with ${code}`);
  if (stdout !== '' && !command.inSteps) broken.push(`answered ${JSON.stringify(stdout)}, and failed`);
  if (!/^(?:(?!error: ).*\n)*error: .+\nhint: (?!.*--verbose).+\n$/.test(stderr)) broken.push(`said ${stderr}`);
  return broken;
}

/** Pages that are neither as they were nor as they should become. */
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
  const parts = path.endsWith('.jsonl') ? text.split('\n').slice(0, -1) : path.endsWith('.json') ? [text] : [];
  try {
    for (const part of parts) JSON.parse(part);
  } catch {
    return false;
  }
  return text === '' || path.endsWith('.json') || text.endsWith('\n');
}

async function started({ files, before = [] }: WritingCommand): Promise<TemporaryWorkspace> {
  const workspace = new TemporaryWorkspace(files);
  for (const args of before) {
    const { code, stderr } = await workspace.run(args);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  }
  return workspace;
}

function copyOf(start: TemporaryWorkspace): TemporaryWorkspace {
  const copy = new TemporaryWorkspace();
  rmSync(copy.root, { recursive: true });
  cpSync(start.root, copy.root, { recursive: true, preserveTimestamps: true });
  return copy;
}

function pagesOf({ root }: TemporaryWorkspace): Pages {
  const pages = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (!entry.isFile() || /^\.memory\//.test(path) || isLeftover(path) || isCount(path)) continue;
    pages.set(path, withoutChance(readFileSync(join(root, path), 'utf8')));
  }
  return pages;
}

/** Ids that are drawn by lot differ from run to run. */
function withoutChance(text: string): string {
  return text
    .replace(/\bm-[0-9a-z]{9}-[0-9a-f]{16}\b/g, 'm-…')
    .replace(/\bn-[0-9a-f]{8}\b/g, 'n-…')
    .replace(/\bh-[0-9a-f]{32}\b/g, 'h-…')
    .replace(/^[0-9a-f]{64}$/gm, '…');
}

/** What a session counts is put right by the next one that needs it. */
function isCount(path: string): boolean {
  return /^sessions\/[^/]+\/\.meta\.json$/.test(path);
}

function isLeftover(path: string): boolean {
  return /(^|\/)\.[^/]*\.tmp(\/|$)/.test(path);
}

function leftovers({ root }: TemporaryWorkspace): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(isLeftover)
    .filter((path) => !path.includes('.99999999.'));
}

function samePages(a: Pages, b: Pages): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

function differing(a: Pages, b: Pages): string {
  const paths = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
  return paths.map((path) => `${path}: ${JSON.stringify(a.get(path))} for ${JSON.stringify(b.get(path))}`).join('; ');
}
