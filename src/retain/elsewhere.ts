import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Forgettable } from '../memory/forgotten.js';
import { namesIn, readVersion } from '../workspace/files.js';
import { isInGit } from '../workspace/locate.js';
import { PROPOSALS_FOLDER } from './proposals.js';

/** A place that has the text of a forgotten statement and was left alone. */
export interface RemainingCopy {
  readonly source: string;
  readonly what: 'text' | 'session' | 'git history';
}

/** What may have the text of statements outside of the pages. */
export function copiesElsewhere(root: string, statements: readonly Forgettable[]): readonly RemainingCopy[] {
  const history = isInGit(root) ? [{ source: 'git history', what: 'git history' as const }] : [];
  return [...proposedCopies(root, statements), ...sessionCopies(root, statements), ...history];
}

/** Proposals are no memory, and not in the index. */
function proposedCopies(root: string, statements: readonly Forgettable[]): readonly RemainingCopy[] {
  const needles = statements.map(({ text }) => text.toLowerCase());
  return proposalPages(root)
    .filter((path) => {
      const page = readVersion(join(root, path))?.bytes.toString('utf8').toLowerCase() ?? '';
      return needles.some((needle) => page.includes(needle));
    })
    .map((source) => ({ source, what: 'text' as const }));
}

function proposalPages(root: string): readonly string[] {
  return namesIn(join(root, PROPOSALS_FOLDER))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${PROPOSALS_FOLDER}/${name}`)
    .sort();
}

/** Session logs hold messages as JSON: what a text looks like in there. */
function sessionCopies(root: string, statements: readonly Forgettable[]): readonly RemainingCopy[] {
  const needles = statements.map(({ text }) => JSON.stringify(text).slice(1, -1).toLowerCase());
  return sessionLogs(root)
    .filter((path) => {
      const log = readVersion(join(root, path))?.bytes.toString('utf8').toLowerCase() ?? '';
      return needles.some((needle) => log.includes(needle));
    })
    .map((source) => ({ source, what: 'session' as const }));
}

function sessionLogs(root: string): readonly string[] {
  const sessions = join(root, 'sessions');
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('messages.jsonl'))
    .map((path) => `sessions/${path.replaceAll('\\', '/')}`)
    .sort();
}
