import type { PromptForm } from '../../model/answer.js';
import type { AddReport } from '../../session/add.js';
import type { CommitReport, ResumeReport } from '../../session/commit.js';
import type { CompactionEvent, CompactReport } from '../../session/compact.js';
import type { SessionContext } from '../../session/context.js';
import type { ExpandedArchive, RemovedItem } from '../../session/expand.js';
import type { FlushEvent, FlushReport } from '../../session/flush.js';
import type { FlushPart } from '../../session/flush-by-agent.js';
import type { FlushDecision, FlushQuestion } from '../../session/flush-decision.js';
import type { ImportReport, StoreReport } from '../../session/import.js';
import type { SessionMessage } from '../../session/message.js';
import type {
  AddRequest,
  BriefOptions,
  CommitOptions,
  CompactRequest,
  FlushApplyOptions,
  FlushOptions,
  SearchOptions,
  StoreOptions,
  WmApplyOptions,
  WmPromptOptions,
} from '../../session/requests.js';
import type { SessionMatches } from '../../session/search.js';
import type { SessionStatus } from '../../session/session.js';
import type { SessionWmPrompt, ShownWm } from '../../session/working-memory.js';

/** `session brief --json` */
export interface SessionBrief {
  readonly session: string;
  /** '' where there is nothing to say. */
  readonly block: string;
}

/** The sessions of a workspace and what can be done with them. Those that name an unknown session throw `not_found`. */
export interface Sessions {
  /** Pending tokens from which a session is due for a commit. */
  readonly commitThreshold: number;

  /**
   * Appends messages; makes the session when there is none, and returns when they are on disk.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const message = { role: 'user', parts: [{ type: 'text', text: 'hello' }], timestamp: null } as const;
   * const { added } = await sessions.add('new-chat', { messages: [message], idempotencyKey: 'turn-1' });
   * added.length; // => 1
   */
  add(id: string, request: AddRequest): Promise<AddReport>;

  /**
   * @example
   * const { live_messages } = await sessions.status('chat');
   * live_messages; // => 3
   */
  status(id: string): Promise<SessionStatus>;

  /**
   * What to give a model for the next turn, within a budget of tokens.
   * @example
   * const { messages } = await sessions.context('chat', 8_000);
   * messages.at(-1)?.role; // => 'user'
   */
  context(id: string, budget: number): Promise<SessionContext>;

  /**
   * What an agent gets that goes on with a session: its Working Memory as of now and the core file, as a block to inject.
   * @example
   * const { block } = await sessions.brief('chat');
   * block.startsWith('<openviking-context>'); // => true
   */
  brief(id: string, options?: BriefOptions): Promise<SessionBrief>;

  /**
   * An archive with its messages.
   * @example
   * const { archive } = await sessions.commit('chat', { keepRecent: 0, defer: true });
   * const { messages } = await sessions.expand('chat', archive ?? '');
   * messages.length; // => 3
   */
  expand(id: string, archive: string): Promise<ExpandedArchive>;

  /**
   * What the guards of the Working Memory let go, with the reasons.
   * @example
   * const removed = await sessions.removed('chat');
   * removed; // => []
   */
  removed(id: string): Promise<readonly RemovedItem[]>;

  /**
   * Saves memories of everything since the last flush, once a compaction cycle, in as many parts as the model's window
   * takes; without a model by rules. What goes wrong is in the report.
   * @example
   * const { status } = await sessions.flush('chat');
   * status === 'failed'; // => false
   */
  flush(id: string, emit?: (event: FlushEvent) => void, options?: FlushOptions): Promise<FlushReport>;

  /**
   * The same turn for the calling agent's own model: its prompt and the schema of its answer, for the oldest part of what
   * nobody has read yet.
   * @example
   * const { user, schema } = await sessions.flushPrompt('chat');
   * user.includes('port 6380'); // => true
   */
  flushPrompt(id: string): Promise<FlushPart & PromptForm>;

  /**
   * Writes what the calling agent's model answered; `[SILENT]` saves nothing. Where there are several parts, it is told
   * which one by `until`.
   * @throws MemoryError `invalid_answer`, `conflict`, `busy`, `interrupted`
   * @example
   * const { status } = await sessions.flushApply('chat', '[SILENT]');
   * status; // => 'silent'
   */
  flushApply(id: string, text: string, options?: FlushApplyOptions): Promise<FlushReport>;

  /**
   * Whether memories of a session should be saved now; what is not given is what is known of the session.
   * @example
   * const { shouldFlush, reason } = await sessions.flushCheck('chat', { tokens: 7_000, contextWindow: 8_192 });
   * shouldFlush; // => true
   */
  flushCheck(id: string, question: FlushQuestion): Promise<FlushDecision>;

  /**
   * Messages by what they say, live and archived, the newest first.
   * @example
   * const { matches } = await sessions.search('chat', 'port 6380');
   * matches.length; // => 1
   */
  search(id: string, query: string, options?: SearchOptions): Promise<SessionMatches>;

  /**
   * The live messages: those that are not archived.
   * @example
   * const messages = await sessions.live('chat');
   * messages.map(({ role }) => role); // => ['user', 'assistant', 'user']
   */
  live(id: string): Promise<readonly SessionMessage[]>;

  /**
   * Adds what is new in a transcript of a known client; again and again, nothing is added twice.
   * @throws MemoryError `usage` for what is no transcript, `busy`, `interrupted`
   * @example
   * const line = JSON.stringify({ role: 'user', content: 'hello' });
   * const { added } = await sessions.importTranscript(`${line}\n`, 'imported');
   * added; // => 1
   */
  importTranscript(text: string, session?: string): Promise<ImportReport>;

  /**
   * The same for the sessions of an OpenClaw SQLite store, or one of them by the host's key. The store is only read.
   * @throws MemoryError `usage` when there is no such session in it, `busy`, `interrupted`
   * @example
   * const none = await sessions.importStore('no-such.sqlite').catch((error) => error.message);
   * typeof none; // => 'string'
   */
  importStore(path: string, options?: StoreOptions): Promise<StoreReport>;

  /**
   * Every session.
   * @example
   * const [first] = await sessions.list();
   * first?.session; // => 'chat'
   */
  list(): Promise<readonly SessionStatus[]>;

  /**
   * Archives the older messages and finishes what waits.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const { archived, live_messages } = await sessions.commit('chat', { keepRecent: 1 });
   * [archived, live_messages]; // => [2, 1]
   */
  commit(id: string, options?: CommitOptions): Promise<CommitReport>;

  /**
   * Archives everything, and waits until it is finished.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const events: string[] = [];
   * const { archived } = await sessions.compact('chat', {}, ({ type }) => events.push(type));
   * archived; // => 3
   */
  compact(id: string, request?: CompactRequest, emit?: (event: CompactionEvent) => void): Promise<CompactReport>;

  /**
   * Finishes or repairs what a crash left.
   * @throws MemoryError `busy`, `interrupted`
   * @example
   * const { finished } = await sessions.resume('chat');
   * finished; // => []
   */
  resume(id: string): Promise<ResumeReport>;

  /**
   * The Working Memory of a session.
   * @example
   * await sessions.commit('chat', { keepRecent: 0 });
   * const { document } = await sessions.workingMemory('chat');
   * document?.startsWith('#'); // => true
   */
  workingMemory(id: string): Promise<ShownWm>;

  /**
   * The prompt for the oldest archive that waits, or for a part of it, for the calling agent's own model.
   * @throws MemoryError `not_found` when none waits
   * @example
   * await sessions.commit('chat', { keepRecent: 0, defer: true });
   * const { archive } = await sessions.wmPrompt('chat');
   * archive; // => 'archive_001'
   */
  wmPrompt(id: string, options?: WmPromptOptions): Promise<SessionWmPrompt>;

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
  wmApply(id: string, text: string, options?: WmApplyOptions): Promise<ResumeReport>;
}
