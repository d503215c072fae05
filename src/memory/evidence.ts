import type { Day } from '../base/clock.js';
import { asText, parseRecord } from '../base/json.js';
import { addAll } from '../base/order.js';
import { isDay } from '../language/time/calendar.js';
import { formatVerdictLines, isPairJudge, justAfter, type PairJudge, parsePairVerdicts } from './threads/verdicts.js';

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
  /** The first characters of the digest of the model that judged; missing if unknown. */
  readonly digest?: string | undefined;
  /**
   * The direction that a model proposes. It does not count until a person settles it. Meanwhile `direction` is `none`, and a
   * verdict of the rules wins.
   */
  readonly proposed?: Direction | undefined;
  /** Day of the log that states the fact. */
  readonly day: Day;
  /** The fact's own confidence, 0..1: the weight of the verdict. */
  readonly weight: number;
  /**
   * When the verdict was given, ISO 8601. A later verdict of a person or model overrides an earlier one. Null for a verdict
   * of the rules, unless it revokes a verdict of earlier rules, and for a verdict whose time nobody recorded.
   */
  readonly at: string | null;
}

/** A line that revokes the verdicts of one judge about a pair that were given until then. */
interface RevokedVerdict extends Pick<Verdict, 'fact' | 'opinion' | 'by' | 'day'> {
  readonly at: string;
}

/** The winning verdict about each pair of an opinion and a fact: by opinion id, then by fact id. */
export type FinalVerdictsByOpinion = ReadonlyMap<string, ReadonlyMap<string, Verdict>>;

export const DIRECTIONS = ['supports', 'contradicts', 'none'] as const;

/** Formats a verdict as a line, line end included. */
export function formatVerdict({ weight, at, ...verdict }: Verdict): string {
  const { fact, opinion, direction, proposed, by, digest, day } = verdict;
  const more = { ...(weight === 1 ? {} : { c: weight }), ...(at === null ? {} : { at }) };
  return `${JSON.stringify({ fact, opinion, direction, proposed, by, digest, day, ...more })}\n`;
}

function formatRevokedVerdict({ fact, opinion, by, day, at }: RevokedVerdict): string {
  return `${JSON.stringify({ fact, opinion, direction: REVOKED, by, day, at })}\n`;
}

const REVOKED = 'undone';

/**
 * Parses the verdicts about opinions in `bank/evidence.jsonl`, also those that a line revokes. Skips and counts invalid
 * lines; they stay in the file.
 */
export function parseVerdicts(text: string) {
  const verdicts: Verdict[] = [];
  const revoked: RevokedVerdict[] = [];
  let unread = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const read = parseLine(line);
    if (read === undefined && parsePairVerdicts(line).length === 0) unread++;
    addAll(verdicts, read?.verdicts ?? []);
    addAll(revoked, read?.revoked ?? []);
  }
  return { verdicts, revoked, unread };
}

/** Stores a verdict as the winning one of its pair, unless the stored one is stronger. */
function noteVerdict(winners: Map<string, Map<string, Verdict>>, verdict: Verdict): void {
  const ofOpinion = winners.get(verdict.opinion);
  const known = ofOpinion?.get(verdict.fact);
  if (ofOpinion === undefined) winners.set(verdict.opinion, new Map([[verdict.fact, verdict]]));
  else if (known === undefined || isStronger(verdict, known)) ofOpinion.set(verdict.fact, verdict);
}

/**
 * A person's verdict wins over a model's, and a model's over that of the rules. Of two verdicts of the same kind of judge,
 * the later one wins. The order of the lines does not matter, because a union merge changes it.
 */
function isStronger(a: Verdict, b: Verdict): boolean {
  if (rank(a) !== rank(b)) return rank(a) > rank(b);
  if (a.at !== b.at) return (a.at ?? '') > (b.at ?? '');
  return formatVerdict(a) > formatVerdict(b);
}

function rank({ by, proposed }: Verdict): number {
  if (proposed !== undefined) return 0;
  return by === 'human' ? 3 : by === 'rules' ? 1 : 2;
}

function parseLine(line: string) {
  const { fact, opinion, by, day, c, at, digest, ...said } = parseRecord(line) ?? {};
  const [direction, proposed] = [said.direction, said.proposed].map((given) => DIRECTIONS.find((one) => one === given));
  if (!isId(fact, 'f') || !isId(opinion, 'o') || typeof day !== 'string' || !isDay(day)) return undefined;
  if (!(by === 'rules' || isPairJudge(by))) return undefined;
  const ids = opinion.split(' ');
  if (said.direction === REVOKED && typeof at === 'string')
    return { verdicts: [], revoked: ids.map((id): RevokedVerdict => ({ fact, opinion: id, by, day, at })) };
  if (direction === undefined) return undefined;
  const weight = typeof c === 'number' && c >= 0 && c <= 1 ? c : 1;
  const more = { ...(proposed && { proposed }), ...(typeof digest === 'string' && { digest }) };
  const verdictOn = (id: string): Verdict => {
    return { fact, opinion: id, direction, by, ...more, day, weight, at: asText(at) ?? null };
  };
  return { verdicts: ids.map(verdictOn), revoked: [] };
}

/** The verdicts of `bank/evidence.jsonl` and those that this run adds. */
export class VerdictStore {
  private readonly added = new Set<Verdict>();
  private readonly addedRevoked: RevokedVerdict[] = [];
  private winners = new Map<string, Map<string, Verdict>>();
  /** The time of the newest line about a pair, by the ids of its fact and opinion. */
  private readonly newest = new Map<string, string>();
  /** By fact, opinion and judge: until when verdicts are revoked. */
  private readonly revoked = new Map<string, string>();
  private readonly revokedPairs = new Set<string>();
  /** Verdicts from before this run, also revoked ones. */
  readonly given: readonly Verdict[];
  /** Number of lines of the file that could not be read. */
  readonly unread: number;

  constructor(text: string) {
    const { verdicts, revoked, unread } = parseVerdicts(text);
    this.given = verdicts;
    this.unread = unread;
    for (const one of revoked) this.noteRevoked(one);
    for (const one of verdicts) this.note(one);
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

  /** Adds a verdict. A model's gets a time after that of all other lines about the pair, because clocks differ. */
  add(verdict: Verdict): void {
    const { by, at } = verdict;
    const latest = this.newest.get(pairKey(verdict)) ?? '';
    const isLate = at !== null && at <= latest && by !== 'human' && by !== 'rules';
    const added = isLate ? { ...verdict, at: justAfter(latest, at) } : verdict;
    this.added.add(added);
    this.note(added);
  }

  /** Ids of the opinions about which this run has added or revoked a verdict. */
  judged(): ReadonlySet<string> {
    return new Set(Array.from([...this.added, ...this.addedRevoked], ({ opinion }) => opinion));
  }

  /** Whether this run has added the verdict. */
  isAdded(verdict: Verdict): boolean {
    return this.added.has(verdict);
  }

  /** The lines to append to `bank/evidence.jsonl`. All `none` verdicts of one judge about one fact share a line. */
  lines(): string {
    const verdicts = formatVerdictLines(
      [...this.added],
      ({ fact, opinion, direction, proposed, by, at }) =>
        `${fact} ${direction === 'none' ? '' : opinion} ${direction} ${proposed} ${by} ${at}`,
      ({ opinion }) => opinion,
      (verdict, opinion) => formatVerdict({ ...verdict, opinion }),
    );
    const revoked = formatVerdictLines(
      this.addedRevoked,
      ({ fact, by, at }) => `${fact} ${by} ${at}`,
      ({ opinion }) => opinion,
      (one, opinion) => formatRevokedVerdict({ ...one, opinion }),
    );
    return verdicts + revoked;
  }

  winning(): FinalVerdictsByOpinion {
    return this.winners;
  }

  /** The winning verdicts that a model proposed and nobody settled. */
  proposals(): readonly Verdict[] {
    const all = [...this.winners.values()].flatMap((ofOpinion) => [...ofOpinion.values()]);
    return all.filter(({ proposed = 'none' }) => proposed !== 'none');
  }

  /** The judges that have verdicts which are not revoked. */
  judges(): ReadonlySet<Judge> {
    return new Set(this.standing().map(({ by }) => by));
  }

  /** Revokes all verdicts of a judge, and returns them. @param now ISO 8601 */
  revoke(judge: Judge, now: string): readonly Verdict[] {
    const taken = this.standing().filter(({ by }) => by === judge);
    for (const { fact, opinion, by, day, at } of taken) {
      const one = { fact, opinion, by, day, at: at !== null && at > now ? at : now };
      this.addedRevoked.push(one);
      this.noteRevoked(one);
    }
    this.winners = new Map();
    for (const one of this.standing()) noteVerdict(this.winners, one);
    return taken;
  }

  /** Whether a verdict about a fact and an opinion was revoked. */
  hasRevoked(fact: string, opinion: string): boolean {
    return this.revokedPairs.has(pairKey({ fact, opinion }));
  }

  private standing(): readonly Verdict[] {
    return [...this.given, ...this.added].filter((one) => !this.isRevoked(one));
  }

  private note(verdict: Verdict): void {
    if (verdict.at !== null) this.noteTime(verdict, verdict.at);
    if (!this.isRevoked(verdict)) noteVerdict(this.winners, verdict);
  }

  private noteRevoked(one: RevokedVerdict): void {
    this.noteTime(one, one.at);
    this.revokedPairs.add(pairKey(one));
    const key = `${pairKey(one)} ${one.by}`;
    if ((this.revoked.get(key) ?? '') < one.at) this.revoked.set(key, one.at);
  }

  private noteTime(pair: Pair, at: string): void {
    if ((this.newest.get(pairKey(pair)) ?? '') < at) this.newest.set(pairKey(pair), at);
  }

  private isRevoked(verdict: Verdict): boolean {
    if (this.revoked.size === 0) return false;
    const until = this.revoked.get(`${pairKey(verdict)} ${verdict.by}`);
    return until !== undefined && (verdict.at ?? '') <= until;
  }
}

type Pair = Pick<Verdict, 'fact' | 'opinion'>;

function pairKey({ fact, opinion }: Pair): string {
  return `${fact} ${opinion}`;
}

function isId(value: unknown, letter: 'f' | 'o'): value is string {
  return typeof value === 'string' && value.startsWith(`${letter}-`);
}
