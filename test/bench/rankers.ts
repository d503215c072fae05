import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSearch } from '../../src/app/asking.js';
import { openWorkspace } from '../../src/app/workspace.js';
import { openFreshIndex } from '../../src/index/fresh.js';
import { readNgrams, splitByScript } from '../../src/language/scripts.js';
import { type RecallSource, recall } from '../../src/query/query.js';
import type { Weights } from '../../src/query/rank/weights.js';
import type { RecallResult } from '../../src/query/request.js';
import { openClock } from '../../src/workspace/clock.js';
import type { Room } from './labelled.js';
import { DEPTH, type Ranker } from './labelled.js';

/** Recall by words, in this process. */
export function byWords(weights?: Weights): Ranker {
  return (room) =>
    opened(room.root, room.now, weights, async (source) => {
      const answers: (readonly string[])[] = [];
      for (const { question } of room.questions) {
        const { results } = await recall(source, { query: question, k: DEPTH, mode: 'lexical' });
        answers.push(results.flatMap(linesOf));
      }
      return answers;
    });
}

/** Recall with vectors, which a model server computes first. */
export function byMeaning(embedModel: string): Ranker {
  return async ({ root, now, questions }) => {
    writeFileSync(join(root, 'memory.config.json5'), JSON.stringify({ embedModel, recallEmbedBudgetMs: 60_000 }));
    const workspace = await openWorkspace({ workspace: root, now, timezone: 'UTC' });
    await workspace.embed();
    const answers: (readonly string[])[] = [];
    for (const { question } of questions) {
      const { results } = await workspace.recall({ query: question, k: DEPTH, mode: 'hybrid' });
      answers.push(results.flatMap(linesOf));
    }
    return answers;
  };
}

function linesOf({ path, startLine, endLine }: RecallResult): readonly string[] {
  return Array.from({ length: endLine - startLine + 1 }, (_, i) => `${path}#${startLine + i}`);
}

/** Words that plain search leaves out of a question. */
const STOP = new Set(
  'a about after all also am an and any are as at be because been before being between both but by can could d did do does doing don down during each few for from further had has have having he her here hers him his how i if in into is it its just like ll m me more most my no nor not now of off on once only or other our out over own please re s same she should so some such t tell than that the their them then there these they this those through to too under until up ve very was we were what when where which while who whom why will with would you your'.split(
    ' ',
  ),
);

/**
 * Ranks by SQLite's full-text search alone: porter, any of the words, bm25; pairs of characters for scripts without spaces.
 */
export const plainSearch: Ranker = async ({ root, questions }: Room) => {
  const db = new Database(':memory:');
  db.exec("create virtual table f using fts5(t, k unindexed, tokenize='porter unicode61')");
  const add = db.prepare('insert into f values (?, ?)');
  for (const file of pagesOf(root))
    for (const [i, line] of readFileSync(join(root, file), 'utf8').split('\n').entries())
      if (line.trim() !== '' && !line.startsWith('#')) add.run(apart(line), `${file}#${i + 1}`);
  const find = db.prepare<[string], string>(`select k from f where f match ? order by bm25(f) limit ${DEPTH}`).pluck();
  const answers = questions.map(({ question }) => {
    const all = [
      ...new Set(
        apart(question)
          .toLowerCase()
          .match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [],
      ),
    ];
    const told = all.filter((word) => !STOP.has(word));
    const words = told.length > 0 ? told : all;
    return words.length === 0 ? [] : find.all(words.map((word) => `"${word}"`).join(' OR '));
  });
  db.close();
  return answers;
};

function pagesOf(root: string): readonly string[] {
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return pages.filter((page) => page.endsWith('.md') && !page.startsWith('.')).sort();
}

/** Returns a text with its unspaced runs split into pairs of characters. */
function apart(text: string): string {
  return splitByScript(text)
    .map(({ text: run, isUnspaced }) => (isUnspaced ? ` ${readNgrams(run, 2).join(' ')} ` : run))
    .join('');
}

/** Opens the index of a workspace by words, with a fixed clock. */
export async function opened<T>(
  root: string,
  now: string,
  weights: Weights | undefined,
  use: (source: RecallSource) => Promise<T>,
): Promise<T> {
  const clock = openClock('UTC', now, 'dmy');
  const fresh = await openFreshIndex({ root, stateFolder: join(root, '.memory'), clock, command: 'bench' });
  try {
    const limits = { withResources: false, defaultLimit: 10 };
    const own = weights === undefined ? {} : { weights };
    return await use({ ...(await openSearch(fresh, root, clock)), clock, ...limits, ...own });
  } finally {
    fresh.close();
  }
}
