import { contentItems } from '../items.js';
import { appendFresh } from './fresh.js';
import type { Guard } from './guard.js';

/** Errors & Corrections is append-only: an UPDATE appends what it says that is not there yet. */
export const guardErrors: Guard = (old, asked) =>
  asked.op === 'APPEND'
    ? appendFresh(asked.items, old, 'appended')
    : appendFresh(contentItems(asked.content), old, 'this section is append-only: the update is taken as additions');
