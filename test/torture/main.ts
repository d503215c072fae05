import { parseArgs } from 'node:util';
import { damageable, damageRounds } from '../faults/damages.js';
import { faultRounds } from '../faults/disk-faults.js';
import { KILLS, unproved } from '../faults/kills.js';
import { underClock, withoutRights } from '../faults/mishaps.js';
import { WRITING_COMMANDS, type WritingCommand } from '../faults/writing-commands.js';
import build from '../support/build.js';
import { FailingDisk } from '../support/failing-disk/failing-disk.js';
import { hostileRounds } from '../support/hostile-extractions.js';
import { Random } from '../support/random.js';

/**
 * `npm run torture`: longer runs of the fault tests, with every fault at every call. Linux only. `--only kills` (or
 * `answers`, `damage`, `disk`, `mishaps`) runs a part, `--only 'disk (core|retain)'` a part of that, and `--points 4` tests
 * fewer faults.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    points: { type: 'string' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const random = () => new Random(Number(values.seed));
const broken: string[] = [];

/** Reports a result, and whether it keeps the promise. */
function conclude<Report extends { readonly broken: readonly string[] }>(report: Report, promise: string): void {
  const holds = report.broken.length === 0;
  process.stdout.write(`${JSON.stringify(report)}\n${holds ? 'holds' : 'BROKEN'}: ${promise}\n`);
  if (!holds) broken.push(promise);
}

async function kills(): Promise<void> {
  for (const one of KILLS) {
    const report = await one.run(Math.min(rounds, one.most ?? rounds), random());
    conclude({ ...report, broken: [...report.broken, ...unproved(one, report)] }, one.promise);
  }
}

async function answers(): Promise<void> {
  const report = await hostileRounds(rounds * 10, Number(values.seed));
  conclude(report, 'extract, whatever a model answers: no byte of a person changes, what is refused is named');
}

async function damage(): Promise<void> {
  const start = damageable();
  await start.json(['reflect']);
  await start.json(['index']);
  const report = await damageRounds(start, rounds, random());
  start.dispose();
  conclude(report, 'a damaged index, or lock: every command answers, from the files');
}

/** Returns every call, or with `--points` this number of calls at large distances. */
function pointsOf(calls: number): readonly number[] {
  const lots = random();
  const count = Math.min(calls, Number(values.points ?? calls));
  return Array.from({ length: count }, (_, i) => 1 + Math.floor(((i + lots.next()) / count) * calls));
}

async function disk(): Promise<void> {
  const failing = new FailingDisk();
  for (const command of commandsOf('disk')) {
    const faults = await faultRounds(command, failing, pointsOf);
    conclude(faults, `${command.name}, input/output errors, a full disk, lost rights, read-only, too many open files`);
  }
  failing.dispose();
}

async function mishaps(): Promise<void> {
  for (const command of commandsOf('mishaps').filter(({ isAside, stopAt }) => !isAside && stopAt === undefined)) {
    const found = [...(await withoutRights(command))];
    for (const now of ['1999-12-31T23:59:59Z', '2010-03-15T12:00:00Z', '2069-03-15T12:00:00Z'])
      found.push(...(await underClock(command, now)));
    conclude({ command: command.name, broken: found }, `${command.name}, without rights, under wrong clocks`);
  }
}

/** Returns the requested commands. */
function commandsOf(part: string): readonly WritingCommand[] {
  const [, names = ''] = (values.only ?? '').split(`${part} `);
  return WRITING_COMMANDS.filter(({ name }) => new RegExp(`^${names}`, 'u').test(name));
}

const PARTS = { kills, answers, damage, disk, mishaps };
const chosen = Object.entries(PARTS).filter(([name]) => (values.only ?? name).split(' ')[0] === name);
if (chosen.length === 0) throw new Error(`--only is one of ${Object.keys(PARTS).join(', ')}`);

build();
for (const [, part] of chosen) await part();
if (broken.length > 0) {
  process.stdout.write(`broken: ${broken.join('; ')}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write('proved: acknowledged = present, no torn line, old bytes kept, every index verifies\n');
}
