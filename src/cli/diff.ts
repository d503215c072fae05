import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FileChange } from '../workspace/changes.js';

/** What would be written, as a unified diff; empty when nothing would. */
export function unifiedDiff({ path, before, after }: FileChange): string {
  if (before === after) return '';
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, after === null ? '/dev/null' : `b/${path}`];
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}
