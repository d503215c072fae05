/**
 * The library: the verbs of the command line, typed.
 * @module
 */

export type { Clock, DateOrder, Day } from '../base/clock.js';
export { type Failure, type FailureType, MemoryError } from '../base/failure.js';
export type { Fields } from '../base/json.js';
export type { OnProgress } from '../base/progress.js';
export type { RequestOf, TypeOf } from '../base/request.js';
export type { Result } from '../base/result.js';
export type {
  BuildRequest,
  BuiltContext,
  ChatMessage,
  FoundExperience,
  Memory,
  UnchangedReason,
} from '../context/build.js';
export type { GateDecision, GateReason, GateTrigger } from '../context/gate.js';
export type { Signal, SignalName } from '../context/gate-signals.js';
export type { ApplyReport, UndoneExtraction } from '../extract/apply.js';
export type { ExtractPrompt, ExtractReport } from '../extract/extract.js';
export type { PageRef, Rejected } from '../extract/operations/document.js';
export type { MergedStatement } from '../extract/operations/guard.js';
export type { PageRun } from '../extract/runs.js';
export type { ListedEntity } from '../index/entity-list.js';
export type { IndexOverview } from '../index/overview.js';
export type { IndexReport } from '../index/run.js';
export type { FileEvent, SyncReport } from '../index/sync.js';
export type { Notice } from '../index/tree.js';
export type { FillReport } from '../index/vectors/fill.js';
export type { VectorOverview } from '../index/vectors/overview.js';
export type { Difference, VerifyReport } from '../index/verify.js';
export type { FactKind, FactKindName } from '../markdown/fact-kinds.js';
export type { CoreEdit } from '../memory/core-edit.js';
export type { Direction, Judge } from '../memory/evidence.js';
export type { Forgettable } from '../memory/forgotten.js';
export type { CoreChange, Proposal, ProposalState } from '../memory/proposals.js';
export type { Ending, StandingPlace } from '../memory/threads/standing.js';
export type { PairJudge, PairVerdict, Relation } from '../memory/threads/verdicts.js';
export type { EvidenceLink, UnitKind } from '../memory/unit.js';
export type { PromptForm } from '../model/answer.js';
export type {
  AnswerFailure,
  AnswerIssue,
  AnswerSchema,
  ChatModel,
  CheckedAnswer,
  Prompt,
  Question,
  Tool,
  ToolAnswer,
  ToolCall,
  ToolModel,
  ToolTurn,
} from '../model/model.js';
export type { PullProgress } from '../model/ollama/ollama.js';
export type { Answers } from '../recall/answer/answered.js';
export type { Times } from '../recall/day-options.js';
export type { EntityView } from '../recall/entity-view.js';
export type { GetAnswer, GetRequest, GotItem, PageLine } from '../recall/get.js';
export type { OpinionFilter, OpinionView } from '../recall/opinion-view.js';
export type {
  BatchedRecall,
  RecallAnswer,
  RecallFilters,
  RecallMode,
  RecallRequest,
  RecallResult,
  StoodFor,
} from '../recall/request.js';
export type { EarlierStatement, EntityHolds, HeldStatement } from '../reflect/entity-holds.js';
export type { LastRun, RunResult } from '../reflect/last-run.js';
export type { OpinionReport } from '../reflect/opinions.js';
export type { NowChange } from '../reflect/pages/now-changes.js';

export type { ReflectReport, UndoneReflect } from '../reflect/reflect.js';

export type { SettledPair, SettledStatement, SettleRequest } from '../reflect/settle.js';

export type { SettledLine } from '../reflect/statements/settled.js';
export type { UndoneRun } from '../reflect/undo-store.js';
export type { OpinionWhy, WhyStep } from '../reflect/why.js';
export type { CoreReport, CoreView } from '../retain/core.js';
export type { RemainingCopy } from '../retain/elsewhere.js';
export type { ForgetReport, ForgetRequest } from '../retain/forget.js';
export type { ProposalList, SettledProposal, WaitingProposal } from '../retain/proposals.js';
export type { RetainedFact, RetainReport, RetainRequest, SkippedFact } from '../retain/retain.js';
export type { Standing } from '../retain/standing.js';
export type { UndoReport } from '../retain/unforget.js';
export type { AddedMessage, AddReport } from '../session/add.js';
export type { Archived, ArchiveLiveOutcome } from '../session/archive/archive-live.js';
export type { ArchiveState } from '../session/archive/archives.js';
export type { ExtractionOutcome, MadeBy } from '../session/archive/meta.js';
export type { CommitReport, ResumeReport } from '../session/commit.js';
export type { CompactionEvent, CompactReport } from '../session/compact.js';
export type { ArchiveAbstract, ContextMessage, SessionContext } from '../session/context.js';
export type { ExpandedArchive, RemovedItem } from '../session/expand.js';
export type { FinishedArchive, Stage } from '../session/finish.js';
export type { FlushEvent, FlushReport } from '../session/flush.js';
export type { FlushPart } from '../session/flush-by-agent.js';
export type { FlushDecision, FlushQuestion, FlushReason } from '../session/flush-decision.js';
export type { ImportReport, LeftOut, StoreReport } from '../session/import.js';
export type { ArchiveCounts, SessionMeta, UsedKey } from '../session/log/meta.js';
export type {
  ContextPart,
  MessageDraft,
  OtherPart,
  Part,
  Role,
  SessionMessage,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../session/message.js';
export type {
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
} from '../session/requests.js';
export type { SessionMatch, SessionMatches } from '../session/search.js';
export type { SessionStatus } from '../session/session.js';
export type { SessionWmPrompt, ShownWm } from '../session/working-memory.js';
export type { SecretKind } from '../text/redact.js';
export type { LineChange } from '../text/trace-line.js';
export type { Finding, HealthReport } from '../upkeep/doctor.js';
export type { KnownLanguage, ListedModel, ModelList, ModelTrial } from '../upkeep/embedding-models.js';
export type { EvalFailure, EvalFigures, EvalReport, ExpectedSource } from '../upkeep/eval.js';
export type { EvalCase } from '../upkeep/eval-case.js';
export type { CaseScore } from '../upkeep/eval-score.js';
export type { HistoryReport, PageChange, PastReport, StatementChange, StatementHistory } from '../upkeep/history.js';
export type { Severity } from '../upkeep/lint/problem.js';
export type { LintReport, LintRequest, Problem } from '../upkeep/lint.js';
export type { ChatModelReport, EmbedModelReport, ModelReport, ModelsReport } from '../upkeep/models.js';
export type { ScheduleCheck } from '../upkeep/schedule.js';
export type { ConfiguredModels, SessionsOverview, StatusReport } from '../upkeep/status.js';
export type { WatchEvent } from '../upkeep/watch.js';
export type { ViewReport, ViewRequest } from '../view/view.js';
export type { WmPrompt } from '../wm/prompt.js';
export type { SectionName } from '../wm/sections.js';
export type { CommitReport as GitCommit, FileChange } from '../workspace/changes.js';
export type { FileCommit } from '../workspace/git/history.js';
export type { ModelSettings } from '../workspace/model-settings.js';
export type { UserFolders } from '../workspace/openclaw-config.js';
export type { Settings } from '../workspace/settings.js';
export type {
  AppliedReport,
  EmbeddingModels,
  Extraction,
  History,
  Proposals,
  Reflection,
  ReflectPrompt,
  UsedModel,
} from './api/parts.js';
export type { SessionBrief, Sessions } from './api/sessions.js';
export type { Workspace } from './api/workspace.js';
export type { OpenWorkspaceOptions } from './find.js';
export { checkHealth } from './health.js';
export type { ReadAnswer } from './recalling.js';
export type {
  EmbedOptions,
  EvalOptions,
  ExtractFrom,
  ExtractPromptRequest,
  ExtractRequest,
  HealthOptions,
  IndexOptions,
  InferRequest,
  Progress,
  PullOptions,
  ReflectApplyRequest,
  ReflectOptions,
  ReflectPromptRequest,
  UseModelRequest,
  WatchOptions,
} from './requests.js';
export { openWorkspace } from './workspace.js';
