import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { memoize } from '../base/cache.js';
import { valueOrThrow } from '../base/failure.js';
import { checkRequest, readRequest, readTypedRequest } from '../base/request.js';
import type { PromptForm } from '../model/answer.js';
import { timeoutSignal } from '../model/call.js';
import type { ChatTask } from '../model/levels.js';
import type { CommitReport, CompactionEvent } from '../session/commit.js';
import type { ExtractMemories, FinishServices } from '../session/finish.js';
import type { FlushEvent, FlushPart, FlushServices } from '../session/flush.js';
import type { FlushDecisionInput, FlushSettings } from '../session/flush-decision.js';
import * as requests from '../session/requests.js';
import type { SessionWorkspace } from '../session/session.js';
import type { Settings } from '../workspace/settings.js';
import { readTemplate } from '../workspace/templates.js';
import type { WorkspaceParts } from './open.js';
import { retainFacts } from './writing.js';

/** `session brief --json` */
interface SessionBrief {
  readonly session: string;
  /** '' where there is nothing to say. */
  readonly block: string;
}

/** The sessions of a workspace and what can be done with them. Those that name an unknown session throw `not_found`. */
export class Sessions {
  private readonly place: SessionWorkspace;
  private readonly settings: Settings;

  constructor(private readonly parts: WorkspaceParts) {
    this.place = parts.context;
    this.settings = parts.settings;
  }

  /** Opens the model once for each task. */
  private readonly model = memoize(async (task: ChatTask) => (await import('./chat.js')).chatModelOf(this.parts, task));

  /**
   * Appends messages; makes the session when there is none, and returns when they are on disk.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const message = { role: 'user', parts: [{ type: 'text', text: 'hello' }], timestamp: null } as const;
   * const { added } = await sessions.add('new-chat', { messages: [message], idempotencyKey: 'turn-1' });
   * added.length; // => 1
   */
  async add(id: string, given: requests.AddRequest) {
    const request = readTypedRequest('session add', requests.SESSION_ADD_REQUEST, given);
    const { addMessages } = await import('../session/add.js');
    return addMessages(this.place, id, request);
  }

  /**
   * @example
   * const { live_messages } = await sessions.status('chat');
   * live_messages; // => 3
   */
  async status(id: string) {
    const { sessionStatus } = await import('../session/session.js');
    return sessionStatus(this.place.root, id, this.place.clock.now());
  }

  /**
   * What to give a model for the next turn, within a budget of tokens.
   * @example
   * const { messages } = await sessions.context('chat', 8_000);
   * messages.at(-1)?.role; // => 'user'
   */
  async context(id: string, tokens: number) {
    const given = { session: id, budget: tokens };
    const { budget } = readTypedRequest('session context', requests.SESSION_CONTEXT_REQUEST, given);
    const { buildSessionContext } = await import('../session/context.js');
    return buildSessionContext(this.place.root, id, budget);
  }

  /**
   * What an agent gets that goes on with a session: its Working Memory as of now and the core file, as a block to inject.
   * @example
   * const { block } = await sessions.brief('chat');
   * block.startsWith('<openviking-context>'); // => true
   */
  async brief(id: string, given: requests.BriefOptions = {}): Promise<SessionBrief> {
    const options = readTypedRequest('session brief', requests.SESSION_BRIEF_REQUEST, given);
    checkRequest('session brief', requests.SESSION_FIELDS, { session: id });
    const { Session } = await import('../session/session.js');
    const { makeCompactedSessionBlock, sessionStartBlock } = await import('../context/session-start.js');
    const { root, clock, signal } = this.place;
    const { budget, compacted } = options;
    if (compacted === true) return { session: id, block: makeCompactedSessionBlock(root, id, budget) };
    Session.open(root, id);
    return { session: id, block: await sessionStartBlock(root, 'resume', { session: id, budget, clock, signal }) };
  }

  /**
   * An archive with its messages.
   * @example
   * const { archive } = await sessions.commit('chat', { keepRecent: 0, defer: true });
   * const { messages } = await sessions.expand('chat', archive ?? '');
   * messages.length; // => 3
   */
  async expand(id: string, archive: string) {
    checkRequest('session expand', requests.SESSION_EXPAND_REQUEST, { session: id, archive });
    const { expandArchive } = await import('../session/expand.js');
    return expandArchive(this.place.root, id, archive);
  }

  /**
   * What the guards of the Working Memory let go, with the reasons.
   * @example
   * const removed = await sessions.removed('chat');
   * removed; // => []
   */
  async removed(id: string) {
    const { removedItems } = await import('../session/expand.js');
    return removedItems(this.place.root, id);
  }

  /**
   * Saves memories of everything since the last flush, once a compaction cycle, in as many parts as the model's window
   * takes; without a model by rules. What goes wrong is in the report.
   * @example
   * const { status } = await sessions.flush('chat');
   * status === 'failed'; // => false
   */
  async flush(id: string, emit: (event: FlushEvent) => void = () => {}, given: requests.FlushOptions = {}) {
    checkRequest('flush run', requests.EVENT_FUNCTION_FIELD, { emit });
    const options = readTypedRequest('flush run', requests.FLUSH_REQUEST, given);
    const { runFlush } = await import('../session/flush.js');
    return runFlush(this.place, id, () => this.model('facts'), this.flushTools(), emit, options);
  }

  /**
   * The same turn for the calling agent's own model: its prompt and the schema of its answer, for the oldest part of what
   * nobody has read yet.
   * @example
   * const { user, schema } = await sessions.flushPrompt('chat');
   * user.includes('port 6380'); // => true
   */
  async flushPrompt(id: string): Promise<FlushPart & PromptForm> {
    const { toPromptForm } = await import('../model/answer.js');
    const { question, part } = await this.flushQuestion(id);
    return { ...part, ...toPromptForm(question) };
  }

  /**
   * Writes what the calling agent's model answered; `[SILENT]` saves nothing. Where there are several parts, it is told
   * which one by `until`.
   * @throws MemoryError `invalid_answer`, `conflict`, `busy`, `interrupted`
   * @example
   * const { status } = await sessions.flushApply('chat', '[SILENT]');
   * status; // => 'silent'
   */
  async flushApply(id: string, text: string, given: requests.FlushApplyOptions = {}) {
    checkRequest('flush apply', ANSWER_FIELDS, { session: id, answer: text });
    const options = readTypedRequest('flush apply', requests.FLUSH_APPLY_REQUEST, given);
    const { checkAnswer } = await import('../model/answer.js');
    const { applyFlushAnswer, isPlainTextAnswer } = await import('../session/flush.js');
    if (isPlainTextAnswer(text))
      return applyFlushAnswer(this.place, id, { calls: [], text }, this.flushTools(), options.until);
    const answer = valueOrThrow(await checkAnswer((await this.flushQuestion(id)).question, text));
    return applyFlushAnswer(this.place, id, answer, this.flushTools(), options.until);
  }

  /**
   * Whether memories of a session should be saved now; what is not given is what is known of the session.
   * @example
   * const { shouldFlush, reason } = await sessions.flushCheck('chat', { tokens: 7_000, contextWindow: 8_192 });
   * shouldFlush; // => true
   */
  async flushCheck(id: string, given: FlushDecisionInput) {
    const question = readTypedRequest('flush check', requests.FLUSH_CHECK_REQUEST, given);
    const { decideSessionFlush } = await import('../session/flush-decision.js');
    return decideSessionFlush(this.place.root, id, this.flushSettings, question);
  }

  private async flushQuestion(id: string) {
    const { toolCallsQuestion } = await import('../model/ask.js');
    const { makeAgentFlushTurn } = await import('../session/flush.js');
    const { turn, part } = makeAgentFlushTurn(this.place, id, this.flushTools().prompts);
    return { question: toolCallsQuestion(turn), part };
  }

  private flushTools(): FlushServices {
    const prompts = { template: readTemplate('prompts/flush.md'), ...this.settings.memoryFlush };
    // Facts that the log of another day says already are not written again.
    const retain: FlushServices['retain'] = (facts, day) =>
      retainFacts(this.parts, { facts, file: `memory/${day}.md`, isOnceInAllLogs: true, elsewhere: true });
    return { ...this.flushSettings, retain, prompts };
  }

  private get flushSettings(): FlushSettings {
    const { enableMemoryFlush: enabled, memoryFlushSoftTokens: soft, contextWindow: window } = this.settings;
    return { enabled, soft, window };
  }

  /**
   * Messages by what they say, live and archived, the newest first.
   * @example
   * const { matches } = await sessions.search('chat', 'port 6380');
   * matches.length; // => 1
   */
  async search(id: string, query: string, given: requests.SearchOptions = {}) {
    checkRequest('session search', requests.SESSION_SEARCH_REQUEST, { session: id, query });
    const options = readRequest('session search', requests.SEARCH_OPTIONS, given);
    const { searchSession } = await import('../session/search.js');
    return searchSession(this.place.root, id, query, options);
  }

  /**
   * The same in all sessions, the last updated first.
   * @example
   * const { matches } = await sessions.searchAll('port 6380');
   * matches[0]?.session; // => 'chat'
   */
  async searchAll(query: string, given: requests.SearchOptions = {}) {
    const { query: field } = requests.SESSION_SEARCH_REQUEST;
    checkRequest('session search', { query: field }, { query });
    const options = readRequest('session search', requests.SEARCH_OPTIONS, given);
    const { searchAllSessions } = await import('../session/search.js');
    return searchAllSessions(this.place.root, this.place.clock.now(), query, options);
  }

  /**
   * The live messages: those that are not archived.
   * @example
   * const messages = await sessions.live('chat');
   * messages.map(({ role }) => role); // => ['user', 'assistant', 'user']
   */
  async live(id: string) {
    const { liveMessages } = await import('../session/expand.js');
    return liveMessages(this.place.root, id);
  }

  /**
   * Adds what is new in a transcript of a known client; again and again, nothing is added twice.
   * @throws MemoryError `usage` for what is no transcript, `busy`, `interrupted`
   * @example
   * const line = JSON.stringify({ role: 'user', content: 'hello' });
   * const { added } = await sessions.importTranscript(`${line}\n`, 'imported');
   * added; // => 1
   */
  async importTranscript(text: string, session?: string) {
    checkRequest('session import', requests.SESSION_IMPORT_REQUEST, { text, session });
    const { importTranscript } = await import('../session/import.js');
    return importTranscript(this.place, text, session);
  }

  /**
   * The same for the sessions of an OpenClaw SQLite store, or one of them by the host's key. The store is only read.
   * @throws MemoryError `usage` when there is no such session in it, `busy`, `interrupted`
   * @example
   * const none = await sessions.importStore('no-such.sqlite').catch((error) => error.message);
   * typeof none; // => 'string'
   */
  async importStore(path: string, given: requests.StoreOptions = {}) {
    checkRequest('session import', requests.STORE_FIELDS, { path });
    const options = readTypedRequest('session import', requests.IMPORT_STORE_REQUEST, given);
    const { importStore } = await import('../session/import.js');
    return importStore(this.place, path, options);
  }

  /**
   * Every session.
   * @example
   * const [first] = await sessions.list();
   * first?.session; // => 'chat'
   */
  async list() {
    const { listSessions } = await import('../session/session.js');
    return listSessions(this.place.root, this.place.clock.now());
  }

  /** Pending tokens from which a session is due for a commit. */
  get commitThreshold(): number {
    return (
      this.settings.commitTokenThreshold ??
      Math.floor((this.settings.contextWindow ?? requests.DEFAULT_WINDOW_TOKENS) / 2)
    );
  }

  /**
   * Archives the older messages and finishes what waits.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const { archived, live_messages } = await sessions.commit('chat', { keepRecent: 1 });
   * [archived, live_messages]; // => [2, 1]
   */
  async commit(id: string, given: requests.CommitOptions = {}): Promise<CommitReport> {
    const options = readTypedRequest('session commit', requests.SESSION_COMMIT_REQUEST, given);
    const { keepRecent, threshold, defer, maxWait } = options;
    const { commitSession } = await import('../session/commit.js');
    const keep = keepRecent ?? this.settings.commitKeepRecentCount;
    const pending = threshold === true ? this.commitThreshold : threshold === false ? undefined : threshold;
    const request = { keep, threshold: pending, defer };
    const tools = this.finishTools(maxWait ?? requests.MAX_MODEL_SECONDS);
    const report = await commitSession(this.place, id, request, tools);
    return { ...report, warnings: [...report.warnings, ...(await this.brokenTypes(report.warnings))] };
  }

  /**
   * Archives everything, and waits until it is finished.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const events: string[] = [];
   * const { archived } = await sessions.compact('chat', {}, ({ type }) => events.push(type));
   * archived; // => 3
   */
  async compact(id: string, given: requests.CompactRequest = {}, emit: (event: CompactionEvent) => void = () => {}) {
    checkRequest('session compact', requests.EVENT_FUNCTION_FIELD, { emit });
    const request = readTypedRequest('session compact', requests.SESSION_COMPACT_REQUEST, given);
    const { compactSession } = await import('../session/commit.js');
    const tools = { settings: this.flushSettings, flush: () => this.flush(id, emit) };
    const finishing = { ...this.finishTools(requests.MAX_MODEL_SECONDS), ...tools };
    return compactSession(this.place, id, request, finishing, emit);
  }

  /**
   * Finishes or repairs what a crash left.
   * @throws MemoryError `busy`, `interrupted`
   * @example
   * const { finished } = await sessions.resume('chat');
   * finished; // => []
   */
  async resume(id: string, given: requests.ResumeOptions = {}) {
    const { maxWait } = readTypedRequest('session resume', requests.SESSION_RESUME_REQUEST, given);
    const { resumeSession } = await import('../session/commit.js');
    return resumeSession(this.place, id, this.finishTools(maxWait));
  }

  /**
   * The Working Memory of a session.
   * @example
   * await sessions.commit('chat', { keepRecent: 0 });
   * const { document } = await sessions.workingMemory('chat');
   * document?.startsWith('#'); // => true
   */
  async workingMemory(id: string) {
    const { showWorkingMemory } = await import('../session/working-memory.js');
    return showWorkingMemory(this.place.root, id);
  }

  /**
   * The prompt for the oldest archive that waits, or for a part of it, for the calling agent's own model.
   * @throws MemoryError `not_found` when none waits
   * @example
   * await sessions.commit('chat', { keepRecent: 0, defer: true });
   * const { archive } = await sessions.wmPrompt('chat');
   * archive; // => 'archive_001'
   */
  async wmPrompt(id: string, given: requests.WmPromptOptions = {}) {
    const options = readTypedRequest('wm prompt', requests.WM_PROMPT_REQUEST, given);
    const { sessionWmPrompt } = await import('../session/working-memory.js');
    return sessionWmPrompt(this.place.root, id, { templates: templates() }, options);
  }

  /**
   * Takes what the calling agent's model answered for the oldest archive that waits, or for a part of it; the last part
   * finishes it.
   * @param text the operations, or the whole answer that has them
   * @throws MemoryError `invalid_answer`, `conflict`, `busy`, `interrupted`
   * @example
   * await sessions.commit('chat', { keepRecent: 0, defer: true });
   * const section = { op: 'UPDATE', content: '- The cache listens on port 6380.' };
   * const { finished } = await sessions.wmApply('chat', JSON.stringify({ sections: { 'Key Facts & Decisions': section } }));
   * finished.length; // => 1
   */
  async wmApply(id: string, text: string, given: requests.WmApplyOptions = {}) {
    checkRequest('wm apply', ANSWER_FIELDS, { session: id, answer: text });
    const options = readTypedRequest('wm apply', requests.WM_APPLY_REQUEST, given);
    const { parseOperations } = await import('../wm/operations.js');
    const { applyWorkingMemory } = await import('../session/working-memory.js');
    const { operations, recovered } = valueOrThrow(parseOperations(text));
    const said = /(?<!\\)"part"\s*:\s*(\d+)/.exec(text)?.[1];
    const part = options.part ?? (said === undefined ? undefined : Number(said));
    const report = await applyWorkingMemory(this.place, id, operations, this.finishTools(), { ...options, part });
    return recovered ? { ...report, warnings: [RECOVERED, ...report.warnings] } : report;
  }

  /** Why nothing is extracted, also where no model is there to try. @param said warned of already */
  private async brokenTypes(said: readonly string[]): Promise<readonly string[]> {
    if (!this.settings.extractOnCommit || !existsSync(join(this.place.root, 'bank', 'types'))) return [];
    const { MemoryTypes } = await import('../extract/types.js');
    const broken = MemoryTypes.broken(this.place.root).map(({ message }) => message);
    return broken
      .filter((one) => !said.some((warning) => warning.includes(one)))
      .map((one) => `nothing was extracted: ${one}`);
  }

  /** @param seconds how long the model has, if there is somebody who waits */
  private finishTools(seconds?: number): FinishServices {
    const extract: ExtractMemories = async (input) =>
      new (await import('./extraction.js')).Extraction(this.parts).ofArchive(input);
    const limit = seconds === undefined ? undefined : timeoutSignal(Math.ceil(seconds * 1_000));
    return { templates: templates(), model: this.model, ...(this.settings.extractOnCommit && { extract }), limit };
  }
}

const ANSWER_FIELDS = { ...requests.SESSION_FIELDS, ...requests.AGENT_ANSWER_FIELD };
const RECOVERED = 'the operations are not valid JSON; only the readable part was used';

function templates(): FinishServices['templates'] {
  return { update: readTemplate('prompts/wm-update.md'), create: readTemplate('prompts/wm-create.md') };
}
