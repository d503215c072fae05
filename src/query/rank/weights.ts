/**
 * Every weight of the ranking, with its reason. A unit's score is the weighted sum of its signals, each 0..1, so that
 * scores are comparable between questions; measured, this beats reciprocal rank fusion by far when one signal (the
 * words) carries most of the answer. `npm run bench -- --ablation` switches each off, one at a time, on every kind of
 * labelled text: in points that are lost without it (2026-11-24, of every set at most some hundred questions;
 * half-width some points: what is within two says little).
 *
 * | weight | conversations R@10 | MRR | chats with an assistant R@10 | MRR | group chats R@10 | MRR | documents R@10 | MRR | messages R@10 | MRR | cases failed |
 * | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
 * | all | 80.0 | 64.7 | 78.7 | 79.2 | 60.8 | 59.9 | 97.9 | 89.4 | 61.4 | 49.6 | 0 |
 * | lexical | 12.3 | 10.2 | 12.7 | 18.2 | 22.9 | 17.3 | 32.1 | 31.0 | 30.1 | 28.8 | 12 |
 * | letters | 0.3 | 0.6 | 0.8 | 4.3 | -0.2 | 4.7 | 0.1 | 0.6 | -0.1 | -0.1 | 0 |
 * | entity | 0.0 | 1.0 | 0.0 | 0.0 | -1.3 | 2.1 | 0.0 | 0.0 | 0.0 | 0.0 | 2 |
 * | self | 0.0 | 1.0 | 0.0 | 0.0 | 0.6 | 0.8 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | kind | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 1 |
 * | wish | -1.0 | 0.6 | -0.1 | 0.5 | 0.0 | 0.0 | 0.1 | 0.6 | -0.3 | -0.2 | 0 |
 * | defines | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | time | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 2 |
 * | recency | 0.0 | 0.0 | 0.0 | -0.3 | 0.0 | -0.2 | 0.0 | 0.0 | 0.0 | -0.1 | 2 |
 * | around | 4.7 | 3.9 | 1.5 | 1.2 | 1.3 | -0.9 | 2.1 | 1.8 | -0.6 | -0.6 | 2 |
 * | asking | 0.0 | 1.1 | 0.0 | -0.0 | 1.7 | 0.2 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | rarity | 0.0 | 0.0 | -0.2 | 0.1 | 1.0 | 1.0 | 0.1 | -0.1 | 0.9 | 0.0 | 0 |
 * | capital | 0.0 | 0.1 | 0.0 | 0.6 | 2.5 | 1.9 | 0.0 | -0.0 | 0.4 | 1.5 | 0 |
 */
export const WEIGHTS = {
  /** The words of the question in the line: what recall is about. */
  lexical: 0.56,
  /** The same letters in a row, over the limits of words: other forms, compounds, words side by side. */
  letters: 0.35,
  /** The line is about an entity that the question names, or is said by it. */
  entity: 0.25,
  /** Whoever is named says it of himself: what one asks about somebody is rarely what he says of another. */
  self: 0.02,
  /** A typed fact was written to be found; a heading or a dump was not. */
  kind: 0.06,
  /** The question wishes for an opinion or an experience, and it is one; or asks for a decision, time, number or title, and it has one. */
  wish: 0.13,
  /** A line that defines what the question asks about comes before those that only mention it. */
  defines: 0.5,
  /** Lines that were written in the time window come before facts that only held during it. */
  time: 0.12,
  /** Newer is likelier to hold. Small: it only orders what is otherwise alike. */
  recency: 0.04,
  /**
   * The line means what the question means, by an embedding model; 0 without one. Its most is rarely reached: by 0.055 a
   * deviation, a line that nothing else speaks for reaches the middle of the words' results. Where words are sure, a line
   * goes first for them whatever the score (see `ranked.ts`).
   */
  vector: 0.55,

  /**
   * What stands around a line says what it is about: how much a term counts in the two lines before and after it (in the
   * third ones a third), the heading above and the name of the page, where in the line itself it counts 1; and how much
   * of the way to the best line of its section a line is raised.
   */
  around: 0.3,

  /** A line that only asks is rarely what was asked for: taken off its lexical signal. */
  asking: 0.1,
  /** Exponent of the inverse document frequency: a rare word counts even more than in BM25. */
  rarity: 1.3,
  /** A name, or a noun of German, says more than the verbs and adjectives beside it. */
  capital: 1.4,
} as const;

/** The values of all weights. Other values are used to measure the effect of each weight. */
export type Weights = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** How soon a count saturates, as early as short lines do best with, and how much of it a line's length divides, as BM25 has it. */
export const BM25_PARAMETERS = { k1: 0.5, b: 0.75 } as const;

/** Length, in characters, of a message that says one thing. A longer line says several. */
export const TYPICAL_MESSAGE_CHARS = 300;

/**
 * Similarity in deviations over what any text has to the question: cosines themselves mean something else with every
 * model, two unrelated lines have 0.1 with one and 0.6 with another. The signal grows evenly from the middle of all
 * texts, by `share` a deviation, and slowly from `knee` on, so that no two are alike. Meaning alone makes a candidate
 * from `near` on; from `alone` on where no word of the question stands anywhere; and from `oneWord` on where the question
 * is a single word: to "quokka" something is near by chance. Of a message in several sentences, where each word says
 * less, it counts as `message`, the sentence that fits a line best as `sentence` beside the whole, and in a conversation
 * the line after as `after`. Of what all texts have in common, `shared` is taken out of the question. A deviation counts
 * as `leastDeviation` at least.
 */
export const VECTOR_SCALE = {
  near: 1.5,
  alone: 2,
  oneWord: 4.5,
  knee: 8,
  share: 0.1,
  message: 1.2,
  sentence: 0.5,
  after: 0.5,
  shared: 0.7,
  leastDeviation: { sentences: 0.02, words: 0.06 },
} as const;

/**
 * How much the signal of a model counts: `alone` for a line that no word found, `beside` for one that words found; and the
 * signal from which on a first result that no word found is called an answer. A model
 * that reads whole sentences orders lines better than words do. One that has one vector a word finds lines in other words,
 * but what words had right is rather pushed down by it.
 */
export const MODEL_WEIGHTS = {
  sentences: { alone: 1, beside: 1, answer: 0.45, mayMislead: false },
  words: { alone: 0.8, beside: 0.3, answer: 0.25, mayMislead: true },
} as const;

/** Half of the recency signal of a line is gone after this many days. */
export const RECENCY_HALF_LIFE_DAYS = 120;

/** A line with so many of the words that tell most says what was asked, however long the question is. */
export const FULL_COVERAGE_WORD_COUNT = 5;
