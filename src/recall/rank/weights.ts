/**
 * Every weight of the ranking, with its reason. A unit's score is the weighted sum of its signals, each 0..1, so that
 * scores are comparable between questions; measured, this beats reciprocal rank fusion by far when one signal (the
 * words) carries most of the answer. `npm run bench -- --ablation` switches each off, one at a time, on every kind of
 * labelled text: in points that are lost without it, on all questions (2026-11-23; half-width some points: what is within
 * one says little).
 *
 * | weight | conversations R@10 | MRR | chats with an assistant R@10 | MRR | group chats R@10 | MRR | documents R@10 | MRR | messages R@10 | MRR | cases failed |
 * | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
 * | all | 81.3 | 65.2 | 78.3 | 78.8 | 61.5 | 59.9 | 98.3 | 89.2 | 60.3 | 50.7 | 0 |
 * | lexical | 12.2 | 7.4 | 12.2 | 19.0 | 19.4 | 15.4 | 31.2 | 29.7 | 28.4 | 28.0 | 14 |
 * | letters | 0.4 | -0.4 | 0.1 | 4.2 | 1.7 | 5.6 | 0.1 | 0.4 | -1.7 | 0.1 | 0 |
 * | another | 0.1 | 0.8 | 0.0 | 0.0 | -0.6 | -0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 1 |
 * | entity | 2.5 | 2.0 | 0.0 | 0.0 | -0.6 | 0.7 | 0.0 | 0.0 | 0.0 | 0.0 | 2 |
 * | self | 0.3 | 0.6 | 0.0 | 0.0 | 0.6 | 1.3 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | kind | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 1 |
 * | wish | 0.7 | 0.4 | 0.0 | 0.3 | 0.0 | 0.0 | 0.0 | 0.4 | -0.2 | -0.1 | 2 |
 * | time | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 1 |
 * | recency | -0.2 | 0.0 | 0.0 | -0.2 | 0.0 | 0.1 | 0.0 | 0.0 | 0.3 | 0.2 | 2 |
 * | nearby | -0.2 | 0.2 | -0.0 | -0.0 | 1.3 | 0.0 | 0.1 | 0.0 | 0.0 | -0.1 | 0 |
 * | questionBefore | 2.4 | 2.8 | 0.2 | -0.3 | 0.0 | -0.5 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | beside | 1.4 | 0.5 | 0.6 | 1.0 | 1.3 | 0.1 | 0.5 | 0.7 | -0.8 | -0.0 | 0 |
 * | second | 1.5 | 1.2 | 1.0 | 0.0 | 1.3 | 0.8 | 0.3 | 0.0 | 0.0 | 0.4 | 0 |
 * | third | 0.5 | -0.0 | 0.0 | -0.0 | 0.0 | 0.9 | 0.2 | 0.1 | 0.0 | 0.0 | 0 |
 * | section | 0.0 | -0.1 | 0.0 | 0.0 | 0.0 | -0.0 | 0.2 | 0.7 | 0.0 | 0.0 | 1 |
 * | page | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | asking | 0.2 | 0.5 | 0.1 | 0.0 | 1.9 | 0.2 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | dump | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | names | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0 |
 * | rarity | 0.4 | 0.1 | -0.3 | 0.1 | 3.1 | 1.8 | 0.1 | 0.0 | 0.3 | -0.1 | 0 |
 * | capital | 0.1 | -0.3 | -0.1 | -0.0 | 1.3 | 1.2 | 0.0 | 0.0 | 0.3 | 1.6 | 0 |
 */
export const WEIGHTS = {
  /** The words of the question in the line: what recall is about. */
  lexical: 0.56,
  /** The same letters in a row, over the limits of words: other forms, compounds, words side by side. */
  letters: 0.28,
  /** Of these in a line of another, where one asks of somebody who talks: it may only sound like his. */
  another: 0.5,
  /** The line is about an entity that the question names, or is said by it. */
  entity: 0.25,
  /** Whoever is named says it of himself: what one asks about somebody is rarely what he says of another. */
  self: 0.02,
  /** A typed fact was written to be found; a heading or a dump was not. */
  kind: 0.06,
  /** The question wishes for an opinion or an experience, and it is one; or asks for a decision, time, number or title, and it has one. */
  wish: 0.13,
  /** Of a time window, what was said in it goes before what only held during it. */
  time: 0.12,
  /** Newer is likelier to hold. Small: it only orders what is otherwise alike. */
  recency: 0.007,
  /**
   * The line means what the question means, by an embedding model; 0 without one. Its most is rarely reached: by 0.055 a
   * deviation, a line that nothing else speaks for reaches the middle of the words' results. Where words are sure, a line
   * goes first for them whatever the score (see `order.ts`).
   */
  vector: 0.55,
  /** By how much the best line near it is better: what is asked about is talked of there (`nearby.ts`). */
  nearby: 0.2,

  /** How much a term counts in the line before when that asks something: this line answers it. In the line itself it counts 1. */
  questionBefore: 0.8,
  /** In the line before otherwise, or the one after: what is said is said about something. */
  beside: 0.3,
  /** Two lines away, either side, of the same section. */
  second: 0.25,
  /** Three lines away. */
  third: 0.08,
  /** In the heading above. */
  section: 0.85,
  /** In the name of the page. */
  page: 0.3,

  /** A line that only asks is rarely what was asked for: taken off its lexical signal. */
  asking: 0.1,
  /** What is said in a session's dump was rarely meant to last, and there is a lot of it: its words count so much. */
  dump: 0.65,
  /** The words of a page's names, which its first lines answer for: less than those of a line that says them. */
  names: 0.6,
  /** A question is about its rarest words even more than BM25 has it: the inverse document frequency to this power. */
  rarity: 1.3,
  /** A name, or a noun of German, says more than the verbs and adjectives beside it. */
  capital: 1.4,
} as const;

/** What everything weighs; other values measure what each is worth. */
export type Weights = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** BM25 as it is known: how soon a count saturates, and how much of it the length of a line divides. */
export const BM25 = { k1: 0.5, b: 0.25 } as const;

/** So many characters are a message that says one thing; a line that is longer says several. */
export const MESSAGE = 300;

/**
 * Similarity in deviations over what any text has to the question: cosines themselves mean something else with every
 * model, two unrelated lines have 0.1 with one and 0.6 with another. The signal grows evenly from the middle of all
 * texts, by `share` a deviation, and slowly from `knee` on, so that no two are alike. Meaning alone makes a candidate
 * from `near` on, which one in forty random lines reaches; from `alone` on where no word of the question stands
 * anywhere: to "quokka" something is near by chance. Of a message in several sentences, where each word says less, it
 * counts as `message`, the sentence that fits a line best as `sentence` beside the whole, and of a log the line after as
 * `after`. Of what all texts have in common, `shared` is taken out of the question. A deviation counts as
 * `leastDeviation` at least.
 */
export const VECTOR_SCALE = {
  near: 2,
  alone: 4.5,
  knee: 8,
  share: 0.1,
  message: 1.2,
  sentence: 0.5,
  after: 0.5,
  shared: 0.7,
  leastDeviation: 0.02,
} as const;

/**
 * A question is short, and says so little beside what it asks: longer ones state something and then ask. The line before
 * one that answers it may say more.
 */
export const QUESTION = { alone: 160, told: 60, before: 300 } as const;

/** Of the wish signal, what a time is worth to "when", a number to "how many", and a title to "which book". */
export const CUE_SHARE = 0.6;

/** Half of the recency signal is gone after this many days. */
export const RECENCY_HALF_LIFE_DAYS = 120;

/** A line with so many of the words that tell most says what was asked, however long the question is. */
export const MOST_TELLING = 5;

/**
 * What the words of a question with a time window weigh at least: as much as one fairly rare word, and far more where
 * nothing but the time was said, so that a line that happens to say "December" does not pass for an answer.
 */
export const LEAST_WEIGHT = { content: 4, timeOnly: 40 } as const;
