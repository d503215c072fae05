import type { Clock } from '../base/clock.js';
import { fail, throwWithName } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { compareText, groupBy } from '../base/order.js';
import { type RequestFields, type RequestOf, readRequest } from '../base/request.js';
import type { IndexSearch } from '../index/search.js';
import { type RecallSource, recall } from '../query/query.js';
import { FILTER_FIELDS, type RecallAnswer, type RecallQuery, readRecallRequest } from '../query/request.js';
import { openClock } from '../workspace/clock.js';

export interface EvalFigures {
  readonly cases: number;
  readonly passed: number;
  /** Mean recall of the cases that expect a source, 0..1. `mrr` and `ndcg10` are means over the same cases. */
  readonly recall: number;
  readonly mrr: number;
  readonly ndcg10: number;
  /** Mean number of tokens of an answer. */
  readonly tokens: number;
}

export interface EvalReport extends EvalFigures {
  readonly byKind: Readonly<Record<string, EvalFigures>>;
  readonly failures: readonly EvalFailure[];
  /** Warnings that every answer had. The most important one says why the search used only words, and no vectors. */
  readonly warnings: readonly string[];
}

export interface EvalFailure extends CaseScore {
  readonly id: string;
  readonly kind: string;
  readonly query: string;
  readonly expect: readonly ExpectedSource[];
  /** The best results of the failed case, found instead of the expected sources. */
  readonly found: readonly { readonly source: string; readonly content: string; readonly why?: string }[];
  /** The warnings of the answer. */
  readonly warnings: readonly string[];
  /** How recall understood the question; only with `explain`. */
  readonly explain?: readonly string[];
}

/** An expected source, with its rank. */
export interface ExpectedSource {
  readonly source: string;
  /** The text at the source; null if there is none. */
  readonly content: string | null;
  /** Rank of the source among {@link LONG_ANSWER} results; null if it is not one of them. */
  readonly rank: number | null;
  /** Why the source has that rank; only with `explain`. */
  readonly why?: string;
}

/** Number of results to ask for after a failed question, to find the ranks of the expected sources. */
const LONG_ANSWER = 100;

/**
 * Asks every question of a case file, as if the current time were the one that its case gives, and scores the answers. Reads
 * all cases before it asks the first question.
 * @throws MemoryError `usage` for the first invalid case, `interrupted` if it was stopped
 */
export async function evaluateCases(
  given: readonly EvalCase[],
  source: RecallSource,
  { explain = false, signal }: { readonly explain?: boolean | undefined; readonly signal?: AbortSignal | undefined },
): Promise<EvalReport> {
  const ask = async (clock: Clock, query: RecallQuery): Promise<RecallAnswer> => {
    const answer = await recall({ ...source, clock }, query);
    if (signal?.aborted) fail('interrupted', 'the evaluation was interrupted', 'run the command again');
    return answer;
  };
  const { cases, warnings: old } = checkCases(given);
  const questions: Awaited<ReturnType<typeof questionOf>>[] = [];
  for (const asked of cases) questions.push(await questionOf(asked, source.clock, explain));
  const scored: { asked: CheckedCase; score: CaseScore; tokens: number }[] = [];
  const failures: EvalFailure[] = [];
  const warnings = new Map<string, number>();
  for (const { asked, clock, query } of questions) {
    const answer = await ask(clock, query);
    for (const warning of answer.warnings) warnings.set(warning, (warnings.get(warning) ?? 0) + 1);
    // Score all results, because the mean figures need the first ten. Whether the case passes depends only on the first
    // `k` of the case.
    const score = scoreCase(asked, answer.results);
    scored.push({ asked, score, tokens: answer.tokens });
    if (score.passed) continue;
    const long = await ask(clock, { ...query, k: LONG_ANSWER });
    const expect = asked.expect.map((place) => expected(place, long, readTextAtCitation(source.search, place)));
    const found = answer.results.slice(0, 3).map(({ source: at, content, why }) => {
      return { source: at, content, ...(why === undefined ? {} : { why }) };
    });
    const explained = answer.explain === undefined ? {} : { explain: answer.explain };
    const { id, kind, query: asks } = asked;
    failures.push({ id, kind, query: asks, ...score, expect, found, warnings: answer.warnings, ...explained });
  }
  const kinds = [...groupBy(scored, ({ asked }) => asked.kind)].sort(([a], [b]) => compareText(a, b));
  const byKind = Object.fromEntries(kinds.map(([kind, some]) => [kind, figures(some)]));
  // Warnings of single answers are reported with the failed cases only.
  const general = [...warnings].filter(([, count]) => count === cases.length).map(([warning]) => warning);
  return { ...figures(scored), byKind, failures, warnings: [...old, ...general] };
}

async function questionOf(asked: CheckedCase, usual: Clock, explain: boolean) {
  try {
    const clock = asked.now === undefined ? usual : openClock(usual.zone, asked.now, usual.dateOrder);
    const request = { query: asked.query, k: Math.max(asked.k, 10), explain, ...asked.options };
    return { asked, clock, query: await readRecallRequest(request, clock) };
  } catch (error) {
    return throwWithName(`case ${asked.id}`, error);
  }
}

function expected(source: string, { results }: RecallAnswer, text: string | undefined): ExpectedSource {
  const index = results.findIndex((result) => isAtCitation(result, source));
  const why = results[index]?.why;
  return { source, content: text ?? null, rank: index < 0 ? null : index + 1, ...(why === undefined ? {} : { why }) };
}

function figures(scored: readonly { asked: CheckedCase; score: CaseScore; tokens: number }[]): EvalFigures {
  const expecting = scored.filter(({ asked }) => asked.expect.length > 0);
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    cases: scored.length,
    passed: scored.filter(({ score }) => score.passed).length,
    recall: mean(expecting.map(({ score }) => score.recall)),
    mrr: mean(expecting.map(({ score }) => score.reciprocalRank)),
    ndcg10: mean(expecting.map(({ score }) => score.ndcg10)),
    tokens: scored.length === 0 ? 0 : mean(scored.map(({ tokens }) => tokens)),
  };
}

const TEXT = { type: 'text' } as const;
const SOURCES = { type: 'list', of: TEXT } as const;

const CASE = {
  id: { type: 'either', of: [TEXT, { type: 'number' }], doc: 'name of the case in the report (default: its number)' },
  query: { type: 'text', required: true, instead: ['question'], doc: 'the question' },
  kind: { type: 'text', doc: 'the group of the case in the report: entity, temporal, …' },
  expect: { ...SOURCES, doc: 'expected sources such as memory/2025-11-27.md#L14; one of them must be found' },
  k: { type: 'number', whole: true, least: 1, example: 5, doc: 'number of results to check (default 5)' },
  all: { type: 'boolean', doc: 'every expected source must be found' },
  top: { type: 'boolean', doc: 'an expected source must come first' },
  absent: { ...SOURCES, doc: 'sources that must not come before the expected ones' },
  empty: { type: 'boolean', doc: 'recall must find nothing' },
  now: { type: 'text', doc: 'time of the question, ISO 8601' },
  options: { type: 'object', keys: FILTER_FIELDS, doc: 'filters for recall' },
  meta: { type: 'any', doc: 'free for your own notes' },
} as const satisfies RequestFields;

/** A question of the user, and the sources that a good answer contains. One line of the case file. */
export type EvalCase = RequestOf<typeof CASE>;

/** A checked case with all defaults filled in. */
export type CheckedCase = {
  readonly [K in Exclude<keyof EvalCase, 'id' | 'now' | 'meta'>]-?: Exclude<EvalCase[K], undefined>;
} & {
  readonly id: string;
  readonly now: string | undefined;
};

interface CaseCheckResult {
  readonly cases: readonly CheckedCase[];
  /** Warnings about old forms that are still accepted. */
  readonly warnings: readonly string[];
}

const DEFAULT_K = 5;
const SOURCE = /^.+#L\d+(?:-L?\d+)?$/;
const FORM = 'an example of a line: {"query":"where does Peter live?","expect":["memory/2026-03-12.md#L4"]}';
/** Options whose names are singular in older case files, each with its name today. */
const PLURALS: Readonly<Record<string, string>> = { entity: 'entities', kind: 'kinds' };

/**
 * Reads a case file: one JSON object per line, empty lines are skipped.
 * @throws MemoryError `usage` with the number of the first bad line
 */
export function readCases(text: string): CaseCheckResult {
  const read = readAll(parseLines(text));
  return read.cases.length === 0 ? fail('usage', 'the file has no cases', FORM) : read;
}

/**
 * Checks cases and fills in the defaults.
 * @throws MemoryError `usage` for the first invalid case
 */
function checkCases(cases: unknown): CaseCheckResult {
  if (!Array.isArray(cases)) return fail('usage', 'eval needs a list of cases', FORM);
  return readAll(cases.map((value: unknown, at) => [`cases[${at}]`, value]));
}

function* parseLines(text: string): Generator<readonly [name: string, value: unknown]> {
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const name = `line ${at + 1}`;
    try {
      if (line.trim() !== '') yield [name, JSON.parse(line)];
    } catch (error) {
      if (error instanceof SyntaxError) fail('usage', `${name}: is not JSON`, FORM);
      throw error;
    }
  }
}

function readAll(given: Iterable<readonly [name: string, value: unknown]>): CaseCheckResult {
  const cases: CheckedCase[] = [];
  const warnings = new Set<string>();
  for (const [name, value] of given) {
    try {
      cases.push(readCase(pluralised(value, warnings), cases.length + 1));
    } catch (error) {
      throwWithName(name, error);
    }
  }
  return { cases, warnings: [...warnings] };
}

function readCase(given: unknown, number: number): CheckedCase {
  const asked = readRequest('a case', CASE, given);
  const { id = number, kind = 'other', expect = [], k = DEFAULT_K, absent = [], options = {} } = asked;
  const { query, now, all = false, top = false, empty = false } = asked;
  if (expect.length === 0 && !empty) return fail('usage', 'has neither "expect" nor "empty"', FORM);
  const malformed = expect.find((source) => !SOURCE.test(source));
  if (malformed !== undefined) fail('usage', `"${malformed}" is not a source such as memory/2025-11-27.md#L14`, FORM);
  return { id: String(id), query, kind, expect, k, all, top, absent, empty, now, options };
}

/** Renames singular options of a case to `entities` and `kinds`. */
function pluralised(given: unknown, warnings: Set<string>): unknown {
  if (!isRecord(given) || !isRecord(given.options)) return given;
  const options = Object.entries(given.options).map(([key, value]) => {
    const plural = Object.hasOwn(PLURALS, key) ? PLURALS[key] : undefined;
    if (plural === undefined) return [key, value];
    warnings.add(`in the options of a case, write "${plural}" (a list) instead of "${key}"`);
    return [plural, [value].flat()];
  });
  return { ...given, options: Object.fromEntries(options) };
}

/**
 * The fields of a result that scoring needs: its own citation, and the citations of other places that the result stands
 * for, because they have the same statement.
 */
interface CitedResult {
  readonly source: string;
  readonly standsFor?: readonly { readonly source: string }[];
}

/** The score of one case. Ratios are 0..1. */
interface CaseScore {
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
function isAtCitation(result: CitedResult, wanted: string): boolean {
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
function readTextAtCitation(search: IndexSearch, source: string): string | undefined {
  const { path, from, to } = parseSource(source);
  const file = search.file(path);
  if (file === undefined) return undefined;
  const units = search
    .range(file.firstUnit, file.lastUnit)
    .filter(({ line, endLine }) => line <= to && endLine >= from);
  return units.map(({ text }) => text).join('\n') || undefined;
}
