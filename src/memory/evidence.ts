import type { Day } from '../base/clock.js';
import { asText, parseRecord } from '../base/json.js';
import { addAll } from '../base/order.js';
import { isDay } from '../language/time/calendar.js';
import { formatVerdictLines, isPairJudge, type PairJudge, parsePairVerdicts } from './threads/verdicts.js';

/** File of all verdicts, one JSON line each. */
export const EVIDENCE_PATH = 'bank/evidence.jsonl';

/** Effect of a fact on an opinion. */
export type Direction = (typeof DIRECTIONS)[number];

/** Source of a verdict: `human`, `agent` (the calling agent's model), `model:NAME`, `rules`. */
export type Judge = PairJudge | 'rules';

/** One line of `bank/evidence.jsonl`: a verdict about the effect of a fact on an opinion. */
export interface Verdict {
  /** Id of the fact: `f-…`. */
  readonly fact: string;
  /** Id of the opinion: `o-…`. */
  readonly opinion: string;
  readonly direction: Direction;
  readonly by: Judge;
  /** Day of the log that states the fact. */
  readonly day: Day;
  /** The fact's own confidence, 0..1: the weight of the verdict. */
  readonly weight: number;
  /**
   * When the verdict was given, ISO 8601. A person's later verdict overrides an earlier one. Null for a verdict of the
   * rules, unless it revokes a verdict of earlier rules.
   */
  readonly at: string | null;
}

/** The winning verdict about each pair of an opinion and a fact: by opinion id, then by fact id. */
export type FinalVerdictsByOpinion = ReadonlyMap<string, ReadonlyMap<string, Verdict>>;

const DIRECTIONS = ['supports', 'contradicts', 'none'] as const;

/** Formats a verdict as a line, line end included. */
export function formatVerdict({ fact, opinion, direction, by, day, weight, at }: Verdict): string {
  const more = { ...(weight === 1 ? {} : { c: weight }), ...(at === null ? {} : { at }) };
  return `${JSON.stringify({ fact, opinion, direction, by, day, ...more })}\n`;
}

/**
 * Parses the verdicts about opinions in `bank/evidence.jsonl`. Skips and counts invalid lines; they stay in the file.
 */
export function parseVerdicts(text: string): { readonly verdicts: readonly Verdict[]; readonly unread: number } {
  const verdicts: Verdict[] = [];
  let unread = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const read = parseVerdict(line);
    addAll(verdicts, read);
    if (read.length === 0 && parsePairVerdicts(line).length === 0) unread++;
  }
  return { verdicts, unread };
}

/**
 * The winning verdict about each pair of a fact and an opinion. A person's verdict wins over a model's, and a model's
 * over that of the rules. Of two verdicts of the same kind of judge, the later one wins. The order of the lines does not
 * matter, because a union merge changes it. Pure.
 */
export function chooseFinalVerdicts(verdicts: Iterable<Verdict>): Map<string, Map<string, Verdict>> {
  const winners = new Map<string, Map<string, Verdict>>();
  for (const verdict of verdicts) noteVerdict(winners, verdict);
  return winners;
}

/** Stores a verdict as the winning one of its pair, unless the stored one is stronger. */
function noteVerdict(winners: Map<string, Map<string, Verdict>>, verdict: Verdict): void {
  const ofOpinion = winners.get(verdict.opinion);
  const known = ofOpinion?.get(verdict.fact);
  if (ofOpinion === undefined) winners.set(verdict.opinion, new Map([[verdict.fact, verdict]]));
  else if (known === undefined || isStronger(verdict, known)) ofOpinion.set(verdict.fact, verdict);
}

function isStronger(a: Verdict, b: Verdict): boolean {
  if (rank(a) !== rank(b)) return rank(a) > rank(b);
  if (a.at !== b.at) return (a.at ?? '') > (b.at ?? '');
  return formatVerdict(a) > formatVerdict(b);
}

function rank({ by }: Verdict): number {
  return by === 'human' ? 2 : by === 'rules' ? 0 : 1;
}

function parseVerdict(line: string): readonly Verdict[] {
  const { fact, opinion, by, day, c, at, ...said } = parseRecord(line) ?? {};
  const direction = DIRECTIONS.find((one) => one === said.direction);
  if (!isId(fact, 'f') || !isId(opinion, 'o') || direction === undefined) return [];
  if (typeof day !== 'string' || !isDay(day) || !(by === 'rules' || isPairJudge(by))) return [];
  const weight = typeof c === 'number' && c >= 0 && c <= 1 ? c : 1;
  return opinion.split(' ').map((id) => ({ fact, opinion: id, direction, by, day, weight, at: asText(at) ?? null }));
}

/** The verdicts of `bank/evidence.jsonl` and those that this run adds. */
export class VerdictStore {
  private readonly added = new Set<Verdict>();
  private readonly winners: Map<string, Map<string, Verdict>>;
  /** Verdicts from before this run. */
  readonly given: readonly Verdict[];
  /** Number of lines of the file that could not be read. */
  readonly unread: number;

  constructor(text: string) {
    ({ verdicts: this.given, unread: this.unread } = parseVerdicts(text));
    this.winners = chooseFinalVerdicts(this.given);
  }

  /** The winning verdict about a fact and an opinion. */
  of(fact: string, opinion: string): Verdict | undefined {
    return this.winners.get(opinion)?.get(fact);
  }

  has(fact: string, opinion: string): boolean {
    return this.of(fact, opinion) !== undefined;
  }

  /** The winning verdicts about an opinion. */
  about(opinion: string): readonly Verdict[] {
    return [...(this.winners.get(opinion)?.values() ?? [])];
  }

  add(verdict: Verdict): void {
    this.added.add(verdict);
    noteVerdict(this.winners, verdict);
  }

  /** Ids of the opinions about which this run has added a verdict. */
  judged(): ReadonlySet<string> {
    return new Set(Array.from(this.added, ({ opinion }) => opinion));
  }

  /** Whether this run has added the verdict. */
  isAdded(verdict: Verdict): boolean {
    return this.added.has(verdict);
  }

  /** The lines to append to `bank/evidence.jsonl`. All `none` verdicts of one judge about one fact share a line. */
  lines(): string {
    return formatVerdictLines(
      [...this.added],
      ({ fact, opinion, direction, by, at }) =>
        direction === 'none' ? `${fact} ${by} ${at}` : `${fact} ${opinion} ${direction} ${by} ${at}`,
      ({ opinion }) => opinion,
      (verdict, opinion) => formatVerdict({ ...verdict, opinion }),
    );
  }

  winning(): FinalVerdictsByOpinion {
    return this.winners;
  }
}

function isId(value: unknown, letter: 'f' | 'o'): value is string {
  return typeof value === 'string' && value.startsWith(`${letter}-`);
}
