import type { FoundUnit, IndexSearch } from '../search.js';
import { embeddedText } from './embedded-text.js';
import { dotProduct, type VectorSearch, withoutMean } from './nearest.js';
import { createTextContextReader } from './places.js';

/** Two facts count as similar if at most this share of random pairs is as similar as they are. */
const BY_CHANCE = 0.02;
/** Minimum number of random pairs: as many as 48 texts give. With fewer pairs, a comparison says too little. */
const LEAST_PAIRS = (48 * 47) / 2;

/**
 * Tests by stored vectors whether two facts mean much the same. Calls no model. The same similarity means different things
 * in different models and workspaces, so it is compared with the similarity of random pairs.
 */
export class SimilarityTest {
  private readonly vectors = new Map<string, Float32Array | undefined>();

  constructor(
    private readonly stored: VectorSearch,
    private readonly search: IndexSearch,
  ) {}

  /**
   * Whether two facts about the same subject are more similar than random pairs of texts. The more facts the subject
   * has, the more similar the two facts must be, because more facts are similar by chance. False if a vector is
   * missing, or if there are too few texts to compare.
   * @param a id of a fact
   * @param b id of the other fact
   * @param among number of facts of the subject
   */
  readonly alike = (a: string, b: string, among: number): boolean => {
    const chance = this.stored.chance();
    const nearest = chance[Math.floor(chance.length * BY_CHANCE * (2 / Math.max(2, among)))];
    if (nearest === undefined || chance.length < LEAST_PAIRS) return false;
    const [one, other] = [this.vectorOf(a), this.vectorOf(b)];
    return one !== undefined && other !== undefined && dotProduct(one, other) >= nearest;
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
        createTextContextReader((key) => this.search.unit(key)),
      );
    const vector = text && this.stored.vectorOf(text.hash);
    return vector && withoutMean(vector, this.stored.middle());
  }
}
