import { readRequest } from '../base/request.js';
import { removeExtractRunsWithTexts } from '../extract/runs.js';
import type { IndexContext } from '../index/fresh.js';
import { runIndex } from '../index/run.js';
import type { IndexSearch } from '../index/search.js';
import type { FileTree } from '../index/tree.js';
import { removeForgottenFromEvidence } from '../reflect/settle.js';
import { removeRunsWithTexts } from '../reflect/undo-store.js';
import { FORGET_REQUEST, type ForgetContext, type ForgetReport, type ForgetRequest, forget } from '../retain/forget.js';
import { removePageWithTexts } from '../view/page.js';
import type { FileChange } from '../workspace/changes.js';

/**
 * Forgets a statement, with what `reflect` and `extract` keep of it for their undo and the page that `view` has made of it;
 * without a copy of ours also what the index has left of it.
 * @param read works on an index that is up to date
 */
export async function forgetStatement(
  context: ForgetContext,
  index: IndexContext,
  read: (use: (search: IndexSearch, tree: FileTree) => Promise<ForgetReport>) => Promise<ForgetReport>,
  given: ForgetRequest,
): Promise<ForgetReport> {
  const request = readRequest('forget', FORGET_REQUEST, given);
  const dropCopies = (texts: readonly string[]): readonly FileChange[] => {
    removeRunsWithTexts(context.stateFolder, texts);
    removeExtractRunsWithTexts(context.stateFolder, texts);
    removePageWithTexts(context.stateFolder, texts);
    return removeForgottenFromEvidence(context.root, texts);
  };
  const report = await read((search, tree) => forget({ ...context, dropCopies }, search, tree, request));
  if (request.copy === false && request.dryRun !== true) await runIndex(index, { purge: true });
  return report;
}
