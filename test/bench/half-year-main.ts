import { FakeOllama } from '../support/ollama/server.js';
import { answerAsOracle, type HalfYearRun, halfYear, liveThrough } from './half-year.js';
import { livePages, pagesYear } from './half-year-pages.js';
import { WORDS } from './half-year-words.js';

// `npm run half-year [seed …]` prints the table for BENCHMARKS.md.
const seeds = process.argv.slice(2).map(Number);
const rows: string[] = [];
for (const seed of seeds.length > 0 ? seeds : [1, 2, 3]) {
  rows.push(row(seed, 'rules', await liveThrough(halfYear(seed))));
  const server = await new FakeOllama().start();
  answerAsOracle(server);
  rows.push(row(seed, 'oracle', await liveThrough(halfYear(seed), { server })));
  await server.stop();
}
process.stdout.write(
  `| seed | judged by | true above false | flips in three days |\n| --: | --- | --: | --: |\n${rows.join('\n')}\n`,
);

function row(seed: number, by: string, { pairs, right, wrong, flips, inTime, late }: HalfYearRun): string {
  for (const note of [...wrong, ...late]) process.stderr.write(`${seed} ${by}: ${note}\n`);
  return `| ${seed} | ${by} | ${right} of ${pairs} (${((right / pairs) * 100).toFixed(1)} %) | ${inTime} of ${flips} |`;
}

const pageRows: string[] = [];
for (const seed of seeds.length > 0 ? seeds : [1, 2, 3]) {
  for (const [name, wordings] of Object.entries(WORDS.wordings)) {
    const { shown, wrong, due, missing, lost, contradictions } = await livePages(pagesYear(seed, wordings));
    for (const note of new Set([...wrong, ...missing, ...lost, ...contradictions]))
      process.stderr.write(`${seed} ${name}: ${note}\n`);
    const share = (part: number, all: number): string => `${part} of ${all} (${((part / all) * 100).toFixed(1)} %)`;
    pageRows.push(
      `| ${seed} | ${name} | ${share(wrong.length, shown)} | ${share(missing.length, due)} | ${lost.length} | ${contradictions.length} |`,
    );
  }
}
process.stdout.write(
  `\n| seed | wordings | false under Now | true and missing | subjects lost | false contradictions |\n| --: | --- | --: | --: | --: | --: |\n${pageRows.join('\n')}\n`,
);
