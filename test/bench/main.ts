import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import build from '../support/build.js';
import { ablation } from './ablation.js';
import { crowd } from './crowd.js';
import { extract } from './extract.js';
import { type Figure, type Group, isMet, table } from './figure.js';
import { grow } from './grow.js';
import { indexing } from './indexing.js';
import { pipeline } from './pipeline.js';
import { quality } from './quality.js';
import { batch, recall } from './recall.js';
import { reflect } from './reflect.js';
import { rules } from './rules.js';
import { session } from './session.js';
import { shapes } from './shapes.js';
import { vectors } from './vectors.js';
import { view } from './view.js';

/** In the order of the table. */
const GROUPS: Readonly<Record<string, Group>> = {
  indexing,
  recall,
  batch,
  session,
  reflect,
  crowd,
  extract,
  vectors,
  view,
  pipeline,
  rules,
};

const PAGE = fileURLToPath(new URL('BENCHMARKS.md', import.meta.url));

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    quality: { type: 'boolean', default: false },
    ablation: { type: 'boolean', default: false },
    /** Measures reflection on workspaces in which there is very much of one thing. */
    shapes: { type: 'boolean', default: false },
    /** Measures how every cost grows with the number of files, up to `--most`, and writes docs/growth.md. */
    grow: { type: 'boolean', default: false },
    /** The folder with the labelled data, the sets to use, and the maximum number of questions of each. */
    shared: { type: 'string', default: fileURLToPath(new URL('../../../shared', import.meta.url)) },
    most: { type: 'string' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '20' },
  },
});

if (values.quality || values.ablation) {
  const { shared, only, most } = values;
  const which = { shared, only, most: most === undefined ? undefined : Number(most) };
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  if (values.quality) await quality(which, say);
  if (values.ablation) await ablation(which, say);
  process.exit();
}
build();
if (values.grow) {
  const note = (text: string): void => void process.stderr.write(`${text}\n`);
  const most = values.most === undefined ? Number.POSITIVE_INFINITY : Number(values.most);
  process.stdout.write(await grow(most, { rounds: Number(values.rounds), note }));
  process.exit();
}
const figures: Figure[] = [];
for (const [name, group] of Object.entries<Group>(values.shapes ? { shapes } : GROUPS)) {
  if (values.only !== undefined && !values.only.includes(name)) continue;
  const run = {
    sizes: values.quick ? [100, 1_000] : [100, 1_000, 10_000],
    rounds: Number(values.rounds),
    note: (text: string) => void process.stderr.write(`${text}\n`),
  };
  for await (const figure of group(run)) {
    figures.push(figure);
    process.stderr.write(`${table([figure]).split('\n').at(-1)}\n`);
  }
}
const report = table(figures);
process.stdout.write(`${report}\n`);
if (values.write) writeFileSync(PAGE, page(report) + otherSections());
process.exitCode = figures.every(isMet) ? 0 : 1;

/** Sections that were measured elsewhere and written below by hand are kept. */
function otherSections(): string {
  const text = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const start = text.indexOf('\n## ');
  return start < 0 ? '' : text.slice(start);
}

function page(report: string): string {
  const command = ['npm run bench', ...process.argv.slice(2)].join(' -- ');
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `# Benchmarks

${date} · ${availableParallelism()} cores, ${gigabytes} GB, Node ${process.versions.node} · \`${command}\`

Medians of ${values.rounds} runs (3 to 5 of a cold index), process start to exit, with \`NODE_EXTRA_CA_CERTS\` unset.
Every figure takes turns with its floor in one run; the floors are the scripts in \`test/bench/floors/\`, and
\`index\` with nothing changed is the floor of \`index\` with one file changed. The workspaces are generated from a
seed: daily logs of about 4 KB and 36 lines over a vocabulary of 100,000 words.

${report}
`;
}
