import { parseArgs } from 'node:util';
import build from '../support/build.js';
import { damageable, damageRounds } from '../support/damage-rounds.js';
import { embedRounds } from '../support/embed-rounds.js';
import { extractKillRounds } from '../support/extract-kill-rounds.js';
import { FailingDisk } from '../support/failing-disk/failing-disk.js';
import { faultRounds } from '../support/fault-rounds.js';
import { hostileRounds } from '../support/hostile-extractions.js';
import { importKillRounds } from '../support/import-kill-rounds.js';
import { killRounds, manyLogs, seeded } from '../support/kill-rounds.js';
import { underClock, withoutRights } from '../support/mishap-rounds.js';
import { reflectBesideRounds, reflectKillRounds } from '../support/reflect-kill-rounds.js';
import { sessionKillRounds } from '../support/session-kill-rounds.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { WRITING_COMMANDS, type WritingCommand } from '../support/writing-commands.js';
import { writingRounds } from '../support/writing-rounds.js';

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
const random = () => seeded(Number(values.seed));
const broken: string[] = [];

/** Reports a result, and whether it keeps the promise. */
function conclude(report: object, promise: string, holds = 'broken' in report && String(report.broken) === ''): void {
  process.stdout.write(`${JSON.stringify(report)}\n${holds ? 'holds' : 'BROKEN'}: ${promise}\n`);
  if (!holds) broken.push(promise);
}

async function within<T>(
  workspace: TemporaryWorkspace,
  work: (workspace: TemporaryWorkspace) => Promise<T>,
): Promise<T> {
  try {
    return await work(workspace);
  } finally {
    workspace.dispose();
  }
}

async function kills(): Promise<void> {
  const report = await within(manyLogs(2_000), (logs) => killRounds(logs, rounds, random()));
  const holds = report.wrong.length === 0 && report.torn.length === 0 && report.verifies;
  conclude(report, 'retain and index, killed: acknowledged = present, no torn line, the index verifies', holds);

  const written = await writingRounds(rounds, random());
  const keeps = written.wrong.length === 0 && written.torn.length === 0 && written.verifies;
  conclude(written, 'every writer of pages, killed under clocks that jump, keeps what it acknowledged', keeps);

  const embedded = await embedRounds(Math.min(50, rounds), random());
  const complete = embedded.again.length === 0 && embedded.stored === embedded.texts;
  conclude(embedded, 'index --embed, killed: nothing is embedded again, every text has its vector', complete);

  const sessions = await within(new TemporaryWorkspace(), (workspace) =>
    sessionKillRounds(workspace, rounds, random()),
  );
  const whole =
    [sessions.refused, sessions.wrong, sessions.unfinished].every(({ length }) => length === 0) &&
    sessions.cutPairs === 0 &&
    sessions.metaFits;
  conclude(sessions, 'sessions, killed: every message is there, in order, once', whole);

  conclude(
    await within(new TemporaryWorkspace(), (workspace) => importKillRounds(workspace, rounds, random())),
    'import and hooks, killed while a transcript grows: what was acknowledged is there, in order, once',
  );
  conclude(
    await reflectKillRounds(rounds, random()),
    'reflect, killed: the bank is that of a run that nothing came in between',
  );
  conclude(
    await extractKillRounds(rounds, random()),
    'extract apply, killed: all pages are old or new, nothing is twice',
  );
  conclude(await reflectBesideRounds(rounds, random()), 'reflect, killed beside retain and an editor: nothing is lost');
}

async function answers(): Promise<void> {
  const report = await hostileRounds(rounds * 10, Number(values.seed));
  conclude(report, 'extract, whatever a model answers: no byte of a person changes, what is refused is named');
}

async function damage(): Promise<void> {
  const start = damageable();
  await start.json(['reflect']);
  await start.json(['index']);
  conclude(
    await within(start, () => damageRounds(start, rounds, random())),
    'a damaged index, or lock: every command answers, from the files',
  );
}

/** Returns every call, or with `--points` this number of calls at large distances. */
function pointsOf(calls: number): readonly number[] {
  const lots = random();
  const count = Math.min(calls, Number(values.points ?? calls));
  return Array.from({ length: count }, (_, i) => 1 + Math.floor(((i + lots()) / count) * calls));
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
