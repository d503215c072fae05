import { MemoryError } from '../base/failure.js';
import { checkArguments, checkRequest } from '../base/request.js';
import type { Result } from '../base/result.js';
import type { ToolModel } from '../model/model.js';
import type { PromptForm } from '../model/question.js';
import type { RetainReport } from '../retain/retain.js';
import type { AddReport, AddRequest } from '../session/add.js';
import type { CommitReport, ResumeReport } from '../session/commit.js';
import type { CompactionEvent, CompactReport, CompactRequest } from '../session/compact.js';
import type { SessionContext } from '../session/context.js';
import type { ExpandedArchive, RemovedItem } from '../session/expand.js';
import type { Extract, FinishTools } from '../session/finish.js';
import type { FlushEvent, FlushReport, FlushTools } from '../session/flush.js';
import type { FlushSettings } from '../session/flush-check.js';
import type { FlushDecision, FlushQuestion } from '../session/flush-decision.js';
import type { ImportReport } from '../session/import.js';
import type { SessionMessage } from '../session/message.js';
import type { SessionPlace } from '../session/place.js';
import {
  ADD,
  ANSWER,
  COMMIT,
  COMPACT,
  CONTEXT,
  type CommitOptions,
  EXPAND,
  FLUSH_CHECK,
  IMPORT,
  SEARCH,
  WM_APPLY,
  WM_PROMPT,
  type WmApplyOptions,
  type WmPromptOptions,
} from '../session/requests.js';
import type { SessionMatches } from '../session/search.js';
import type { SessionStatus } from '../session/status.js';
import type { SessionWmPrompt, ShownWm } from '../session/working-memory.js';
import type { Operations } from '../wm/operations.js';
import type { Settings } from '../workspace/settings.js';
import { readTemplate } from '../workspace/templates.js';

/** What the verbs of a session may use beside the workspace. Asked for when it is needed. */
export interface SessionTools {
  /** The chat model, or why there is none. */
  readonly model: () => Promise<Result<ToolModel>>;
  /** Appends facts to the log of the day. */
  readonly retain: (facts: readonly string[]) => Promise<RetainReport>;
  /** The chat model's window as it is set, in tokens: known without asking for the model. */
  readonly window: number;
  /** The extraction of long-term memories, undefined when there is none. */
  readonly extract?: Extract | undefined;
}

/** The sessions of a workspace and what can be done with them. */
export class Sessions {
  constructor(
    private readonly place: SessionPlace,
    private readonly settings: Settings,
    private readonly tools: SessionTools,
  ) {}

  /** Appends messages; returns when they are on disk. */
  async add(id: string, request: AddRequest): Promise<AddReport> {
    checkRequest<AddRequest>('session add', ADD, request);
    const { addMessages } = await import('../session/add.js');
    return addMessages(this.place, id, request);
  }

  async status(id: string): Promise<SessionStatus> {
    const { sessionStatus } = await import('../session/status.js');
    return sessionStatus(this.place.root, id, this.place.clock.now());
  }

  /** What to give a model for the next turn, within a budget of tokens. */
  async context(id: string, budget: number): Promise<SessionContext> {
    checkArguments('session context', CONTEXT, { id, budget });
    const { buildContext } = await import('../session/context.js');
    return buildContext(this.place.root, id, budget);
  }

  /** An archive with its messages. */
  async expand(id: string, archive: string): Promise<ExpandedArchive> {
    checkArguments('session expand', EXPAND, { id, archive });
    const { expandArchive } = await import('../session/expand.js');
    return expandArchive(this.place.root, id, archive);
  }

  /** What the guards of the Working Memory let go, with the reasons. */
  async removed(id: string): Promise<readonly RemovedItem[]> {
    const { removedItems } = await import('../session/expand.js');
    return removedItems(this.place.root, id);
  }

  /** Saves memories in one turn of the model, once a compaction cycle. What goes wrong is in the report. */
  async flush(id: string, emit: (event: FlushEvent) => void = () => {}): Promise<FlushReport> {
    const { runFlush } = await import('../session/flush.js');
    return runFlush(this.place, id, this.tools.model, this.flushTools(), emit);
  }

  /** The same turn for the calling agent's own model. */
  async flushPrompt(id: string): Promise<PromptForm> {
    const { promptForm } = await import('../model/question.js');
    return promptForm(await this.flushQuestion(id));
  }

  /** Writes what the calling agent's model answered; `[SILENT]` saves nothing. @throws MemoryError `invalid_answer` */
  async flushApply(id: string, text: string): Promise<FlushReport> {
    checkArguments('flush apply', ANSWER, { id, text });
    const [{ applyAnswer }, { applyFlush, saysNothing }] = await Promise.all([
      import('../model/question.js'),
      import('../session/flush.js'),
    ]);
    if (saysNothing(text)) return applyFlush(this.place, id, [], this.flushTools());
    const answer = await applyAnswer(await this.flushQuestion(id), text);
    if (!answer.ok) throw new MemoryError(answer.error);
    return applyFlush(this.place, id, answer.value, this.flushTools());
  }

  /** Whether memories of a session should be saved now; what is not given is what is known of the session. */
  async flushCheck(id: string, question: FlushQuestion): Promise<FlushDecision> {
    checkRequest<FlushQuestion>('flush check', FLUSH_CHECK, question);
    const { checkFlush } = await import('../session/flush-check.js');
    return checkFlush(this.place.root, id, this.flushSettings, question);
  }

  private async flushQuestion(id: string) {
    const [{ callsQuestion }, { flushTurn }] = await Promise.all([
      import('../model/tools.js'),
      import('../session/flush.js'),
    ]);
    await this.status(id);
    return callsQuestion(flushTurn(this.place, id, readTemplate('prompts/flush.md')));
  }

  private flushTools(): FlushTools {
    const { enabled } = this.flushSettings;
    return { enabled, retain: this.tools.retain, template: readTemplate('prompts/flush.md') };
  }

  private get flushSettings(): FlushSettings {
    return { enabled: this.settings.enableMemoryFlush, soft: this.settings.memoryFlushSoftTokens };
  }

  /** Messages by what they say. */
  async search(id: string, query: string, archive?: string): Promise<SessionMatches> {
    checkArguments('session search', SEARCH, { id, query, archive });
    const { searchSession } = await import('../session/search.js');
    return searchSession(this.place.root, id, query, archive);
  }

  /** The live messages. */
  async live(id: string): Promise<readonly SessionMessage[]> {
    const { liveMessages } = await import('../session/expand.js');
    return liveMessages(this.place.root, id);
  }

  /** Adds what is new in a transcript; again and again, nothing is added twice. */
  async importTranscript(text: string, session?: string): Promise<ImportReport> {
    checkArguments('session import', IMPORT, { text, session });
    const { importTranscript } = await import('../session/import.js');
    return importTranscript(this.place, text, session);
  }

  async list(): Promise<readonly SessionStatus[]> {
    const { listSessions } = await import('../session/status.js');
    return listSessions(this.place.root, this.place.clock.now());
  }

  /** Pending tokens from which a session is due for a commit. */
  get commitThreshold(): number {
    return this.settings.commitTokenThreshold ?? Math.floor(this.tools.window / 2);
  }

  /** Archives the older messages and finishes what waits. */
  async commit(id: string, options: CommitOptions = {}): Promise<CommitReport> {
    checkRequest<CommitOptions>('session commit', COMMIT, options);
    const { keep, threshold, phase1Only } = options;
    const { commitSession } = await import('../session/commit.js');
    const request = {
      keep: keep ?? this.settings.commitKeepRecentCount,
      threshold: threshold === true ? this.commitThreshold : threshold,
      phase1Only,
    };
    return commitSession(this.place, id, request, this.finishTools());
  }

  /** Archives everything, and waits. */
  async compact(
    id: string,
    request: CompactRequest = {},
    emit: (event: CompactionEvent) => void = () => {},
  ): Promise<CompactReport> {
    checkRequest<CompactRequest>('session compact', COMPACT, request);
    const { compactSession } = await import('../session/compact.js');
    const tools = { ...this.finishTools(), settings: this.flushSettings, flush: () => this.flush(id, emit) };
    return compactSession(this.place, id, request, tools, emit);
  }

  /** Finishes or repairs what a crash left. */
  async resume(id: string): Promise<ResumeReport> {
    const { resumeSession } = await import('../session/commit.js');
    return resumeSession(this.place, id, this.finishTools());
  }

  /** The Working Memory of a session. */
  async workingMemory(id: string): Promise<ShownWm> {
    const { showWorkingMemory } = await import('../session/working-memory.js');
    return showWorkingMemory(this.place.root, id);
  }

  /** The prompt for the oldest archive that waits, or for a part of it. */
  async wmPrompt(id: string, options: WmPromptOptions = {}): Promise<SessionWmPrompt> {
    checkRequest<WmPromptOptions>('wm prompt', WM_PROMPT, options);
    const { sessionWmPrompt } = await import('../session/working-memory.js');
    return sessionWmPrompt(this.place.root, id, { templates: templates() }, options);
  }

  /** Takes an agent's operations for a part of the oldest archive that waits; the last part finishes it. */
  async wmApply(id: string, operations: Operations, options: WmApplyOptions = {}): Promise<ResumeReport> {
    checkRequest<WmApplyOptions>('wm apply', WM_APPLY, options);
    const { applyWorkingMemory } = await import('../session/working-memory.js');
    return applyWorkingMemory(this.place, id, operations, this.finishTools(), options);
  }

  private finishTools(): FinishTools {
    return { templates: templates(), model: this.tools.model, extract: this.tools.extract };
  }
}

function templates(): FinishTools['templates'] {
  return { update: readTemplate('prompts/wm-update.md'), create: readTemplate('prompts/wm-create.md') };
}
