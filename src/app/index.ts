/**
 * The library: the verbs of the command line, typed.
 * @module
 */
export { type Failure, type FailureType, MemoryError } from '../base/failure.js';
export type { IndexReport } from '../index/run.js';
export type { FillReport } from '../index/vectors/fill.js';
export type { VectorOverview } from '../index/vectors/overview.js';
export type { EntityView } from '../recall/entity-view.js';
export type { OpinionFilter, OpinionView } from '../recall/opinion-view.js';
export type { RecallAnswer, RecallMode, RecallRequest, RecallResult } from '../recall/request.js';
export type { CoreReport, CoreView } from '../retain/core.js';
export type { RemainingCopy } from '../retain/elsewhere.js';
export type { ForgetReport, ForgetRequest } from '../retain/forget.js';
export type { ProposalList, Proposals, SettledProposal, WaitingProposal } from '../retain/proposals.js';
export type { RetainedFact, RetainReport, SkippedFact } from '../retain/retain.js';
export type { Finding, HealthReport } from '../upkeep/doctor.js';
export type { EvalFailure, EvalFigures, EvalReport } from '../upkeep/eval.js';
export type { EvalCase } from '../upkeep/eval-case.js';
export type { History, HistoryReport, PageChange, PastReport, StatementChange } from '../upkeep/history.js';
export type { LintReport, LintRequest, Problem } from '../upkeep/lint.js';
export type { ScheduleCheck } from '../upkeep/schedule.js';
export type { StatusReport } from '../upkeep/status.js';
export type { WatchEvent } from '../upkeep/watch.js';
export type { OpenWorkspaceOptions } from './find.js';
export { checkHealth } from './health.js';
export { openWorkspace, type Workspace } from './workspace.js';
