import type { FoundUnit, IndexSearch } from '../../index/search.js';
import { readCitations } from '../../line/generated.js';
import type { AwayFiles } from '../../memory/away.js';
import type { PageRole } from '../../memory/pages.js';
import type { RankedUnit } from '../rank/ranked.js';

/** Roles of pages that state facts, as far as a line there is not generated. */
const STATING: ReadonlySet<PageRole> = new Set(['daily', 'topic', 'bank', 'core']);

/** Generated lines, sorted by whether their sources are available. */
interface SourceCheckResult {
  /** Without generated lines whose source is gone, was edited, or is away. */
  readonly here: readonly RankedUnit[];
  /** Generated lines whose source is away (temporarily unavailable). Nobody can check whether they still hold. */
  readonly away: readonly RankedUnit[];
}

/**
 * Tells which generated lines still have the facts that they show. The next run of `reflect` takes out those that have not;
 * until then they are no answer.
 */
export function checkSources(ranked: readonly RankedUnit[], search: IndexSearch, files: AwayFiles): SourceCheckResult {
  const shown = new Map(ranked.map(({ unit }) => [unit.key, factsShown(unit)]));
  const ids = [...new Set([...shown.values()].flat().map(({ id }) => id))];
  const stated = new Set(
    ids.length === 0
      ? []
      : search
          .statementsOf(ids)
          .filter(isStatement)
          .map(({ fact }) => fact),
  );
  const here: RankedUnit[] = [];
  const away: RankedUnit[] = [];
  for (const entry of ranked) {
    const missing = (shown.get(entry.unit.key) ?? []).filter(({ id }) => !stated.has(id));
    if (missing.length === 0 && !restsOnAway(entry.unit, files)) here.push(entry);
    else if (missing.every(({ id, source }) => files.mayHave(id, source))) away.push(entry);
  }
  return { here, away };
}

function isStatement({ file, detail }: FoundUnit): boolean {
  return STATING.has(file.role) && detail?.generated !== true;
}

/** The facts that a generated line was made of, with the places that it names for them. */
function factsShown({ detail, fact, text }: FoundUnit): readonly { readonly id: string; readonly source?: string }[] {
  if (detail?.generated !== true) return [];
  return fact === null ? readCitations(text) : [{ id: fact }];
}

/** Whether all evidence for a belief is in files that are away (temporarily unavailable). */
function restsOnAway({ file, detail }: FoundUnit, files: AwayFiles): boolean {
  if (files.isNone || file.role !== 'opinions') return false;
  const sources = detail?.evidence?.for ?? [];
  return sources.length > 0 && sources.every(({ source }) => files.has(source.replace(/#.*$/, '')));
}
