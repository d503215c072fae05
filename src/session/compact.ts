import { toFailure } from '../base/failure.js';
import { type CommitReport, commitSession } from './commit.js';
import type { FinishTools } from './finish.js';
import { decideFlush, type FlushDecision } from './flush-decision.js';
import { sessionPaths } from './layout.js';
import { EMPTY_META, readMeta } from './meta.js';
import type { SessionPlace } from './place.js';

export interface CompactRequest {
  /** Tokens in the conversation and of the model's window: with both the flush check comes first. */
  readonly tokens?: number | undefined;
  readonly contextWindow?: number | undefined;
}

export type CompactionEvent =
  | { readonly type: 'compaction_start'; readonly session: string; readonly live_messages: number }
  | { readonly type: 'memory_flush_due'; readonly session: string; readonly threshold: number }
  | {
      readonly type: 'compaction_end';
      readonly session: string;
      readonly archive: string | null;
      readonly archived: number;
      readonly compaction_count: number;
    };

export interface CompactTools extends FinishTools {
  /** Saves memories before messages go; what goes wrong in it never blocks the compaction. */
  readonly flush?: ((session: string) => Promise<void>) | undefined;
}

export interface CompactReport extends CommitReport {
  readonly flush: FlushDecision | null;
}

/**
 * Archives everything that is live and waits for the archive to be finished. It alone counts a compaction, and so opens
 * the next cycle of the memory flush.
 */
export async function compactSession(
  place: SessionPlace,
  id: string,
  { tokens, contextWindow }: CompactRequest,
  tools: CompactTools,
  emit: (event: CompactionEvent) => void,
): Promise<CompactReport> {
  const meta = readMeta(sessionPaths(place.root, id)) ?? EMPTY_META;
  const asks = tokens !== undefined && contextWindow !== undefined;
  const flush = asks ? decideFlush({ tokens, contextWindow, ...flushState(meta) }) : null;
  const warnings: string[] = [];
  if (flush?.shouldFlush) {
    emit({ type: 'memory_flush_due', session: id, threshold: flush.threshold });
    try {
      await tools.flush?.(id);
    } catch (error) {
      if (place.signal?.aborted === true) throw error;
      warnings.push(`memories were not saved: ${toFailure(error).message}`);
    }
  }
  emit({ type: 'compaction_start', session: id, live_messages: meta.liveCount });
  const report = await commitSession(place, id, { keep: 0, compaction: true }, tools);
  emit({
    type: 'compaction_end',
    session: id,
    archive: report.archive,
    archived: report.archivedCount,
    compaction_count: report.meta.compactionCount,
  });
  return { ...report, flush, warnings: [...warnings, ...report.warnings] };
}

function flushState({ compactionCount, memoryFlushCompactionCount }: typeof EMPTY_META) {
  return { compactionCount, lastFlush: memoryFlushCompactionCount ?? undefined };
}
