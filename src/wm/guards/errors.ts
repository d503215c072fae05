import { contentItems } from '../items.js';
import type { Guard } from '../ruling.js';
import { appendFresh } from './fresh.js';

/** Errors & Corrections is append-only: an UPDATE appends what it says that is not there yet. */
export const guardErrors: Guard = (old, content) =>
  appendFresh(contentItems(content), old, 'this section is append-only: the update is taken as additions');
