import { parseArgs } from 'node:util';
import build from '../support/build.js';
import { embedRounds } from '../support/embed-rounds.js';
import { killRounds, manyLogs, seeded } from '../support/kill-rounds.js';
import { sessionKillRounds } from '../support/session-kill-rounds.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { writingRounds } from '../support/writing-rounds.js';

/** `npm run torture`: the fault tests of the suite, for longer. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const random = () => seeded(Number(values.seed));

/** Says what was found, and whether that is what is promised. */
function conclude(report: unknown, holds: boolean, promise: string): void {
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.stdout.write(holds ? `proved: ${promise}\n` : `broken: ${promise}\n`);
  if (!holds) process.exitCode = 1;
}

build();

const logs = manyLogs(2_000);
const report = await killRounds(logs, rounds, random());
logs.dispose();
const holds = report.wrong.length === 0 && report.torn.length === 0 && report.verifies;
conclude(report, holds, 'acknowledged = present, no torn line, the index verifies');

const written = await writingRounds(rounds, random());
const keeps = written.wrong.length === 0 && written.torn.length === 0 && written.verifies;
conclude(written, keeps, 'every writer keeps what it acknowledged, and tears nothing');

const embedded = await embedRounds(50, random());
const complete = embedded.again.length === 0 && embedded.stored === embedded.texts;
conclude(embedded, complete, 'what was stored is never embedded again, every text has its vector');

const sessions = new TemporaryWorkspace();
const killed = await sessionKillRounds(sessions, rounds, random());
sessions.dispose();
const whole =
  [killed.refused, killed.wrong, killed.unfinished].every(({ length }) => length === 0) &&
  killed.cutPairs === 0 &&
  killed.metaFits;
conclude(killed, whole, 'every message of the session is there, in order, once');
