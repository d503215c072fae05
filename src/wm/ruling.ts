import { contentItems, hasContent, itemKey, itemTextWithoutMarker } from './document.js';
import type { SectionOperation } from './operations.js';
import { readIssue } from './status.js';

export type RulingDecision = 'KEEP' | 'UPDATE' | 'APPEND' | 'RESTORE';

/** A guard's decision on the operation requested for a section. */
export interface Ruling {
  /** The operation to apply. If it were requested again, the same guard would accept it without a change. */
  readonly operation: SectionOperation;
  readonly decision: RulingDecision;
  /** Why the guard decided so, in one line for the report. */
  readonly reason: string;
  /** Restored old items, as written in the old section. Open Issues only. */
  readonly restored: readonly string[];
  /** Why an old item is missing from the new section. Absent if no item may be removed. */
  readonly whyRemoved?: (item: string) => string;
}

/**
 * Decides about an UPDATE of a section. `old` has content. `content` is not empty, and {@link makeContentSafe} has made
 * it safe.
 */
export type SectionGuard = (old: string, content: string) => Ruling;

export function makeKeepRuling(reason: string): Ruling {
  return { operation: { op: 'KEEP' }, decision: 'KEEP', reason, restored: [] };
}

export function makeUpdateRuling(content: string, reason: string, whyRemoved: (item: string) => string): Ruling {
  return { operation: { op: 'UPDATE', content }, decision: 'UPDATE', reason, restored: [], whyRemoved };
}

export function makeAppendRuling(items: readonly string[], reason: string): Ruling {
  return { operation: { op: 'APPEND', items }, decision: 'APPEND', reason, restored: [] };
}

/**
 * The cleaned items that a body does not have yet, without duplicates. Items are compared after normalising. A status
 * tag makes an item new only if it changes the item's state.
 */
export function findNewItems(items: readonly string[], body: string): readonly string[] {
  const known = new Set(contentItems(body).map(stateKey));
  return items
    .map(itemTextWithoutMarker)
    .filter(hasContent)
    .filter((item) => {
      const key = stateKey(item);
      if (known.has(key)) return false;
      known.add(key);
      return true;
    });
}

function stateKey(item: string): string {
  const issue = readIssue(item);
  if (issue.key === '') return itemKey(item);
  return issue.resolved ? `resolved ${issue.key}` : issue.key;
}

/**
 * A ruling that appends the new items, or keeps the section if there are none. A section's size never blocks a new
 * item.
 */
export function appendNewItems(items: readonly string[], body: string, reason: string): Ruling {
  const fresh = findNewItems(items, body);
  if (fresh.length === 0) return makeKeepRuling(`${reason}; nothing in it is new`);
  const known = items.length - fresh.length;
  return makeAppendRuling(
    fresh,
    known === 0 ? reason : `${reason}; ${known} of ${items.length} items are there already`,
  );
}
