import type { Day } from '../base/clock.js';
import { asText, parseRecord } from '../base/json.js';
import { addAll } from '../base/order.js';
import { isDay } from '../language/time/calendar.js';
import { isPairJudge, type PairJudge, parsePairVerdicts, verdictLines } from './threads/verdicts.js';

/** Who judged what. */
export const EVIDENCE_PATH = 'bank/evidence.jsonl';

/** What a fact does to an opinion. */
export type Direction = (typeof DIRECTIONS)[number];

/** Who says so: `human`, `agent` (the calling agent's model), `model:NAME`, `rules`. */
export type Judge = PairJudge | 'rules';

/** One line of `bank/evidence.jsonl`: what somebody judged a fact to do to an opinion. */
export interface Verdict {
  /** `f-…` */
  readonly fact: string;
  /** `o-…` */
  readonly opinion: string;
  readonly direction: Direction;
  readonly by: Judge;
  /** Source day of the fact. */
  readonly day: Day;
  /** The fact's own confidence, 0..1: how much the verdict weighs. */
  readonly weight: number;
  /** When it was given, ISO 8601; a person's later word wins over the earlier one. Null for rules, but where they take back what earlier ones said. */
  readonly at: string | null;
}

/** Verdicts by opinion and fact: the one that counts of each pair. */
export type Verdicts = ReadonlyMap<string, ReadonlyMap<string, Verdict>>;

const DIRECTIONS = ['supports', 'contradicts', 'none'] as const;

/** A verdict as a line, its end included. */
export function formatVerdict({ fact, opinion, direction, by, day, weight, at }: Verdict): string {
  const more = { ...(weight === 1 ? {} : { c: weight }), ...(at === null ? {} : { at }) };
  return `${JSON.stringify({ fact, opinion, direction, by, day, ...more })}\n`;
}

/**
 * Reads the verdicts about opinions of `bank/evidence.jsonl`. Lines that are no verdict are passed over, and counted: they
 * stay where they are.
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
 * The verdict that counts for each pair: a person's before a model's, a model's before the rules', of the same judge the
 * later one. Independent of the order of the lines, which a union merge does not keep. Pure.
 */
export function winningVerdicts(verdicts: Iterable<Verdict>): Map<string, Map<string, Verdict>> {
  const winners = new Map<string, Map<string, Verdict>>();
  for (const verdict of verdicts) noteVerdict(winners, verdict);
  return winners;
}

/** Lets a verdict take its place among those that count, when it does. */
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

/** The verdicts of `bank/evidence.jsonl` with those that a run adds. */
export class EvidenceBook {
  private readonly added = new Set<Verdict>();
  private readonly winners: Map<string, Map<string, Verdict>>;
  /** Those that were there before this run. */
  readonly given: readonly Verdict[];
  /** Lines that could not be read. */
  readonly unread: number;

  constructor(text: string) {
    ({ verdicts: this.given, unread: this.unread } = parseVerdicts(text));
    this.winners = winningVerdicts(this.given);
  }

  /** The verdict that counts of a pair. */
  of(fact: string, opinion: string): Verdict | undefined {
    return this.winners.get(opinion)?.get(fact);
  }

  has(fact: string, opinion: string): boolean {
    return this.of(fact, opinion) !== undefined;
  }

  /** The verdicts that count about an opinion. */
  about(opinion: string): readonly Verdict[] {
    return [...(this.winners.get(opinion)?.values() ?? [])];
  }

  add(verdict: Verdict): void {
    this.added.add(verdict);
    noteVerdict(this.winners, verdict);
  }

  /** Ids of the opinions that this run has added a verdict about. */
  judged(): ReadonlySet<string> {
    return new Set(Array.from(this.added, ({ opinion }) => opinion));
  }

  /** Whether a verdict is one that this run has added. */
  isAdded(verdict: Verdict): boolean {
    return this.added.has(verdict);
  }

  /** The lines to append; what a fact says nothing of is one. */
  lines(): string {
    return verdictLines(
      [...this.added],
      ({ fact, opinion, direction, by, at }) =>
        direction === 'none' ? `${fact} ${by} ${at}` : `${fact} ${opinion} ${direction} ${by} ${at}`,
      ({ opinion }) => opinion,
      (verdict, opinion) => formatVerdict({ ...verdict, opinion }),
    );
  }

  winning(): Verdicts {
    return this.winners;
  }
}

function isId(value: unknown, letter: 'f' | 'o'): value is string {
  return typeof value === 'string' && value.startsWith(`${letter}-`);
}
