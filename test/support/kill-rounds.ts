import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Killer } from './killed.js';
import { NOW, TemporaryWorkspace } from './workspace.js';

/** The result of several killed commands. */
interface KillReport {
  readonly rounds: number;
  readonly killed: number;
  readonly acknowledged: number;
  /** Acknowledged facts that are not stored exactly once. Must be empty. */
  readonly wrong: readonly string[];
  /** Lines of the log that nobody wrote. Must be empty. */
  readonly torn: readonly string[];
  readonly verifies: boolean;
}

/** A workspace of many short daily logs, so that indexing takes long enough to be killed in the middle. */
export function manyLogs(files: number, nameOf: (number: number) => string = String): TemporaryWorkspace {
  const workspace = new TemporaryWorkspace();
  writeLogs(workspace, 0, files, nameOf);
  return workspace;
}

/** Adds this number of daily logs, with a line of prose and a fact each, beginning at the given day. */
export function writeLogs(
  workspace: TemporaryWorkspace,
  from: number,
  files: number,
  nameOf: (number: number) => string = String,
): void {
  for (let i = from; i < from + files; i++) {
    const day = new Date(Date.UTC(2019, 0, 1 + i)).toISOString().slice(0, 10);
    workspace.write(
      `memory/${day}.md`,
      `# ${day}\n\nNothing but ${nameOf(i)}.\n\n## Retain\n\n- W @Peter: counted to ${nameOf(i)}.\n`,
    );
  }
}

/**
 * Kills `retain` and `index` at their writing calls, in turns, and then checks: every fact acknowledged on stdout is in the
 * log exactly once, the log has no line that nobody wrote, and the index verifies.
 */
export async function killRounds(
  workspace: TemporaryWorkspace,
  rounds: number,
  random: () => number,
): Promise<KillReport> {
  const acknowledged: string[] = [];
  const asked = new Set<string>();
  let killed = 0;
  const killer = new Killer(workspace, random);
  await workspace.start(['index']);
  for (let round = 0; round < rounds; round++) {
    const fact = `W @round: fact number ${round} with some words to tear`;
    const args = round % 2 === 0 ? ['retain', fact] : ['index', ...(round % 4 === 1 ? ['--force'] : [])];
    if (round % 2 === 0) asked.add(`- ${fact}`);
    const result = await killer.run(args, { isSpared: round % 8 === 0 });
    if (result.killed) killed++;
    if (round % 2 === 0 && result.stdout.includes(`fact number ${round} `)) acknowledged.push(`- ${fact}`);
  }
  killer.dispose();
  const log = readFileSync(workspace.path(`memory/${NOW.slice(0, 10)}.md`), 'utf8').split('\n');
  const facts = log.filter((line) => line.startsWith('- '));
  const known = new Set([`# ${NOW.slice(0, 10)}`, '## Retain', '', ...asked]);
  const verified = await workspace.run(['index', '--verify']);
  return {
    rounds,
    killed,
    acknowledged: acknowledged.length,
    wrong: acknowledged.filter((line) => facts.filter((other) => other === line).length !== 1),
    torn: log.filter((line) => !known.has(line)),
    verifies: verified.code === 0,
  };
}

/** Returns temporary files of killed writers in `memory/`. They are never indexed. */
export function leftovers(workspace: TemporaryWorkspace): readonly string[] {
  return readdirSync(join(workspace.root, 'memory')).filter((name) => name.endsWith('.tmp'));
}

/** Mulberry32: the same moments for the same seed, as far as the machine allows. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
