import { fail, toFailure } from '../base/failure.js';
import { type CommitReport, commitSession } from './commit.js';
import type { FinishServices } from './finish.js';
import type { FlushEvent, FlushReport } from './flush.js';
import { decideSessionFlush, type FlushDecision, type FlushSettings } from './flush-decision.js';
import { countMessageTokens } from './message.js';
import type { SessionWorkspace } from './place.js';
import type { CompactRequest } from './requests.js';
import { Session } from './session.js';

export type CompactionEvent =
  | { readonly type: 'compaction_start'; readonly session: string; readonly live_messages: number }
  | FlushEvent
  | {
      readonly type: 'compaction_end';
      readonly session: string;
      readonly archive: string | null;
      readonly archived: number;
      readonly compaction_count: number;
    };

interface CompactionServices extends FinishServices {
  readonly settings: FlushSettings;
  /** Saves memories before messages are archived. */
  readonly flush: () => Promise<FlushReport>;
}

export interface CompactReport extends CommitReport {
  readonly flush: FlushDecision;
}

/**
 * Archives all live messages. Then finishes the archive, unless another command will do that (`defer`). If messages were
 * archived, adds 1 to the compaction count of the session; an ordinary commit does not. With each compaction, a new cycle of
 * the memory flush begins.
 * @throws MemoryError `usage` if `tokens` is given without `contextWindow`
 */
export async function compactSession(
  place: SessionWorkspace,
  id: string,
  { tokens, contextWindow, defer }: CompactRequest,
  tools: CompactionServices,
  emit: (event: CompactionEvent) => void,
): Promise<CompactReport> {
  const session = Session.open(place.root, id);
  if (tokens !== undefined && contextWindow === undefined)
    fail('usage', '--tokens needs --context-window', 'use both, or none (then the tokens of the log are counted)');
  const counted = tokens ?? session.live.reduce((sum, message) => sum + countMessageTokens(message), 0);
  const flush = decideSessionFlush(place.root, id, tools.settings, { tokens: counted, contextWindow });
  const warnings: string[] = [];
  if (flush?.shouldFlush) {
    try {
      warnings.push(...(await tools.flush()).warnings);
    } catch (error) {
      if (place.signal?.aborted === true) throw error;
      warnings.push(`memories were not saved: ${toFailure(error).message}`);
    }
  }
  emit({ type: 'compaction_start', session: id, live_messages: session.meta.live_count });
  const report = await commitSession(place, id, { keep: 0, compaction: true, defer }, tools);
  const { archive, archived, compaction_count } = report;
  emit({ type: 'compaction_end', session: id, archive, archived, compaction_count });
  return { ...report, flush, warnings: [...warnings, ...report.warnings] };
}
