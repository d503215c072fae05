import type { Claim } from './claim.js';
import type { StatedFact } from './stated.js';

const DONE_SHARE = 0.6;

/** What was only planned, thought of or open, and is told as done by a later fact. */
export class Done<F extends StatedFact> {
  constructor(private readonly claims: readonly Claim<F>[]) {}

  isDone(claim: Claim<F>): boolean {
    const { nature, source } = claim;
    if (!(nature.isWish || nature.isUnfinished || (nature.isPlan && claim.piece.from === null))) return false;
    const wanted = [...claim.terms].filter((term) => !IDLE.has(term));
    if (wanted.length === 0) return false;
    return this.claims.some((other) => {
      if (other.source.id === source.id || (other.source.day ?? '') <= (source.day ?? '')) return false;
      if (other.nature.isWish || other.nature.isUnfinished) return false;
      const isAbout = [...claim.subject].some((slug) => other.subject.has(slug));
      const shared = wanted.filter((term) => other.terms.has(term)).length;
      return isAbout && shared >= Math.max(1, wanted.length * (nature.isUnfinished ? 0.5 : DONE_SHARE));
    });
  }
}

/** Terms that say how something is thought of, and not what. Stems. */
const IDLE: ReadonlySet<string> = new Set(
  'plan consid think hope might mayb perhap yet not intend want next year month week 打算 计划 考虑'.split(' '),
);
