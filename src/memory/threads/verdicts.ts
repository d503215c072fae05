import type { Day } from '../../base/clock.js';
import { asRecord, parseRecord } from '../../base/json.js';
import { addToGroup, compareText, groupBy } from '../../base/order.js';
import { isDay } from '../../language/time/calendar.js';

/** The possible effects of a later statement on an earlier one. */
export const RELATIONS = ['replaces', 'ends', 'partly', 'same', 'both', 'plan'] as const;
export type Relation = (typeof RELATIONS)[number];

/** The judge of two statements; `agent` is the calling agent's model. */
export type PairJudge = 'human' | 'agent' | `model:${string}`;

/** A line of `bank/evidence.jsonl`: a verdict about what a later statement does to an earlier one. */
export interface PairVerdict {
  /** Id of the later fact. */
  readonly fact: string;
  readonly of: string;
  readonly relation: Relation | 'undone';
  /** With the relation `partly`: the words of the earlier fact that no longer apply. */
  readonly over?: string;
  readonly by: PairJudge;
  /** The first characters of the digest of the model that judged; missing if unknown. */
  readonly digest?: string | undefined;
  /**
   * The relation that a model proposes. It does not count until a person settles it. Meanwhile `relation` is `both`, and the
   * links of the rules stay.
   */
  readonly proposed?: Relation | undefined;
  /** Source day of the later fact. */
  readonly day: Day;
  /** When the verdict was given, ISO 8601. */
  readonly at: string;
  /** Where the two statements were when the verdict was given, if one of them is a line of log text (`l-…`). */
  readonly lines?: Readonly<Record<'fact' | 'of', JudgedLine>>;
}

interface JudgedLine {
  readonly path: string;
  /** Hash of the text. */
  readonly text: string;
}

/** The winning verdicts, by the id of the earlier fact. */
export type FinalPairVerdicts = ReadonlyMap<string, readonly PairVerdict[]>;

/** Formats a verdict as a line, with its line end. */
function formatPairVerdict(verdict: PairVerdict): string {
  const { fact, of, relation, proposed, over, by, digest, day, at, lines } = verdict;
  return `${JSON.stringify({ fact, of, relation, proposed, over, by, digest, day, at, lines })}\n`;
}

/**
 * Parses a line with one or more verdicts about a later fact and earlier facts. The field `of` has the ids of the earlier
 * facts. Empty for any other line.
 */
export function parsePairVerdicts(line: string): readonly PairVerdict[] {
  if (!line.includes('"of"')) return [];
  const { fact, of, relation, over, by, digest, day, at, lines, ...said } = parseRecord(line) ?? {};
  const known = [...RELATIONS, 'undone' as const].find((one) => one === relation);
  const proposed = RELATIONS.find((one) => one === said.proposed);
  if (known === undefined || ![fact, of, at].every((one) => typeof one === 'string') || !isPairJudge(by)) return [];
  if (typeof day !== 'string' || !isDay(day)) return [];
  const places = asRecord(lines);
  const [later, earlier] = [judgedLine(places.fact), judgedLine(places.of)];
  const more = {
    ...(proposed && { proposed }),
    ...(typeof over === 'string' && over.trim() !== '' ? { over } : {}),
    ...(typeof digest === 'string' && { digest }),
    ...(later && earlier && { lines: { fact: later, of: earlier } }),
  };
  const ids = String(of).split(' ');
  return ids.map((id) => ({ fact: String(fact), of: id, relation: known, ...more, by, day, at: String(at) }));
}

function judgedLine(value: unknown): JudgedLine | undefined {
  const { path, text } = asRecord(value);
  return typeof path === 'string' && typeof text === 'string' ? { path, text } : undefined;
}

export function isPairJudge(value: unknown): value is PairJudge {
  return value === 'human' || value === 'agent' || (typeof value === 'string' && /^model:./.test(value));
}

/**
 * Removes the words `over` from each verdict if they occur in one of some forgotten texts. A verdict without these words
 * has no effect. Pure.
 */
export function withoutForgottenWords(evidence: string, texts: readonly string[]): string {
  const lines = evidence.split('\n').map((line) => {
    const [verdict] = parsePairVerdicts(line);
    if (verdict?.over === undefined) return line;
    const { over, ...rest } = verdict;
    return texts.some((text) => text.includes(over)) ? formatPairVerdict(rest).trimEnd() : line;
  });
  return lines.join('\n');
}

/** The winning verdict of each pair. Pure. */
export function readFinalVerdicts(text: string): FinalPairVerdicts {
  return new PairVerdictStore(text).winning();
}

/**
 * Formats verdicts as lines, sorted by day and then by text. So the order in which the verdicts were found does not
 * matter. All verdicts with the same key share one line, with all their ids.
 */
export function formatVerdictLines<T extends { readonly day: Day }>(
  verdicts: readonly T[],
  keyOf: (verdict: T) => string,
  idOf: (verdict: T) => string,
  lineOf: (verdict: T, ids: string) => string,
): string {
  const lines = [...groupBy(verdicts, keyOf).values()].flatMap((group) => {
    const ids = [...new Set(group.map(idOf))].sort().join(' ');
    return group.slice(0, 1).map((first) => [first.day, lineOf(first, ids)] as const);
  });
  return lines
    .sort(([a, x], [b, y]) => compareText(a + x, b + y))
    .map(([, line]) => line)
    .join('');
}

/** The verdicts of `bank/evidence.jsonl` about pairs of statements, and the verdicts that this run adds. */
export class PairVerdictStore {
  private readonly pairs = new Map<string, PairVerdict[]>();
  private readonly added: PairVerdict[] = [];

  constructor(text: string) {
    for (const line of text.split('\n')) for (const verdict of parsePairVerdicts(line)) this.note(verdict);
  }

  /** The winning verdict about a pair. Undefined if there is no verdict, or it was revoked. */
  of(fact: string, of: string): PairVerdict | undefined {
    return countingOf(this.pairs.get(`${fact} ${of}`) ?? []);
  }

  /**
   * Adds a verdict. Its time is set after that of all other verdicts about the pair, because the clocks of several
   * machines differ.
   * @param now ISO 8601
   */
  add(verdict: Omit<PairVerdict, 'at'>, now: string): void {
    const known = this.pairs.get(`${verdict.fact} ${verdict.of}`) ?? [];
    const [latest = ''] = known.map(({ at }) => at).sort((a, b) => compareText(b, a));
    const full = { ...verdict, at: latest < now ? now : justAfter(latest, now) };
    this.note(full);
    this.added.push(full);
  }

  /**
   * The lines to append, in an order that does not depend on the order of the calls. All verdicts `both` about one fact
   * share a line.
   */
  lines(): string {
    return formatVerdictLines(
      this.added,
      ({ fact, of, relation, proposed = relation, by, at, lines }) =>
        proposed === 'both' && lines === undefined ? `${fact} ${by} ${at}` : `${fact} ${of} ${relation} ${by} ${at}`,
      ({ of }) => of,
      (verdict, of) => formatPairVerdict({ ...verdict, of }),
    );
  }

  /** The verdicts that this run has added. */
  given(): readonly PairVerdict[] {
    return this.added;
  }

  winning(): FinalPairVerdicts {
    const byEarlier = new Map<string, PairVerdict[]>();
    for (const verdicts of this.pairs.values()) {
      const verdict = countingOf(verdicts);
      if (verdict !== undefined) addToGroup(byEarlier, verdict.of, verdict);
    }
    // If several later facts ended a fact, the first of them counts, whatever the order of the lines is.
    for (const verdicts of byEarlier.values())
      if (verdicts.length > 1) verdicts.sort((a, b) => compareText(a.day, b.day) || compareText(a.fact, b.fact));
    return byEarlier;
  }

  /** The judges that have verdicts which are not revoked. */
  judges(): ReadonlySet<PairJudge> {
    return new Set([...this.pairs.values()].flatMap((verdicts) => standingOf(verdicts).map(({ by }) => by)));
  }

  /** Revokes all verdicts of a judge. @param now ISO 8601 */
  revoke(judge: PairVerdict['by'] | 'rules', now: string): void {
    for (const verdicts of [...this.pairs.values()]) {
      const taken = standingOf(verdicts).find(({ by }) => by === judge);
      if (taken === undefined) continue;
      const { fact, of, by, day } = taken;
      this.add({ fact, of, relation: 'undone', by, day }, now);
    }
  }

  /** The winning verdicts that a model proposed and nobody settled, if they would change something. */
  proposals(): readonly PairVerdict[] {
    const winners = [...this.pairs.values()].flatMap((verdicts) => countingOf(verdicts) ?? []);
    return winners.filter(({ proposed = 'both' }) => proposed !== 'both' && proposed !== 'plan');
  }

  private note(verdict: PairVerdict): void {
    addToGroup(this.pairs, `${verdict.fact} ${verdict.of}`, verdict);
  }
}

/**
 * The winning verdict among those about one pair. A person's verdict wins over a model's, and that over a proposal. Otherwise
 * the later one wins. A revoked verdict does not count. The order of the lines does not matter, because a union merge changes it.
 */
function countingOf(verdicts: readonly PairVerdict[]): PairVerdict | undefined {
  return standingOf(verdicts).reduce<PairVerdict | undefined>(
    (best, one) => (best === undefined || isStronger(one, best) ? one : best),
    undefined,
  );
}

/** The verdicts about one pair that are not revoked. */
function standingOf(verdicts: readonly PairVerdict[]): readonly PairVerdict[] {
  const undone = verdicts.filter(({ relation }) => relation === 'undone');
  return verdicts.filter(
    ({ relation, by, at }) => relation !== 'undone' && !undone.some((one) => one.by === by && one.at >= at),
  );
}

function isStronger(a: PairVerdict, b: PairVerdict): boolean {
  if (rank(a) !== rank(b)) return rank(a) > rank(b);
  return a.at === b.at ? formatPairVerdict(a) > formatPairVerdict(b) : a.at > b.at;
}

function rank({ by, proposed }: PairVerdict): number {
  return by === 'human' ? 2 : proposed === undefined ? 1 : 0;
}

/** The time one millisecond after another; `now` if that is no time. ISO 8601. */
export function justAfter(at: string, now: string): string {
  const time = new Date(Date.parse(at) + 1);
  return Number.isNaN(time.getTime()) ? now : time.toISOString();
}
