import type { FoundUnit, Search } from '../search.js';
import { embeddedText } from './embedded-text.js';
import { dot, type VectorSearch, withoutMean } from './nearest.js';
import { textContext } from './places.js';

/** Two statements of a workspace taken at random are alike in so many cases. */
const BY_CHANCE = 0.02;
/** Fewer pairs than of 48 texts tell nothing of chance. */
const LEAST_PAIRS = (48 * 47) / 2;

/**
 * Tells which facts mean much the same, by the vectors that are stored; asks no model. How near that is differs from model
 * to model and workspace to workspace, so it is measured against pairs taken at random.
 */
export class SimilarityTest {
  private readonly vectors = new Map<string, Float32Array | undefined>();

  constructor(
    private readonly stored: VectorSearch,
    private readonly search: Search,
  ) {}

  /**
   * Whether two facts are nearer than chance has it. Among many of one subject they must be nearer, so that each of them
   * has as few neighbours by chance as one of two has. False where a vector is missing, or too few are there to compare.
   * @param a id of a fact
   * @param b id of another one
   * @param among so many facts of one subject
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
