/** Records of runs, for those who show what happened to a page, and those who must not keep what they hold. */
export { dropRecords, type PageRun, runsOfPage } from './run/record.js';
