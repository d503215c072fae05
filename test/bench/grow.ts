import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { childEnv } from '../support/cli.js';
import { Crowd } from './crowd.js';
import type { BenchRun, Unit } from './figure.js';
import { growthPage, type Row } from './growth-page.js';
import { floorIndex, rewrite } from './indexing.js';
import { BIN, median, medians, peakMemory } from './measure.js';
import { Vocabulary } from './vocabulary.js';
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
    const past = new Crowd(files);
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

async function* measured(past: Crowd, rounds: number): AsyncIterable<Measured> {
  yield* indexed(past, past.files >= MANY ? 1 : Math.min(3, rounds));
  yield* asked(past, rounds);
  yield* served(past);
  yield* reflected(past, rounds);
}

function* indexed(past: Crowd, rounds: number): Iterable<Measured> {
  const { cold, floor } = medians(rounds, {
    floor: () => floorIndex(past.root),
    cold: () => {
      removeIndex(past);
      return past.run('index').ms;
    },
  });
  yield ['floor of a cold index', floor, 'ms'];
  yield ['index, cold', cold, 'ms'];
  removeIndex(past);
  yield ['memory of that', peakMemory(past.arguments('index')), 'MB'];
  yield ['size of the index ÷ text', indexBytes(past) / textBytes(past), '×'];
}

function* asked(past: Crowd, rounds: number): Iterable<Measured> {
  const log = newestLog(past);
  const before = readFileSync(log, 'utf8');
  const questions = questionsOf(past, rounds + 1);
  const times = medians(rounds, {
    'index, nothing changed': () => past.run('index').ms,
    'index, one file changed': (round) => {
      rewrite(log, `${before}- W @Person-0: round ${round} of the bench\n`);
      return past.run('index').ms;
    },
    'recall, a rare word': (i) => past.run('recall', questions[i]?.rare ?? '').ms,
    'recall, a question': (i) => past.run('recall', questions[i]?.common ?? '').ms,
    'context build': (i) => past.run('context', 'build', '--message', questions[i]?.common ?? '').ms,
  });
  for (const [name, ms] of Object.entries(times)) yield [name, ms, 'ms'];
}

/** One server answers many questions, one after the other. */
async function* served(past: Crowd): AsyncIterable<Measured> {
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

function* reflected(past: Crowd, rounds: number): Iterable<Measured> {
  const first = past.first();
  yield ['reflect, for the first time', first.ms, 'ms'];
  yield ['memory of reflect', first.mb, 'MB'];
  const days = Array.from({ length: Math.min(3, rounds) }, () => {
    past.addDays(1);
    past.run('index');
    return past.run('reflect', '--max-calls', '0').ms;
  });
  yield ['reflect, a day more', median(days), 'ms'];
}

/** Returns for several lines the rarest word of each, and a question of its two most common content words. */
function questionsOf(past: Crowd, count: number): readonly { readonly rare: string; readonly common: string }[] {
  const vocabulary = new Vocabulary();
  const ranks = new Map(vocabulary.words.map((word, rank) => [word, rank]));
  return sampleLines(past, count).map((line, i) => {
    const words = (line.match(/[a-z]{3,}/g) ?? []).filter((word) => !vocabulary.isStopWord(word));
    const [one = '', other = '', ...rest] = words.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    return { rare: rest.at(-1) ?? other, common: `what does @Person-${i % 30} say about ${one} and ${other}?` };
  });
}
