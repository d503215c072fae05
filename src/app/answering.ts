import { join } from 'node:path';
import { fail } from '../base/failure.js';
import type { FreshIndex } from '../index/fresh.js';
import type { PairVerdicts } from '../memory/threads/verdicts.js';
import type { RecallSource } from '../recall/recall.js';
import type { SemanticSource } from '../recall/semantic.js';
import { readVersion } from '../workspace/files.js';

/** What answers by meaning, or why there is none. */
export interface Semantic {
  readonly source?: SemanticSource;
  readonly warnings: readonly string[];
}

export function withSemantic(source: RecallSource, semantic: Semantic): RecallSource {
  return { ...source, warnings: [...source.warnings, ...semantic.warnings], semantic: semantic.source };
}

/** An open index to be asked, with the beliefs that it holds. */
export async function openSearch({ segments, stale, warnings, tree }: FreshIndex, root: string) {
  const [{ Search }, { Beliefs }, { winningPairs }] = await Promise.all([
    import('../index/search.js'),
    import('../recall/beliefs.js'),
    import('../memory/threads/verdicts.js'),
  ]);
  const search = new Search(segments);
  const evidence = join(root, 'bank', 'evidence.jsonl');
  const readEvidence = (): string => readVersion(evidence)?.bytes.toString('utf8') ?? '';
  const beliefs = new Beliefs(search, readEvidence);
  const verdicts = (): PairVerdicts => winningPairs(readEvidence());
  const unread = [...tree.notices.filter(({ isUnread }) => isUnread), ...search.unreadFiles()];
  return {
    search,
    beliefs,
    verdicts,
    stale,
    warnings: [...warnings, ...unread.map(({ path, reason }) => `${path} ${reason}`)],
  };
}

/** @throws MemoryError `interrupted` */
export function endIfInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) fail('interrupted', 'the answer was not waited for', 'run the command again');
}
