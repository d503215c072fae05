import { cleanItem } from '../clean-item.js';
import { contentItems, hasContent, itemKey } from '../items.js';
import { append, keep, type Ruling } from '../ruling.js';
import { readIssue } from '../status.js';

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
