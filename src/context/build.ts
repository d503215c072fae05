import type { Clock } from '../base/clock.js';
import { flag, list, object, type ReportFields, type ReportOf, text } from '../base/report.js';
import type { RequestFields, RequestOf } from '../base/request.js';
import type { IndexSearch } from '../index/search.js';
import { HOST_PAGES } from '../memory/pages.js';
import { createRelevanceScorer } from '../query/relevance.js';
import type { RecallAnswer } from '../query/request.js';
import { prepareQuery } from '../text/query.js';
import { hasInjectedBlock } from '../text/strip.js';
import { today } from '../workspace/clock.js';
import { DEFAULT_SETTINGS, type Settings } from '../workspace/settings.js';
import {
  asksNothing,
  type ChatMessage,
  chatMessageText,
  currentRequest,
  isContinueRequest,
  matchesSessionKeyPattern,
} from './context-query.js';
import { coreSection, envelope, prependBlock } from './envelope.js';
import { decideExperienceRecall, findGateTrigger, GATE_TRIGGERS, type GateDecision, type GateReason } from './gate.js';
import {
  type BlockMemory,
  EMPTY_BLOCK_SECTION,
  experienceSection,
  type FoundExperience,
  isRule,
  longTermSection,
  maxBlockChars,
  pickMemories,
  type QueryScoreFunction,
} from './sections.js';

export type { BlockMemory, FoundExperience };
export { type ChatMessage, chatMessageText, isContinueRequest };

/** The fields of a request that tell the gate who asks and when, such as the session's key. */
export const GATE_REQUEST = {
  sessionKey: {
    type: 'text',
    isNeverEmpty: true,
    value: 'key',
    doc: 'key of the session; with ":cron:" in it, this is a cron session',
  },
  cron: { type: 'boolean', doc: 'this is a cron session' },
  trigger: {
    type: 'choice',
    noun: 'trigger',
    choices: GATE_TRIGGERS,
    doc: 'what triggers this; all but task_start force a recall',
  },
  bypass: { type: 'boolean', doc: 'the session is excluded from recall' },
} as const satisfies RequestFields;

/** The request of `context build`. */
export const CONTEXT_BUILD_REQUEST = {
  messages: { type: 'list', of: { type: 'record' }, required: true, doc: 'the conversation, oldest first' },
  ...GATE_REQUEST,
  about: { type: 'text', isNeverEmpty: true, doc: 'the task, automation or skill of a forced trigger' },
  withCore: { type: 'boolean', doc: 'put the core file first' },
} as const satisfies RequestFields;

export type ContextBuildRequest = Omit<RequestOf<typeof CONTEXT_BUILD_REQUEST>, 'messages'> & {
  /** The conversation, oldest message first. The user wrote the last message. */
  readonly messages: readonly ChatMessage[];
};

type UnchangedReason =
  | 'session_bypassed'
  | 'latest_not_user'
  | 'recall_disabled'
  | 'already_injected'
  | 'query_too_short'
  | 'nothing_found'
  | 'failed'
  | 'timed_out';

/** The output of `context build --json`. */
export const BUILT_CONTEXT = {
  injected: flag(),
  /** The conversation, with the block before the text of its last message if something was injected. */
  messages: list<ChatMessage>(),
  /** The text that was injected, in its envelope; `''` if nothing was injected. */
  block: text(),
  sections: object<Sections>(),
  /** The decision of the gate. `reason`: why the gate decided so, or why the conversation is unchanged. */
  gate: object<Omit<GateDecision, 'reason'> & { readonly reason: GateReason | UnchangedReason }>(),
  warnings: list(),
  /** Duration in ms. */
  timings: object<{ readonly total: number }>(),
} satisfies ReportFields;

export type BuiltContext = ReportOf<typeof BUILT_CONTEXT>;

/**
 * How similar in meaning a page, or one line of it, is to the query. For example, 3 means: three standard deviations above
 * the mean similarity of all texts.
 */
type Meaning = (path: string, line?: number) => number;

/** The tools with which {@link buildContextBlock} finds memories: the settings, the clock, the core file and the index. */
export interface MemoryAccess {
  readonly settings: Settings;
  readonly clock: Clock;
  /** Reads the core file. Called only if the block should contain it. */
  readonly core: () => Promise<string>;
  /** Opens the index and calls `use` with it, and with a function that recalls the first `k` results for the query. */
  readonly read: <T>(
    query: string,
    use: (
      search: IndexSearch,
      recall: (k: number) => Promise<RecallAnswer>,
      meaning: Meaning | undefined,
    ) => Promise<T>,
  ) => Promise<T>;
}

/** Maximum size of the core file in a block, in characters. */
const LONGEST_CORE = 4_000;
/** Minimum length of a query, in characters. */
const LEAST_QUERY = 5;

/**
 * Decides which memories an agent should see before it answers, finds them, and puts them before the last message. After any
 * failure it returns the unchanged conversation with a warning, because an agent waits for it.
 */
export async function buildContextBlock(request: ContextBuildRequest, tools: MemoryAccess): Promise<BuiltContext> {
  const begun = performance.now();
  const limit = tools.settings.autoRecall.timeoutMs;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    const warning = `recall found no memories within ${limit} ms`;
    timer = setTimeout(() => resolve({ ...NOTHING, reason: 'timed_out', warnings: [warning] }), limit);
  });
  const gate = gateOf(request, tools.settings);
  const found = find(request, tools, gate).catch((error: unknown): Outcome => {
    const why = error instanceof Error ? error.message : String(error);
    return { ...NOTHING, reason: 'failed', warnings: [`recall failed, so there are no memories: ${why}`] };
  });
  const outcome = await Promise.race([found, late]);
  clearTimeout(timer);
  return built(request.messages, gate, outcome, Math.round(performance.now() - begun));
}

/** The unchanged conversation, if no workspace can be read. */
export function makeUnchangedContext(messages: readonly ChatMessage[], why: string): BuiltContext {
  return built(
    messages,
    undefined,
    { ...NOTHING, reason: 'failed', warnings: [`recall failed, so there are no memories: ${why}`] },
    0,
  );
}

function built(
  messages: readonly ChatMessage[],
  gate: GateDecision | undefined,
  { block, reason, warnings, ...sections }: Outcome,
  total: number,
): BuiltContext {
  const skipped = reason === 'nothing_found' && gate?.decision === 'skip' ? gate.reason : undefined;
  return {
    injected: block !== '',
    messages: block === '' ? messages : withBlock(messages, block),
    block,
    sections,
    gate: { ...(gate ?? NOT_ASKED), reason: skipped ?? reason ?? gate?.reason ?? 'recall_disabled' },
    warnings,
    timings: { total },
  };
}

interface Outcome extends Sections, Pick<BuiltContext, 'block' | 'warnings'> {
  /** The reason why no block was added to the conversation. */
  readonly reason?: UnchangedReason;
}

type Sections = { readonly experiences: readonly FoundExperience[]; readonly longTerm: readonly BlockMemory[] };

const NOTHING: Outcome = { block: '', experiences: [], longTerm: [], warnings: [] };
const NOT_ASKED: Omit<GateDecision, 'reason'> = { decision: 'skip', score: 0, trigger: null, groups: [] };

/**
 * Asks the gate whether the request needs lessons of earlier tasks. Undefined if experience is switched off, or the last
 * message is not the user's.
 */
function gateOf(
  request: ContextBuildRequest,
  { agentExperience, bypassSessionPatterns }: Settings,
): GateDecision | undefined {
  const last = request.messages.at(-1);
  if (!agentExperience.enabled || (last !== undefined && last.role !== 'user')) return undefined;
  const { minQueryChars } = agentExperience;
  return decideExperienceRecall({
    text: taskOf(request),
    sessionKey: request.sessionKey,
    isCron: request.cron,
    trigger: request.trigger,
    isBypassed: request.bypass === true || matchesSessionKeyPattern(request.sessionKey, bypassSessionPatterns),
    // A minimum length from the settings always applies. With the default length, short plain orders such as `fix it` pass.
    minQueryChars: minQueryChars === DEFAULT_SETTINGS.agentExperience.minQueryChars ? undefined : minQueryChars,
  });
}

/**
 * The text to search for: the request of the last message. If the trigger forces a recall, the text `about` comes before it.
 */
function taskOf({ messages, about = '', ...asks }: ContextBuildRequest): string {
  return [findGateTrigger({ ...asks, isCron: asks.cron }) === 'task_start' ? '' : about, currentRequest(messages)]
    .filter((text) => text.trim() !== '')
    .join('\n');
}

async function find(
  request: ContextBuildRequest,
  tools: MemoryAccess,
  gate: GateDecision | undefined,
): Promise<Outcome> {
  const { messages, sessionKey } = request;
  const { agentExperience, autoRecall, bypassSessionPatterns } = tools.settings;
  const unchanged = (reason: UnchangedReason): Outcome => ({ ...NOTHING, reason });
  if (request.bypass === true || matchesSessionKeyPattern(sessionKey, bypassSessionPatterns))
    return unchanged('session_bypassed');
  const last = messages.at(-1);
  if (last !== undefined && last.role !== 'user') return unchanged('latest_not_user');
  if (!agentExperience.enabled && !autoRecall.enabled) return unchanged('recall_disabled');
  if (last !== undefined && hasInjectedBlock(chatMessageText(last))) return unchanged('already_injected');
  const { query, truncated } = prepareQuery(taskOf(request));
  if (query.length < LEAST_QUERY) return unchanged('query_too_short');
  const warnings = truncated ? ['recall used only 4,000 characters of the message'] : [];
  const core = request.withCore === true ? coreSection(await tools.core(), LONGEST_CORE, ({ length }) => length) : '';
  return tools.read(query, async (search, recall, meaning) => {
    const relevance = await createRelevanceScorer(search, tools.clock, query);
    const nearness = (path: string, line?: number) => meaning?.(path, line) ?? 0;
    const score: QueryScoreFunction = (fields, path, line) =>
      Math.max(calibrated(relevance(fields)), meant(nearness(path, line)));
    const lesson: QueryScoreFunction = (fields, path) => together(calibrated(relevance(fields)), nearness(path));
    const forLessons = maxBlockChars(tools.settings) - core.length;
    const maxInjectedChars = Math.min(agentExperience.maxInjectedChars, forLessons);
    const experience =
      gate?.decision === 'recall'
        ? experienceSection(search, lesson, { ...agentExperience, maxInjectedChars })
        : EMPTY_BLOCK_SECTION;
    const room = forLessons - experience.text.length;
    const isAsked = autoRecall.enabled && !asksNothing(taskOf(request));
    const { picked, said } = isAsked ? await memoriesOf(recall, score, tools) : NO_MEMORIES;
    const longTerm = longTermSection(picked, autoRecall.recallLimit, Math.min(autoRecall.maxInjectedChars, room));
    const block = envelope([core, experience.text, longTerm.text]);
    const outcome = block === '' ? unchanged('nothing_found') : { ...NOTHING, block };
    return { ...outcome, experiences: experience.items, longTerm: longTerm.items, warnings: [...warnings, ...said] };
  });
}

type Picked = { readonly picked: readonly BlockMemory[]; readonly said: readonly string[] };
const NO_MEMORIES: Picked = { picked: [], said: [] };
/** Minimum number of results that the first attempt examines. */
const FIRST = 10;
/** If fewer results than this are worth injecting, a second attempt examines `WIDER` times as many results. */
const FEW = 3;
const WIDER = 4;

/** The memories that are worth injecting, and the warnings of the recall. */
async function memoriesOf(
  recall: (k: number) => Promise<RecallAnswer>,
  score: QueryScoreFunction,
  { settings: { autoRecall }, clock }: MemoryAccess,
): Promise<Picked> {
  const { recallLimit, scoreThreshold: threshold } = autoRecall;
  const pick = (results: RecallAnswer['results']) =>
    pickMemories(
      results.filter(
        ({ conflictCopy, sourceAway, path }) =>
          conflictCopy !== true && sourceAway !== true && !HOST_PAGES.includes(path),
      ),
      score,
      threshold,
      today(clock),
    );
  const k = Math.max(FIRST, recallLimit);
  const { results, warnings } = await recall(WIDER * k);
  const picked = pick(results.filter((result, place) => place < k || isRule(result)));
  return { picked: picked.length < Math.min(FEW, recallLimit) ? pick(results) : picked, said: warnings };
}

/**
 * `share`: a page that has at least this share of the words of a task is relevant. `score`: the score that
 * {@link calibrated} gives to this share. It is also the default minimum score for showing an experience.
 */
const ABOUT = { share: 0.16, score: 0.35 };

/**
 * Maps the share of a task's words that a page has to a score. We measured pairs of a task and a page. These pairs score
 * above 0.35: 9 in 10 pairs that fit and share technical words, 6 in 10 pairs that fit but share no technical words, and 1
 * in 30 pairs that do not fit.
 */
function calibrated(share: number): number {
  const { share: from, score } = ABOUT;
  // Below `from` the score falls quickly: one shared name does not show that a page fits a task.
  const value = share < from ? score * (share / from) ** 2 : score + ((share - from) * (1 - score)) / (1 - from);
  return Math.round(value * 1_000) / 1_000;
}

/**
 * Minimum similarity of a page, in standard deviations above the mean of all texts. A page below this may be similar to the
 * query only by chance.
 */
const LEAST_MEANT = 3;
/**
 * A page that is this many standard deviations above the mean of all texts gets the maximum score. At the threshold of
 * 0.35, which is 3.5 deviations, we measured: 9 in 10 pages that fit a task pass, and 1 in 100 other pages.
 */
const MOST_MEANT = 10;

/** Maps standard deviations to a score on the scale of {@link calibrated}. */
function meant(deviations: number): number {
  return deviations < LEAST_MEANT ? 0 : Math.round(Math.min(1, deviations / MOST_MEANT) * 1_000) / 1_000;
}

/** If the score by words is at least this, it is the whole score. The similarity in meaning is then not added. */
const SURE_WORDS = 0.55;

/**
 * The score of a lesson for a task, from its score by words and its similarity in meaning. Meaning also finds synonyms. We
 * measured pairs of a task and a page: 9 in 10 pairs that fit score above 0.35, and 1 in 40 pairs that do not fit.
 */
function together(words: number, deviations: number): number {
  // 0 deviations mean that there are no vectors, or that the model does not know the language. Then only words count.
  if (deviations === 0 || words >= SURE_WORDS) return words;
  return Math.round(Math.min(1, 0.25 * words + 0.12 * deviations) * 1_000) / 1_000;
}

function withBlock(messages: readonly ChatMessage[], block: string): readonly ChatMessage[] {
  const last = messages.at(-1);
  if (last === undefined) return [{ role: 'user', content: block }];
  return [...messages.slice(0, -1), { ...last, content: prependBlock(last.content, block) }];
}
