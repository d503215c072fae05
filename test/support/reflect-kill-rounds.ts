import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { addDays } from '../../src/language/time/calendar.js';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { parseVerdicts } from '../../src/memory/evidence.js';
import { readEntry } from '../../src/workspace/state.js';
import { type CliResult, childEnv } from './cli.js';
import { Killer } from './killed.js';
import { Random } from './random.js';
import { bankOf, copiesOn, logOf, randomDays, STATED } from './reflecting.js';
import { TemporaryWorkspace } from './workspace.js';

const EDITOR = fileURLToPath(new URL('editor.mjs', import.meta.url));
const EDITED = ['bank/entities/Peter.md', 'bank/world.md'] as const;
const START = {
  'bank/opinions.md': STATED,
  'bank/world.md': '# World\n\nMy own words.\n',
  'bank/entities/Peter.md': '# Peter\n\nMy own words.\n',
};
/** Whether a killed run has left changes to write. */
const isPending = (workspace: TemporaryWorkspace) => readEntry(workspace.path('.memory'), 'pending') !== undefined;
/** Number of kills before a run may finish. */
const KILLS_A_RUN = 5;
const MOST_DAYS = 70;

/** The result of several killed runs. Lists must be empty. */
interface ReflectKillReport {
  readonly rounds: number;
  readonly killed: number;
  /** Killed while pages were being written. */
  readonly within: number;
  readonly broken: readonly string[];
}

/**
 * Kills reflect repeatedly at its writing calls until one run may finish: the bank equals byte for byte that of a workspace
 * with the same logs and no kills.
 */
export async function reflectKillRounds(rounds: number, random: () => number): Promise<ReflectKillReport> {
  const [hurt, clean] = [new TemporaryWorkspace(START), new TemporaryWorkspace(START)];
  const broken: string[] = [];
  let [killed, within] = [0, 0];
  const killer = new Killer(hurt, random);
  try {
    const seed = Math.floor(random() * 2 ** 31);
    const days = randomDays(new Random(seed), '2026-01-02', MOST_DAYS);
    for (const [day, facts] of days) {
      const log = logOf([...facts, ...news(day)]);
      for (const workspace of [hurt, clean]) workspace.write(`memory/${day}.md`, log);
      for (let i = 0; i < KILLS_A_RUN && killed < rounds; i++) {
        if (!(await killer.run(['reflect'], { below: i % 2 === 0 ? 'bank' : '' })).killed) continue;
        killed++;
        if (isPending(hurt)) within++;
      }
      broken.push(
        ...failure(await killer.run(['reflect'], { isSpared: true })),
        ...(await endsWell(clean, ['reflect'])),
      );
      broken.push(...differences(hurt, clean).map((what) => `${day}: ${what}`));
      if (killed >= rounds) break;
    }
    broken.push(...(await whatIsWrong(hurt)));
    return { rounds, killed, within, broken };
  } finally {
    killer.dispose();
    hurt.dispose();
    clean.dispose();
  }
}

function news(day: string): readonly string[] {
  const number = Number(day.slice(-2));
  return [
    `- W @Peter: keeps ${number + 1} bees !!`,
    '- W @Peter: lives in Vienna',
    `- B @entity${number % 7}: met @Peter`,
  ];
}

async function endsWell(workspace: TemporaryWorkspace, args: readonly string[]): Promise<readonly string[]> {
  return failure(await workspace.run(args));
}

function failure({ code, stdout, stderr }: CliResult): readonly string[] {
  return code === 0 ? [] : [`ended with ${code}: ${stdout}${stderr}`];
}

interface BesideReport extends ReflectKillReport {
  readonly acknowledged: number;
  readonly saves: number;
  /** Saves of the editor that a rename overtook, between its look and its rename. */
  readonly overtaken: number;
}

/**
 * Kills reflect at its writing calls beside a `retain` that is killed too, and beside an editor that constantly saves two
 * pages, by renaming and in place. After one complete run every acknowledged fact, the editor's last text and the rest of
 * the bank are as without interruption.
 */
export async function reflectBesideRounds(rounds: number, random: () => number): Promise<BesideReport> {
  const workspace = new TemporaryWorkspace(START);
  const broken: string[] = [];
  const acknowledged: string[] = [];
  let [killed, within] = [0, 0];
  const [reflecting, retaining] = [new Killer(workspace, random), new Killer(workspace, random)];
  try {
    await workspace.run(['retain', 'W @Peter: asked for short replies on WhatsApp', '--now', '2026-01-02T12:00:00Z']);
    await workspace.run(['reflect']);
    const editor = startEditor(workspace);
    for (let round = 0; round < rounds; round++) {
      const day = addDays('2026-01-02', round % 40);
      const fact = `W @Peter: keeps ${round + 2} goats, ${round % 2 === 0 ? 'asked for short replies on WhatsApp' : 'drinks coffee'}`;
      const args = ['retain', fact, '--now', `${day}T12:00:00Z`];
      // Some succeed, so that there is something to reflect on.
      const retained = retaining.run(args, { isSpared: round % 3 === 0 });
      if ((await reflecting.run(['reflect'], { below: round % 2 === 0 ? 'bank' : '' })).killed) killed++;
      if (isPending(workspace)) within++;
      if ((await retained).stdout.includes(`keeps ${round + 2} goats`)) acknowledged.push(`- ${fact}`);
    }
    const { saves, overtaken } = await editor.stop();
    broken.push(...(await endsWell(workspace, ['reflect'])));
    const lines = workspace
      .pages()
      .filter(({ path }) => path.startsWith('memory/'))
      .flatMap(({ text }) => text.split('\n'));
    for (const fact of acknowledged)
      if (lines.filter((line) => line === fact).length !== 1) broken.push(`lost: ${fact}`);
    broken.push(
      ...lastTexts(workspace, saves),
      ...(await whatIsWrong(workspace)),
      ...(await asNeverKilled(workspace, saves)),
    );
    return { rounds, killed, within, broken, acknowledged: acknowledged.length, saves, overtaken };
  } finally {
    reflecting.dispose();
    retaining.dispose();
    workspace.dispose();
  }
}

function startEditor(workspace: TemporaryWorkspace) {
  const child = spawn(process.execPath, [EDITOR, ...EDITED.map((path) => workspace.path(path))], {
    env: childEnv(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    stop: async (): Promise<{ readonly saves: number; readonly overtaken: number }> => {
      child.stdin.end('stop\n');
      return JSON.parse(await textOf(child.stdout));
    },
  };
}

function lastTexts(workspace: TemporaryWorkspace, saves: number): readonly string[] {
  return EDITED.flatMap((path) => {
    const said = workspace.read(path).match(/^Saved \d+ times\.$/gm) ?? [];
    return said.join() === `Saved ${saves} times.` ? [] : [`${path} says ${said.join()} after ${saves} saves`];
  });
}

/**
 * Returns errors after everything is processed again: every page must have the lines of one run over the same logs and
 * pages.
 */
async function asNeverKilled(workspace: TemporaryWorkspace, saves: number): Promise<readonly string[]> {
  const clean = new TemporaryWorkspace(START);
  try {
    for (const path of EDITED) clean.write(path, `Saved ${saves} times.\n${clean.read(path)}`);
    for (const { path, text } of workspace.pages()) if (path.startsWith('memory/')) clean.write(path, text);
    await clean.run(['reflect']);
    // Processing everything again repairs what an editor restored by saving an older text.
    workspace.remove('.memory');
    await workspace.run(['reflect']);
    // Evidence is listed in the order of runs, and a proposal cites the facts that were new then.
    const sorted = (text: string): string => text.split('\n').sort().join('\n');
    return differences(workspace, clean, sorted).filter((what) => !what.startsWith('bank/proposals/'));
  } finally {
    clean.dispose();
  }
}

function differences(
  a: TemporaryWorkspace,
  b: TemporaryWorkspace,
  comparable = (text: string): string => text,
): readonly string[] {
  const [left, right] = [bankOf(a.root), bankOf(b.root)];
  const paths = [...new Set([...left.keys(), ...right.keys()])];
  return paths
    .filter((path) => comparable(left.get(path) ?? '') !== comparable(right.get(path) ?? ''))
    .map((path) => `${path} is ${JSON.stringify(left.get(path))} for ${JSON.stringify(right.get(path))}`);
}

/** Returns torn lines, pages that do not parse, copies, and differences between index and files. */
async function whatIsWrong(workspace: TemporaryWorkspace): Promise<readonly string[]> {
  const broken: string[] = [];
  const bank = bankOf(workspace.root);
  const evidence = bank.get('bank/evidence.jsonl') ?? '';
  const { unread } = parseVerdicts(evidence);
  const lines = evidence.split('\n').slice(0, -1);
  if (unread > 0 || !evidence.endsWith('\n')) broken.push(`evidence.jsonl has a torn line: ${evidence.slice(-300)}`);
  if (new Set(lines).size < lines.length) broken.push('evidence.jsonl has a line twice');
  broken.push(...copiesOn(bank.get('bank/opinions.md') ?? '').map((id) => `${id} is there twice`));
  for (const [path, text] of bank)
    for (const { name, state } of findManagedBlocks(text))
      if (state !== 'intact') broken.push(`${path}: ${name} is ${state}`);
  for (const args of [['lint'], ['index', '--verify']]) broken.push(...(await endsWell(workspace, args)));
  return broken;
}
