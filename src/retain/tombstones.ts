import { randomBytes } from 'node:crypto';
import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { compareText } from '../base/order.js';
import { expandId } from '../index/query/ids.js';
import * as forgotten from '../memory/forgotten.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { readVersion, resolveContainedPath } from '../workspace/files.js';
import { takeOverOldState } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { listRuns, undoRun } from '../workspace/runs.js';

/** A new random nonce for one act of forgetting. */
export function newNonce(): string {
  return randomBytes(4).toString('hex');
}

/**
 * Adds a tombstone for each statement, all with one nonce. Creates the secret key of the hashes if there is none. The caller
 * holds the lock.
 */
export function writeTombstones(
  root: string,
  statements: readonly forgotten.Forgettable[],
  day: Day,
  nonce: string,
): readonly FileChange[] {
  const [known] = forgotten.readSaltKeys(
    readVersion(resolveContainedPath(root, forgotten.SALT_FILE_PATH))?.bytes.toString('utf8') ?? '',
  );
  const key = known ?? randomBytes(32).toString('hex');
  const addKey = (text: string | null): string => `${text ?? ''}${!text || text.endsWith('\n') ? '' : '\n'}${key}\n`;
  const made = known === undefined ? [editPage(root, forgotten.SALT_FILE_PATH, addKey)] : [];
  const hashes = new Set(statements.flatMap((statement) => forgotten.tombstoneHashes(key, statement)));
  const lines = [...hashes].map((hash) => forgotten.formatForgottenLine({ hash, nonce }, day));
  return [...made, addLines(root, () => lines)];
}

/** Revokes tombstones by their nonces. A killed `forget --undo` may have revoked them already. */
export function revokeTombstones(root: string, nonces: readonly string[], day: Day, dryRun = false): FileChange {
  return addLines(root, (page) => nonces.flatMap((nonce) => forgotten.restoredLine(page, nonce, day)), dryRun);
}

function addLines(root: string, linesFor: (page: string) => readonly string[], dryRun = false): FileChange {
  const add = (page: string | null): string => {
    const head = page || forgotten.FORGOTTEN_PAGE_HEAD;
    const lines = linesFor(head).map((line) => `${line}\n`);
    return lines.length === 0 ? head : `${head}${head.endsWith('\n') ? '' : '\n'}${lines.join('')}`;
  };
  return editPage(root, forgotten.FORGOTTEN_PAGE_PATH, add, dryRun);
}

/** The kind of the runs of forget in the store. The name of a run is the nonce of its tombstone. */
export const FORGET = 'forget';

/** What is stored for the undo of an act of forgetting: the texts that it removed. They are not in git. */
export interface UndoCopy {
  readonly day: Day;
  readonly id: string;
  readonly removed: readonly { readonly path: string; readonly text: string }[];
}

/**
 * The comment that replaces a forgotten statement. It contains the nonce of the tombstone, so that `forget --undo` finds
 * the place again.
 */
export function forgottenComment(day: Day, nonce: string): string {
  return `<!-- forgotten ${day} n-${nonce} -->`;
}

export interface UndoReport {
  readonly id: string;
  readonly restored: UndoCopy['removed'];
  /** Texts whose place in the page no longer exists. A person must restore them by hand. */
  readonly homeless: UndoCopy['removed'];
  readonly changes: readonly FileChange[];
}

/**
 * Reverts a `forget` of this machine: restores the text in its place, then revokes the tombstone.
 * @param given the id that was forgotten, or its beginning
 * @throws MemoryError `not_found` if this machine has no copy
 */
export async function unforget(context: WorkspaceContext, given: string, dryRun: boolean): Promise<UndoReport> {
  const { root, stateFolder, clock } = context;
  await takeOverOldState(context);
  const all = [...listRuns<UndoCopy>(stateFolder, FORGET)]
    .flatMap(([nonce, { note, isUndone }]) => (note === undefined || isUndone ? [] : [{ nonce, ...note }]))
    .sort((a, b) => compareText(b.day, a.day));
  const idsWith = (beginning: string) => [...new Set(all.flatMap(({ id }) => (id.startsWith(beginning) ? [id] : [])))];
  const id = expandId({ idsWith }, given);
  const copies = all.filter((candidate) => candidate.id === id);
  // There may be several undo copies for one id. Use the copy whose comment is still in a page. A copy without a
  // comment may come from a `forget` that was interrupted before it wrote the comment.
  const copy = copies.find((candidate) => stands(root, candidate)) ?? copies[0];
  if (copy === undefined) {
    const message = `this machine has no copy of ${id}`;
    const hint = 'write it again with openclaw memory retain --force, or copy it from the git history';
    return fail('not_found', message, hint);
  }
  const { nonce: run } = copy;
  const undone = await undoRun(context, { verb: FORGET, run, dryRun }, () => {
    const { changes, ...back } = putBack(root, copy);
    const revoked = dryRun ? [] : [revokeTombstones(root, [run], today(clock), true)];
    return { ...back, changes: [...changes, ...revoked], isPartial: back.homeless.length > 0 };
  });
  return { id, restored: undone.restored, homeless: undone.homeless, changes: undone.changes };
}

type Copy = UndoCopy & { readonly nonce: string };

function stands(root: string, { removed, day, nonce }: Copy): boolean {
  const place = forgottenComment(day, nonce);
  return removed.some(({ path }) => readVersion(resolveContainedPath(root, path))?.bytes.includes(place) === true);
}

/** Plans the changes of the pages. */
function putBack(root: string, { removed, day, nonce }: Copy): Omit<UndoReport, 'id'> {
  const changes: FileChange[] = [];
  const homeless = new Set<UndoCopy['removed'][number]>();
  for (const path of new Set(removed.map((one) => one.path))) {
    const texts = removed.filter((one) => one.path === path);
    const fill = (before: string | null): string | null => {
      const filled = fillPlaces(
        before ?? '',
        forgottenComment(day, nonce),
        texts.map(({ text }) => text),
      );
      for (const one of texts.slice(filled.count)) homeless.add(one);
      return before && filled.text;
    };
    changes.push(editPage(root, path, fill, true));
  }
  return { restored: removed.filter((one) => !homeless.has(one)), homeless: [...homeless], changes };
}

/**
 * Puts forgotten texts back into a page: the first text replaces the first comment `place`, the second text the second
 * comment, and so on. `count`: the number of comments.
 */
function fillPlaces(page: string, place: string, texts: readonly string[]) {
  const [head = '', ...rest] = page.split(place);
  return { text: head + rest.map((after, i) => (texts[i] ?? place) + after).join(''), count: rest.length };
}
