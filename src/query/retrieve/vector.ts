import { memoize } from '../../base/cache.js';
import { addAll } from '../../base/order.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { isTurn, type TextContext } from '../../index/vectors/embedded-text.js';
import { MINIMUM_SAMPLE_SIZE, type SampleSimilarity } from '../../index/vectors/nearest.js';
import { createTextContextReader } from '../../index/vectors/places.js';
import { VECTOR_SCALE } from '../rank/weights.js';
import type { LineVectors, MeaningOfQuestion, QuestionVectors } from './line-vectors.js';

/**
 * With a filter: if at most this many units pass it, all of them are compared. Otherwise this many nearest units are
 * filtered.
 */
const FILTERED = 4_000;

/** What the meaning of a question says about the lines of an index. */
export interface Meaning extends Pick<MeaningOfQuestion, 'model' | 'weights' | 'knowsWords' | 'nearestWord'> {
  readonly channel: VectorChannel;
}

/** Compares the lines of an index with a question. Undefined if no line has a vector. */
export function openMeaning(search: IndexSearch, question: MeaningOfQuestion): Meaning | undefined {
  const lines = question.lines(search);
  if (lines.isEmpty) return undefined;
  const channel = new VectorChannel(search, lines, withoutCommonPart(question, lines));
  const { model, weights, knowsWords, nearestWord } = question;
  return { channel, model, weights, knowsWords, nearestWord };
}

/**
 * Removes from the vectors of a question most of the part that all lines have in common. That part is near to some lines
 * and far from others, but not because of their meaning.
 */
function withoutCommonPart(question: QuestionVectors, lines: LineVectors): QuestionVectors {
  const middle = lines.middle();
  const without = (vector: Float32Array): Float32Array =>
    vector.map((number, i) => number - VECTOR_SCALE.shared * (middle[i] ?? 0));
  return { ...question, whole: without(question.whole), sentences: question.sentences.map(without) };
}

/** Finds units by their meaning, with the vectors of a question. */
export class VectorChannel {
  private readonly around: TextContext;
  private readonly nearest = memoize((limit: number) => this.lines.nearest(this.question.whole, limit));
  private readonly scale: Scale;
  private readonly ofSentences: readonly Scale[];

  constructor(
    private readonly search: IndexSearch,
    private readonly lines: LineVectors,
    private readonly question: QuestionVectors,
  ) {
    this.around = createTextContextReader((key) => search.unit(key));
    this.scale = this.scaleFor(this.question.whole);
    this.ofSentences = question.sentences.map((sentence) => this.scaleFor(sentence));
  }

  /**
   * The units nearest to the question that a filter lets through, as far as they are much nearer than most texts are.
   * @param from by so many deviations
   */
  units(filter: UnitFilter, limit: number, from: number): readonly UnitKey[] {
    const among = this.narrowed(filter);
    if (among !== undefined) return this.nearestAmong(among, limit, from);
    const isFiltered = [filter.kinds, filter.entities, filter.days, filter.asOf].some(
      (condition) => condition !== undefined,
    );
    const near = this.nearest(isFiltered ? FILTERED : 2 * limit).filter((near) => this.isNear(near, from));
    const keys: UnitKey[] = [];
    // In steps: most questions are served by the first.
    for (let at = 0; at < near.length && keys.length < limit; at += limit) {
      const found = near.slice(at, at + limit).flatMap((text) => text.units());
      const allowed = new Set(this.search.allowed(found, filter));
      addAll(
        keys,
        found.filter((key) => allowed.has(key)),
      );
    }
    return keys.slice(0, limit);
  }

  /**
   * The vector signals of some units, 0..1; none for a unit that has no vector, which counts as an average one. In a
   * conversation the line after, whose meaning is read of this one, too, counts beside it: it says what came of it.
   */
  signals(units: readonly FoundUnit[], around: TextContext): Map<UnitKey, number> {
    const after = new Map<UnitKey, FoundUnit>();
    for (const unit of units) {
      const next = isTurn(unit) ? around.after(unit) : undefined;
      if (next !== undefined) after.set(unit.key, next);
    }
    const deviations = this.deviations([...after.values(), ...units], around);
    const weight = this.question.sentences.length > 1 ? VECTOR_SCALE.message : 1;
    const signals = new Map<UnitKey, number>();
    for (const { key } of units) {
      const own = deviations.get(key);
      if (own === undefined) continue;
      const next = deviations.get(after.get(key)?.key ?? key) ?? own;
      signals.set(key, weight * signalOf((own + VECTOR_SCALE.after * next) / (1 + VECTOR_SCALE.after)));
    }
    return signals;
  }

  /**
   * How many deviations nearer to the question than the middle of all texts in their tongue some units are, less where
   * the model hardly knows that tongue. A sentence of a message counts half, the one that fits a line best.
   */
  deviations(units: readonly FoundUnit[], around: TextContext): Map<UnitKey, number> {
    const near = this.lines.similarities(this.question.whole, units, around);
    const bySentence = this.question.sentences.map((sentence) => this.lines.similarities(sentence, units, around));
    const found = new Map<UnitKey, number>();
    for (const [key, whole] of near) {
      const sentences = bySentence.map((similar, i) => this.ofSentences[i]?.(similar.get(key) ?? whole) ?? 0);
      const best = sentences.length === 0 ? 0 : Math.max(...sentences);
      const share = this.question.known.get(whole.tongue) ?? 0;
      found.set(key, share * (this.scale(whole) + VECTOR_SCALE.sentence * best));
    }
    return found;
  }

  private scaleFor(question: Float32Array): Scale {
    return scaleOf(this.lines.sample(question), this.lines.leastDeviation);
  }

  private isNear(near: SampleSimilarity, from: number): boolean {
    return (this.question.known.get(near.tongue) ?? 0) * this.scale(near) >= from;
  }

  /** All units that a narrow filter lets through; undefined when they are too many, or asking would read every row. */
  private narrowed(filter: UnitFilter): readonly UnitKey[] | undefined {
    if (filter.days === undefined) return undefined;
    const keys = this.search.filtered(filter, FILTERED + 1);
    return keys.length > FILTERED ? undefined : keys;
  }

  private nearestAmong(keys: readonly UnitKey[], limit: number, from: number): readonly UnitKey[] {
    const units = keys.flatMap((key) => this.search.unit(key) ?? []);
    const near = [...this.lines.similarities(this.question.whole, units, this.around)].flatMap(([key, text]) =>
      this.isNear(text, from) ? [{ key, cosine: text.cosine }] : [],
    );
    return near
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, limit)
      .map(({ key }) => key);
  }
}

function signalOf(deviations: number): number {
  const { knee, share } = VECTOR_SCALE;
  const most = share * Math.min(Math.max(0, deviations), knee);
  return deviations <= knee ? most : 1 - ((1 - most) * knee) / deviations;
}

/** Converts a distance to a number of deviations above the median. */
type Scale = (near: SampleSimilarity) => number;

/**
 * Median and median deviation of a sample of all texts, by their tongue where enough are of it: near ones among them do not
 * move these. What a cosine means differs from model to model and tongue to tongue.
 */
function scaleOf(sample: readonly SampleSimilarity[], leastDeviation: number): Scale {
  const all = spreadOf(sample, leastDeviation);
  const spreads = new Map<string, Spread>();
  for (const tongue of new Set(sample.map((text) => text.tongue))) {
    const own = sample.filter((text) => text.tongue === tongue);
    if (own.length >= MINIMUM_SAMPLE_SIZE) spreads.set(tongue, spreadOf(own, leastDeviation));
  }
  return ({ cosine, tongue }) => {
    const { middle, deviation } = spreads.get(tongue) ?? all;
    return (cosine - middle) / deviation;
  };
}

interface Spread {
  readonly middle: number;
  readonly deviation: number;
}

function spreadOf(sample: readonly SampleSimilarity[], leastDeviation: number): Spread {
  const cosines = sample.map(({ cosine }) => cosine);
  const middle = median(cosines);
  const deviation = 1.4826 * median(cosines.map((cosine) => Math.abs(cosine - middle)));
  return { middle, deviation: Math.max(deviation, leastDeviation) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
