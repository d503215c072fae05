/** Records of runs, for those who must not keep what they hold. */
export { dropRecords } from './run/record.js';
