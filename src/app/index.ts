/**
 * The library: the verbs of the command line, typed.
 * @module
 */

export { type Failure, type FailureType, MemoryError } from '../base/failure.js';
export type { Result } from '../base/result.js';
export type { ListedEntity } from '../index/entity-list.js';
export type { IndexReport } from '../index/run.js';
export type { FillReport } from '../index/vectors/fill.js';
export type { VectorOverview } from '../index/vectors/overview.js';
export type { CoreEdit } from '../memory/core-edit.js';
export type { ToolModel } from '../model/model.js';
export type { PromptForm } from '../model/question.js';
export type { EntityView } from '../recall/entity-view.js';
export type { OpinionFilter, OpinionView } from '../recall/opinion-view.js';
export type { BatchedRecall, RecallAnswer, RecallMode, RecallRequest, RecallResult } from '../recall/request.js';
export type { OpinionReport } from '../reflect/opinions.js';
export type { ReflectReport, ReflectRequest } from '../reflect/reflect.js';
export type { UndoneRun } from '../reflect/undo-store.js';
export type { OpinionWhy, WhyStep } from '../reflect/why.js';
export type { CoreReport, CoreView } from '../retain/core.js';
export type { RemainingCopy } from '../retain/elsewhere.js';
export type { ForgetReport, ForgetRequest } from '../retain/forget.js';
export type { ProposalList, Proposals, SettledProposal, WaitingProposal } from '../retain/proposals.js';
export type { RetainedFact, RetainReport, RetainRequest, SkippedFact } from '../retain/retain.js';
export type { Standing } from '../retain/standing.js';
export type { UndoReport } from '../retain/unforget.js';
export type { AddReport, AddRequest } from '../session/add.js';
export type { CommitReport, ResumeReport } from '../session/commit.js';
export type { CompactionEvent, CompactReport, CompactRequest } from '../session/compact.js';
export type { ContextMessage, SessionContext } from '../session/context.js';
export type { ExpandedArchive, RemovedItem } from '../session/expand.js';
export type { FlushEvent, FlushReport } from '../session/flush.js';
export type { FlushDecision, FlushQuestion } from '../session/flush-decision.js';
export type { ImportReport } from '../session/import.js';
export type { MessageDraft, Part, SessionMessage } from '../session/message.js';
export type { CommitOptions } from '../session/requests.js';
export type { SessionMatch, SessionMatches } from '../session/search.js';
export type { SessionStatus } from '../session/status.js';
export type { SessionWmPrompt, ShownWm } from '../session/working-memory.js';
export type { Finding, HealthReport } from '../upkeep/doctor.js';
export type { EvalFailure, EvalFigures, EvalReport } from '../upkeep/eval.js';
export type { EvalCase } from '../upkeep/eval-case.js';
export type { History, HistoryReport, PageChange, PastReport, StatementChange } from '../upkeep/history.js';
export type { LintReport, LintRequest, Problem } from '../upkeep/lint.js';
export type { ModelsReport } from '../upkeep/models-report.js';
export type { ScheduleCheck } from '../upkeep/schedule.js';
export type { StatusReport } from '../upkeep/status.js';
export type { WatchEvent } from '../upkeep/watch.js';
export type { Operations } from '../wm/operations.js';
export type { CommitReport as GitCommit, FileChange } from '../workspace/changes.js';
export type { OpenWorkspaceOptions } from './find.js';
export { checkHealth } from './health.js';
export type { Reflection, ReflectPrompt } from './reflection.js';
export type {
  EmbedOptions,
  EvalOptions,
  HealthOptions,
  IndexOptions,
  Progress,
  PullOptions,
  ReflectOptions,
  WatchOptions,
} from './requests.js';
export type { Sessions } from './sessions.js';
export { openWorkspace, type Workspace } from './workspace.js';
