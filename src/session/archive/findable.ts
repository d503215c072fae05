import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { readForgotten } from '../../index/forgotten-page.js';
import { openScratchIndex } from '../../index/open.js';
import { readFile } from '../../index/read-file.js';
import { IndexSearch } from '../../index/search.js';
import { IndexWriter } from '../../index/writer.js';
import { pageOfPath } from '../../memory/pages.js';
import { BeliefLookup } from '../../recall/beliefs.js';
import { recall } from '../../recall/recall.js';

/** Number of lines of a page that are tried as queries before the page counts as not found. */
const TRIES = 3;

/**
 * Proves by queries that a page can be found: indexes it alone and searches for its own lines. The next recall adds it
 * to the index of the workspace.
 * @param path relative to the workspace, with `/`
 * @throws MemoryError `index` when no query finds it
 */
export async function throwIfNotFindable(root: string, path: string, clock: Clock): Promise<void> {
  const page = pageOfPath(path);
  if (page === undefined) throw new Error(`not a page: ${path}`);
  const { size, mtimeMs, ctimeMs, ino: inode } = statSync(join(root, path));
  const read = await readFile(root, { path, page, size, mtimeMs, ctimeMs, inode }, clock, readForgotten(root));
  const { notice } = read.file;
  const lines = Array.from(read.units ?? [], ({ values: [, , , , text], search = text }) => ({ text, search })).filter(
    ({ search }) => search.trim() !== '',
  );
  // The page has only headings or forgotten lines, so there is no text to search for.
  if (lines.length === 0 && notice === null) return;
  const db = openScratchIndex();
  try {
    new IndexWriter(db).add(read);
    const source = { clock, withResources: false, defaultLimit: 5, stale: false, warnings: [] };
    const search = new IndexSearch([{ db, masked: new Set() }]);
    const beliefs = new BeliefLookup(search, () => '');
    for (const { text } of lines.slice(-TRIES)) {
      const { results } = await recall({ ...source, search, beliefs }, { query: text });
      if (results.some((result) => result.path === path)) return;
    }
  } finally {
    db.close();
  }
  fail('index', `search does not find ${path} by its own words${notice === null ? '' : `: it ${notice}`}`);
}
