import { join } from 'node:path';
import { lazy } from '../base/cache.js';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { FreshIndex, IndexContext, OpenIndex } from '../index/fresh.js';
import { withIndexRepair } from '../index/heal.js';
import type { IndexSearch } from '../index/search.js';
import type { FileTree } from '../index/tree.js';
import { requireAllRead } from '../index/tree.js';
import type { AwayFiles } from '../memory/away.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import type { FinalPairVerdicts } from '../memory/threads/verdicts.js';
import type { RecallSource } from '../recall/recall.js';
import type { SemanticSource } from '../recall/semantic.js';
import { today } from '../workspace/clock.js';
import { findLinesWithText } from '../workspace/files.js';

/** The source of answers by meaning. Without one, `warnings` says why. */
export interface SemanticSourceResult {
  readonly source?: SemanticSource;
  readonly warnings: readonly string[];
}

export function addSemanticSource(source: RecallSource, semantic: SemanticSourceResult): RecallSource {
  return { ...source, warnings: [...source.warnings, ...semantic.warnings], semantic: semantic.source };
}

/** How an index is opened and asked. */
export interface IndexAccess {
  readonly context: IndexContext;
  /** Another way than `openFreshIndex`. */
  readonly openIndex: OpenIndex | undefined;
  readonly how: Pick<RecallSource, 'clock' | 'withResources' | 'defaultLimit'>;
}

/** Works on an index that is up to date: once more when it, or its vectors, proved damaged and were healed. */
export function withIndex<T>(
  reader: IndexAccess,
  use: (source: RecallSource, fresh: FreshIndex) => Promise<T>,
): Promise<T> {
  return withIndexRepair(reader.context, async (healed) => {
    const { fresh, source } = await openSource(reader, healed);
    try {
      return await use(source, fresh);
    } finally {
      fresh.close();
    }
  });
}

/** As {@link withIndex}, for who decides by what is read. @throws MemoryError `io` where something can't be read now */
export function withWholeIndex<T>(
  reader: IndexAccess,
  use: (search: IndexSearch, away: AwayFiles, tree: FileTree) => Promise<T>,
): Promise<T> {
  return withIndex(reader, async ({ search }, { tree, away }) => {
    requireAllRead([...tree.notices, ...search.unreadFiles()]);
    const evidence = tree.notices.find(({ path }) => path === EVIDENCE_PATH);
    if (evidence !== undefined)
      fail(
        'io',
        `${EVIDENCE_PATH} ${evidence.reason}`,
        'put a readable file there; without it, nothing can be decided',
      );
    return search.atOneMoment(() => use(search, away, tree));
  });
}

/** @param healed what was found damaged and is whole again */
export async function openSource(
  { context, openIndex, how }: IndexAccess,
  healed: readonly string[],
): Promise<{ readonly fresh: FreshIndex; readonly source: RecallSource }> {
  const open = openIndex ?? (await import('../index/fresh.js')).openFreshIndex;
  const opened = await open(context);
  const fresh = { ...opened, warnings: [...healed, ...opened.warnings] };
  return { fresh, source: { ...(await openSearch(fresh, context.root, how.clock)), ...how } };
}

/** Index for questions about the present: logs of future days are left out. */
export function withoutFutureLogs(source: RecallSource): RecallSource {
  return { ...source, ...source.present, present: undefined };
}

/** An open index to be asked, with the beliefs that it holds. */
export async function openSearch({ segments, stale, warnings, tree, away }: FreshIndex, root: string, clock: Clock) {
  const [{ IndexSearch }, { BeliefLookup }, { readFinalVerdicts }] = await Promise.all([
    import('../index/search.js'),
    import('../recall/beliefs.js'),
    import('../memory/threads/verdicts.js'),
  ]);
  const search = IndexSearch.of(segments);
  const evidence = join(root, EVIDENCE_PATH);
  const asking = (index: IndexSearch) => {
    const beliefs = new BeliefLookup(index, (having) => findLinesWithText(evidence, having));
    const verdicts = lazy(
      (): FinalPairVerdicts => beliefs.taking(readFinalVerdicts(findLinesWithText(evidence, OF_TWO))),
    );
    return { search: index, beliefs, verdicts };
  };
  const present = search.upTo(today(clock));
  const unread = [...tree.notices.filter(({ isUnread }) => isUnread), ...search.unreadFiles()];
  return {
    ...asking(search),
    present: present && asking(present),
    stale,
    away,
    warnings: [...warnings, ...away.warnings(), ...unread.map(({ path, reason }) => `${path} ${reason}`)],
  };
}

/** Text that every evidence line about two statements contains. */
const OF_TWO = '"of"';

/** @throws MemoryError `interrupted` */
export function throwIfInterrupted(signal: AbortSignal | undefined, what = 'the answer was'): void {
  if (signal?.aborted) fail('interrupted', `${what} interrupted`, 'run the command again');
}
