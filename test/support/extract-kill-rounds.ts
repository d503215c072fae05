import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Killer } from './killed.js';
import { TemporaryWorkspace } from './workspace.js';

/** The result of several killed `extract apply`. `broken` must be empty. */
interface ExtractKillReport {
  readonly rounds: number;
  readonly killed: number;
  /** Killed runs that left some pages old and some new. */
  readonly partial: number;
  /** Killed runs that the next command completes, and runs without any effect. */
  readonly finished: number;
  readonly untouched: number;
  readonly broken: readonly string[];
}

const PAGES = 12;
const NEXT = ['retain', 'W @Anna: keeps bees'];

/**
 * Kills `extract apply` repeatedly. After the next writing command all pages are old or all are new. Applied again, they
 * equal those of a run without kills: no count is added twice.
 */
export async function extractKillRounds(rounds: number, random: () => number): Promise<ExtractKillReport> {
  const broken: string[] = [];
  const counts = { killed: 0, partial: 0, finished: 0, untouched: 0 };
  const [hurt, clean] = [new TemporaryWorkspace(), new TemporaryWorkspace()];
  const killer = new Killer(hurt, random);
  try {
    for (const workspace of [hurt, clean]) await apply(workspace, documentOf(workspace, 0));
    for (let round = 1; round <= rounds; round++) {
      const document = documentOf(hurt, round);
      const before = pagesOf(hurt);
      const args = ['extract', 'apply', '--answer', save(hurt, document)];
      const { killed } = await killer.run(args);
      const left = pagesOf(hurt);
      await hurt.run([...NEXT, String(round)]);
      const between = pagesOf(hurt);
      await apply(clean, document);
      const after = pagesOf(clean);
      if (killed) {
        counts.killed++;
        counts.partial += Number(left !== before && left !== after);
        counts.finished += Number(between === after);
        counts.untouched += Number(between === before);
      }
      if (between !== before && between !== after) broken.push(`${round}: pages are neither old nor new: ${between}`);
      await apply(hurt, document);
      if (pagesOf(hurt) !== after) broken.push(`${round}: applied again, they are ${pagesOf(hurt)} for ${after}`);
    }
    return { rounds, ...counts, broken };
  } finally {
    hurt.dispose();
    clean.dispose();
    killer.dispose();
  }
}

/**
 * Returns a document that creates a page, adds to counts of others, replaces a text, and deletes the page of the round
 * before.
 */
function documentOf(workspace: TemporaryWorkspace, round: number): unknown {
  const fresh = (at: number): string => `bank/preferences/topic-${at}.md`;
  const pages = round === 0 ? [] : [refOf(workspace, fresh(round - 1), 1)];
  const tools = Array.from({ length: PAGES }, (_, index) => ({
    tool_name: `tool-${index}`,
    call_count: 1,
    common_failures: [`failed in round ${round}`],
  }));
  return {
    id: `round-${round}`,
    pages,
    tools,
    preferences: [{ topic: `topic ${round}`, content: `- Likes number ${round}` }],
    profile: [{ content: round === 0 ? '- Counts rounds: 0' : patch(round) }],
    deletes: pages.map(({ page_id }) => ({ page_id })),
  };
}

function patch(round: number): unknown {
  return { blocks: [{ search: `rounds: ${round - 1}`, replace: `rounds: ${round}` }] };
}

function refOf(workspace: TemporaryWorkspace, path: string, page_id: number) {
  return { page_id, path, hash: createHash('sha256').update(workspace.read(path)).digest('hex') };
}

function save(workspace: TemporaryWorkspace, document: unknown): string {
  const file = join(workspace.base, 'ops.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

async function apply(workspace: TemporaryWorkspace, document: unknown): Promise<void> {
  const { code, stderr } = await workspace.run(['extract', 'apply', '--answer', save(workspace, document)]);
  if (code !== 0) throw new Error(`extract apply ended with ${code}: ${stderr}`);
}

function pagesOf(workspace: TemporaryWorkspace): string {
  const pages = workspace.pages().filter(({ path }) => path.startsWith('bank/'));
  return JSON.stringify(pages.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
}
