import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openVectors } from '../../src/index/vectors/open.js';
import { addDays } from '../../src/language/time/calendar.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import type { Random } from '../support/random.js';
import { inLetters, PROBE_ANSWERS } from '../support/understood.js';
import { NOW, TemporaryWorkspace } from '../support/workspace.js';
import { failureOf, type KillReport, killing } from './killer.js';

const TODAY = NOW.slice(0, 10);

/** A workspace of many short daily logs, so that indexing takes long enough to be killed in the middle. */
export function manyLogs(files: number): TemporaryWorkspace {
  const workspace = new TemporaryWorkspace();
  writeLogs(workspace, 0, files, String);
  return workspace;
}

/** Adds daily logs, with a line of prose and a fact each, beginning at the given day. */
function writeLogs(workspace: TemporaryWorkspace, from: number, files: number, name: (number: number) => string): void {
  for (let i = from; i < from + files; i++) {
    const day = addDays('2019-01-01', i);
    const text = `# ${day}\n\nNothing but ${name(i)}.\n\n## Retain\n\n- W @Peter: counted to ${name(i)}.\n`;
    workspace.write(`memory/${day}.md`, text);
  }
}

/**
 * Kills `retain` and `index` in turns: every fact acknowledged on stdout is in the log exactly once, the log has no line
 * that nobody wrote, leftovers of writers are not indexed, and the index verifies.
 */
export function killRetainAndIndex(rounds: number, random: Random): Promise<KillReport> {
  const logs = Math.min(2_000, 70 * rounds);
  return killing(manyLogs(logs), random, async (killer, workspace) => {
    const acknowledged: string[] = [];
    const known = new Set([`# ${TODAY}`, '## Retain', '']);
    await workspace.start(['index']);
    for (let round = 0; round < rounds; round++) {
      const isFact = round % 2 === 0;
      const fact = `W @round: fact number ${round} with some words to tear`;
      if (isFact) known.add(`- ${fact}`);
      const args = isFact ? ['retain', fact] : ['index', ...(round % 4 === 1 ? ['--force'] : [])];
      const { stdout } = await killer.run(args, { isSpared: round % 8 === 0 });
      if (isFact && stdout.includes(`fact number ${round} `)) acknowledged.push(`- ${fact}`);
    }
    const log = workspace.read(`memory/${TODAY}.md`).split('\n');
    const files = await workspace.startJson<{ files: number }>(['status']);
    const broken = [
      ...acknowledged.filter((line) => log.filter((other) => other === line).length !== 1),
      ...log.filter((line) => !known.has(line)).map((line) => `torn: ${line}`),
      ...readdirSync(workspace.path('memory')).filter((name) => /^[^.].*\.tmp$/.test(name)),
      ...(files.files === logs + 1 ? [] : [`${files.files} files are indexed`]),
      ...(await failureOf(workspace, 'index', '--verify')),
    ];
    return { rounds, killed: killer.killed, broken, counts: { acknowledged: acknowledged.length } };
  });
}

interface Written {
  readonly args: readonly string[];
  /** The final output of the command. */
  readonly says: string;
}

/**
 * Kills every kind of writing command under jumping clocks: what was acknowledged is there once, what was forgotten is not,
 * and nobody else's line is.
 */
export function killWriters(rounds: number, random: Random): Promise<KillReport> {
  return killing(new TemporaryWorkspace({ 'MEMORY.md': '# Memory\n' }), random, async (killer, workspace) => {
    const acknowledged: Written[] = [];
    const asked = new Set(['', '# Memory', '# t', '## Retain', `# ${TODAY}`]);
    for (let i = 0; i < rounds; i++) {
      const { line, args, says } = writingRound(i);
      asked.add(line);
      const jump = ['--now', `20${10 + Math.floor(random.next() * 60)}-03-15T12:00:00Z`];
      if (args[0] === 'forget') await workspace.run(['retain', `W @target: number ${i} to forget`]);
      const { stdout } = await killer.run([...args, ...(i % 5 === 4 ? jump : [])]);
      if (stdout.includes(says)) acknowledged.push({ args, says });
    }
    const lines = workspace.pages().flatMap(({ text }) => text.split('\n'));
    const wrong = acknowledged.flatMap(({ args }) => {
      const times = lines.filter((line) => line.includes(args.at(-1) ?? '')).length;
      return times === (args[0] === 'forget' ? 0 : 1) ? [] : [`${args.join(' ')}: ${times} times`];
    });
    const generated = /^# 20\d\d-03-15$|^<!-- forgotten 20\d\d-03-15 n-[0-9a-f]{8} -->$/;
    const torn = lines.filter((line) => !asked.has(line) && !generated.test(line)).map((line) => `torn: ${line}`);
    const verified = await failureOf(workspace, 'index', '--verify');
    const index = existsSync(workspace.path('.memory/index.sqlite')) ? [] : ['there is no index'];
    const broken = [...wrong, ...torn, ...verified, ...index];
    return { rounds, killed: killer.killed, broken, counts: { acknowledged: acknowledged.length } };
  });
}

function writingRound(i: number): Written & { readonly line: string } {
  const facts = [
    { line: `- W @round: number ${i} with some words to tear`, says: `number ${i} with some words to tear` },
    { line: `- core line ${i} of many words`, says: 'characters' },
    { line: `- W @target: number ${i} to forget`, says: 'Forgotten' },
  ] as const;
  const [fact, core, target] = facts;
  if (i % 4 === 0) return { ...fact, args: ['retain', fact.line.slice(2)] };
  if (i % 4 === 1) return { ...core, args: ['core', 'append', core.line] };
  if (i % 4 === 2) return { ...target, args: ['forget', '--query', `number ${i} to forget`] };
  const kept = `O(c=0.9) @topic: number ${i} to keep in a topic`;
  return { line: `- ${kept}`, says: 'to keep', args: ['retain', '--file', 'memory/topics/t.md', kept] };
}

const FILES_A_ROUND = 60;
/** Each log has a line of prose and a fact. */
const TEXTS_A_FILE = 2;
const TEXTS_A_BATCH = 32;
const PREFIX = 'title: none | text: ';

/**
 * Kills `index --embed` while logs are added, then lets it finish: a stored text is never embedded again, only what was in
 * flight during a kill is sent twice, and in the end every text has its vector.
 */
export async function killEmbedding(rounds: number, random: Random): Promise<KillReport> {
  const server = await new EmbeddingServer().start();
  const env = { OLLAMA_HOST: server.host };
  const work = killing(new TemporaryWorkspace(), random, async (killer, workspace) => {
    const again = new Set<string>();
    let partial = 0;
    let stored = storedHashes(workspace);
    for (let round = 0; round < rounds; round++) {
      writeLogs(workspace, round * FILES_A_ROUND, FILES_A_ROUND, inLetters);
      await workspace.run(['index']);
      const sent = server.inputs.length;
      const { killed } = await killer.run(['index', '--embed'], { env });
      for (const input of server.inputs.slice(sent)) if (stored.has(hashOf(input))) again.add(input);
      const before = stored.size;
      stored = storedHashes(workspace);
      const all = TEXTS_A_FILE * FILES_A_ROUND * (round + 1);
      if (killed) partial += Number(stored.size > before && stored.size < all);
    }
    await workspace.run(['index', '--embed'], { env });
    const sent = server.inputs.filter(
      (input) => input.startsWith(PREFIX) && !PROBE_ANSWERS.has(input.slice(PREFIX.length)),
    );
    const twice = sent.length - new Set(sent).size;
    const texts = TEXTS_A_FILE * FILES_A_ROUND * rounds;
    const complete = storedHashes(workspace).size;
    const broken = [
      ...[...again].map((text) => `embedded again: ${text}`),
      ...(complete === texts ? [] : [`${complete} vectors for ${texts} texts`]),
      // About two of seven rounds stop in the middle of a file; in few rounds none may.
      ...(rounds > 8 && partial === 0 ? ['no run was killed between two batches'] : []),
      ...(twice <= TEXTS_A_BATCH * killer.killed ? [] : [`${twice} texts sent twice by ${killer.killed} kills`]),
    ];
    return { rounds, killed: killer.killed, broken, counts: { partial } };
  });
  return work.finally(() => server.stop());
}

function hashOf(input: string): string {
  return hash('sha1', `\n${input.slice(PREFIX.length)}`.toLowerCase(), 'hex');
}

function storedHashes(workspace: TemporaryWorkspace): Set<string> {
  const opened = openVectors(workspace.path('.memory'));
  if (opened.state !== 'ready') return new Set();
  const hashes = opened.db.prepare<[], Buffer>('SELECT hash FROM vector').pluck().all();
  opened.db.close();
  return new Set(hashes.map((stored) => stored.toString('hex')));
}

const PAGES = 12;

/**
 * Kills `extract apply`. After the next writing command all pages are old or all are new. Applied again, they equal those of
 * a workspace without kills: no count is added twice.
 */
export async function killExtraction(rounds: number, random: Random): Promise<KillReport> {
  const clean = new TemporaryWorkspace();
  const work = killing(new TemporaryWorkspace(), random, async (killer, hurt) => {
    const broken: string[] = [];
    const counts = { partial: 0, finished: 0, untouched: 0 };
    for (const workspace of [hurt, clean]) await apply(workspace, operationsOf(workspace, 0));
    for (let round = 1; round <= rounds; round++) {
      const document = operationsOf(hurt, round);
      const before = bankPages(hurt);
      const { killed } = await killer.run(['extract', 'apply', '--answer', save(hurt, document)]);
      const left = bankPages(hurt);
      await hurt.run(['retain', 'W @Anna: keeps bees', String(round)]);
      const between = bankPages(hurt);
      await apply(clean, document);
      const after = bankPages(clean);
      if (killed) {
        counts.partial += Number(left !== before && left !== after);
        counts.finished += Number(between === after);
        counts.untouched += Number(between === before);
      }
      if (between !== before && between !== after) broken.push(`${round}: pages are neither old nor new: ${between}`);
      await apply(hurt, document);
      if (bankPages(hurt) !== after) broken.push(`${round}: applied again, they are ${bankPages(hurt)} for ${after}`);
    }
    return { rounds, killed: killer.killed, broken, counts };
  });
  return work.finally(() => clean.dispose());
}

/** Creates a page, adds to counts of others, replaces a text, and deletes the page of the round before. */
function operationsOf(workspace: TemporaryWorkspace, round: number): unknown {
  const path = `bank/preferences/topic-${round - 1}.md`;
  const hash = (): string => createHash('sha256').update(workspace.read(path)).digest('hex');
  const pages = round === 0 ? [] : [{ page_id: 1, path, hash: hash() }];
  const blocks = [{ search: `rounds: ${round - 1}`, replace: `rounds: ${round}` }];
  const common_failures = [`failed in round ${round}`];
  return {
    id: `round-${round}`,
    pages,
    tools: Array.from({ length: PAGES }, (_, i) => ({ tool_name: `tool-${i}`, call_count: 1, common_failures })),
    preferences: [{ topic: `topic ${round}`, content: `- Likes number ${round}` }],
    profile: [{ content: round === 0 ? '- Counts rounds: 0' : { blocks } }],
    deletes: pages.map(({ page_id }) => ({ page_id })),
  };
}

function save(workspace: TemporaryWorkspace, document: unknown): string {
  const file = join(workspace.base, 'ops.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

async function apply(workspace: TemporaryWorkspace, document: unknown): Promise<void> {
  await workspace.json(['extract', 'apply', '--answer', save(workspace, document)]);
}

function bankPages(workspace: TemporaryWorkspace): string {
  const pages = workspace.pages().filter(({ path }) => path.startsWith('bank/'));
  return JSON.stringify(pages.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
}
