import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { childEnv } from '../support/cli.js';
import { crowdPast } from './crowd.js';
import type { BenchRun, Unit } from './figure.js';
import { Vocabulary } from './generate.js';
import { floorIndex, rewrite } from './indexing.js';
import { BIN, median, medians, peakMemory } from './measure.js';
import { type Past, REFLECT } from './past.js';
import { indexBytes, newestLog, removeIndex, sampleLines, textBytes } from './workspaces.js';

const SIZES = [1_000, 10_000, 30_000, 100_000];
const MOST_ROUNDS = 5;
/** From this number of files on, slow work is measured once. */
const MANY = 30_000;
const SOAK = 200;
const PAGE = fileURLToPath(new URL('../../docs/growth.md', import.meta.url));

/**
 * `npm run bench -- --grow`: how every cost grows with the number of files, as a page of the documentation.
 * @param most maximum number of files
 * @returns the page
 */
export async function grow(most: number, { rounds, note }: Pick<BenchRun, 'rounds' | 'note'>): Promise<string> {
  const rows = new Map<string, Row>();
  const sizes = SIZES.filter((size) => size <= most);
  let page = '';
  for (const [at, files] of sizes.entries()) {
    const past = crowdPast(files);
    try {
      for await (const [name, value, unit] of measured(past, Math.min(rounds, MOST_ROUNDS))) {
        note(`${files.toLocaleString('en')} files: ${name} ${value.toFixed(1)} ${unit}`);
        rows.set(name, { name, unit, values: [...(rows.get(name)?.values ?? []), value] });
      }
    } finally {
      past.dispose();
    }
    // Written after each size, since the last may take an hour.
    page = growthPage(sizes.slice(0, at + 1), [...rows.values()]);
    writeFileSync(PAGE, page);
  }
  return page;
}

type Measured = readonly [name: string, value: number, unit: Unit];

async function* measured(past: Past, rounds: number): AsyncIterable<Measured> {
  yield* indexed(past, past.files >= MANY ? 1 : Math.min(3, rounds));
  yield* asked(past, rounds);
  yield* served(past);
  yield* reflected(past, rounds);
}

function* indexed(past: Past, rounds: number): Iterable<Measured> {
  const { cold, floor } = medians(rounds, {
    floor: () => floorIndex(past.root),
    cold: () => {
      removeIndex(past);
      return past.timed('index').ms;
    },
  });
  yield ['floor of a cold index', floor, 'ms'];
  yield ['index, cold', cold, 'ms'];
  removeIndex(past);
  yield ['memory of that', peakMemory(past.arguments('index')), 'MB'];
  yield ['size of the index ÷ text', indexBytes(past) / textBytes(past), '×'];
}

function* asked(past: Past, rounds: number): Iterable<Measured> {
  const log = newestLog(past);
  const before = readFileSync(log, 'utf8');
  const questions = questionsOf(past, rounds + 1);
  const times = medians(rounds, {
    'index, nothing changed': () => past.timed('index').ms,
    'index, one file changed': (round) => {
      rewrite(log, `${before}- W @Person-0: round ${round} of the bench\n`);
      return past.timed('index').ms;
    },
    'recall, a rare word': (i) => past.timed('recall', questions[i]?.rare ?? '').ms,
    'recall, a question': (i) => past.timed('recall', questions[i]?.common ?? '').ms,
    'context build': (i) => past.timed('context', 'build', '--message', questions[i]?.common ?? '').ms,
  });
  for (const [name, ms] of Object.entries(times)) yield [name, ms, 'ms'];
}

/** One server answers many questions, one after the other. */
async function* served(past: Past): AsyncIterable<Measured> {
  const client = new Client({ name: 'bench', version: '1' });
  const env = Object.entries(childEnv()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'memory', '-w', past.root, ...past.now, 'mcp'],
    env: Object.fromEntries(env),
    stderr: 'ignore',
  });
  await client.connect(transport);
  const times: number[] = [];
  for (const { common } of questionsOf(past, SOAK)) {
    const start = performance.now();
    await client.callTool({ name: 'recall', arguments: { query: common } });
    times.push(performance.now() - start);
  }
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${transport.pid}/status`, 'utf8')) ?? [];
  await client.close();
  yield ['a question over MCP', median(times), 'ms'];
  yield [`memory of a server after ${SOAK}`, (Number(kilobytes) * 1024) / 1e6, 'MB'];
}

function* reflected(past: Past, rounds: number): Iterable<Measured> {
  const first = past.reflected();
  yield ['reflect, for the first time', first.ms, 'ms'];
  yield ['memory of reflect', first.mb, 'MB'];
  const days = Array.from({ length: Math.min(3, rounds) }, () => {
    past.addDays(1);
    past.timed('index');
    return past.timed(...REFLECT).ms;
  });
  yield ['reflect, a day more', median(days), 'ms'];
}

/** Returns for several lines the rarest word of each, and a question of its two most common content words. */
function questionsOf(past: Past, count: number): readonly { readonly rare: string; readonly common: string }[] {
  const vocabulary = new Vocabulary();
  const ranks = new Map(vocabulary.words.map((word, rank) => [word, rank]));
  return sampleLines(past, count).map((line, i) => {
    const words = (line.match(/[a-z]{3,}/g) ?? []).filter((word) => !vocabulary.isStopWord(word));
    const [one = '', other = '', ...rest] = words.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    return { rare: rest.at(-1) ?? other, common: `what does @Person-${i % 30} say about ${one} and ${other}?` };
  });
}

/** The figures of one measure at each number of files. */
interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly values: readonly number[];
}

const BAR = 40;

/** Returns the page about the growth of costs: a table, and a plot of the cost of one file for each time. */
function growthPage(sizes: readonly number[], rows: readonly Row[]): string {
  const head = ['', ...sizes.map((size) => `${size.toLocaleString('en')} files`)];
  const cells = rows.map((row) => [row.name, ...row.values.map((value) => show(value, row.unit))]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((line) => line[column]?.length ?? 0)));
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const table = [head, rule, ...cells].map(
    (line) => `| ${line.map((cell, i) => padded(cell, i, widths)).join(' | ')} |`,
  );
  const times = rows.filter(({ unit }) => unit === 'ms');
  return `# Growth

${new Date().toISOString().slice(0, 10)} · ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node} · \`npm run bench -- --grow\`

This page shows how time and memory grow with the number of files. The files are logs of 4.4 KB each, with 36 lines and 8
facts, about 30 people. Times are medians and run from the start of the process to its end.

For comparison, the floor reads the same files, splits their lines and fills the same full-text
index. Load of the machine at the end: ${(loadavg()[0] ?? 0).toFixed(1)} (1 means that only this run was active).

${table.join('\n')}

Each bar is the cost of one file: equal bars mean linear growth. Shorter bars mean that growth is slower than that.

\`\`\`plot
${times.map((row) => plot(sizes, row)).join('\n\n')}
\`\`\`
`;
}

function padded(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function plot(sizes: readonly number[], { name, values }: Row): string {
  const costs = values.map((ms, i) => (ms * 1_000) / (sizes[i] ?? 1));
  const most = Math.max(...costs);
  const lines = costs.map((cost, i) => {
    const size = (sizes[i] ?? 0).toLocaleString('en').padStart(9);
    return `${size} ${'█'.repeat(Math.max(1, Math.round((cost / most) * BAR)))} ${digits(cost)} µs`;
  });
  return [name, ...lines].join('\n');
}

function show(value: number, unit: Unit): string {
  if (unit === 'ms' && value >= 1_000) return `${digits(value / 1_000)} s`;
  return `${digits(value)} ${unit}`;
}

function digits(value: number): string {
  return value >= 99.5 ? value.toFixed(0) : value.toPrecision(2);
}
