import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { addDays } from '../../src/language/time/calendar.js';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { parseVerdicts } from '../../src/memory/evidence.js';
import { childEnv } from '../support/cli.js';
import { Random } from '../support/random.js';
import { bankOf, copiesOn, logOf, randomDays, STATED } from '../support/reflecting.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { failureOf, Killer, type KillReport, killing, repeated } from './killer.js';

const EDITOR = fileURLToPath(new URL('editor.mjs', import.meta.url));
const EDITED = ['bank/entities/Peter.md', 'bank/world.md'] as const;
const START = {
  'bank/opinions.md': STATED,
  'bank/world.md': '# World\n\nMy own words.\n',
  'bank/entities/Peter.md': '# Peter\n\nMy own words.\n',
};
/** Number of kills before a run may finish. */
const KILLS_A_RUN = 5;
const MOST_DAYS = 70;

/**
 * Kills reflect repeatedly until one run may finish: the bank equals byte for byte that of a workspace with the same logs
 * and no kills.
 */
export async function killReflect(rounds: number, random: Random): Promise<KillReport> {
  const clean = new TemporaryWorkspace(START);
  const work = killing(new TemporaryWorkspace(START), random, async (killer, hurt) => {
    const broken: string[] = [];
    let within = 0;
    const days = randomDays(new Random(random.between(0, 2 ** 31)), '2026-01-02', MOST_DAYS);
    for (const [day, facts] of days) {
      for (const workspace of [hurt, clean]) workspace.write(`memory/${day}.md`, logOf([...facts, ...news(day)]));
      for (let i = 0; i < KILLS_A_RUN && killer.killed < rounds; i++)
        within += Number(await isKilledWithin(killer, hurt, i));
      const { code, stderr } = await killer.run(['reflect'], { isSpared: true });
      if (code !== 0) broken.push(`${day}: reflect ended with ${code}: ${stderr}`);
      broken.push(...(await failureOf(clean, 'reflect')));
      broken.push(...differences(hurt, clean).map((what) => `${day}: ${what}`));
      if (killer.killed >= rounds) break;
    }
    broken.push(...(await wrongIn(hurt)));
    return { rounds, killed: killer.killed, broken, counts: { within } };
  });
  return work.finally(() => clean.dispose());
}

/** Runs reflect, at every other call with an eye on the pages. Returns whether it was killed after it had written some. */
async function isKilledWithin(killer: Killer, workspace: TemporaryWorkspace, call: number): Promise<boolean> {
  const before = textOfBank(workspace);
  const { killed } = await killer.run(['reflect'], { below: call % 2 === 0 ? 'bank' : '' });
  return killed && textOfBank(workspace) !== before;
}

function textOfBank({ root }: TemporaryWorkspace): string {
  return JSON.stringify([...bankOf(root)]);
}

function news(day: string): readonly string[] {
  const number = Number(day.slice(-2));
  return [
    `- W @Peter: keeps ${number + 1} bees !!`,
    '- W @Peter: lives in Vienna',
    `- B @entity${number % 7}: met @Peter`,
  ];
}

/**
 * Kills reflect beside a `retain` that is killed too, and beside an editor that constantly saves two pages, by renaming and
 * in place. After one complete run every acknowledged fact, the editor's last text and the rest of the bank are as without
 * interruption. `overtaken` counts saves of the editor that a rename overtook, between its look and its rename.
 */
export function killReflectBeside(rounds: number, random: Random): Promise<KillReport> {
  return killing(new TemporaryWorkspace(START), random, async (reflecting, workspace) => {
    const acknowledged: string[] = [];
    let within = 0;
    const retaining = new Killer(workspace, random);
    await workspace.run(['retain', 'W @Peter: asked for short replies on WhatsApp', '--now', '2026-01-02T12:00:00Z']);
    await workspace.run(['reflect']);
    const stopEditor = startEditor(workspace);
    for (let round = 0; round < rounds; round++) {
      const day = addDays('2026-01-02', round % 40);
      const fact = `W @Peter: keeps ${round + 2} goats, ${round % 2 === 0 ? 'asked for short replies on WhatsApp' : 'drinks coffee'}`;
      const args = ['retain', fact, '--now', `${day}T12:00:00Z`];
      // Some succeed, so that there is something to reflect on.
      const retained = retaining.run(args, { isSpared: round % 3 === 0 });
      within += Number(await isKilledWithin(reflecting, workspace, round));
      if ((await retained).stdout.includes(`keeps ${round + 2} goats`)) acknowledged.push(`- ${fact}`);
    }
    retaining.dispose();
    const { saves, overtaken } = await stopEditor();
    const broken = [...(await failureOf(workspace, 'reflect'))];
    const logs = workspace.pages().filter(({ path }) => path.startsWith('memory/'));
    const lines = logs.flatMap(({ text }) => text.split('\n'));
    for (const fact of acknowledged)
      if (lines.filter((line) => line === fact).length !== 1) broken.push(`lost: ${fact}`);
    for (const path of EDITED) {
      const said = workspace.read(path).match(/^Saved \d+ times\.$/gm) ?? [];
      if (said.join() !== `Saved ${saves} times.`) broken.push(`${path} says ${said.join()} after ${saves} saves`);
    }
    broken.push(...(await wrongIn(workspace)), ...(await asNeverKilled(workspace, saves)));
    const counts = { within, acknowledged: acknowledged.length, saves, overtaken };
    return { rounds, killed: reflecting.killed, broken, counts };
  });
}

/** @returns what stops it */
function startEditor(workspace: TemporaryWorkspace) {
  const child = spawn(process.execPath, [EDITOR, ...EDITED.map((path) => workspace.path(path))], {
    env: childEnv(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return async (): Promise<{ readonly saves: number; readonly overtaken: number }> => {
    child.stdin.end('stop\n');
    return JSON.parse(await textOf(child.stdout));
  };
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
async function wrongIn(workspace: TemporaryWorkspace): Promise<readonly string[]> {
  const bank = bankOf(workspace.root);
  const evidence = bank.get('bank/evidence.jsonl') ?? '';
  const isTorn = parseVerdicts(evidence).unread > 0 || !evidence.endsWith('\n');
  return [
    ...(isTorn ? [`evidence.jsonl has a torn line: ${evidence.slice(-300)}`] : []),
    ...repeated(evidence.split('\n').slice(0, -1)).map((line) => `evidence.jsonl has a line twice: ${line}`),
    ...copiesOn(bank.get('bank/opinions.md') ?? '').map((id) => `${id} is there twice`),
    ...[...bank].flatMap(([path, text]) =>
      findManagedBlocks(text).flatMap(({ name, state }) =>
        state === 'intact' ? [] : [`${path}: ${name} is ${state}`],
      ),
    ),
    ...(await failureOf(workspace, 'lint')),
    ...(await failureOf(workspace, 'index', '--verify')),
  ];
}
