import { parseArgs } from 'node:util';
import build from '../support/build.js';
import { embedRounds } from '../support/embed-rounds.js';
import { killRounds, manyLogs, seeded } from '../support/kill-rounds.js';

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

const embedded = await embedRounds(50, seeded(Number(values.seed)));
process.stdout.write(`${JSON.stringify(embedded, undefined, 2)}\n`);
const complete = embedded.again.length === 0 && embedded.stored === embedded.texts;
process.stdout.write(
  complete ? 'proved: what was stored is never embedded again, every text has its vector\n' : 'a promise was broken\n',
);
process.exitCode = holds && complete ? 0 : 1;
