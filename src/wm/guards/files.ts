import { contentItems, itemKey } from '../items.js';
import { readPaths } from '../paths.js';
import { accept, append, freshItems, type Guard, keep } from '../ruling.js';

/** Files & Context: a path that was mentioned stays. An UPDATE that loses one is rejected and its new paths appended. */
export const guardFiles: Guard = (old, content) => {
  const before = readPaths(contentItems(old).join('\n'));
  const items = contentItems(content);
  const byPath = firstItemByPath(items);
  const lost = before.filter((path) => !byPath.has(path));
  if (lost.length === 0) {
    return accept(content, 'every path is still there', () => 'rewritten by an update that keeps every path');
  }
  const known = new Set(before);
  const added = [...byPath.keys()].filter((path) => !known.has(path)).sort();
  const fresh = freshItems(
    added.map((path) => byPath.get(path) ?? path),
    old,
  );
  const loss = `update rejected: it loses ${listed(lost)}`;
  const left = leftOut(items, fresh, old);
  return fresh.length === 0 ? keep(`${loss}${left}`) : append(fresh, `${loss}; its new paths are appended${left}`);
};

function firstItemByPath(items: readonly string[]): ReadonlyMap<string, string> {
  const byPath = new Map<string, string>();
  for (const item of items) for (const path of readPaths(item)) if (!byPath.has(path)) byPath.set(path, item);
  return byPath;
}

function leftOut(items: readonly string[], taken: readonly string[], old: string): string {
  const known = new Set(taken.map(itemKey));
  const left = freshItems(items, old).filter((item) => !known.has(itemKey(item)));
  return left.length === 0 ? '' : `; not taken: ${listed(left)}`;
}

const MAX_LISTED = 20;

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_LISTED).map((text) => `"${text.replaceAll('\n', ' ')}"`);
  return texts.length > MAX_LISTED ? `${shown.join(', ')} and ${texts.length - MAX_LISTED} more` : shown.join(', ');
}
