import { findFirstNotBelow, largest } from '../base/order.js';
import { hasUnspaced, readBigrams, splitByScript } from '../language/scripts.js';
import { wordSet } from '../language/tokens.js';
import { stemOf } from '../language/words/forms.js';
import { ENGLISH_STOP_WORDS, isFrequentWord, isNegation, splitAtNegations } from '../language/words/stop.js';
import { contentItems, itemKey, startsWithWholeWords } from './document.js';
import {
  findNewItems,
  makeAppendRuling,
  makeKeepRuling,
  makeUpdateRuling,
  type Ruling,
  type SectionGuard,
} from './ruling.js';

const MIN_ITEM_RATIO = 0.15;
const MIN_COVERAGE = 0.7;
const MIN_STATEMENTS = 0.5;

/**
 * Guards the section Key Facts & Decisions. An UPDATE is accepted only if enough items, anchors and statements survive it
 * and no statement changes into its opposite. Otherwise the old facts stay and the new items are appended.
 */
export const guardKeyFacts: SectionGuard = (old, content) => {
  const before = contentItems(old);
  const after = contentItems(content);
  const loss = firstLoss(before, after);
  if (loss !== undefined) return salvage(before, after, old, loss);
  return makeUpdateRuling(content, 'consolidated: names, values and statements survive', () => {
    return 'rephrased, merged or superseded by an accepted consolidation';
  });
};

/**
 * The items that other items do not carry. An item is carried if its names, numbers, dates and negations are in them, one of
 * them has most of its terms, and none of them says its opposite.
 */
export function findMissingItems(items: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others.map(itemKey));
  const next = new Facts(others.map(readAnchors));
  return items.filter((item) => {
    const facts = new Facts([readAnchors(withoutOpening(item))]);
    const isCarried =
      next.coverageOf(facts, 2) === 1 &&
      next.statementsOf(facts, () => false, MIN_COVERAGE) === 1 &&
      next.negationFlipOf(facts) === undefined;
    return !isCarried && !known.has(itemKey(item));
  });
}

/** Removes the label of a line ("Last request: …"), "We decided to", and the capital of a first word that is not a name. */
function withoutOpening(item: string): string {
  const text = item.replace(
    /^(?:\p{L}+ ?){1,2}: |^(?:we|i) (?:have )?(?:decided|agreed|chose) (?:to |that |on )?/iu,
    '',
  );
  const [first = ''] = /^\p{L}+/u.exec(text) ?? [];
  return isFrequentWord(first.toLowerCase()) ? first.toLowerCase() + text.slice(first.length) : text;
}

function firstLoss(before: readonly string[], after: readonly string[]): string | undefined {
  if (after.length / before.length < MIN_ITEM_RATIO) {
    return `${after.length} items for ${before.length} is under ${percent(MIN_ITEM_RATIO)}`;
  }
  const known = new Set(after.map(itemKey));
  const old = new Facts(before.map(readAnchors));
  const next = new Facts(after.map(readAnchors));
  for (const [tier, what] of TIERS) {
    const covered = next.coverageOf(old, tier);
    if (covered < MIN_COVERAGE) return `${percent(covered)} of the ${what} survive, under ${percent(MIN_COVERAGE)}`;
  }
  const survive = next.statementsOf(old, (index) => known.has(itemKey(before[index] ?? '')));
  if (survive < MIN_STATEMENTS)
    return `${percent(survive)} of the statements survive, under ${percent(MIN_STATEMENTS)}`;
  const flipped = next.negationFlipOf(old);
  return flipped === undefined ? undefined : `a negation was dropped or added: "${shorten(before[flipped] ?? '')}"`;
}

// The tiers of anchors, with their names in messages. Each tier also includes the anchors of the tiers before it. The
// share of anchors that survive is tested for each tier, because many words that survive must not make up for lost
// names.
const TIERS = [
  [1, 'names, dates and quantities'],
  [2, 'names and exact values'],
  [3, 'names, values and words'],
] as const;

function salvage(before: readonly string[], after: readonly string[], old: string, loss: string): Ruling {
  const shortened = shortenedCopies(before);
  const fresh = findNewItems(after, old).filter((item) => !shortened(item));
  if (fresh.length === 0) return makeKeepRuling(`update rejected: ${loss}; nothing in it is new`);
  return makeAppendRuling(fresh, `update rejected: ${loss}; its new items are appended`);
}

/**
 * Returns a function that recognises an item which is only the beginning of an old item. If an UPDATE is rejected, such
 * an item is not appended, because it says nothing new. But if the part that was cut off has a negation, the shorter
 * item says something else, and is not recognised.
 */
function shortenedCopies(before: readonly string[]): (item: string) => boolean {
  const keys = before.map(itemKey).sort();
  return (item) => {
    const key = itemKey(item);
    const longer = keys[findFirstNotBelow(keys.length, (place) => (keys[place] ?? '') < key)];
    return longer !== undefined && startsWithWholeWords(longer, key) && !hasNegation(longer.slice(key.length));
  };
}

function hasNegation(text: string): boolean {
  return (
    splitAtNegations(text).length > 1 ||
    (text.match(/[\p{L}'’]+/gu) ?? []).some((word) => isNegation(word.replaceAll('’', "'")))
  );
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 1000) / 10} %`;
}

function shorten(item: string): string {
  const points = [...item.slice(0, 200)];
  return points.length > 60 ? `${points.slice(0, 59).join('')}…` : item;
}

/** The anchors of one version of the section Key Facts. Measures how much of the old version is still in this one. */
class Facts {
  readonly #items: readonly Anchors[];
  readonly #tiers: readonly ReadonlySet<string>[];
  readonly #terms = new Map<string, number[]>();
  readonly #clauses = new Map<string, number>();

  constructor(items: readonly Anchors[]) {
    this.#items = items;
    const named = new Set(items.flatMap((item) => [...item.named]));
    const exact = new Set([...named, ...items.flatMap((item) => [...item.exact])]);
    this.#tiers = [named, exact, new Set([...exact, ...items.flatMap((item) => [...item.words])])];
    items.forEach((item, index) => {
      for (const term of item.terms) {
        const postings = this.#terms.get(term);
        if (postings === undefined) this.#terms.set(term, [index]);
        else if (postings.length <= MAX_POSTINGS) postings.push(index);
      }
      for (const { terms, negated } of item.clauses) {
        this.#clauses.set(terms, (this.#clauses.get(terms) ?? 0) | (negated ? NEGATED : PLAIN));
      }
    });
  }

  /**
   * Share of the anchors of `old` that still occur here, in any item. Counts the anchors of the tiers from 1 to `tier`.
   * The share is 1 if `old` has no such anchors.
   */
  coverageOf(old: Facts, tier: 1 | 2 | 3): number {
    const anchors = [...(old.#tiers[tier - 1] ?? [])];
    const covered = anchors.filter((anchor) => this.#terms.has(anchor) || this.#tiers[2]?.has(anchor)).length;
    return anchors.length === 0 ? 1 : covered / anchors.length;
  }

  /**
   * Share of the items of `old` that survive. An item survives if it is kept word for word, or if at least half of its
   * terms occur in one item of this version. @param least another share than half
   */
  statementsOf(old: Facts, isKept: (index: number) => boolean, least = HALF): number {
    const surviving = old.#items.filter((item, index) => isKept(index) || this.#holds(item, least)).length;
    return old.#items.length === 0 ? 1 : surviving / old.#items.length;
  }

  /**
   * Index of the first item of `old` with a clause whose opposite is in this version, while the clause itself is not: `use
   * Redis` became `do not use Redis`, or the reverse. Undefined if there is none.
   */
  negationFlipOf(old: Facts): number | undefined {
    const flipped = old.#items.findIndex((item) =>
      item.clauses.some(({ terms, negated }) => this.#clauses.get(terms) === (negated ? PLAIN : NEGATED)),
    );
    return flipped === -1 ? undefined : flipped;
  }

  #holds({ terms }: Anchors, least: number): boolean {
    return terms.size === 0 || this.#bestShare(terms) >= least;
  }

  // The largest share of `terms` that one item has. Compares only with a few items that have one of the rarest terms, so
  // that the time stays linear.
  #bestShare(terms: ReadonlySet<string>): number {
    const lists = [...terms].map((term) => this.#terms.get(term) ?? []).filter((list) => list.length > 0);
    lists.sort((a, b) => a.length - b.length);
    const candidates = new Set(lists.slice(0, RAREST).flatMap((list) => list.slice(0, MAX_POSTINGS)));
    const shares = Array.from(candidates, (index) => {
      const known = this.#items[index]?.terms;
      return [...terms].filter((term) => known?.has(term)).length / terms.size;
    });
    return largest(shares, 0);
  }
}

const PLAIN = 1;
const NEGATED = 2;
const HALF = 0.5;
const RAREST = 3;
const MAX_POSTINGS = 8;

// Matches a word, number, path or identifier, or a mark that ends a clause. The two repeated classes have no character in
// common, so matching takes linear time on any input.
const TOKEN = /[$€£¥]?[\p{L}\p{M}\p{N}_]+(?:[.:/\\@#+~'’-]+[\p{L}\p{M}\p{N}_]+)*%?|[;；，。！？!?\n]|[,.](?=\s|$)/gu;
const BREAK = /^[;；。！？!?\n,，.]$/u;
const MONTH = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/u;
const UNIT =
  /^(?:years?|months?|weeks?|days?|kids?|children|hours?|minutes?|seconds?|miles?|times?|sessions?|rounds?|visits?|dollars?|euros?|pounds?|bedrooms?|paintings?|people|persons?|am|pm)$/u;
const DECISIONS: ReadonlySet<string> = new Set(['because', 'decided', 'chose', 'committed', 'agreed', 'resolved']);

const SPACED = /[\p{L}\p{M}\p{N}_]+(?:[./:-]+[\p{L}\p{M}\p{N}_]+)*/gu;

/** Reads the anchors of one item. Takes time in proportion to its length. */
function readAnchors(item: string): Anchors {
  const reader = new AnchorReader();
  reader.read(item.normalize('NFKC').replace(/(\d),(?=\d{3}(?!\d))/gu, '$1'));
  return reader;
}

type Anchors = AnchorReader;

/**
 * Collects the anchors of an item in three sets, the most specific first: `named`, `exact` and `words`. All anchors are
 * in lower case. `named` follows the rules of Working Memory v2, the reference for our Working Memory.
 */
class AnchorReader {
  /** Dates, quantities with their unit, decision words, capitalised words. */
  readonly named = new Set<string>();
  /** Numbers, versions, ports, paths, identifiers, acronyms, negated terms (`not …`). */
  readonly exact = new Set<string>();
  /** Content words in lower case that are not common, such as `redis`, and the bigrams of unspaced text. */
  readonly words = new Set<string>();
  /** All anchors, and every other content word. They decide whether a statement still exists after an update. */
  readonly terms = new Set<string>();
  /**
   * The clauses of the item. `terms`: the terms of the clause in alphabetical order. `negated`: whether the clause has
   * a negation.
   */
  readonly clauses: { terms: string; negated: boolean }[] = [];
  #clause: string[] = [];
  #negated = false;
  #negates = false;

  read(text: string): void {
    const tokens = text.match(TOKEN) ?? [];
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index] ?? '';
      if (BREAK.test(token)) this.#endClause();
      else if (/\p{N}/u.test(token)) index += this.#number(token, tokens[index + 1], tokens[index + 2]);
      else if (hasUnspaced(token)) this.#mixed(token);
      else this.#word(token);
    }
    this.#endClause();
  }

  /**
   * Reads a token with a digit.
   * @returns the number of following tokens that belong to it
   */
  #number(token: string, next: string | undefined, afterNext: string | undefined): number {
    if (hasUnspaced(token)) {
      this.#mixed(token);
      return 0;
    }
    const value = token.toLowerCase();
    const unit = next?.toLowerCase();
    if (unit !== undefined && /^\d{1,2}$/u.test(value) && MONTH.test(unit) && /^\d{4}$/u.test(afterNext ?? '')) {
      this.#name(`${value} ${unit} ${afterNext ?? ''}`);
      return 2;
    }
    if (unit !== undefined && /^\d+$/u.test(value) && UNIT.test(unit)) {
      this.#name(`${value} ${stemOf(unit)}`);
      return 1;
    }
    if (/^\d{4}-\d{2}-\d{2}$/u.test(value) || value.startsWith('$')) this.#name(value);
    else this.#add(this.exact, value);
    return 0;
  }

  #mixed(token: string): void {
    for (const run of splitByScript(token)) {
      if (run.isUnspaced) this.#unspaced(run.text);
      else for (const part of run.text.match(SPACED) ?? []) this.#part(part);
    }
  }

  #unspaced(run: string): void {
    splitAtNegations(run).forEach((part, index) => {
      if (index > 0) this.#negate();
      for (const pair of meaningfulBigrams(part)) this.#add(this.words, pair);
    });
  }

  #negate(): void {
    this.#negated = true;
    this.#negates = true;
  }

  #part(part: string): void {
    if (/\p{N}/u.test(part)) this.#add(this.exact, part.toLowerCase());
    else this.#word(part);
  }

  #word(token: string): void {
    const lower = token.toLowerCase().replaceAll('’', "'");
    if (isNegation(lower)) {
      this.#negate();
      return;
    }
    this.#content(token, lower.replace(/'(?:s|ll|re|ve|d|m)$/u, ''));
  }

  #content(token: string, word: string): void {
    const root = stemOf(word);
    if (DECISIONS.has(word)) this.#name(root);
    else if (isIdentifier(token)) this.#compound(token, word);
    else if (/^\p{Lu}{2}$/u.test(token)) this.#add(this.exact, word);
    else if (word.length < 3 || isUninformativeWord(word)) return;
    else if (/^\p{Lu}/u.test(token)) this.#name(root);
    else this.#add(isFrequentWord(word) ? undefined : this.words, root);
  }

  /**
   * Reads a token of several parts. An identifier such as `maxSize` or `max_size` is one anchor. Its parts are terms,
   * so that a statement with the separate words is recognised. A hyphenated word is read part by part.
   */
  #compound(token: string, lower: string): void {
    const hyphenated = /^[\p{L}\p{M}]+(?:[-'/:][\p{L}\p{M}]+)+$/u.test(token);
    if (!hyphenated) this.#add(this.exact, lower);
    for (const part of token.match(/[\p{L}\p{M}]+/gu) ?? []) {
      if (hyphenated) this.#word(part);
      else this.terms.add(stemOf(part.toLowerCase()));
    }
  }

  #name(name: string): void {
    this.#add(this.named, name);
  }

  #add(tier: Set<string> | undefined, anchor: string): void {
    tier?.add(anchor);
    this.terms.add(anchor);
    this.#clause.push(anchor);
    if (this.#negates) this.exact.add(`not ${anchor}`);
    this.#negates = false;
  }

  #endClause(): void {
    if (this.#clause.length > 0) this.clauses.push({ terms: this.#clause.sort().join(' '), negated: this.#negated });
    this.#clause = [];
    this.#negated = false;
    this.#negates = false;
  }
}

// Whether a token is an identifier: snake_case, camelCase, dotted.names, paths/with/slashes, kebab-case.
function isIdentifier(token: string): boolean {
  return /[_./\\:@#+~-]|\p{Ll}\p{Lu}/u.test(token);
}

/**
 * Words that occur in titles and notes on any topic, so that they say nothing about the topic. Used together with the
 * English stop words.
 */
const NOTE_WORDS: ReadonlySet<string> = wordSet(
  'etc further go goes key needs new now old session thus decisions facts memory note notes plan plans title working',
);

/** The stop words of the title guard. They are those of Working Memory v2, the reference for our Working Memory. */
export const TITLE_STOP_WORDS: ReadonlySet<string> = wordSet(
  'a an and at by for from in memory note notes of on or plan plans session the title to with working',
);

/** Chinese equivalents of the title's stop words. */
const STOP_BIGRAMS: ReadonlySet<string> = wordSet(
  '会话 計劃 计划 方案 笔记 筆記 记忆 記憶 标题 標題 工作 关于 關於 以及 进行 相关 我们 這個 这个 那个 一个 可以 需要',
);

/** Chinese and Japanese characters of grammar, such as particles. A bigram with one of them is not a word. */
const FUNCTION_CHARACTERS = /[的了和与在是及之等为对把被将从到也都就而或于上下中里个这那呢吗吧啊の・ー]/u;

/** Whether a lower-case word says nothing about the topic of a note. */
function isUninformativeWord(word: string): boolean {
  return NOTE_WORDS.has(word) || (ENGLISH_STOP_WORDS.has(word) && !isFrequentWord(word));
}

/**
 * The bigrams of an unspaced text that may be words. The text is split at characters of grammar. A part of only one
 * character is returned as it is.
 */
export function meaningfulBigrams(run: string): readonly string[] {
  return run.split(FUNCTION_CHARACTERS).flatMap((part) => readBigrams(part).filter(isMeaningful));
}

function isMeaningful(pair: string): boolean {
  return !STOP_BIGRAMS.has(pair);
}
