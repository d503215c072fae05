import { fail, tryWithFallback } from '../base/failure.js';
import { readFileTree } from '../index/tree.js';
import { decodeBytes } from '../text/bytes.js';
import { readVersion } from '../workspace/files.js';
import { fullPathOf, type WorkspaceContext } from '../workspace/read-scope.js';

const SCHEME = 'memory://';
const PAGE_SIZE = 100;

/** The workspace whose pages are listed. */
type PageRoot = Pick<WorkspaceContext, 'root' | 'reads'>;

/**
 * Lists the pages of a workspace, a hundred at a time: pages of the bank first, then the newest logs.
 * @param cursor where the previous part of the list ended
 */
export function listPages(place: PageRoot, cursor?: string) {
  const all = pagePaths(place);
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0) fail('usage', `unknown cursor "${cursor}"`, 'list again without a cursor');
  const resources = all.slice(from, from + PAGE_SIZE).map((path) => {
    return { uri: SCHEME + path.split('/').map(encodeURIComponent).join('/'), name: path, mimeType: 'text/markdown' };
  });
  const next = from + PAGE_SIZE;
  return next < all.length ? { resources, nextCursor: String(next) } : { resources };
}

/** Completes a path: all paths that contain the typed text, in the order of {@link listPages}. */
export function completePath(place: PageRoot, typed: string): { values: string[]; total: number; hasMore: boolean } {
  const found = pagePaths(place).filter((path) => path.toLowerCase().includes(typed.toLowerCase()));
  return { values: found.slice(0, PAGE_SIZE), total: found.length, hasMore: found.length > PAGE_SIZE };
}

function pagePaths({ root, reads }: PageRoot): string[] {
  const paths = readFileTree(root, reads).files.paths;
  const [logs, others] = [paths.filter(isLog), paths.filter((path) => !isLog(path))];
  return [...others.sort(), ...logs.sort().reverse()];
}

/**
 * Reads a page as it is now. Only indexed pages can be read: nothing outside of the workspace, and no log of a session.
 * @throws MemoryError `not_found`
 */
export function readMcpPage({ root, reads }: PageRoot, uri: string): string {
  const path = uri.startsWith(SCHEME)
    ? tryWithFallback(() => decodeURIComponent(uri.slice(SCHEME.length)), undefined)
    : undefined;
  const isPage = path !== undefined && readFileTree(root, reads).files.paths.includes(path);
  const version = isPage ? readVersion(fullPathOf(root, path)) : undefined;
  if (version === undefined) {
    const hint = `list the resources; an address is like ${SCHEME}bank/entities/Peter.md`;
    return fail('not_found', `there is no page ${uri}`, hint);
  }
  return decodeBytes(version.bytes);
}

function isLog(path: string): boolean {
  return path.startsWith('memory/');
}
