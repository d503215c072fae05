import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { addAll } from '../base/order.js';
import { expandId } from '../index/query/ids.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { resolveContainedPath } from '../workspace/contained.js';
import { readVersion, removeFile } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { ForgetContext } from './forget.js';
import { forgottenComment, readUndoCopies, revokeTombstones, type UndoCopy } from './tombstones.js';

export interface UndoReport {
  readonly id: string;
  readonly restored: readonly { readonly path: string; readonly text: string }[];
  /** Texts whose place in the page no longer exists. A person must restore them by hand. */
  readonly homeless: readonly { readonly path: string; readonly text: string }[];
  readonly changes: readonly FileChange[];
}

/**
 * Reverts a `forget` of this machine: restores the text in its place, then revokes the tombstone.
 * @param given the id that was forgotten, or its beginning
 * @throws MemoryError `not_found` if this machine has no copy
 */
export async function unforget(context: ForgetContext, given: string, dryRun: boolean): Promise<UndoReport> {
  const all = readUndoCopies(context.stateFolder);
  const idsWith = (beginning: string) => [...new Set(all.flatMap(({ id }) => (id.startsWith(beginning) ? [id] : [])))];
  const id = expandId({ idsWith }, given);
  const copies = all.filter((candidate) => candidate.id === id);
  // There may be several undo copies for one id. Use the copy whose comment is still in a page. A copy without a
  // comment may come from a `forget` that was interrupted before it wrote the comment.
  const copy = copies.find((candidate) => stands(context.root, candidate)) ?? copies[0];
  if (copy === undefined) {
    const message = `this machine has no copy of ${id}`;
    const hint = 'write it again with openclaw memory retain --force, or copy it from the git history';
    return fail('not_found', message, hint);
  }
  if (dryRun) return putBack(context.root, copy, true);
  return runWithLock({ ...context, command: 'forget' }, () => {
    const report = putBack(context.root, copy, false);
    const revoked = revokeTombstones(context.root, [copy.nonce], today(context.clock));
    if (report.homeless.length === 0) removeFile(join(context.stateFolder, 'forgotten', `${copy.nonce}.json`));
    return { ...report, changes: [...report.changes, revoked] };
  });
}

function stands(root: string, { removed, day, nonce }: UndoCopy): boolean {
  const place = forgottenComment(day, nonce);
  return removed.some(({ path }) => readVersion(resolveContainedPath(root, path))?.bytes.includes(place) === true);
}

function putBack(root: string, copy: UndoCopy, dryRun: boolean): UndoReport {
  const changes: FileChange[] = [];
  const homeless: { path: string; text: string }[] = [];
  for (const path of new Set(copy.removed.map((removed) => removed.path))) {
    const texts = copy.removed.filter((removed) => removed.path === path).map(({ text }) => text);
    let left: readonly string[] = [];
    const fill = (before: string | null): string | null => {
      const filled = fillPlaces(before ?? '', forgottenComment(copy.day, copy.nonce), texts);
      left = filled.left;
      return before && filled.text;
    };
    changes.push(editPage(root, path, fill, dryRun));
    addAll(
      homeless,
      left.map((text) => ({ path, text })),
    );
  }
  const isHomeless = new Set(homeless.map(({ path, text }) => `${path}\n${text}`));
  const restored = copy.removed.filter(({ path, text }) => !isHomeless.has(`${path}\n${text}`));
  return { id: copy.id, restored, homeless, changes };
}

/**
 * Puts forgotten texts back into a page: the first text replaces the first comment `place`, the second text the second
 * comment, and so on. `left`: the texts for which there was no comment.
 */
function fillPlaces(page: string, place: string, texts: readonly string[]): { text: string; left: readonly string[] } {
  const parts = page.split(place);
  const filled = parts.slice(1).map((after, i) => (texts[i] ?? place) + after);
  return { text: (parts[0] ?? '') + filled.join(''), left: texts.slice(filled.length) };
}
