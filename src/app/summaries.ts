import { areSidecarsStale } from '../extract/stale.js';
import type { FileChange } from '../workspace/changes.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';

/** The summaries of the folders of typed memories, made anew where pages have changed; most commands find that none has. */
export async function refreshSummaries(context: WorkspaceContext): Promise<readonly FileChange[]> {
  if (!areSidecarsStale(context.root, context.stateFolder)) return [];
  const { refreshSidecars } = await import('../extract/apply.js');
  return refreshSidecars(context);
}
