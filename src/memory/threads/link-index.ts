import type { Day } from '../../base/clock.js';
import { addAll, addToGroup, findFirstNotBelow } from '../../base/order.js';
import { readAttributeName } from '../../language/statements/tenses.js';
import { addDays } from '../../language/time/calendar.js';
import { isFunctionWord } from '../../language/time/languages/detect.js';
import { wordSet } from '../../language/tokens.js';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import type { Clause, ParsedStatement } from '../../line/statement/statement.js';

/** Number of days for which a temporary state holds after it was last said. */
export const TEMPORARY_DAYS = 14;

/** A clause of a fact. */
interface Linked {
  readonly fact: {
    readonly day: Day | null;
    readonly text: string;
    readonly subjects: readonly string[];
    readonly statement: ParsedStatement;
  };
  readonly part: Clause;
}

/** Index of clauses by the keys that link them with others. Clauses are added from the newest to the oldest. */
export class LinkIndex<T extends Linked> {
  /** The link keys of each clause. */
  private readonly keys = new Map<Clause, readonly string[]>();
  private readonly parts = new Map<string, Posted<T>[]>();
  /** Clauses by the terms that they say are over. These terms need not be rare. */
  private readonly ending = new Map<string, Posted<T>[]>();
  /** Clauses that state a value, by the place of the value. */
  private readonly readings = new Map<string, Posted<T>[]>();
  /** Clauses that say how somebody is for some days, or is again. */
  private readonly conditions: Posted<T>[] = [];
  private readonly frequency = new Map<string, number>();
  private readonly most: number;
  private facts = 0;
  /** Whether there are so few facts that one rare term or kind of value links two of them. */
  private readonly isSmall: boolean;

  /** @param beside 1 if lookups are about a fact that is not in `facts`; it counts when the rarity of a key is computed */
  constructor(facts: readonly T['fact'][], beside: 0 | 1 = 0) {
    for (const { statement } of facts) {
      for (const part of statement) this.keys.set(part, keysOf(part));
      for (const key of new Set(statement.flatMap((part) => this.rare(part))))
        this.frequency.set(key, (this.frequency.get(key) ?? 0) + 1);
    }
    this.isSmall = facts.length <= SMALL;
    // A key links clauses only if at most this many facts have it. Three facts may always share a key.
    this.most = Math.max(3, Math.sqrt(facts.length + beside)) - beside;
    for (const [part, keys] of this.keys) this.keys.set(part, this.onlyRare(keys));
  }

  /** @param strands entries of one fact, which is older than all facts that were added */
  add(strands: readonly T[]): void {
    const order = this.facts++;
    for (const strand of strands) {
      const posted = { strand, order };
      for (const key of this.rare(strand.part)) addToGroup(this.parts, key, posted);
      for (const term of strand.part.ended ?? []) addToGroup(this.ending, term, posted);
      if (strand.part.isTemporary || strand.part.isRestored) this.conditions.push(posted);
      const place = placeOfValue(strand);
      if (place !== undefined) addToGroup(this.readings, place, posted);
    }
  }

  /**
   * The next newer clause that states a value in the same place: the next `weighs 82.4 kg` in a series of every morning.
   * Such a series has no rare term that could link its clauses.
   */
  reading(said: Linked, before = Number.POSITIVE_INFINITY): T | undefined {
    const found = this.readings.get(placeOfValue(said) ?? '')?.findLast(({ order }) => order < before)?.strand;
    return found?.fact.subjects.every((subject) => said.fact.subjects.includes(subject)) ? found : undefined;
  }

  /**
   * The added clauses that are directly linked with a clause, newest first. They share a rare key, or name the clause as
   * over. A temporary state is also linked with the next one, and with what is again as it was.
   * @param before maximum number of newest facts to search
   */
  linked(fact: T['fact'], part: Clause, before?: number): readonly T[] {
    const all = this.having(part, false);
    const isOfTopic = sharesTopicWith(part);
    const found = this.isSmall ? all : all.filter(({ strand }) => isOfTopic(strand.part));
    if (this.ending.size > 0)
      for (const term of termsAndDays(part))
        for (const posted of this.ending.get(term) ?? []) if (names(posted.strand.part, part)) found.push(posted);
    if (part.isTemporary) addAll(found, this.conditionsAfter(fact));
    return this.inOrder(fact, found, before);
  }

  /** The added clauses that have a value of the same kind as a clause, newest first. None among many facts. */
  ofKind(fact: T['fact'], part: Clause, before?: number): readonly T[] {
    if (!this.isSmall) return [];
    return this.inOrder(fact, this.having(part, true), before);
  }

  private having(part: Clause, isKind: boolean): Posted<T>[] {
    const found: Posted<T>[] = [];
    for (const key of this.rare(part)) if (key.startsWith(KIND) === isKind) addAll(found, this.parts.get(key) ?? []);
    return found;
  }

  /** The conditions that were said while a temporary state of the fact may have lasted. */
  private conditionsAfter({ day }: T['fact']): readonly Posted<T>[] {
    if (day === null) return [];
    const last = addDays(day, TEMPORARY_DAYS);
    // Binary search: they are sorted by their days, newest first, and those without a day come last.
    const firstWhere = (isNewer: (one: string) => boolean): number =>
      findFirstNotBelow(this.conditions.length, (place) => isNewer(this.conditions[place]?.strand.fact.day ?? ''));
    return this.conditions.slice(
      firstWhere((one) => one > last),
      firstWhere((one) => one >= day),
    );
  }

  /** The found clauses whose subjects are all subjects of the fact, each once, newest first. */
  private inOrder(
    { subjects }: T['fact'],
    found: readonly Posted<T>[],
    before = Number.POSITIVE_INFINITY,
  ): readonly T[] {
    if (found.length === 0) return [];
    const own = found.filter(
      ({ strand, order }) => order < before && strand.fact.subjects.every((subject) => subjects.includes(subject)),
    );
    return [...new Set(own)].sort((a, b) => a.order - b.order).map(({ strand }) => strand);
  }

  private rare(part: Clause): readonly string[] {
    return this.keys.get(part) ?? this.onlyRare(keysOf(part));
  }

  private onlyRare(keys: readonly string[]): readonly string[] {
    return keys.filter((key) => (this.frequency.get(key) ?? 0) <= this.most);
  }
}

/**
 * Maximum number of facts among which one rare term links two clauses. Among more facts, two long clauses often share a
 * rare word by chance.
 */
const SMALL = 12;

/** Minimum share of the terms of the shorter clause that the other must have, too, if there are many facts. */
const MIN_SHARED = 0.34;

/** Makes a function that tells whether another clause shares enough terms with this one to have the same topic. */
function sharesTopicWith(part: Clause): (other: Clause) => boolean {
  const own = new Set(namingTerms(part));
  return (other) => {
    const terms = namingTerms(other);
    return terms.filter((term) => own.has(term)).length >= MIN_SHARED * Math.min(own.size, terms.length);
  };
}

/** Minimum share of the terms of the shorter clause that a clause about the same attribute has, too. */
const MIN_OF_ATTRIBUTE = 0.5;

/**
 * Whether two statements have clauses about one attribute: they state a value in the same place, the later one names the
 * earlier one as over, or they share half of the terms. Pure.
 */
export function haveCommonAttribute(later: Linked['fact'], earlier: Linked['fact']): boolean {
  return later.statement.some((above) =>
    earlier.statement.some((below) => {
      const place = placeOfValue({ fact: later, part: above });
      if (place !== undefined && place === placeOfValue({ fact: earlier, part: below })) return true;
      const [own, terms] = [new Set(namingTerms(above)), namingTerms(below)];
      const shared = terms.filter((term) => own.has(term)).length;
      return names(above, below) || (shared > 0 && shared >= MIN_OF_ATTRIBUTE * Math.min(own.size, terms.length));
    }),
  );
}

function namingTerms({ terms }: Clause): readonly string[] {
  return terms.filter((term) => !COUNT.test(term));
}

interface Posted<T> {
  readonly strand: T;
  /** Number of newer facts. */
  readonly order: number;
}

/** Matches a number that says only how many or when. */
const COUNT = /^(?:\d{1,2}|(?:19|20)\d\d)$/;

/** Roots of numbers in words, and of the German word for "o'clock". They say only how many or when, too. */
const COUNTED = wordSet(`
  one two thre four five six seven eight nine ten eleve twelv
  eins zwei drei vier funf sech siebe acht neun zehn elf zwolf uhr
  un deux troi quatr cinq sept huit neuf dix
  do tre cuatr cinco sei siete ocho nueve diez
  due quatt cinqu sette otto nove dieci
  dois dua oito dez twee dri vijf zes zeven negen tien
`);

const KIND = 'kind ';

/** Link keys of a clause, each once: a clause may name 20,000 values of one kind. Money links nothing by itself. */
function keysOf(part: Clause): readonly string[] {
  const { values = [] } = part;
  const kinds = values.flatMap(({ kind }) => (kind === 'money' ? [] : `${KIND}${kind}`));
  return [...new Set([...namingTerms(part).filter((term) => !COUNTED.has(term)), ...kinds])];
}

/** Kinds of values of which a thing has only one at a time. */
const READ = /^(?:measure|money|clock)/;
/**
 * A number at the start of a clause. In an unspaced script: a number at the end, before at most two characters, or before
 * a counting character (个).
 */
const BARE = /^\s*\d|\p{Lo}\d[\d.,]*(?:\p{Lo}{0,2}\s*$|[个個])/u;
const BEFORE_NUMBER = /(?<!\p{L})(\p{L}+)\s+\d/gu;

/** Whether a word says nothing by itself, in any language that is known. @param word in lower case */
export function isStopOrFunctionWord(word: string): boolean {
  return ENGLISH_STOP_WORDS.has(word) || isFunctionWord(word);
}

/** The terms of a clause that are not numbers. */
export function nonNumericTerms({ terms }: Clause): readonly string[] {
  return terms.filter((term) => !/\d/.test(term));
}

/**
 * Whether a number is a reading, as in `is 48 points` or `noch 13 Fehler`. After a content word a number is a name, as in
 * `task 3`.
 */
function readsNumber(said: string): boolean {
  if (BARE.test(said)) return true;
  const before = Array.from(said.matchAll(BEFORE_NUMBER), ([, word = '']) => word.toLowerCase());
  return before.some(isStopOrFunctionWord);
}

/**
 * The place of a value: what a clause says has the value. It is the attribute of a word (`build` in `build is red`), or
 * the words around a number. Undefined if the clause names a day, or has no value.
 */
function placeOfValue({ fact, part }: Linked): string | undefined {
  const { from, to, values = [], validFrom, validTo } = part;
  if ((validFrom ?? validTo) !== undefined) return undefined;
  const said = fact.text.slice(from, to);
  const attribute = readAttributeName(said);
  if (attribute !== undefined) return `${attribute}:`;
  if (!values.some(({ kind }) => READ.test(kind)) && !readsNumber(said)) return undefined;
  const words = nonNumericTerms(part);
  return words.length > 0 ? words.join(' ') : undefined;
}

/** Whether a later clause says that most of its ended terms and days are those of an earlier clause. */
function names({ ended }: Clause, earlier: Clause): boolean {
  if (ended === undefined || earlier.terms.length === 0) return false;
  const said = new Set(termsAndDays(earlier));
  const held = ended.filter((term) => said.has(term)).length;
  return held > 0 && held >= 0.6 * ended.length;
}

/** Terms and days of a clause that another clause may name as over. */
export function termsAndDays({ terms, validFrom, validTo }: Clause): readonly string[] {
  return [...terms, ...(validFrom === undefined ? [] : [validFrom]), ...(validTo === undefined ? [] : [validTo])];
}

/** Whether it puts an end to it with that: of one day there may be several things. */
export function mayEndEarlierClause(later: Clause, earlier: Clause): boolean {
  if (!names(later, earlier)) return false;
  const said = new Set(earlier.terms);
  return [...(later.ended ?? []), ...later.terms].some((term) => said.has(term));
}
