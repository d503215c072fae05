import { ALL_HAN_RANGES } from '../language/scripts.js';
import { MAX_QUERY_CHARACTERS, readUserMessage } from '../text/query.js';
import { displayWidth } from '../text/tokens.js';
import { findGateSignals, type GateSignal } from './gate-signals.js';

/** Events that make the agent ask for experience. All except `task_start` force a recall. */
export const GATE_TRIGGERS = ['task_start', 'skill_load', 'subagent_start', 'write_preflight', 'cron_start'] as const;
type GateTrigger = (typeof GATE_TRIGGERS)[number];

/** Minimum width of a text that is examined, in columns: a CJK character counts 2. */
export const DEFAULT_MIN_QUERY_COLUMNS = 12;
const RECALL_SCORE = 3;
const FORCED_SCORE = 99;

export interface GateInput {
  readonly text: string;
  readonly sessionKey?: string | undefined;
  readonly isCron?: boolean | undefined;
  readonly trigger?: GateTrigger | undefined;
  readonly isBypassed?: boolean | undefined;
  readonly minQueryChars?: number | undefined;
}

type Skip = 'session_bypassed' | 'query_too_short' | 'already_injected' | 'non_execution' | 'below_threshold';
export type GateReason = Skip | 'forced_trigger' | 'task_execution';

export interface GateDecision {
  readonly decision: 'recall' | 'skip';
  readonly score: number;
  readonly reason: GateReason;
  /** The event for which experience is recalled; null if nothing is recalled. */
  readonly trigger: GateTrigger | null;
  /** The words that counted, with their points. The score is the sum of the points, unless one rule alone decided. */
  readonly groups: readonly GateSignal[];
}

/**
 * Decides whether a message starts a task for which lessons of earlier tasks are worth recalling. The same text always gets
 * the same decision. The points and the order of the rules come from an older design of a gate for experience. We examine
 * verbs, negation, requests and everyday senses more closely than that design.
 */
export function decideExperienceRecall(input: GateInput): GateDecision {
  const skip = (reason: Skip): GateDecision => ({ decision: 'skip', score: 0, reason, trigger: null, groups: [] });
  if (input.isBypassed === true) return skip('session_bypassed');
  const text = readUserMessage(input.text).replaceAll('\0', '').trim().slice(0, MAX_QUERY_CHARACTERS);
  const groups = findGateSignals(text);
  const score = groups.reduce((sum, { points }) => sum + points, 0);
  if (isTooShort(text, input.minQueryChars, score)) return skip('query_too_short');
  // Text between backticks is only quoted: a tag in it is no injected block.
  if (/<openviking-context\b/i.test(input.text.replace(/`[^`]*`/g, ' '))) return skip('already_injected');
  const trigger = findGateTrigger(input);
  const recall = { decision: 'recall', score, trigger, groups } as const;
  if (trigger !== 'task_start') return { ...recall, score: FORCED_SCORE, reason: 'forced_trigger', groups: [] };
  if (score >= RECALL_SCORE) return { ...recall, reason: 'task_execution' };
  return { ...skip(score < 0 ? 'non_execution' : 'below_threshold'), score, groups };
}

/** Matches a text of two words, or of as many characters as two Chinese words have. */
const ENOUGH = new RegExp(`\\s|[${ALL_HAN_RANGES}]{3}|[${ALL_HAN_RANGES}]{2}\\w|\\w[${ALL_HAN_RANGES}]{2}`, 'u');

// A plain order (`fix it`) is complete, however short it is. A minimum length from the settings always applies.
function isTooShort(text: string, minimum: number | undefined, score: number): boolean {
  const columns = minimum ?? (score >= RECALL_SCORE && ENOUGH.test(text) ? 1 : DEFAULT_MIN_QUERY_COLUMNS);
  // A column has at most two UTF-16 units. So the beginning of a long text is enough to know whether it is wide enough.
  return displayWidth(text.replace(/\s+/g, ' ').slice(0, 2 * columns)) < columns;
}

/** The trigger of a request: the given trigger, or else the one that the session key shows. */
export function findGateTrigger({ trigger, sessionKey, isCron }: Omit<GateInput, 'text'>): GateTrigger {
  const isCronSession = isCron === true || (sessionKey?.includes(':cron:') ?? false);
  return trigger ?? (isCronSession ? 'cron_start' : 'task_start');
}
