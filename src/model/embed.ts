import type { Failure } from '../base/failure.js';
import { err, ok, type Result } from '../base/failure.js';
import { addAll } from '../base/order.js';
import { estimateTokens } from '../text/tokens.js';
import type { EmbedDocument, Embedder, EmbedIdentity } from './model.js';

/** Prefixes that an embedding model expects for queries and documents. The server adds none. */
interface PrefixScheme {
  /** Name of the scheme. It is stored with every vector, because vectors with different prefixes are never compared. */
  readonly name: string;
  /** Maximum number of tokens of one input, for the model as Ollama's library offers it. */
  readonly window: number;
  readonly query: (text: string) => string;
  readonly document: (document: EmbedDocument) => string;
}

const said = ({ before = [], text }: EmbedDocument): string => [...before, text].join('\n');
const titled = (given: EmbedDocument): string =>
  given.title === null ? said(given) : `${given.title}: ${said(given)}`;

function scheme(name: string, window: number, query: string, document: string): PrefixScheme {
  return { name, window, query: (text) => query + text, document: (given) => document + titled(given) };
}

const PASSAGES = 'Represent this sentence for searching relevant passages: ';
const RETRIEVES = 'Instruct: Given a question, retrieve the notes that answer it\nQuery:';
const GEMMA: PrefixScheme = {
  ...scheme('gemma', 2_048, 'task: search result | query: ', ''),
  document: (given) => `title: ${given.title ?? 'none'} | text: ${said(given)}`,
};

/**
 * Prefixes for each family of models. The first entry is used whose name is the beginning of the model's name. Source:
 * the descriptions that the makers publish. No window is larger than 2,048 tokens, because Ollama's default batch
 * limits every model to this.
 */
const FAMILIES: readonly (readonly [beginning: string, scheme: PrefixScheme])[] = [
  ['embeddinggemma', GEMMA],
  ['nomic-embed-text-v2', scheme('nomic-v2', 512, 'search_query: ', 'search_document: ')],
  ['nomic-embed-text', scheme('nomic', 2_048, 'search_query: ', 'search_document: ')],
  ['qwen3-embedding', scheme('qwen3', 2_048, RETRIEVES, '')],
  ['mxbai-embed', scheme('mxbai', 512, PASSAGES, '')],
  ...['snowflake-arctic-embed2', 'snowflake-arctic-embed-m-v2', 'snowflake-arctic-embed-l-v2'].map(
    (name) => [name, scheme('arctic2', 2_048, 'query: ', '')] as const,
  ),
  ['snowflake-arctic-embed', scheme('arctic', 512, PASSAGES, '')],
  ['bge-m3', scheme('plain-2048', 2_048, '', '')],
  ['bge-', scheme('bge', 512, PASSAGES, '')],
  ['multilingual-e5', scheme('e5', 512, 'query: ', 'passage: ')],
  ['e5-', scheme('e5', 512, 'query: ', 'passage: ')],
  ['all-minilm', scheme('plain-256', 256, '', '')],
];

const UNKNOWN = scheme('plain', 512, '', '');
const MOST_WINDOW = 2_048;

/** The description in a model file: its title, and the window in tokens for which it was trained. */
interface ModelFileDescription {
  readonly title: string;
  readonly window: number;
}

/**
 * Chooses the prefixes for a model by its name, with or without registry, namespace and tag. If the name is unknown, the
 * title in the model's file decides. Pure.
 */
export function prefixScheme(model: string, says?: ModelFileDescription): PrefixScheme {
  const known = familyOf(model) ?? familyOf(says?.title.replace(/\s+/g, '-') ?? '');
  if (known !== undefined || says === undefined) return known ?? UNKNOWN;
  const window = Math.min(says.window, MOST_WINDOW);
  return { ...UNKNOWN, window };
}

function familyOf(model: string): PrefixScheme | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return FAMILIES.find(([beginning]) => name.startsWith(beginning))?.[1];
}

/** The calls of a server that an embedder uses. */
export interface EmbedServer {
  /** Digest of an installed model. Failures: `model_unavailable`, `interrupted`. */
  digest(model: string, signal?: AbortSignal): Promise<Result<string>>;
  /**
   * Embeds inputs in one request. Returns the vectors as the server gives them, one for each input. Failures: `refused` if
   * an input may be the cause (too long, a result that is not a number, a crash or timeout of the model's process),
   * otherwise those of `digest`.
   */
  embed(
    model: string,
    inputs: readonly string[],
    signal?: AbortSignal,
  ): Promise<Result<readonly (readonly number[])[]>>;
}

/** Maximum size of one request. A larger one would only delay the answer, because the server handles inputs one by one. */
const BATCH = { inputs: 32, tokens: 8_192 };
/** Share of the model's window that may be filled. Not all of it, because token counts are estimates. */
const SHARE_OF_WINDOW = 0.7;
/** A text that every embedding model can read. It shows whether a model works. */
const PROBE = 'a note about the weather';

/**
 * Opens an embedding model on a server. It adds the prefixes of the model's family, sends small batches, and checks every
 * vector. A refused batch is halved until the bad input is found.
 */
export function openEmbedder(server: EmbedServer, model: string, prefixes = prefixScheme(model)): Embedder {
  return new ServedEmbedder(server, model, prefixes);
}

/** A text to embed, and a shorter text to use instead if the model refuses it. */
interface Input {
  readonly text: string;
  readonly shorter: string;
}

/** One vector per input; null if the model refuses it. */
type Made = readonly (Float32Array | null)[];

class ServedEmbedder implements Embedder {
  readonly scheme: string;
  /** Maximum number of tokens of one input. */
  private readonly most: number;

  constructor(
    private readonly server: EmbedServer,
    readonly name: string,
    private readonly prefixes: PrefixScheme,
  ) {
    this.scheme = prefixes.name;
    this.most = Math.floor(prefixes.window * SHARE_OF_WINDOW);
  }

  digest(signal?: AbortSignal): Promise<Result<string>> {
    return this.server.digest(this.name, signal);
  }

  async identify(signal?: AbortSignal): Promise<Result<EmbedIdentity>> {
    const digest = await this.digest(signal);
    if (!digest.ok) return digest;
    const probe = await this.probe(signal);
    if (!probe.ok) return probe;
    const dimension = probe.value[0]?.length ?? 0;
    return ok({ name: this.name, digest: digest.value, dimension, scheme: this.scheme });
  }

  async embedQueries(texts: readonly string[], signal?: AbortSignal): Promise<Result<readonly Float32Array[]>> {
    const vectors: Float32Array[] = [];
    for (const batch of splitIntoBatches(texts.map((text) => this.clip(this.prefixes.query(text))))) {
      const result = await this.batch(batch, signal);
      if (!result.ok) return unavailable(result, this.name);
      addAll(vectors, result.value);
    }
    return ok(vectors);
  }

  async embedDocuments(documents: readonly EmbedDocument[], signal?: AbortSignal): Promise<Result<Made>> {
    const vectors: (Float32Array | null)[] = [];
    for (const batch of splitIntoBatches(documents.map((document) => this.fitted(document)))) {
      const inputs = batch.map((text, i) => ({ text, shorter: this.shorter(documents[vectors.length + i], text) }));
      const made = await this.made(inputs, signal);
      if (!made.ok) return made;
      addAll(vectors, made.value);
    }
    return ok(vectors);
  }

  /** Checks whether the model works at all. Tries twice, because one failure may be chance. */
  private async probe(signal: AbortSignal | undefined): Promise<Result<readonly Float32Array[]>> {
    const first = await this.batch([PROBE], signal);
    if (first.ok || first.error.type !== 'refused') return first;
    const second = await this.batch([PROBE], signal);
    return second.ok ? second : unavailable(second, this.name);
  }

  /**
   * Makes the vectors of a batch. If the model refuses the batch, it is halved again and again until the refused inputs are
   * found.
   * @param embeds whether the model is known to work. If not, a short test text shows whether the inputs or the model are
   * the cause
   */
  private async made(inputs: readonly Input[], signal: AbortSignal | undefined, embeds = false): Promise<Result<Made>> {
    const texts = inputs.map(({ text }) => text);
    const result = await this.batch(texts, signal);
    if (result.ok || result.error.type !== 'refused') return result;
    const probe = embeds ? ok([]) : await this.probe(signal);
    if (!probe.ok) return probe;
    const [first] = inputs;
    if (first !== undefined && inputs.length === 1) {
      const shorter = await this.batch([first.shorter], signal);
      return shorter.ok || shorter.error.type !== 'refused' ? shorter : ok([null]);
    }
    const middle = inputs.length >> 1;
    const before = await this.made(inputs.slice(0, middle), signal, true);
    const after = before.ok ? await this.made(inputs.slice(middle), signal, true) : before;
    return before.ok && after.ok ? ok([...before.value, ...after.value]) : after;
  }

  /**
   * A shorter text to use if the model refuses a text. If lines before the text are embedded with it, this is the text
   * without these lines. Otherwise it is the first half of the text, which names the topic. It may fit if the window is
   * smaller than expected.
   */
  private shorter(document: EmbedDocument | undefined, text: string): string {
    if (document?.before?.length) return this.fitted({ ...document, before: [] });
    return text.slice(0, text.length >> 1).trimEnd();
  }

  /** Sends one request and checks its answer. */
  private async batch(inputs: readonly string[], signal?: AbortSignal): Promise<Result<readonly Float32Array[]>> {
    const answer = await this.server.embed(this.name, inputs, signal);
    return answer.ok ? checkVectors(answer.value, inputs.length) : answer;
  }

  /**
   * The text of a document with its prefix. If this is too long, the lines before the text are left out, one after another,
   * beginning with the first.
   */
  private fitted(document: EmbedDocument): string {
    const text = this.prefixes.document(document);
    const { before = [] } = document;
    if (before.length === 0 || estimateTokens(text) <= this.most) return this.clip(text);
    return this.fitted({ ...document, before: before.slice(1) });
  }

  private clip(text: string): string {
    const { most } = this;
    let clipped = text;
    for (let tokens = estimateTokens(clipped); tokens > most; tokens = estimateTokens(clipped))
      clipped = clipped.slice(0, Math.floor((clipped.length * most) / tokens));
    return clipped;
  }
}

/** Splits texts into groups, one for each request, in order. Pure. */
export function splitIntoBatches(texts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let group: string[] = [];
  let tokens = 0;
  for (const text of texts) {
    const cost = estimateTokens(text);
    if (group.length === BATCH.inputs || (group.length > 0 && tokens + cost > BATCH.tokens)) {
      groups.push(group);
      group = [];
      tokens = 0;
    }
    group.push(text);
    tokens += cost;
  }
  return group.length === 0 ? groups : [...groups, group];
}

/**
 * Checks vectors: the right number, the same dimension, finite numbers. Scales each to length 1. If a calculation failed, a
 * server may send null or only zeros with status 200. Pure.
 */
export function checkVectors(vectors: readonly unknown[], count: number): Result<readonly Float32Array[]> {
  if (vectors.length !== count) return spoilt(`${vectors.length} vectors for ${count} inputs`);
  const found: Float32Array[] = [];
  for (const raw of vectors) {
    const vector = Array.isArray(raw) ? normalised(raw) : undefined;
    if (vector === undefined) return spoilt('a vector of zeros');
    if (vector.length !== (found[0]?.length ?? vector.length)) return spoilt('vectors of different dimensions');
    found.push(vector);
  }
  return ok(found);
}

function normalised(numbers: readonly unknown[]): Float32Array | undefined {
  const vector = new Float32Array(numbers.length);
  let square = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (typeof number !== 'number') return undefined;
    vector[i] = number;
    square += number * number;
  }
  const length = Math.sqrt(square);
  if (!Number.isFinite(length) || length < 1e-6) return undefined;
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}

function spoilt(what: string): { readonly ok: false; readonly error: Failure } {
  return err({ type: 'refused', message: `the embedding model answered with ${what}` });
}

/** Turns `refused` into `model_unavailable`: a question or test text has no replacement, so we can't continue. */
function unavailable<T>(result: { ok: false; error: Failure }, model: string): Result<T> {
  if (result.error.type !== 'refused') return result;
  return err({
    type: 'model_unavailable',
    message: `${model} makes no vectors: ${result.error.message}`,
    hint: result.error.hint ?? 'check the log of the server, or choose another embedding model',
  });
}
