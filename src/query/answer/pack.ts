import { displayText } from '../../index/found.js';
import type { FoundUnit } from '../../index/search.js';
import type { PageRole } from '../../memory/pages.js';
import { estimateTokens } from '../../text/tokens.js';
import type { FoldedResult } from '../rank/fold.js';

interface PackResult {
  readonly items: readonly FoldedResult[];
  /** Size of all contents, in tokens. */
  readonly tokens: number;
  /** Number of results within `k` that did not fit into the budget. */
  readonly dropped: number;
}

/** Maximum share of the first results for pages of a role, as long as there are more results of curated pages. */
const QUOTAS: Partial<Record<PageRole, number>> = { dump: 0.3, resource: 0.4, summary: 0.3 };

/**
 * Takes results, whole ones only, until the budget is used up. A result that does not fit is left out and counted;
 * smaller ones behind it may still fit. Pure.
 * @param budget in tokens; undefined means no limit
 * @param childItems the lines that are shown below a unit, which take room too
 */
export function packResults(
  chosen: readonly FoldedResult[],
  budget: number | undefined,
  ledIn: (unit: FoundUnit) => readonly string[],
): PackResult {
  const items: FoldedResult[] = [];
  let tokens = 0;
  for (const item of chosen) {
    const cost = estimateTokens([displayText(item.unit), ...ledIn(item.unit)].join('\n'));
    if (budget !== undefined && tokens + cost > budget) continue;
    tokens += cost;
    items.push(item);
  }
  return { items, tokens, dropped: chosen.length - items.length };
}

/**
 * Limits the share of session dumps and documents among the first results, so that they do not hide curated pages. Results
 * above the quota move behind these first results. Pure.
 */
export function applySourceQuota(ranked: readonly FoldedResult[], limit: number): readonly FoldedResult[] {
  const taken = new Map<PageRole, number>();
  const kept = new Set<FoldedResult>();
  for (const item of ranked) {
    if (kept.size >= limit) break;
    const quota = QUOTAS[item.unit.file.role];
    const count = taken.get(item.unit.file.role) ?? 0;
    if (quota !== undefined && count >= Math.max(1, Math.floor(quota * limit))) continue;
    taken.set(item.unit.file.role, count + 1);
    kept.add(item);
  }
  return [...kept, ...ranked.filter((item) => !kept.has(item))];
}
