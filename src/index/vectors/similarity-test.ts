import type { FoundUnit, Search } from '../search.js';
import { embeddedText } from './embedded-text.js';
import { dot, type VectorSearch, withoutMean } from './nearest.js';
import { textContext } from './places.js';

/** Share of random pairs of statements that may count as similar. */
const BY_CHANCE = 0.02;
/** Minimum number of pairs (those of 48 texts) for a meaningful comparison with chance. */
const LEAST_PAIRS = (48 * 47) / 2;

/**
 * Tests which facts mean much the same, by stored vectors; calls no model. Similarity differs between models and workspaces,
 * so it is compared with that of random pairs.
 */
export class SimilarityTest {
  private readonly vectors = new Map<string, Float32Array | undefined>();

  constructor(
    private readonly stored: VectorSearch,
    private readonly search: Search,
  ) {}

  /**
   * Whether two facts are nearer than chance explains. The more facts one subject has, the nearer they must be, so that each
   * has as few chance neighbours as one of two. False if a vector is missing, or there are too few to compare.
   * @param a id of a fact
   * @param b id of another one
   * @param among number of facts of the subject
   */
  readonly alike = (a: string, b: string, among: number): boolean => {
    const chance = this.stored.chance();
    const nearest = chance[Math.floor(chance.length * BY_CHANCE * (2 / Math.max(2, among)))];
    if (nearest === undefined || chance.length < LEAST_PAIRS) return false;
    const [one, other] = [this.vectorOf(a), this.vectorOf(b)];
    return one !== undefined && other !== undefined && dot(one, other) >= nearest;
  };

  private vectorOf(id: string): Float32Array | undefined {
    if (!this.vectors.has(id)) this.vectors.set(id, this.read(this.search.statements(id)[0]));
    return this.vectors.get(id);
  }

  private read(unit: FoundUnit | undefined): Float32Array | undefined {
    const text =
      unit &&
      embeddedText(
        unit,
        textContext((key) => this.search.unit(key)),
      );
    const vector = text && this.stored.vectorOf(text.hash);
    return vector && withoutMean(vector, this.stored.middle());
  }
}
