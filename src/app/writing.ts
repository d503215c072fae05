import { readRequest } from '../base/request.js';
import type { ForgetReport, ForgetRequest } from '../retain/forget.js';
import type { RetainReport, retain } from '../retain/retain.js';
import type { FileChange } from '../workspace/changes.js';
import { indexContext, withWholeIndex } from './asking.js';
import type { WorkspaceParts } from './open.js';

/** Appends facts, of a caller or of another verb. */
export async function retainFacts(
  { context }: WorkspaceParts,
  order: Parameters<typeof retain>[1],
): Promise<RetainReport> {
  return (await import('../retain/retain.js')).retain(context, order);
}

/**
 * Forgets a statement, also on the page that `view` has made and in the evidence; without a copy of ours also what the
 * index has left of it.
 */
export async function forgetStatement(parts: WorkspaceParts, given: ForgetRequest): Promise<ForgetReport> {
  const [{ FORGET_REQUEST, forget }, { runIndex }, { removeFolderSummaries }, view, settle] = await Promise.all([
    import('../retain/forget.js'),
    import('../index/run.js'),
    import('../extract/sidecars.js'),
    import('../view/page.js'),
    import('../reflect/settle.js'),
  ]);
  const request = readRequest('forget', FORGET_REQUEST, given);
  const { context } = parts;
  const dropCopies = (texts: readonly string[], erased: readonly FileChange[]): readonly FileChange[] => {
    view.removePageWithTexts(context.stateFolder, texts);
    const evidence = settle.removeForgottenFromEvidence(context.root, texts);
    return [...evidence, ...removeFolderSummaries(context.root, erased)];
  };
  const report = await withWholeIndex(parts, 'forget', (search, _, tree) =>
    forget({ ...context, dropCopies }, search, tree, request),
  );
  if (request.dryRun !== true) await runIndex(indexContext(parts, 'forget'), { purge: request.copy === false });
  return report;
}
