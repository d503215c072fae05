import { Cache, lazy, memoize } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { largest } from '../../base/order.js';
import { dayOfUnit, fullUnitText, isHeading, isPageUnit } from '../../index/found.js';
import type { FoundUnit, UnitKey } from '../../index/search.js';
import { hasFirstPersonPronoun } from '../../language/speakers.js';
import { tokenize } from '../../language/tokens.js';
import { hasForm } from '../../line/form.js';
import { textSaid } from '../../line/said.js';
import { linkedNames } from '../../markdown/wiki.js';
import { noteSlug } from '../../memory/page/names.js';
import { labelSlug } from '../../memory/page/terms.js';
import { isAlwaysRead } from '../../memory/pages.js';
import type { QuestionReading } from '../parse/reading.js';
import type { Candidates } from '../retrieve/candidates.js';
import type { CandidateSet } from '../retrieve/gather.js';
import { LiteralMatcher } from '../terms/literal-matcher.js';
import type { TermMatcher } from '../terms/matcher.js';
import { bm25, type ScoredField } from './bm25.js';
import { ContentWords, type TermCounts } from './content-words.js';
import { NgramOverlap } from './ngram-overlap.js';
import { Passages } from './passages.js';
import { type RankedUnit, SectionScore, type Signals } from './ranked.js';
import { intentSignal, kindSignal, RecencyScore, timeSignal } from './signals.js';
import { isSpeakerNamed, speakerNames } from './speakers.js';
import { BM25_PARAMETERS, FULL_COVERAGE_WORD_COUNT, TYPICAL_MESSAGE_CHARS, WEIGHTS, type Weights } from './weights.js';

/** Where the lines stand that a line is told among, and what share of those beside it they count. */
const AROUND = new Map([-3, -2, -1, 1, 2, 3].map((distance) => [distance, Math.abs(distance) === 3 ? 1 / 3 : 1]));

/** Orders lines that have the one token of a question; too little for one to count as more exact ({@link isMoreExact}). */
const NOT_AS_WRITTEN = 0.02;

/** Forms of lines that state nothing themselves, or nothing new. */
const NO_STATEMENT = ['asksOnly', 'links', 'header', 'quoted', 'observed'] as const;

/** How much a line only has words of what others say. What an observation counts comes before it. */
function notStated(unit: FoundUnit): number {
  const isRepeated = hasForm(unit, 'header') || hasForm(unit, 'quoted');
  const isAhead = hasForm(unit, 'asksOnly') || unit.detail?.cells === true;
  return Number(isRepeated) + 2 * Number(isAhead) + 3 * Number(hasForm(unit, 'observed'));
}

/** Maximum number of wordless lines of the asked time before lines of other times with all, or some, content words. */
const MOST_WORDLESS = { beforeWhole: 3, beforeOthers: 8 } as const;

export interface RankContext extends Pick<CandidateSet, 'terms' | 'window' | 'strictness' | 'told'> {
  readonly reading: QuestionReading;
  /** Weights that replace those of `weights.ts`. Used to measure the effect of each weight. */
  readonly weights?: Weights | undefined;
  readonly matcher: TermMatcher;
  /** Slugs of the named entities, aliases included. */
  readonly slugs: ReadonlySet<string>;
  /** Paths of the pages of the named entities. */
  readonly pages: ReadonlySet<string>;
  readonly today: Day;
  /** The lines that define what the question asks about, and how much they do. */
  readonly defining: ReadonlyMap<UnitKey, number>;
  /** The pages that the question is the name of: how close the name is. */
  readonly named: ReadonlyMap<UnitKey, number>;
  /** The vector signals of units, when the question has a vector, and that of a unit without one. */
  readonly vector?: { readonly signals: ReadonlyMap<UnitKey, number>; readonly average: number } | undefined;
}

/** Scores units for one question. */
export class Scorer {
  private readonly counts = new Map<UnitKey, TermCounts>();
  // The day in the name of a log does not count as a word.
  private readonly pageCounts = memoize((path: string) =>
    this.context.matcher.count(path.replace(/\d{4}-\d{2}-\d{2}|\.md$|%2F/gi, ' ')),
  );
  private readonly totalWeight: number;
  private readonly words: ReadonlySet<string>;
  private readonly wholeQuestion: string;
  private readonly weights: Weights;
  /** Whether the question only names entities: "tell me about The Castle". */
  private readonly isOverview: boolean;
  /** Whether the question names its entities as `@name`. */
  private readonly asksHandle: boolean;
  private readonly exactTokens: readonly LiteralMatcher[];
  private readonly onlyToken: LiteralMatcher | undefined;
  private readonly content: ContentWords;
  private readonly letters: NgramOverlap;
  /**
   * How much a single word counts in the question, 0..1. In a long message, names and the lines around say less than the
   * line itself.
   */
  private readonly brevity: number;
  private readonly asksOfSomebody: boolean;
  private readonly units: readonly FoundUnit[];
  private readonly passages: Passages;
  private readonly news: RecencyScore;
  private readonly ranked = new Cache<UnitKey, RankedUnit>();
  private readonly talks = lazy(() => new SectionScore(this.units.map((one) => this.alone(one))));

  constructor(
    private readonly candidates: Candidates,
    private readonly context: RankContext,
  ) {
    this.weights = context.weights ?? WEIGHTS;
    // Words that no line has do not count. No line has all words of a long message, so only the {@link FULL_COVERAGE_WORD_COUNT} words
    // of highest worth count.
    const found = context.terms.flatMap(({ frequency, worth }) => (frequency > 0 ? worth : []));
    const total = found
      .sort((a, b) => b - a)
      .slice(0, FULL_COVERAGE_WORD_COUNT)
      .reduce((sum, worth) => sum + worth, 0);
    // "What happened on the 23rd" has only the words of its time. A line with these words says little about the question.
    const { words, cjk, exact, entities, text } = context.reading;
    this.words = new Set(words.map((word) => word.text));
    this.wholeQuestion = text.trim().toLowerCase();
    const named =
      words.every(({ role }) => role === 'name' || role === 'frame') && cjk.length === 0 && exact.length === 0;
    this.isOverview = named && entities.length > 0 && !context.reading.cues.decision;
    this.asksHandle = this.isOverview && /(?<!\S)[@＠]\S/.test(text);
    // A date in a question asks for the lines of that day. Lines that only mention the date come after them.
    const isTimeToken = (token: string): boolean => context.reading.window !== null && /^\d[\d./-]{5,}$/.test(token);
    const tokens = context.reading.timeOnly ? [] : exact.filter((token) => !isTimeToken(token));
    this.exactTokens = tokens.map((token) => new LiteralMatcher(token));
    this.onlyToken =
      tokens.length === 1 && tokens[0]?.toLowerCase() === this.wholeQuestion ? this.exactTokens[0] : undefined;
    const hasContent = words.some(({ role }) => role === 'content' || role === 'name') || cjk.length + exact.length > 0;
    const isTime = context.reading.timeOnly || !hasContent;
    this.totalWeight = isTime && context.window !== null ? 0 : total;
    this.units = candidates.keys().flatMap((key) => candidates.unit(key) ?? []);
    const spoken = speakerNames(this.units);
    this.content = new ContentWords(context.terms, context.reading, spoken);
    const asked = context.terms.filter(({ isAsked, frequency, match }) => isAsked && frequency > 0 && 'stems' in match);
    this.asksOfSomebody = context.slugs.size > 0 || words.some(({ text }) => spoken.has(text));
    this.brevity = Math.min(1, FULL_COVERAGE_WORD_COUNT / Math.max(1, asked.length));
    this.letters = new NgramOverlap(this.phrases(spoken), this.units);
    this.news = new RecencyScore(this.units, context.today);
    this.passages = new Passages((part) => context.matcher.count(part));
  }

  /**
   * The parts of the question that are compared by n-grams. Names are left out, and so are numbers, because a part of a
   * number is another number.
   */
  private phrases(spoken: ReadonlySet<string>): readonly string[] {
    const { reading } = this.context;
    const others = reading.words.filter(({ role, weight }) => role === 'name' || weight < 1).map(({ text }) => text);
    // If a question has only words that ask, any line with "what" would match.
    if (reading.timeOnly || this.isOverview || others.length === reading.words.length) return [];
    const left = new Set([...spoken, ...others]);
    const phrases: string[][] = [[]];
    for (const { lower } of tokenize(reading.phrase)) {
      if (left.has(lower) || /^\d+$/.test(lower)) phrases.push([]);
      else phrases.at(-1)?.push(lower);
    }
    return phrases.map((words) => words.join(' ')).filter((phrase) => phrase !== '');
  }

  score(unit: FoundUnit): RankedUnit {
    const ranked = this.alone(unit);
    const nearby = this.brevity * Math.max(0, this.talks().best(unit) - ranked.score);
    const signals = { ...ranked.signals, nearby };
    return { ...ranked, signals, score: ranked.score + this.weights.around * nearby };
  }

  /** Scores a unit by itself and by the lines around it. The score is computed once. */
  private alone(unit: FoundUnit): RankedUnit {
    return this.ranked.of(unit.key, () => this.weigh(unit));
  }

  private weigh(unit: FoundUnit): RankedUnit {
    const entity = this.entity(unit);
    const isSpoken = unit.fact === null && unit.speaker !== null;
    const signals: Signals = {
      lexical: this.lexical(unit),
      // If the question asks about somebody, a line that is not about them is only similar in wording.
      letters: (this.asksOfSomebody && entity === 0 ? 1 - this.brevity : 1) * this.letters.of(unit),
      exact: this.exact(unit),
      entity: this.brevity * (isSpoken ? this.rarityOfNamed() : 1) * entity,
      self: entity === 1 && isSpoken && hasFirstPersonPronoun(textSaid(unit)) ? this.brevity : 0,
      kind: kindSignal(unit),
      wish: this.isAnswered(unit)
        ? 1
        : intentSignal(unit, this.context.reading, this.content.anyIn(this.countsOf(unit))),
      // For a question about the state at a time, a line of that time counts only if it has something of the question.
      time: this.context.reading.ofTime === 'state' && !this.hasAny(unit) ? 0 : timeSignal(unit, this.context),
      recency: this.news.of(unit),
      vector: this.context.vector?.signals.get(unit.key) ?? this.context.vector?.average ?? 0,
      defines: this.defines(unit),
      nearby: 0,
    };
    const worth: Readonly<Record<string, number>> = signals;
    let score = 0;
    for (const [name, weight] of Object.entries(this.weights)) score += weight * (worth[name] ?? 0);
    const byWords = score === 0 ? 1 : 1 - (this.weights.vector * signals.vector) / score;
    const named = this.context.named.get(unit.key) ?? 0;
    return {
      unit,
      score,
      isInside: this.isInside(unit),
      named,
      isWhole: signals.defines > 0 || this.isWhole(unit, entity === 1),
      byWords,
      signals,
    };
  }

  /** How much a line defines what the question asks about. Lines of the core and the persona do so first. */
  private defines(unit: FoundUnit): number {
    const much = this.context.defining.get(unit.key);
    if (much === undefined || unit.fact !== null) return 0;
    return 0.9 + 0.05 * (much + Number(isAlwaysRead(unit.file.role)));
  }

  /**
   * Leaves out what is from outside of the time and has no content word that no line inside has.
   * @param ranked the best first
   */
  withinTime(ranked: readonly RankedUnit[]): readonly RankedUnit[] {
    const outside = ranked.filter(({ isInside }) => !isInside);
    if (outside.length === 0) return ranked;
    const asked = [...this.context.terms.keys()].filter((position) => this.context.terms[position]?.isAsked);
    const has = ({ unit }: RankedUnit, position: number): boolean => (this.countsOf(unit)?.[position] ?? 0) > 0;
    const inside = ranked.filter(({ isInside }) => isInside);
    const missing = asked.filter((position) => !inside.some((entry) => has(entry, position)));
    const says = ({ unit }: RankedUnit): boolean => this.content.anyIn(this.countsOf(unit));
    // The time of a page without a day is unknown.
    const added = outside.filter(
      (entry) => missing.some((position) => has(entry, position)) || (entry.unit.file.day === null && says(entry)),
    );
    if (added.length === 0) return inside;
    const most = MOST_WORDLESS[added.some(({ isWhole }) => isWhole) ? 'beforeWhole' : 'beforeOthers'];
    let wordless = 0;
    const isDated = ({ unit }: RankedUnit): boolean => dayOfUnit(unit) !== null || unit.validFrom !== null;
    const told = inside.filter((entry) => says(entry) || (isDated(entry) && ++wordless <= most));
    const onlyNaming = inside.filter((entry) => !says(entry) && !isDated(entry));
    return [...told, ...added, ...onlyNaming.map((entry) => ({ ...entry, isInside: false }))];
  }

  private isInside(unit: FoundUnit): boolean {
    const { key, validFrom, validTo } = unit;
    const day = dayOfUnit(unit);
    const { window, told, strictness, reading } = this.context;
    if (window === null || strictness === 'hard' || reading.asOf !== null || told.has(key)) return true;
    const [since, until] = [window.since ?? '0000', window.until ?? '9999'];
    if (day !== null && day <= until && (day >= since || reading.ofTime === 'state')) return true;
    const from = validFrom ?? day;
    return (validFrom ?? validTo) !== null && from !== null && from <= until && (validTo ?? '9999') >= since;
  }

  /** Whether a unit itself has a term of the question, or is about an entity that the question names. */
  hasAny(unit: FoundUnit): boolean {
    return this.hasOwn(unit) || this.entity(unit) > 0;
  }

  /** Number of content words of the question, without names. */
  get contentWordCount(): number {
    return this.content.count;
  }

  /** Positions of the terms of the question in the unit itself, without names. */
  wordsIn(unit: FoundUnit): readonly number[] {
    return this.content.foundIn(this.countsOf(unit));
  }

  /** What a line sets off and says something of, where that is asked about; undefined of what somebody says. */
  label(unit: FoundUnit): string | undefined {
    if (this.countsOf(unit) === undefined || unit.speaker !== null) return undefined;
    const label = labelSlug(unit.text);
    return label !== undefined && this.content.anyIn(this.context.matcher.count(label)) ? label : undefined;
  }

  /** Whether a unit itself has a term of the question. */
  hasOwn(unit: FoundUnit): boolean {
    return this.ownCounts(unit) !== undefined;
  }

  /**
   * The facts that come before a line, whatever its score: before one that only asks about somebody those about them, and
   * before a definition, which may be older, those that say all that is asked and would come before it otherwise.
   */
  factsBefore({ unit, score, signals }: RankedUnit, ranked: readonly RankedUnit[]): readonly FoundUnit[] {
    if (unit.fact !== null) return [];
    const own = score - this.weights.defines * signals.defines;
    const isBefore =
      signals.defines > 0
        ? (other: RankedUnit) => other.isWhole && other.score > own && this.wordsIn(other.unit).length > 0
        : (other: RankedUnit) => other.signals.entity === 1 && !hasForm(other.unit, 'asksOnly');
    if (signals.defines === 0 && !hasForm(unit, 'asksOnly')) return [];
    return ranked.filter((other) => other.unit.fact !== null && isBefore(other)).map((other) => other.unit);
  }

  /** Scores the candidates, in no order. */
  candidatesWithScores(): readonly RankedUnit[] {
    return this.units.map((unit) => this.score(unit));
  }

  private isWhole(unit: FoundUnit, isAboutNamed: boolean): boolean {
    if (NO_STATEMENT.some((form) => hasForm(unit, form))) return false;
    const areIn = (text: string, counts: TermCounts): boolean => this.content.areIn(text, counts, isAboutNamed);
    if (unit.detail?.field && this.hasOwn(unit)) {
      const said = [...this.subjectsOf(unit), unit].map(({ text }) => text).join(' ');
      return areIn(said, this.context.matcher.count(said));
    }
    // What has words of everything has them somewhere: they must stand together.
    const passages = this.passages.of(unit, this.countsOf(unit));
    if (
      passages.length > 0
        ? passages.some(({ text, counts }) => areIn(text, counts))
        : areIn(fullUnitText(unit), this.ownCounts(unit))
    )
      return true;
    // Somebody has asked the same before, and this is what was answered.
    const before = this.candidates.neighbour(unit, -1);
    return before !== undefined && hasForm(before, 'endsAsking') && areIn(before.text, this.countsOf(before));
  }

  /**
   * BM25F over the line, its neighbours, heading and page, as a share of what a line with every term once would have; with
   * each over and over it has `1 + k1`, as what answers an overview has.
   */
  private lexical(unit: FoundUnit): number {
    if (this.isAnswered(unit)) return 1 + BM25_PARAMETERS.k1;
    if (this.totalWeight === 0) return 0;
    const around = this.around(unit);
    const score = (text: string, own: TermCounts): number => bm25(this.context.terms, text, own, around);
    const whole = score(unit.text, this.ownCounts(unit));
    const passages = this.passages.of(unit, this.countsOf(unit)).map(({ text, counts }) => score(text, counts));
    const sum = passages.length > 1 ? (whole + largest(passages)) / 2 : whole;
    return Math.max(0, sum / this.totalWeight - this.weights.asking * notStated(unit));
  }

  /**
   * Where terms of the question stand that speak for a unit beside its own text, and how much they count there: the less,
   * the more it says by itself. An answer of pages is not what the question before it asked for, but much beside that.
   */
  private around(unit: FoundUnit): readonly ScoredField[] {
    const fields: ScoredField[] = [];
    const share = this.brevity / Math.max(1, unit.text.length / TYPICAL_MESSAGE_CHARS);
    const add = (counts: TermCounts, weight: number): void => {
      if (counts !== undefined) fields.push({ counts, weight: weight * share });
    };
    if (unit.detail?.field) for (const subject of this.subjectsOf(unit)) add(this.countsOf(subject), 1);
    // The lines below a heading say nothing about the heading itself.
    if (isHeading(unit)) return fields;
    const { around } = this.weights;
    for (const [distance, share] of AROUND) {
      const line = this.candidates.neighbour(unit, distance);
      // A question and its answer say one thing.
      const isAnswer = distance === -1 && line !== undefined && hasForm(line, 'endsAsking');
      add(this.countsOf(line), isAnswer ? 1 : around * share);
    }
    // The head of a message says who wrote it, when and to whom.
    if (unit.head > 0) add(this.countsOf(this.candidates.unit(unit.key - unit.head)), 1);
    // An item says something of the one that it stands in, and a row of the head of its table.
    if (unit.detail?.under !== undefined)
      add(this.countsOf(this.candidates.unit(unit.file.firstUnit + unit.detail.under)), 1);
    // A label below a heading is about the thing that the heading names: "**Pricing:** …" below "Falcon".
    const heading = unit.section === null ? undefined : this.countsOf(this.candidates.unit(unit.section));
    add(heading, heading !== undefined && this.label(unit) !== undefined ? 1 : around);
    add(this.pageCounts(unit.file.path), around);
    return fields;
  }

  /** What it says that a line is of somebody who is named: the less, the more lines are. */
  private readonly rarityOfNamed = lazy(() => {
    const spoken = this.units.filter((unit) => unit.fact === null && unit.speaker !== null);
    const named = spoken.filter((unit) => this.entity(unit) > 0).length;
    return 1 - named / Math.max(1, spoken.length);
  });

  private exact(unit: FoundUnit): number {
    if (this.asksHandle) return this.isAnswered(unit) || this.mentions(unit) ? 1 : 0;
    if (this.exactTokens.length === 0) return 0;
    const written = fullUnitText(unit);
    const text = written.toLowerCase();
    const share = this.exactTokens.filter((token) => token.isIn(text)).length / this.exactTokens.length;
    if (!text.includes(this.wholeQuestion)) return 0.7 * share;
    // A question of one token is asked for that token, and not for what is written alike.
    return (
      0.7 * share + 0.3 - (this.onlyToken === undefined ? 0 : NOT_AS_WRITTEN * (1 - this.onlyToken.closeness(written)))
    );
  }

  private entity(unit: FoundUnit): number {
    const { slugs } = this.context;
    const { speaker } = unit;
    if (isSpeakerNamed(speaker, this.words, this.wholeQuestion) || isSpeakerNamed(speaker, slugs, '')) return 1;
    if (slugs.size === 0) return 0;
    if (this.mentions(unit)) return 1;
    if (unit.kind !== 'entity') return 0;
    return this.isAnswered(unit) ? 1 : 0.5;
  }

  /** Whether a unit names one of the asked entities with `@`, or links to its page. */
  private mentions({ text, detail }: FoundUnit): boolean {
    const { slugs } = this.context;
    return (
      detail?.entities?.some((name) => slugs.has(name.toLowerCase())) ||
      (slugs.size > 0 && text.includes('[[') && linkedNames(text).some((name) => slugs.has(noteSlug(name))))
    );
  }

  /** The units that a field is about: the item in which it stands, the items above, and its page. */
  private subjectsOf(unit: FoundUnit): readonly FoundUnit[] {
    const { firstUnit } = unit.file;
    const subjects: FoundUnit[] = [];
    for (let at = unit.detail?.under; at !== undefined; at = subjects.at(-1)?.detail?.under) {
      const above = this.candidates.unit(firstUnit + at);
      if (above === undefined) break;
      subjects.push(above);
    }
    const page = this.candidates.unit(firstUnit);
    return page !== undefined && isPageUnit(page) ? [...subjects, page] : subjects;
  }

  /** A question that only names an entity is answered by what its page says. */
  private isAnswered(unit: FoundUnit): boolean {
    if (!this.isOverview || unit.kind !== 'entity' || isHeading(unit)) return false;
    return this.context.pages.has(unit.file.path);
  }

  /** What is written in a unit and not shown is its own, and says nothing of the lines beside it. */
  private ownCounts(unit: FoundUnit): TermCounts {
    return unit.detail?.unseen === undefined ? this.countsOf(unit) : this.context.matcher.count(fullUnitText(unit));
  }

  private countsOf(unit: { readonly key: UnitKey; readonly text: string } | undefined): TermCounts {
    if (unit === undefined) return undefined;
    if (!this.counts.has(unit.key)) this.counts.set(unit.key, this.context.matcher.count(unit.text));
    return this.counts.get(unit.key);
  }
}
