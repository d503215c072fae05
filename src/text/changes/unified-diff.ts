import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** A file before and after a change; null where there is none. */
interface Change {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A change as a unified diff; empty when nothing changes. */
export function unifiedDiff({ path, before, after }: Change): string {
  if (before === after) return '';
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, after === null ? '/dev/null' : `b/${path}`];
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}
