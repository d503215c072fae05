/**
 * The library: the verbs of the command line, typed. Every type that these lead to is exported by the build.
 * @module
 */

export { MemoryError } from '../base/failure.js';
export type { StatusSection as StandingPlace } from '../memory/threads/fact-status.js';
export type { TimeOptions as Times } from '../query/day-options.js';
export type { RecallFilters } from '../query/request.js';
export type { SectionName } from '../wm/document.js';
export type { GitCommitReport as GitCommit } from '../workspace/changes.js';
export { checkHealth } from './health.js';
export { openWorkspace } from './workspace.js';
