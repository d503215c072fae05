import type { TimeReader } from './grammar.js';

/** The languages that are read besides English and Chinese, each loaded when a text shows it. */
export const READERS: readonly TimeReader[] = [];
