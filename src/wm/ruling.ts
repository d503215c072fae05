import { cleanItem, contentItems, hasContent, itemKey } from './items.js';
import type { SectionOperation } from './operations.js';
import { readIssue } from './status.js';

export type Decision = 'KEEP' | 'UPDATE' | 'APPEND' | 'RESTORE';

/** What a guard decides about the operation that was asked for a section. */
export interface Ruling {
  /** What is done; put to the same guard again it comes back unchanged. */
  readonly operation: SectionOperation;
  readonly decision: Decision;
  /** One line for a reader: why. */
  readonly reason: string;
  /** Old items put back, as they stand in the old section. Open Issues only. */
  readonly restored: readonly string[];
  /** Why an old item that is not in the new section any more is gone. Absent where no item may go. */
  readonly whyRemoved?: (item: string) => string;
}

/** Rules on an UPDATE: sees the old body, which has content, and the new one, which is contained and not empty. */
export type Guard = (old: string, content: string) => Ruling;

export function keep(reason: string): Ruling {
  return { operation: { op: 'KEEP' }, decision: 'KEEP', reason, restored: [] };
}

export function accept(content: string, reason: string, whyRemoved: (item: string) => string): Ruling {
  return { operation: { op: 'UPDATE', content }, decision: 'UPDATE', reason, restored: [], whyRemoved };
}

export function append(items: readonly string[], reason: string): Ruling {
  return { operation: { op: 'APPEND', items }, decision: 'APPEND', reason, restored: [] };
}

/**
 * The items, cleaned, that say something the body does not say yet, each once. Equality after normalising makes a
 * duplicate; tags that do not change the state of an item do not make it new.
 */
export function freshItems(items: readonly string[], body: string): readonly string[] {
  const known = new Set(contentItems(body).map(stateKey));
  return items
    .map(cleanItem)
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

/** APPEND of the items that are new, else KEEP. A section is never too big for a new item. */
export function appendFresh(items: readonly string[], body: string, reason: string): Ruling {
  const fresh = freshItems(items, body);
  if (fresh.length === 0) return keep(`${reason}; nothing in it is new`);
  const known = items.length - fresh.length;
  return append(fresh, known === 0 ? reason : `${reason}; ${known} of ${items.length} items are there already`);
}
