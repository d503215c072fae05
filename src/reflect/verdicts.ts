import type { Day } from '../base/clock.js';
import { formatVerdict, parseVerdicts, type Verdict, type Verdicts, winningVerdicts } from '../memory/evidence.js';

/** The verdicts of `bank/evidence.jsonl` with those that a run adds. */
export class EvidenceBook {
  private readonly added: Verdict[] = [];
  private readonly byPair = new Map<string, Verdict>();
  private readonly known: readonly Verdict[];
  /** Lines that could not be read. */
  readonly unread: number;

  constructor(text: string) {
    const { verdicts, unread } = parseVerdicts(text);
    this.known = verdicts;
    this.unread = unread;
    for (const [, ofOpinion] of winningVerdicts(verdicts)) {
      for (const verdict of ofOpinion.values()) this.byPair.set(pair(verdict.fact, verdict.opinion), verdict);
    }
  }

  given(): readonly Verdict[] {
    return this.known;
  }

  has(fact: string, opinion: string): boolean {
    return this.byPair.has(pair(fact, opinion));
  }

  add(verdict: Verdict): void {
    this.added.push(verdict);
    this.byPair.set(pair(verdict.fact, verdict.opinion), verdict);
  }

  /** The lines to append, in an order that does not depend on how they were found. */
  lines(): string {
    return this.added.map(formatVerdict).sort(byDay).join('');
  }

  winning(): Verdicts {
    return winningVerdicts([...this.known, ...this.added]);
  }
}

function pair(fact: string, opinion: string): string {
  return `${fact} ${opinion}`;
}

function byDay(a: string, b: string): number {
  const [x, y] = [dayIn(a) + a, dayIn(b) + b];
  return x < y ? -1 : x > y ? 1 : 0;
}

function dayIn(line: string): Day {
  return /"day":"([^"]+)"/.exec(line)?.[1] ?? '';
}
