import { parseArgs } from 'node:util';
import build from '../support/build.js';
import { killRounds, manyLogs, seeded } from '../support/kill-rounds.js';
import { sessionKillRounds } from '../support/session-kill-rounds.js';
import { TemporaryWorkspace } from '../support/workspace.js';

/** `npm run torture`: the fault tests of the suite, for longer. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});

build();
const workspace = manyLogs(2_000);
const report = await killRounds(workspace, Number(values.rounds), seeded(Number(values.seed)));
workspace.dispose();
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
const holds = report.wrong.length === 0 && report.torn.length === 0 && report.verifies;
process.stdout.write(
  holds ? 'proved: acknowledged = present, no torn line, the index verifies\n' : 'a promise was broken\n',
);

const sessions = new TemporaryWorkspace();
const killed = await sessionKillRounds(sessions, Number(values.rounds), seeded(Number(values.seed)));
sessions.dispose();
process.stdout.write(`${JSON.stringify(killed, undefined, 2)}\n`);
const kept =
  [killed.refused, killed.wrong, killed.unfinished].every(({ length }) => length === 0) &&
  killed.cutPairs === 0 &&
  killed.metaFits;
process.stdout.write(
  kept ? 'proved: every message of the session is there, in order, once\n' : 'a promise was broken\n',
);
process.exitCode = holds && kept ? 0 : 1;
