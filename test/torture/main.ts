import { parseArgs } from 'node:util';
import build from '../support/build.js';
import { damageable, damageRounds } from '../support/damage-rounds.js';
import { embedRounds } from '../support/embed-rounds.js';
import { extractKillRounds } from '../support/extract-kill-rounds.js';
import { FailingDisk } from '../support/failing-disk/failing-disk.js';
import { faultRounds } from '../support/fault-rounds.js';
import { hostileRounds } from '../support/hostile-extractions.js';
import { killRounds, manyLogs, seeded } from '../support/kill-rounds.js';
import { underClock, withoutRights } from '../support/mishap-rounds.js';
import { reflectBesideRounds, reflectKillRounds } from '../support/reflect-kill-rounds.js';
import { sessionKillRounds } from '../support/session-kill-rounds.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { WRITING_COMMANDS } from '../support/writing-commands.js';
import { writingRounds } from '../support/writing-rounds.js';

/** `npm run torture`: the fault tests of the suite, for longer, and every fault at every call. Runs on Linux. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const random = () => seeded(Number(values.seed));
const total = { kills: 0, acknowledged: 0, faults: 0, refusals: 0, clocks: 0 };
const broken: string[] = [];

/** Says what was found, and whether that is what is promised. */
function conclude(report: unknown, holds: boolean, promise: string): void {
  process.stdout.write(`${JSON.stringify(report)}\n${holds ? 'holds' : 'BROKEN'}: ${promise}\n`);
  if (!holds) broken.push(promise);
}

build();

const logs = manyLogs(2_000);
const report = await killRounds(logs, rounds, random());
logs.dispose();
const holds = report.wrong.length === 0 && report.torn.length === 0 && report.verifies;
conclude(report, holds, 'retain and index, killed: acknowledged = present, no torn line, the index verifies');

const written = await writingRounds(rounds, random());
const keeps = written.wrong.length === 0 && written.torn.length === 0 && written.verifies;
conclude(written, keeps, 'every writer of pages, killed under clocks that jump, keeps what it acknowledged');

const embedded = await embedRounds(50, random());
const complete = embedded.again.length === 0 && embedded.stored === embedded.texts;
conclude(embedded, complete, 'index --embed, killed: nothing is embedded again, every text has its vector');

const sessions = new TemporaryWorkspace();
const killed = await sessionKillRounds(sessions, rounds, random());
sessions.dispose();
const whole =
  [killed.refused, killed.wrong, killed.unfinished].every(({ length }) => length === 0) &&
  killed.cutPairs === 0 &&
  killed.metaFits;
conclude(killed, whole, 'sessions, killed: every message is there, in order, once');

const reflected = await reflectKillRounds(rounds, random());
conclude(
  reflected,
  reflected.broken.length === 0,
  'reflect, killed: the bank is that of a run that nothing came in between',
);

const extracted = await extractKillRounds(rounds, random());
conclude(extracted, extracted.broken.length === 0, 'extract apply, killed: all pages are old or new, nothing is twice');

const hostile = await hostileRounds(rounds * 10, Number(values.seed));
conclude(hostile, hostile.broken.length === 0, 'extract, whatever a model answers: only pages change, and can be read');

const beside = await reflectBesideRounds(rounds, random());
conclude(beside, beside.broken.length === 0, 'reflect, killed beside retain and an editor: nothing is lost');
total.kills = [report, written, embedded, killed, reflected, extracted, beside].reduce(
  (sum, one) => sum + one.killed,
  0,
);
total.acknowledged = report.acknowledged + written.acknowledged + beside.acknowledged;

const start = damageable();
await start.json(['reflect']);
await start.json(['index']);
const damaged = await damageRounds(start, rounds, random());
start.dispose();
conclude(damaged, damaged.broken.length === 0, 'a damaged index, or lock: every command answers, from the files');

const disk = new FailingDisk();
for (const command of WRITING_COMMANDS) {
  const faults = await faultRounds(command, disk, (calls) => Array.from({ length: calls }, (_, i) => i + 1));
  total.faults += faults.faults;
  conclude(faults, faults.broken.length === 0, `${command.name}, input/output errors, a full disk, lost permissions`);
}
disk.dispose();

for (const command of WRITING_COMMANDS) {
  const wrong = [...(await withoutRights(command))];
  total.refusals++;
  for (const now of ['1999-12-31T23:59:59Z', '2010-03-15T12:00:00Z', '2069-03-15T12:00:00Z']) {
    wrong.push(...(await underClock(command, now)));
    total.clocks++;
  }
  conclude({ command: command.name, wrong }, wrong.length === 0, `${command.name}, without rights, under wrong clocks`);
}

process.stdout.write(`${JSON.stringify(total)}\n`);
if (broken.length > 0) {
  process.stdout.write(`broken: ${broken.join('; ')}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write('proved: acknowledged = present, no torn line, old bytes kept, every index verifies\n');
}
