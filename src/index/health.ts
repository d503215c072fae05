import { mayMeanDamage } from '../db/open.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { findChanges } from './changes.js';
import { openIndex } from './open.js';
import { readFileTree } from './tree.js';

/** Whether there is an index, whether it can be used, and how many files changed since it was written. */
type IndexHealth =
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly why: string }
  | {
      readonly state: 'ready';
      readonly files: number;
      /** Number of changed files. The next question reads them first. */
      readonly changed: number;
    };

export function checkIndexHealth({ root, stateFolder, reads, clock }: WorkspaceContext): IndexHealth {
  const opened = openIndex(stateFolder);
  if (opened.state !== 'ready')
    return opened.state === 'missing' ? { state: 'missing' } : { state: 'unusable', why: opened.why };
  const { db } = opened;
  try {
    const integrity = db.prepare('PRAGMA integrity_check(1)').pluck().get();
    if (integrity !== 'ok') return { state: 'unusable', why: `damaged: ${String(integrity)}` };
    const tree = readFileTree(root, reads);
    const { stale, removed } = findChanges(db, { root, tree, clock });
    return { state: 'ready', files: tree.files.length, changed: stale.length + removed.length };
  } catch (error) {
    if (mayMeanDamage(error)) return { state: 'unusable', why: 'damaged' };
    throw error;
  } finally {
    db.close();
  }
}
