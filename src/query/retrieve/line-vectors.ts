import type { FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import type { TextContext } from '../../index/vectors/embedded-text.js';
import type { SampleSimilarity } from '../../index/vectors/nearest.js';
import type { KnownLanguageGroups } from '../../model/language-probes.js';

/** How much the signal of a model counts, 0 to 1. */
export interface ModelWeights {
  /** For a line that no word found. */
  readonly alone: number;
  /** For a line that words found. */
  readonly beside: number;
  /** Signal from which on a first result that no word found may be called an answer. */
  readonly answer: number;
  /** Whether a warning says that a first result was found by meaning alone. */
  readonly mayMislead: boolean;
}

/** A text near to a question, with the units that have it now. */
export interface NearText extends SampleSimilarity {
  units(): readonly UnitKey[];
}

/** The vectors of the lines of an index, to be compared with that of a question. */
export interface LineVectors {
  /** Whether no line has a vector. */
  readonly isEmpty: boolean;
  /** A deviation of similarities counts as this at least. With few lines, a smaller one is chance. */
  readonly leastDeviation: number;
  /** The mean of the vectors of all lines, or of a sample: what all of them have in common. */
  middle(): Float32Array;
  /** How similar a fixed sample of lines is to a question. */
  sample(question: Float32Array): readonly SampleSimilarity[];
  /** The texts nearest to a question, the nearest first. */
  nearest(question: Float32Array, limit: number): readonly NearText[];
  /** How similar some units are to a question. Units without a vector are left out. */
  similarities(
    question: Float32Array,
    units: readonly FoundUnit[],
    around: TextContext,
  ): ReadonlyMap<UnitKey, SampleSimilarity>;
}

/** The vectors of a question. */
export interface QuestionVectors {
  /** The vector of the whole question. */
  readonly whole: Float32Array;
  /** The vectors of its sentences, if it has several: each may be about another topic. */
  readonly sentences: readonly Float32Array[];
  /** How well the model knows each language group. */
  readonly known: KnownLanguageGroups;
}

/** The vectors of a question, and the model that made them. */
export interface MeaningOfQuestion extends QuestionVectors {
  /** Name of the model. */
  readonly model: string;
  readonly weights: ModelWeights;
  /** Whether the model knows every word of the question. Otherwise it finds no lines in which no word of it stands. */
  readonly knowsWords: boolean;
  /**
   * The word of some texts that is nearest in meaning to a word. Undefined if none is near. Not known
   * of a model of whole sentences.
   */
  readonly nearestWord: ((word: string, texts: readonly string[]) => string | undefined) | undefined;
  /** The vectors of the lines of an index, by the same model. */
  lines(search: IndexSearch): LineVectors;
}
