import type { Day } from '../../base/clock.js';
import { isRecord, parseRecord } from '../../base/json.js';
import { isDay } from '../../language/time/calendar.js';

/** What a later statement does to an earlier one. */
export const RELATIONS = ['replaces', 'ends', 'partly', 'same', 'both', 'plan'] as const;
export type Relation = (typeof RELATIONS)[number];

/** A line of `bank/evidence.jsonl`: what somebody judged a fact to do to an earlier one. */
export interface PairVerdict {
  /** Id of the later fact. */
  readonly fact: string;
  readonly of: string;
  readonly relation: Relation | 'undone';
  /** Words of the earlier that are over, with `partly`. */
  readonly over?: string;
  /** `human`, `agent`, `model:NAME`. */
  readonly by: string;
  /** Source day of the later fact. */
  readonly day: Day;
  /** When it was given, ISO 8601. */
  readonly at: string;
}

/** The verdicts that count, by the id of the earlier fact. */
export type PairVerdicts = ReadonlyMap<string, readonly PairVerdict[]>;

/** A verdict as a line, its end included. */
export function formatPairVerdict({ fact, of, relation, over, by, day, at }: PairVerdict): string {
  return `${JSON.stringify({ fact, of, relation, ...(over === undefined ? {} : { over }), by, day, at })}\n`;
}

/** Reads a line as a verdict about two statements; undefined when it is none. */
export function parsePairVerdict(line: string): PairVerdict | undefined {
  if (!line.includes('"of"')) return undefined;
  const value = parseRecord(line);
  if (!isRecord(value)) return undefined;
  const { fact, of, relation, over, by, day, at } = value;
  const known = [...RELATIONS, 'undone' as const].find((one) => one === relation);
  if (known === undefined || ![fact, of, by, at].every((one) => typeof one === 'string')) return undefined;
  if (typeof day !== 'string' || !isDay(day)) return undefined;
  const said = typeof over === 'string' && over.trim() !== '' ? { over } : {};
  return { fact: String(fact), of: String(of), relation: known, ...said, by: String(by), day, at: String(at) };
}

/**
 * The verdict that counts of each pair: a person's before a model's, then the later one; what was undone counts no more.
 * Independent of the order of the lines, which a union merge does not keep. Pure.
 */
export function winningPairs(text: string): PairVerdicts {
  const winners = new Map<string, PairVerdict>();
  for (const line of text.split('\n')) {
    const verdict = parsePairVerdict(line);
    if (verdict === undefined) continue;
    const key = `${verdict.fact} ${verdict.of}`;
    const known = winners.get(key);
    if (known === undefined || isStronger(verdict, known)) winners.set(key, verdict);
  }
  const byEarlier = new Map<string, PairVerdict[]>();
  for (const verdict of winners.values()) {
    if (verdict.relation === 'undone') continue;
    const known = byEarlier.get(verdict.of);
    if (known === undefined) byEarlier.set(verdict.of, [verdict]);
    else known.push(verdict);
  }
  return byEarlier;
}

function isStronger(a: PairVerdict, b: PairVerdict): boolean {
  const rank = ({ by, relation }: PairVerdict): number => (by === 'human' || relation === 'undone' ? 1 : 0);
  if (rank(a) !== rank(b)) return rank(a) > rank(b);
  return a.at === b.at ? formatPairVerdict(a) > formatPairVerdict(b) : a.at > b.at;
}
