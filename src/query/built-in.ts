import { Cache } from '../base/cache.js';
import { ok, type Result } from '../base/failure.js';
import { dotProduct } from '../index/vectors/nearest.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../language/language-group.js';
import { builtInModel, scaleToOne, type WordVectors } from '../model/word-vectors.js';
import { MODEL_WEIGHTS } from './rank/weights.js';
import { BuiltInLines } from './retrieve/built-in-lines.js';
import type { MeaningOfQuestion } from './retrieve/line-vectors.js';
import { type SemanticSource, textsToCompare } from './semantic.js';

/** Name of the model that comes with the package, in answers and settings. */
const BUILT_IN_MODEL = 'built-in';

/** Language groups whose questions and lines the model does not help, by measurement. */
const NOT_KNOWN: ReadonlySet<LanguageGroup> = new Set(['hangul', 'cyrillic', 'thai', 'arabic', 'other']);
const KNOWN = new Map(LANGUAGE_GROUPS.map((tongue) => [tongue, NOT_KNOWN.has(tongue) ? 0 : 1]));

/**
 * The model that comes with the package, ready to be asked. Undefined if its file is missing or damaged.
 * @param isForUnsure whether it is asked only if the words do not answer the whole question
 */
export function openBuiltInModel(isForUnsure: boolean): SemanticSource | undefined {
  const model = builtInModel();
  return model && new BuiltInSemantic(model, isForUnsure);
}

/** Compares questions with lines by the model that comes with the package. Asks no server. */
class BuiltInSemantic implements SemanticSource {
  private readonly words: WordComparison;

  constructor(
    private readonly model: WordVectors,
    readonly isForUnsure: boolean,
  ) {
    this.words = new WordComparison(model);
  }

  async prepare(): Promise<void> {}

  async vectorOf(query: string): Promise<Result<MeaningOfQuestion>> {
    const { model } = this;
    const [whole = new Float32Array(model.dimension), ...sentences] = textsToCompare(query).map((text) => {
      const sum = new Float32Array(model.dimension);
      model.addTo(sum, text);
      scaleToOne(sum);
      return sum;
    });
    return ok({
      whole,
      sentences,
      known: KNOWN,
      model: BUILT_IN_MODEL,
      weights: MODEL_WEIGHTS.words,
      knowsWords: model.knowsWordsOf(query),
      nearestWord: (word, texts) => this.words.nearestWord(word, texts),
      lines: (search) => new BuiltInLines(search, model),
    });
  }

  alike(): undefined {
    return undefined;
  }

  close(): void {}
}

/** Minimum cosine of two words of nearly the same meaning: 47 of 58 words that were so near stood in the answering line. */
const NEAR = 0.5;
/** Maximum number of vectors of words in memory, 768 bytes each. */
const MOST_VECTORS = 4_000;

/** Compares words by their meaning. */
class WordComparison {
  private readonly vectors = new Cache<string, Float32Array | undefined>(MOST_VECTORS);

  constructor(private readonly model: WordVectors) {}

  nearestWord(word: string, texts: readonly string[]): string | undefined {
    // A word of several pieces has no meaning of its own here.
    const [asked, ...others] = this.model.knownWords(word);
    const vector = asked === undefined || others.length > 0 ? undefined : this.vectorOf(asked);
    if (vector === undefined) return undefined;
    let [nearest, least]: [string | undefined, number] = [undefined, NEAR];
    for (const other of new Set(texts.flatMap((text) => this.model.knownWords(text)))) {
      const otherVector = this.vectorOf(other);
      const cosine = otherVector === undefined ? 0 : dotProduct(vector, otherVector);
      if (cosine >= least) [nearest, least] = [other, cosine];
    }
    return nearest;
  }

  private vectorOf(word: string): Float32Array | undefined {
    return this.vectors.of(word, () => this.model.embed(word));
  }
}
