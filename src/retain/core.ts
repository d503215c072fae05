import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, valueOrThrow } from '../base/failure.js';
import { list, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import { readForgotten } from '../index/forgotten-page.js';
import { applyCoreEdit, type CoreEdit, checkCoreEdit } from '../memory/core-edit.js';
import { CORE_FILE_NAMES } from '../memory/pages.js';
import { redactSecrets } from '../text/redact.js';
import { INJECTED_REMOVED_WARNING, stripInjected } from '../text/strip.js';
import { editPage, type FileChange, readPageText } from '../workspace/changes.js';
import { readVersion, resolveContainedPath } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { refuseUnreadPage, whyNotRead } from '../workspace/readable.js';

export interface CoreContext extends WorkspaceContext {
  /** Maximum size of the core file, in characters. */
  readonly budget: number;
}

/** The core file and its size. */
export const CORE_VIEW = {
  path: text(),
  text: text(),
  chars: number(),
  budget: number(),
  warnings: list(),
} satisfies ReportFields;

type CoreView = ReportOf<typeof CORE_VIEW>;

export interface CoreReport extends Omit<CoreView, 'text'> {
  readonly changes: readonly FileChange[];
}

/** Reads the core file; returns an empty view if there is none. */
export function showCore({ root, budget }: CoreContext): CoreView {
  const { path, warnings } = findCoreFile(root);
  const text = readPageText(root, path) ?? '';
  return { path, text, chars: text.length, budget, warnings };
}

/**
 * Edits the core file and keeps it within its budget. Holds the writer lock, and replaces the file only if it has not
 * changed since it was read. First removes injected blocks from the new text and redacts its secrets.
 * @throws MemoryError `refused` if the place of the edit is not unique or may not be edited, or if the text would be over
 * the budget
 */
export async function changeCore(context: CoreContext, edit: CoreEdit, dryRun: boolean): Promise<CoreReport> {
  checkCoreEdit(edit);
  const { path, warnings } = findCoreFile(context.root);
  const given = edit.type === 'replace' ? edit.new : edit.text;
  const own = stripInjected(given);
  if (own.trim() === '' && given.trim() !== '')
    fail('usage', 'the text is only injected context', 'write your own text');
  const { text, found } = redactSecrets(own);
  return runWithLock({ ...context, command: 'core', dryRun }, () => {
    const written = edit.type === 'replace' ? { ...edit, new: text } : { ...edit, text };
    const change = writeCore(context, path, () => written, dryRun);
    const taken = own === given ? [] : [INJECTED_REMOVED_WARNING];
    return {
      path,
      chars: change.after?.length ?? 0,
      budget: context.budget,
      warnings: [...warnings, ...taken, ...found.map(({ kind }) => `a secret (${kind}) was replaced by a placeholder`)],
      changes: [change],
    };
  });
}

/**
 * Edits the core file for a caller that holds the writer lock.
 * @param editOf returns the edit for the current text, or `applied` if there is nothing to do
 * @throws MemoryError as {@link changeCore} does
 */
export function writeCore(
  { root, reads, budget }: Pick<CoreContext, 'root' | 'reads' | 'budget'>,
  path: string,
  editOf: (core: string) => CoreEdit | 'applied',
  dryRun: boolean,
): FileChange {
  const unread = whyNotRead({ root, reads }, path, readVersion(resolveContainedPath(root, path))?.bytes);
  if (unread !== undefined) refuseUnreadPage(path, unread);
  const apply = (page: string | null): string | null => {
    const before = page ?? '';
    const edit = editOf(before);
    const after = edit === 'applied' ? before : valueOrThrow(applyCoreEdit(before, edit));
    if (edit !== 'applied') refuseForgotten(root, edit.type === 'replace' ? edit.new : edit.text);
    // If the core file is over its budget, an edit that does not make it longer is allowed, even if the result is still
    // over the budget.
    if (after.length > budget && after.length > before.length)
      fail(
        'refused',
        `the core file would have ${after.length} characters, ${after.length - budget} more than its budget of ${budget}`,
        'shorten the core file first, or write this to bank/ or memory/topics/, or raise the setting coreBudgetChars',
      );
    return page === null && after === '' ? null : after;
  };
  return editPage(root, path, apply, dryRun);
}

/** Refuses a text that contains a forgotten line. Call it under the writer lock. @throws MemoryError `refused` */
export function refuseForgotten(root: string, text: string): void {
  if (readForgotten(root).lineIn(text) === undefined) return;
  fail(
    'refused',
    'a line of this text was forgotten',
    'undo that with forget --undo, or save the fact with retain --force',
  );
}

/**
 * The path of the core file: `MEMORY.md`, or `memory.md` if only the second file exists. On a case-insensitive file
 * system both names mean the same file.
 */
export function findCoreFile(root: string): { path: string; warnings: readonly string[] } {
  const [canonical, alias] = CORE_FILE_NAMES;
  const [first, second] = [canonical, alias].map((name) => statSync(join(root, name), { throwIfNoEntry: false }));
  if (first === undefined) return { path: existsSync(join(root, alias)) ? alias : canonical, warnings: [] };
  const isTwo = second !== undefined && second.ino !== first.ino;
  const warnings = isTwo ? [`both ${canonical} and ${alias} exist; ${canonical} is used, ${alias} is ignored`] : [];
  return { path: canonical, warnings };
}
