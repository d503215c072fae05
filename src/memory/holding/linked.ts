import type { Claim } from './claim.js';
import type { StatedFact } from './stated.js';

/**
 * Which statements are of one thing in other words: those that have been said of one name. Who `signed with Genoa` and `plays for
 * Genoa` plays for Ajax no more, since only the value tells that both are of one thing.
 */
export class Linked<F extends StatedFact> {
  private readonly byFrame = new Map<string, Claim<F>[]>();
  private readonly byValue = new Map<string, Set<string>>();

  /** @param claims the newest first */
  constructor(claims: readonly Claim<F>[]) {
    for (const claim of claims) {
      if (!claim.mayFill) continue;
      const frame = claim.slots?.frame ?? '';
      this.byFrame.set(frame, [...(this.byFrame.get(frame) ?? []), claim]);
      for (const value of claim.values)
        if (!/^[\d@＠]/.test(value)) this.byValue.set(value, (this.byValue.get(value) ?? new Set()).add(frame));
    }
  }

  /** The newest statement that has another value of what an earlier one is of. */
  otherOf(earlier: Claim<F>): Claim<F> | undefined {
    if (!earlier.mayFill) return undefined;
    const own = earlier.slots?.frame ?? '';
    for (const frame of this.near(own)) {
      const by = this.byFrame.get(frame)?.find((claim) => claim.isInPlaceOf(earlier));
      if (by !== undefined) return by;
    }
    return undefined;
  }

  private near(own: string): ReadonlySet<string> {
    const frames = new Set<string>();
    for (const claim of this.byFrame.get(own) ?? []) {
      for (const value of claim.values) for (const frame of this.byValue.get(value) ?? []) frames.add(frame);
    }
    frames.delete(own);
    return frames;
  }
}
