import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryError } from '../base/failure.js';
import { checkRequest } from '../base/request.js';
import { orThrow, type Result } from '../base/result.js';
import type { ToolModel } from '../model/model.js';
import type { RetainReport } from '../retain/retain.js';
import type { CompactionEvent } from '../session/compact.js';
import type { Extract, FinishTools } from '../session/finish.js';
import type { FlushEvent, FlushTools } from '../session/flush.js';
import type { FlushQuestion, FlushSettings } from '../session/flush-decision.js';
import type { SessionPlace } from '../session/place.js';
import {
  ADD,
  type AddRequest,
  ANSWER,
  BRIEF,
  type BriefOptions,
  COMMIT,
  COMPACT,
  CONTEXT,
  CONTEXT_WINDOW,
  type CommitOptions,
  type CompactRequest,
  EVENTS,
  EXPAND,
  FLUSH,
  FLUSH_APPLY,
  FLUSH_CHECK,
  type FlushApplyOptions,
  type FlushOptions,
  IMPORT,
  IMPORT_STORE,
  MODEL_SECONDS,
  SEARCH,
  SEARCH_OPTIONS,
  SESSION,
  type SearchOptions,
  STORE,
  type StoreOptions,
  WM_APPLY,
  WM_PROMPT,
  type WmApplyOptions,
  type WmPromptOptions,
} from '../session/requests.js';
import type { Settings } from '../workspace/settings.js';
import { readTemplate } from '../workspace/templates.js';
import type { Sessions } from './api/sessions.js';

/** What the verbs of a session may use beside the workspace. Asked for when it is needed. */
export interface SessionTools {
  /** The chat model, or why there is none. */
  readonly model: () => Promise<Result<ToolModel>>;
  /** Appends facts to the log of the day. */
  readonly retain: (facts: readonly string[]) => Promise<RetainReport>;
  /** The extraction of long-term memories, undefined when there is none. */
  readonly extract?: Extract | undefined;
}

/** The sessions of a workspace and what can be done with them. */
export class LocalSessions implements Sessions {
  constructor(
    private readonly place: SessionPlace,
    private readonly settings: Settings,
    private readonly tools: SessionTools,
  ) {}

  private opened: ReturnType<SessionTools['model']> | undefined;
  /** Asked for once, whatever needs it. */
  private readonly model = () => (this.opened ??= this.tools.model());

  async add(id: string, request: AddRequest) {
    checkRequest('session add', ADD, request);
    const { addMessages } = await import('../session/add.js');
    return addMessages(this.place, id, request);
  }

  async status(id: string) {
    const { sessionStatus } = await import('../session/session.js');
    return sessionStatus(this.place.root, id, this.place.clock.now());
  }

  async context(id: string, budget: number) {
    checkRequest('session context', CONTEXT, { session: id, budget });
    const { buildContext } = await import('../session/context.js');
    return buildContext(this.place.root, id, budget);
  }

  async brief(id: string, options: BriefOptions = {}) {
    checkRequest('session brief', { ...SESSION, ...BRIEF }, { session: id, ...options });
    const { Session } = await import('../session/session.js');
    const { compactedBlock, handOver } = await import('../context/hand-over.js');
    const { root, signal } = this.place;
    const { budget, compacted } = options;
    if (compacted === true) return { session: id, block: compactedBlock(root, id, budget) };
    Session.open(root, id);
    return { session: id, block: await handOver(root, 'resume', { session: id, budget, signal }) };
  }

  async expand(id: string, archive: string) {
    checkRequest('session expand', EXPAND, { session: id, archive });
    const { expandArchive } = await import('../session/expand.js');
    return expandArchive(this.place.root, id, archive);
  }

  async removed(id: string) {
    const { removedItems } = await import('../session/expand.js');
    return removedItems(this.place.root, id);
  }

  async flush(id: string, emit: (event: FlushEvent) => void = () => {}, options: FlushOptions = {}) {
    checkRequest('flush run', EVENTS, { emit });
    checkRequest('flush run', FLUSH, options);
    const { runFlush } = await import('../session/flush.js');
    return runFlush(this.place, id, this.model, this.flushTools(), emit, options);
  }

  async flushPrompt(id: string) {
    const { promptForm } = await import('../model/answer.js');
    const { question, part } = await this.flushQuestion(id);
    return { ...part, ...promptForm(question) };
  }

  async flushApply(id: string, text: string, options: FlushApplyOptions = {}) {
    checkRequest('flush apply', { ...SESSION, ...ANSWER }, { session: id, answer: text });
    checkRequest('flush apply', FLUSH_APPLY, options);
    const [{ applyAnswer }, { applyFlush, isInWords }] = await Promise.all([
      import('../model/answer.js'),
      import('../session/flush-by-agent.js'),
    ]);
    if (isInWords(text)) return applyFlush(this.place, id, { calls: [], text }, this.flushTools(), options.until);
    const answer = await applyAnswer((await this.flushQuestion(id)).question, text);
    if (!answer.ok) throw new MemoryError(answer.error);
    return applyFlush(this.place, id, answer.value, this.flushTools(), options.until);
  }

  async flushCheck(id: string, question: FlushQuestion) {
    checkRequest('flush check', FLUSH_CHECK, question);
    const { checkFlush } = await import('../session/flush-decision.js');
    return checkFlush(this.place.root, id, this.flushSettings, question);
  }

  private async flushQuestion(id: string) {
    const [{ callsQuestion }, { flushTurn }] = await Promise.all([
      import('../model/tools.js'),
      import('../session/flush-by-agent.js'),
    ]);
    const { turn, part } = flushTurn(this.place, id, this.flushTools().prompts);
    return { question: callsQuestion(turn), part };
  }

  private flushTools(): FlushTools {
    const { enabled } = this.flushSettings;
    const prompts = { template: readTemplate('prompts/flush.md'), ...this.settings.memoryFlush };
    return { enabled, retain: this.tools.retain, prompts };
  }

  private get flushSettings(): FlushSettings {
    const { enableMemoryFlush: enabled, memoryFlushSoftTokens: soft, contextWindow: window } = this.settings;
    return { enabled, soft, window };
  }

  async search(id: string, query: string, options: SearchOptions = {}) {
    checkRequest('session search', SEARCH, { session: id, query });
    checkRequest('session search', SEARCH_OPTIONS, options);
    const { searchSession } = await import('../session/search.js');
    return searchSession(this.place.root, id, query, options);
  }

  async live(id: string) {
    const { liveMessages } = await import('../session/expand.js');
    return liveMessages(this.place.root, id);
  }

  async importTranscript(text: string, session?: string) {
    checkRequest('session import', IMPORT, { text, session });
    const { importTranscript } = await import('../session/import.js');
    return importTranscript(this.place, text, session);
  }

  /** The same for the sessions of an OpenClaw SQLite store, or one of them by the host's key. */
  async importStore(path: string, options: StoreOptions = {}) {
    checkRequest('session import', STORE, { path });
    checkRequest('session import', IMPORT_STORE, options);
    const { importStore } = await import('../session/import.js');
    return importStore(this.place, path, options);
  }

  async list() {
    const { listSessions } = await import('../session/session.js');
    return listSessions(this.place.root, this.place.clock.now());
  }

  get commitThreshold(): number {
    return this.settings.commitTokenThreshold ?? Math.floor((this.settings.contextWindow ?? CONTEXT_WINDOW) / 2);
  }

  async commit(id: string, options: CommitOptions = {}) {
    checkRequest('session commit', COMMIT, options);
    const { keepRecent, threshold, defer, maxWait } = options;
    const { commitSession } = await import('../session/commit.js');
    const request = {
      keep: keepRecent ?? this.settings.commitKeepRecentCount,
      threshold: threshold === true ? this.commitThreshold : threshold === false ? undefined : threshold,
      defer,
    };
    const report = await commitSession(this.place, id, request, this.finishTools(maxWait ?? MODEL_SECONDS));
    return { ...report, warnings: [...report.warnings, ...(await this.brokenTypes(report.warnings))] };
  }

  async compact(id: string, request: CompactRequest = {}, emit: (event: CompactionEvent) => void = () => {}) {
    checkRequest('session compact', EVENTS, { emit });
    checkRequest('session compact', COMPACT, request);
    const { compactSession } = await import('../session/compact.js');
    const tools = {
      ...this.finishTools(MODEL_SECONDS),
      settings: this.flushSettings,
      flush: () => this.flush(id, emit),
    };
    return compactSession(this.place, id, request, tools, emit);
  }

  async resume(id: string) {
    const { resumeSession } = await import('../session/commit.js');
    return resumeSession(this.place, id, this.finishTools());
  }

  async workingMemory(id: string) {
    const { showWorkingMemory } = await import('../session/working-memory.js');
    return showWorkingMemory(this.place.root, id);
  }

  async wmPrompt(id: string, options: WmPromptOptions = {}) {
    checkRequest('wm prompt', WM_PROMPT, options);
    const { sessionWmPrompt } = await import('../session/working-memory.js');
    return sessionWmPrompt(this.place.root, id, { templates: templates() }, options);
  }

  async wmApply(id: string, text: string, options: WmApplyOptions = {}) {
    checkRequest('wm apply', { ...SESSION, ...ANSWER }, { session: id, answer: text });
    checkRequest('wm apply', WM_APPLY, options);
    const [{ parseOperations }, { applyWorkingMemory }] = await Promise.all([
      import('../wm/operations.js'),
      import('../session/working-memory.js'),
    ]);
    const { operations, recovered } = orThrow(parseOperations(text));
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
      .map((one) => `nothing is extracted: ${one}`);
  }

  /** @param seconds how long the model has, if there is somebody who waits */
  private finishTools(seconds?: number): FinishTools {
    const extract = this.settings.extractOnCommit ? this.tools.extract : undefined;
    const limit = seconds === undefined ? undefined : AbortSignal.timeout(seconds * 1_000);
    return { templates: templates(), model: this.model, extract, limit };
  }
}

const RECOVERED = 'the operations are not valid JSON; what could be recovered was used';

function templates(): FinishTools['templates'] {
  return { update: readTemplate('prompts/wm-update.md'), create: readTemplate('prompts/wm-create.md') };
}
