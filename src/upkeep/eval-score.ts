import type { IndexSearch } from '../index/search.js';
import type { CheckedCase } from './eval-case.js';

/**
 * The fields of a result that scoring needs: its own citation, and the citations of other places that the result stands
 * for, because they have the same statement.
 */
interface CitedResult {
  readonly source: string;
  readonly standsFor?: readonly { readonly source: string }[];
}

/** The score of one case. Ratios are 0..1. */
export interface CaseScore {
  readonly passed: boolean;
  /** Why the case failed; empty when it passed. */
  readonly reason: string;
  /** 1-based rank of the first expected source; null if none was found. */
  readonly rank: number | null;
  /** Share of the expected sources that are among the first k results. If the case needs only one of the sources: 1 or 0. */
  readonly recall: number;
  readonly reciprocalRank: number;
  readonly ndcg10: number;
}

/** Scores the results of a case. Pure. */
export function scoreCase(asked: CheckedCase, results: readonly CitedResult[]): CaseScore {
  const cited = results.map((result) => placesOf(result).map(parseSource));
  const rankOf = (source: string): number => {
    const wanted = parseSource(source);
    return cited.findIndex((places) => places.some((place) => overlaps(place, wanted))) + 1;
  };
  const ranks = asked.expect.map(rankOf);
  const found = ranks.filter((rank) => rank > 0);
  const first = found.length === 0 ? null : Math.min(...found);
  const within = found.filter((rank) => rank <= asked.k);
  const recall =
    asked.expect.length === 0 ? 1 : asked.all ? within.length / asked.expect.length : Math.min(1, within.length);
  const reason = failure(asked, results.length, first, recall, rankOf);
  return {
    passed: reason === '',
    reason,
    rank: first,
    recall,
    reciprocalRank: first === null ? 0 : 1 / first,
    ndcg10: ndcg(found, asked.all ? asked.expect.length : 1),
  };
}

function failure(
  asked: CheckedCase,
  count: number,
  first: number | null,
  recall: number,
  rankOf: (source: string) => number,
): string {
  if (asked.empty) return count === 0 ? '' : 'recall found something, but must find nothing';
  if (recall < 1)
    return `${asked.all ? 'not all expected sources are' : 'no expected source is'} among the first ${asked.k}`;
  if (asked.top && first !== 1) return `the first expected source has rank ${first}`;
  const early = asked.absent.find((source) => rankOf(source) > 0 && rankOf(source) < (first ?? 0));
  return early === undefined ? '' : `${early} comes before the expected source`;
}

/** Normalised discounted cumulative gain (NDCG) of the first ten ranks. Each found source counts 1. */
function ndcg(ranks: readonly number[], wanted: number): number {
  const gain = (rank: number): number => 1 / Math.log2(rank + 1);
  const counted = [...ranks].sort((a, b) => a - b).slice(0, wanted);
  const got = counted.filter((rank) => rank <= 10).reduce((sum, rank) => sum + gain(rank), 0);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(wanted, 10); rank++) ideal += gain(rank);
  return ideal === 0 ? 1 : got / ideal;
}

function placesOf({ source, standsFor = [] }: CitedResult): readonly string[] {
  return [source, ...standsFor.map((place) => place.source)];
}

/** Whether a citation names the place of a result, or another place of its statement. */
export function isAtCitation(result: CitedResult, wanted: string): boolean {
  return placesOf(result).some((place) => overlaps(parseSource(place), parseSource(wanted)));
}

/** A parsed citation such as `memory/2025-11-27.md#L12-L14`. The lines are 0 if it only names a page. */
interface CitedLines {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

function parseSource(source: string): CitedLines {
  const [, path = source, from = '0', to = from] = /^(.*)#L(\d+)(?:-L?(\d+))?$/.exec(source) ?? [];
  return { path, from: Number(from), to: Number(to) };
}

function overlaps(a: CitedLines, b: CitedLines): boolean {
  return a.path === b.path && a.from <= b.to && b.from <= a.to;
}

/** The text at a citation, if there is any. */
export function readTextAtCitation(search: IndexSearch, source: string): string | undefined {
  const { path, from, to } = parseSource(source);
  const file = search.file(path);
  if (file === undefined) return undefined;
  const units = search
    .range(file.firstUnit, file.lastUnit)
    .filter(({ line, endLine }) => line <= to && endLine >= from);
  return units.map(({ text }) => text).join('\n') || undefined;
}
