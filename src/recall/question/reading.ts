import type { DateOrder, Day } from '../../base/clock.js';
import type { TimeIntent } from './time-intent.js';

/** What a word does in a question: its subject, its frame ("what kind of"), its time ("last week"), or an entity's name. */
export type WordRole = 'content' | 'frame' | 'time' | 'name';

export interface QuestionWord {
  /** Lower-cased as written, NFKC, without possessive 's. Never CJK (see {@link QuestionReading.cjk}). */
  readonly text: string;
  /** 1 for what the question is about, less for the words around it. Stop words are left out. */
  readonly weight: number;
  /** Written with a capital letter inside of a sentence: a name, or a noun of German. */
  readonly isCapital?: boolean;
  /** Other forms to search that no stemmer finds: irregular verbs and nouns, British and American spelling. */
  readonly forms: readonly string[];
  readonly role: WordRole;
}

export interface QuestionWindow {
  /** First and last day, inclusive, in the user's zone; `null` is an open end, never both. */
  readonly since: Day | null;
  readonly until: Day | null;
  /** The words from which the time was read, as written. */
  readonly text: string;
  /** It is a day or month of every year, and no year was said. */
  readonly isYearly: boolean;
}

/** What a word says that was only told beside a question of fact. */
export const STATEMENT_WEIGHT = 0.1;

/** What may be the name of a page, and the question without it. */
export interface TopicName {
  readonly name: string;
  readonly beside: string;
}

/** What a question asks for, read without an index or a model. */
export interface QuestionReading {
  /** The question, or its first 4,000 characters. */
  readonly text: string;
  /** The question with spaces in place of its times and words for the present. */
  readonly untimed: string;
  /** It without its times; of a message that asks for a fact beside what it tells, that question. */
  readonly phrase: string;
  /** The question was longer than is read, or held more than 256 keywords. */
  readonly truncated: boolean;
  /** Keywords in order, each once. */
  readonly words: readonly QuestionWord[];
  /** Quoted phrases and exact tokens (codes, paths, flags, versions, identifiers, numbers with units), as written. */
  readonly exact: readonly string[];
  /** Runs of CJK text that carry content, without question frames, stop characters and time words, as written. */
  readonly cjk: readonly string[];
  /** Such runs of what is only told beside a question of fact. */
  readonly toldCjk: readonly string[];
  /** Slugs of the known entities named in the question, each once. */
  readonly entities: readonly string[];
  readonly window: QuestionWindow | null;
  /** How the question uses its time; null if it has none. */
  readonly ofTime: TimeIntent;
  /**
   * The day at which the answer should hold ("as of Dec 1", "what was true in November 2025"), or null. When it is
   * set, `window` is what was said, not a bound on source days: what began before it may still have held.
   */
  readonly asOf: Day | null;
  /**
   * What it asks of: what holds, said (`now`, 目前) or by its present tense, or what once was. Nothing is known of a
   * question that has no verb, which is in the present tense, too.
   */
  readonly tense: 'now' | 'present' | 'past';
  readonly wishes: {
    /** Whether the question asks for a preference or belief. */
    readonly opinion: boolean;
    /** Whether the question asks for something that the agent or its user did. */
    readonly experience: boolean;
  };
  readonly cues: {
    readonly when: boolean;
    readonly howMany: boolean;
    readonly where: boolean;
    readonly who: boolean;
    /** Whether the question asks for something that has a title: a book, a film, a song. */
    readonly title: boolean;
    /** Whether the question asks for a decision. */
    readonly decision: boolean;
    /** Whether the question asks for the present state of things ("latest", "now", 目前). */
    readonly recent: boolean;
  };
  /**
   * The question is nothing but a time expression ("2025-11-27", "last week"). Its words then have full weight, and
   * `window` should not hide a line that says them.
   */
  readonly timeOnly: boolean;
  /** What may be the name of a page that it asks about as a whole, longest first. */
  readonly names: readonly TopicName[];
  /** Nothing but stop words and frames was asked: `words` and `cjk` then hold every word, with full weight. */
  readonly stopWordsOnly: boolean;
}

/** Where the reader looks up names; the caller answers from its index, so no list of names is ever loaded. */
export interface EntityNames {
  /**
   * The slug of the entity with this written name, alias or slug, or undefined.
   * @param name lower-case NFKC; its words joined by one space ("the castle"), or a piece of CJK text ("张三").
   */
  lookup(name: string): string | undefined;
}

export interface QuestionContext {
  readonly now: Date;
  /** IANA name of the user's zone. */
  readonly zone: string;
  readonly dateOrder?: DateOrder | undefined;
  readonly entities: EntityNames;
  /** Whether the whole question is a name, so that none of its words is a time. */
  readonly isName?: boolean;
}
