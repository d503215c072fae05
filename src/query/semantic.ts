import type { Cache } from '../base/cache.js';
import type { Failure } from '../base/failure.js';
import { err, ok, type Result } from '../base/failure.js';
import type { Database } from '../db/open.js';
import { addVectorFunctions } from '../db/vector-functions.js';
import type { IndexSearch } from '../index/search.js';
import { readKnownLanguageGroups, readStoredModels, type StoredModel } from '../index/vectors/models.js';
import { VectorSearch } from '../index/vectors/nearest.js';
import { openVectors } from '../index/vectors/open.js';
import { SimilarityTest } from '../index/vectors/similarity-test.js';
import { detectLanguageGroup, LANGUAGE_GROUP_NAMES } from '../language/language-group.js';
import type { FactSimilarityTest } from '../memory/threads/threads.js';
import type { Embedder } from '../model/model.js';
import { splitQuestions, statingSentences } from './parse/split-questions.js';
import { MODEL_WEIGHTS } from './rank/weights.js';
import type { MeaningOfQuestion, QuestionVectors } from './retrieve/line-vectors.js';
import { StoredLines } from './retrieve/stored-lines.js';

/** The source of vectors for answering a question by meaning as well as by words. */
export interface SemanticSource {
  /**
   * Starts to compute the vectors of questions that will be asked soon. Resolves when the request to the server has been
   * sent.
   */
  prepare(queries: readonly string[]): Promise<void>;
  /**
   * The vectors of a question, and the stored vectors to compare them with. A failure if the vectors do not come in time.
   * Never throws.
   */
  vectorOf(query: string): Promise<Result<MeaningOfQuestion>>;
  /** A test whether two facts mean nearly the same, by the stored vectors only. Asks no model. Undefined: not tested. */
  alike(search: IndexSearch): FactSimilarityTest | undefined;
  /** Whether it is asked only if the words do not answer the whole question. */
  readonly isForUnsure: boolean;
  close(): void;
}

interface SemanticOptions {
  readonly stateFolder: string;
  readonly embedder: Embedder;
  /** Maximum time to wait for the vector of one question, in ms. */
  readonly budgetMs: number;
  /** If this signal aborts, nothing waits for the server any longer. */
  readonly signal?: AbortSignal | undefined;
  /** Cache for {@link VectorSearch}. It holds values that are slow to compute and the same for most questions. */
  readonly chances?: Cache<string, Float32Array> | undefined;
}

/**
 * Number of turns of the event loop until a request is connected and sent. A search by words before that would delay the
 * request.
 */
const TURNS_TO_SEND = 12;
/**
 * Maximum number of sentences of a message that are compared separately. Each costs a vector and a comparison with every
 * candidate.
 */
const MOST_SENTENCES = 8;
/** Number of questions of a batch that share one time budget. */
const QUESTIONS_PER_BUDGET = 8;

/**
 * Opens the stored vectors of the configured model, or fails with the reason why there are none. Asks no server: the version
 * of its model is checked together with the vector of the first question.
 */
export function openSemantic(options: SemanticOptions): Result<SemanticSource> {
  const { stateFolder, embedder } = options;
  const opened = openVectors(stateFolder);
  if (opened.state === 'unusable')
    return err({ type: 'index', message: `the vectors can't be used: ${opened.why}`, hint: MAKE_VECTORS });
  if (opened.state === 'missing') return missing('there are no vectors yet');
  const { db } = opened;
  const [latest, ...others] = readStoredModels(db).filter(
    ({ name, scheme }) => name === embedder.name && scheme === embedder.scheme,
  );
  if (latest !== undefined) return ok(new Semantic(db, [latest, ...others], options));
  db.close();
  return missing(`there are no vectors of ${embedder.name} yet`);
}

function missing<T>(message: string): Result<T> {
  return err({ type: 'model_unavailable', message, hint: MAKE_VECTORS });
}

const MAKE_VECTORS = 'make them: openclaw memory index --embed';

class Semantic implements SemanticSource {
  readonly isForUnsure = false;
  private readonly waiting = new Map<string, Promise<Result<MeaningOfQuestion>>>();
  private readonly stop = new AbortController();
  private readonly ends: AbortSignal;
  private current: Promise<Result<StoredModel>> | undefined;
  private search: Result<Searched> | undefined;
  private stored: VectorSearch | undefined;
  /** The first failure of the server in a batch. After it, the other questions of the batch do not wait for the server. */
  private failed: Result<MeaningOfQuestion> | undefined;

  constructor(
    private readonly db: Database,
    private readonly models: readonly [StoredModel, ...StoredModel[]],
    private readonly options: SemanticOptions,
  ) {
    this.ends = AbortSignal.any([this.stop.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  }

  async prepare(queries: readonly string[]): Promise<void> {
    const asked = [...new Set(queries)].filter((query) => query.trim() !== '' && !this.waiting.has(query));
    if (asked.length === 0 || this.failed !== undefined) return;
    const budget = this.options.budgetMs * Math.ceil(asked.length / QUESTIONS_PER_BUDGET);
    const parts = asked.map(textsToCompare);
    const answer = Promise.all([this.options.embedder.embedQueries(parts.flat(), this.ends), this.model()]);
    // While a model is still being loaded, only one question waits for it. As soon as it has answered, later questions are
    // sent to it again.
    void answer.then(([embedded]) => {
      if (embedded.ok) this.failed = undefined;
    });
    const vectors = Promise.race([answer, this.lateAfter(budget)]);
    let at = 0;
    for (const [i, query] of asked.entries()) {
      const [from, to] = [at, at + (parts[i]?.length ?? 0)];
      at = to;
      this.waiting.set(
        query,
        vectors.then(([embedded, model]) => {
          const result = this.combine(embedded.ok ? ok(embedded.value.slice(from, to)) : embedded, model);
          if (!result.ok) this.failed ??= result;
          return result.ok ? this.ifKnown(query, result.value) : result;
        }),
      );
    }
    for (let turn = 0; turn < TURNS_TO_SEND; turn++) await new Promise((resolve) => void setImmediate(resolve));
  }

  async vectorOf(query: string): Promise<Result<MeaningOfQuestion>> {
    void this.prepare([query]);
    const result = (await this.waiting.get(query)) ?? this.failed;
    this.waiting.delete(query);
    return result ?? missing('the question is empty');
  }

  alike(search: IndexSearch): FactSimilarityTest {
    return new SimilarityTest(this.vectorsOf(this.models[0]), search).alike;
  }

  /**
   * The stored vectors of a model. The vectors of the latest model are opened only once, and then used to compare facts
   * and to answer questions.
   */
  private vectorsOf(model: StoredModel): VectorSearch {
    if (model !== this.models[0]) return new VectorSearch(this.db, model);
    this.stored ??= new VectorSearch(this.db, model, this.options.chances);
    return this.stored;
  }

  close(): void {
    this.stop.abort();
    this.db.close();
  }

  /**
   * The stored model that has the same version (`digest`) as the model on the server. Fails if there are only vectors of
   * other versions.
   */
  private model(): Promise<Result<StoredModel>> {
    this.current ??= this.options.embedder.digest(this.ends).then((digest) => {
      if (!digest.ok) return digest;
      const model = this.models.find((stored) => stored.digest === digest.value);
      return model === undefined
        ? missing(`the vectors are of another version of ${this.options.embedder.name}`)
        : ok(model);
    });
    return this.current;
  }

  private lateAfter(ms: number): Promise<readonly [Result<never>, Result<never>]> {
    const late = err<Failure>({
      type: 'model_unavailable',
      message: `${this.options.embedder.name} did not answer within ${this.options.budgetMs} ms`,
      hint: 'allow more time with the setting recallEmbedBudgetMs',
    });
    const signal = AbortSignal.any([this.ends, AbortSignal.timeout(ms)]);
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve([late, late]), { once: true }));
  }

  private combine(embedded: Result<readonly Float32Array[]>, model: Result<StoredModel>): Result<MeaningOfQuestion> {
    if (!embedded.ok) return embedded;
    if (!model.ok) return model;
    const [whole, ...sentences] = embedded.value;
    if (whole?.length !== model.value.dimension)
      return missing(`the vectors have ${model.value.dimension} numbers, the question's ${whole?.length ?? 0}`);
    // The search is opened only now that the server has returned the vector of the question. Without a server, it would
    // be opened in vain.
    this.search ??= this.openSearch(model.value);
    return this.search.ok ? ok({ ...this.search.value, whole, sentences }) : this.search;
  }

  /**
   * Fails if the model does not know the language group of the question. The vectors of such a question are noise, and words
   * alone answer better.
   */
  private ifKnown(query: string, vectors: MeaningOfQuestion): Result<MeaningOfQuestion> {
    const tongue = detectLanguageGroup(query);
    if ((vectors.known.get(tongue) ?? 0) > 0) return ok(vectors);
    const message = `${this.options.embedder.name} does not know ${LANGUAGE_GROUP_NAMES[tongue]}`;
    return err({ type: 'model_unavailable', message, hint: 'choose an embedding model that knows more languages' });
  }

  private openSearch(model: StoredModel): Result<Searched> {
    const problem = addVectorFunctions(this.db);
    if (problem !== undefined) return err(problem);
    const vectors = this.vectorsOf(model);
    return ok({
      model: model.name,
      weights: MODEL_WEIGHTS.sentences,
      knowsWords: true,
      nearestWord: undefined,
      known: readKnownLanguageGroups(this.db, model.id),
      lines: (search) => new StoredLines(search, vectors),
    });
  }
}

type Searched = Omit<MeaningOfQuestion, keyof QuestionVectors> & Pick<QuestionVectors, 'known'>;

/**
 * The texts whose vectors stand for a question. For a message that asks for a fact: only the part that asks. Otherwise the
 * whole text, and then each of its sentences if there are several.
 */
export function textsToCompare(query: string): readonly string[] {
  const { asking, asksFact } = splitQuestions(query);
  if (asksFact) return [asking.replace(/\s+/g, ' ').trim()];
  const sentences = statingSentences(query).map(({ text }) => text.trim());
  return [query, ...(sentences.length < 2 ? [] : sentences.slice(-MOST_SENTENCES))];
}
