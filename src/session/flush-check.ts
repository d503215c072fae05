import { decideFlush, type FlushDecision, type FlushQuestion } from './flush-decision.js';
import { Session } from './session.js';

/** The settings of the memory flush. */
export interface FlushSettings {
  readonly enabled: boolean;
  /** How many tokens before the compaction. */
  readonly soft: number;
}

/**
 * Whether memories of a session should be saved now: counters and size are those of its meta file, unless the question
 * has its own.
 * @throws MemoryError `not_found`
 */
export function checkFlush(
  root: string,
  session: string,
  { enabled, soft }: FlushSettings,
  question: FlushQuestion,
): FlushDecision {
  const { meta } = Session.open(root, session);
  return decideFlush({
    ...question,
    enabled,
    soft: question.soft ?? soft,
    compactionCount: question.compactionCount ?? meta.compaction_count,
    lastFlush: question.lastFlush ?? meta.memory_flush_compaction_count ?? undefined,
    transcriptBytes: question.transcriptBytes ?? meta.log_bytes,
  });
}
