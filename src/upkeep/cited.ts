import type { Search } from '../index/search.js';
import { parseSource } from './eval-score.js';

/** What stands at a citation, if anything does. */
export function textAt(search: Search, source: string): string | undefined {
  const { path, from, to } = parseSource(source);
  const file = search.file(path);
  if (file === undefined) return undefined;
  return (
    search
      .range(file.firstUnit, file.lastUnit)
      .filter((unit) => unit.line <= to && unit.endLine >= from)
      .map(({ text }) => text)
      .join('\n') || undefined
  );
}
