import type { DateOrder, Day } from '../../base/clock.js';
import type { DaySpan } from '../../language/time/calendar.js';
import type { TimeIntent } from './time-intent.js';

/** The role of a word in a question: its topic, its frame ("what kind of"), its time ("last week"), or an entity's name. */
export type WordRole = 'content' | 'frame' | 'time' | 'name';

export interface WordOfQuestion {
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

/** The first span of days of a time, in the user's zone. Never open at both ends. */
export interface QuestionWindow extends DaySpan {
  /** All spans that the time may mean, the earlier first: two if it has no year and the tense does not show which. */
  readonly spans: readonly DaySpan[];
  /** The words from which the time was read, as written. */
  readonly text: string;
  /** Whether the time is a day or month without a year, which comes every year. */
  readonly isYearly: boolean;
}

/** Weight of a word from a sentence that only tells something, in a message that also asks for a fact. */
export const STATEMENT_WEIGHT = 0.1;

/** A part of a question that may be the name of a page, and the rest of the question. */
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
  /** The question without its times. If a message tells something and also asks for a fact, only the part that asks. */
  readonly phrase: string;
  /** Whether a part of the question was ignored: it was too long, or had more than 256 keywords. */
  readonly truncated: boolean;
  /** Keywords in order, each once. */
  readonly words: readonly WordOfQuestion[];
  /** Quoted phrases and exact tokens (codes, paths, flags, versions, identifiers, numbers with units), as written. */
  readonly exact: readonly string[];
  /** Runs of CJK text that carry content, without question frames, stop characters and time words, as written. */
  readonly cjk: readonly string[];
  /** Runs of CJK text from the sentences that only tell something, if the message also asks for a fact. */
  readonly toldCjk: readonly string[];
  /** Slugs of the known entities named in the question, each once. */
  readonly entities: readonly string[];
  readonly window: QuestionWindow | null;
  /** How the question uses its time; null if it has none. */
  readonly ofTime: TimeIntent;
  /**
   * The day at which the answer should hold ("as of Dec 1", "what was true in November 2025"), or null. When it is set,
   * `window` is the time as named, and does not limit the days of sources: a state that began earlier may still have held.
   */
  readonly asOf: Day | null;
  /**
   * The time that the question asks about. `now`: it has a word for the present (`now`, 目前). `past`: its verb is in the past
   * tense. `present`: all other questions, including those without a verb.
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
   * Whether the question is only a time ("2025-11-27", "last week"). Then its words have full weight, and `window` should
   * not hide a line that contains them.
   */
  readonly timeOnly: boolean;
  /** Parts of the question that may be the name of a page about which it asks as a whole, longest first. */
  readonly names: readonly TopicName[];
  /** Whether the question has only stop words and frames. Then `words` and `cjk` hold all words, with full weight. */
  readonly stopWordsOnly: boolean;
  /** Whether the question names nothing: beside times and words such as "true", it has only stop words and frames. */
  readonly isBare: boolean;
}

/** Where the reader looks up names; the caller answers from its index, so no list of names is ever loaded. */
export interface EntityNameLookup {
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
  readonly entities: EntityNameLookup;
  /** Whether the whole question is a name, so that none of its words is a time. */
  readonly isName?: boolean;
}
