import {
  noteVerdict,
  parseVerdicts,
  type Verdict,
  type Verdicts,
  verdictLines,
  winningVerdicts,
} from '../../memory/evidence.js';

/** The verdicts of `bank/evidence.jsonl` with those that a run adds. */
export class EvidenceBook {
  private readonly added: Verdict[] = [];
  private readonly winners: Map<string, Map<string, Verdict>>;
  private readonly known: readonly Verdict[];
  /** Lines that could not be read. */
  readonly unread: number;

  constructor(text: string) {
    ({ verdicts: this.known, unread: this.unread } = parseVerdicts(text));
    this.winners = winningVerdicts(this.known);
  }

  /** Those that were there before this run. */
  given(): readonly Verdict[] {
    return this.known;
  }

  has(fact: string, opinion: string): boolean {
    return this.winners.get(opinion)?.has(fact) === true;
  }

  /** Whether more than the rules have judged a pair. */
  isSettled(fact: string, opinion: string): boolean {
    const verdict = this.winners.get(opinion)?.get(fact);
    return verdict !== undefined && verdict.by !== 'rules';
  }

  add(verdict: Verdict): void {
    this.added.push(verdict);
    noteVerdict(this.winners, verdict);
  }

  /** Ids of the opinions that this run has added a verdict about. */
  judged(): ReadonlySet<string> {
    return new Set(this.added.map(({ opinion }) => opinion));
  }

  /** The lines to append, in an order that does not depend on how they were found. */
  lines(): string {
    return verdictLines(this.added);
  }

  winning(): Verdicts {
    return this.winners;
  }
}
