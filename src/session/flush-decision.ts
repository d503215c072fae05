import { flag, maybe, number, object, type ReportFields, type ReportOf, text } from '../base/report.js';
import { DEFAULT_WINDOW_TOKENS } from './context/fit.js';
import { Session } from './session.js';

/** Input of the flush decision. A number that is negative or not finite counts as not given. */
export interface FlushDecisionInput {
  /** Number of tokens in the conversation now. If it is not known (`undefined`, NaN), it triggers no flush. */
  readonly tokens?: number | undefined;
  readonly contextWindow?: number | undefined;
  /**
   * Tokens reserved for the answer and the compaction; default 20,000. A reserve of more than half the window is
   * reduced to a quarter.
   */
  readonly reserve?: number | undefined;
  /**
   * The flush comes this number of tokens before the compaction; default 4,000. In two cases this number is at most half of
   * the window without the reserve: if the reserve was reduced, or if no tokens would be left before the flush.
   */
  readonly soft?: number | undefined;
  /** Number of compactions of this session so far; 0 if missing. */
  readonly compactionCount?: number | undefined;
  /** The compaction count at the last flush; if missing, there was no flush yet. */
  readonly lastFlush?: number | undefined;
  /** Size of the live messages in bytes. Triggers a flush if the number of tokens is not known. */
  readonly transcriptBytes?: number | undefined;
  /** At this size in bytes a flush is due, whatever the number of tokens is; 0 turns that off. Default 2 MiB. */
  readonly forceBytes?: number | undefined;
  /** The setting `enableMemoryFlush`; true if missing. */
  readonly enabled?: boolean | undefined;
}

type FlushReason =
  | 'threshold_reached'
  | 'transcript_size'
  | 'below_threshold'
  | 'already_flushed'
  | 'no_tokens'
  | 'no_context_window'
  | 'switched_off';

export const FLUSH_DECISION = {
  shouldFlush: flag(),
  /** Number of tokens at which the flush is due; 0 if the window is not known. */
  threshold: number(),
  reason: text<FlushReason>(),
  /** Says that `reserve` or `soft` was reduced, and to which value. Missing if neither was reduced. */
  warning: maybe(text()),
  /** The context window in tokens, and where this number comes from. Only in the answer for a session. */
  window: maybe(object<{ readonly tokens: number; readonly from: 'given' | 'settings' | 'assumed' }>()),
} satisfies ReportFields;

export type FlushDecision = ReportOf<typeof FLUSH_DECISION>;

export const DEFAULT_RESERVE_TOKENS = 20_000;
export const DEFAULT_SOFT_MARGIN_TOKENS = 4_000;
const DEFAULT_FORCE_BYTES = 2 * 1_024 * 1_024;

/**
 * Decides whether to save memories now, before the conversation is compacted. A flush is due once per compaction cycle, as
 * soon as `tokens >= window - reserve - soft`. In a small window, reserve and soft are reduced as in OpenClaw, so that the
 * threshold stays above zero. The warning names the reduced values.
 */
export function decideFlush(question: FlushDecisionInput): FlushDecision {
  const { threshold, ...cut } = sharesOf(question);
  const tokens = question.tokens ?? Number.NaN;
  const answer = (shouldFlush: boolean, reason: FlushReason) => ({ shouldFlush, threshold, reason, ...cut });
  if (question.enabled === false) return answer(false, 'switched_off');
  const isFlushed = question.lastFlush === (usable(question.compactionCount) ?? 0);
  if (isLong(question)) return isFlushed ? answer(false, 'already_flushed') : answer(true, 'transcript_size');
  if (threshold <= 0) return answer(false, 'no_context_window');
  if (!(tokens > 0)) return answer(false, 'no_tokens');
  if (tokens < threshold) return answer(false, 'below_threshold');
  if (isFlushed) return answer(false, 'already_flushed');
  return answer(true, 'threshold_reached');
}

function isLong({ transcriptBytes, forceBytes }: FlushDecisionInput): boolean {
  const limit = usable(forceBytes) ?? DEFAULT_FORCE_BYTES;
  return limit > 0 && (usable(transcriptBytes) ?? 0) >= limit;
}

/**
 * `threshold`: the window minus reserve and soft, or 0 if the window is not known. `warning`: set if reserve or soft was
 * reduced.
 */
function sharesOf(question: FlushDecisionInput): Pick<FlushDecision, 'threshold' | 'warning'> {
  const window = Math.floor(usable(question.contextWindow) ?? 0);
  if (window < 1) return { threshold: 0 };
  const given = usable(question.reserve);
  const [reserve, soft] = [given ?? DEFAULT_RESERVE_TOKENS, usable(question.soft) ?? DEFAULT_SOFT_MARGIN_TOKENS];
  // A reserve of more than half the window leaves too little room: use a quarter of the window.
  const isHalf = given !== undefined && given <= window / 2;
  const reserved = isHalf ? given : Math.min(reserve, Math.floor(window / 4));
  const isWhole = reserved === reserve && window - reserved - soft > 0;
  const softly = isWhole ? soft : Math.min(soft, Math.floor((window - reserved) / 2));
  const said: string[] = [];
  if (reserve > reserved)
    said.push(`a reserve of ${reserve} is too much for a window of ${window}: ${reserved} is used`);
  if (soft > softly) said.push(`a soft limit of ${soft} would leave too little of it: ${softly} is used`);
  const threshold = Math.max(0, window - reserved - softly);
  return { threshold, ...(said.length > 0 && { warning: said.join('; ') }) };
}

function usable(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The settings of the memory flush. */
export interface FlushSettings {
  readonly enabled: boolean;
  /** Number of tokens before the compaction at which the flush comes. */
  readonly soft: number;
  /** Context window of the model of the conversations, in tokens, if known. */
  readonly window: number | null;
}

/**
 * Decides whether to save memories of a session now. The compaction counts and the size come from the session's meta file,
 * unless `question` gives them.
 * @throws MemoryError `not_found`
 */
export function decideSessionFlush(
  root: string,
  session: string,
  settings: FlushSettings,
  question: FlushDecisionInput,
): FlushDecision {
  const { meta } = Session.open(root, session);
  const window = windowOf(question, settings);
  const decision = decideFlush({
    ...question,
    contextWindow: window.tokens,
    enabled: settings.enabled,
    soft: question.soft ?? settings.soft,
    compactionCount: question.compactionCount ?? meta.compaction_count,
    lastFlush: question.lastFlush ?? meta.memory_flush_compaction_count ?? undefined,
    transcriptBytes: question.transcriptBytes ?? meta.log_bytes,
  });
  return { ...decision, window };
}

function windowOf(
  { contextWindow }: FlushDecisionInput,
  { window }: FlushSettings,
): NonNullable<FlushDecision['window']> {
  if (contextWindow !== undefined) return { tokens: contextWindow, from: 'given' };
  return window === null ? { tokens: DEFAULT_WINDOW_TOKENS, from: 'assumed' } : { tokens: window, from: 'settings' };
}
