import { createTwoFilesPatch } from 'diff';

/** What would be written, as a unified diff; empty when nothing would. */
export function unifiedDiff({ path, before, after }: { path: string; before: string; after: string }): string {
  return before === after
    ? ''
    : createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3 });
}
