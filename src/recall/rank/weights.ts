/**
 * Every weight of the ranking, with its reason. A unit's score is the weighted sum of its signals, each 0..1, so that
 * scores are comparable between questions; measured, this beats reciprocal rank fusion by far when one signal (the
 * words) carries most of the answer.
 *
 * What each is worth: what is lost when it is left out of the sum. R@5, R@10 and MRR of LoCoMo in points (a negative one is
 * a gain), and how many of the 207 cases of `fixtures/cases.jsonl` fail. `npm run bench -- --ablation` measures it again.
 *
 * | signal  |  R@5 | R@10 |  MRR | cases | beside these |
 * |---------|-----:|-----:|-----:|------:|--------------|
 * | lexical | 14.4 | 13.1 |  9.1 |    15 | messages lose 17 of R@10 |
 * | letters |  1.4 |  0.1 |  0.6 |     1 | documents: German 1.6 of R@10 and 1.2 of MRR, English 0.8 and 2.1 |
 * | entity  |  2.2 |  1.7 |  2.0 |     2 | |
 * | nearby  |  0.9 |  1.2 |  0.3 |     0 | German documents lose 1.8 of R@10 |
 * | past    |  0.8 | -0.2 |  0.5 |     0 | |
 * | self    |  0.2 |  0.2 |  0.2 |     0 | |
 * | wish    |  0.8 |  0.2 |  0.5 |     1 | |
 * | kind    |    0 |    0 |    0 |     1 | |
 * | time    |    0 |    0 |  0.1 |     1 | |
 * | recency |  0.1 | -0.6 |  0.1 |     1 | what is otherwise alike goes by its day |
 *
 * These were measured before the signals of who is named and of the lines around counted less in a message of many words
 * ("brevity"). Since then, tried one at a time on every kind, R@10 / MRR: that brevity, group chats +3.0 / +5.5, others
 * within 1; neighbours by whether they have a word, chats with an assistant -1 to +1.2 of MRR, others alike; no length
 * for what is counted once, Chinese pages +4 of MRR, messages +1.4 of R@10; the letters of a line of another, without
 * their loss: conversations -0.7 of MRR, notes one case, group chats +1.1; lines three away, without them: conversations
 * -0.6, chats with an assistant -0.6, group chats -0.7 of MRR; {@link CAPITAL_SHARE} at 1: messages -1.2, group chats -0.7
 * of MRR; {@link ASKING_PENALTY} at 0: conversations -1.3 of MRR; {@link REPLY_SHARE} at 1: chats with an assistant -10.
 */
export const WEIGHTS = {
  /** The words of the question in the line: what recall is about. */
  lexical: 0.7,
  /** The same letters in a row, over the limits of words: other forms, compounds, words side by side. */
  letters: 0.5,
  /** The line is about an entity that the question names, or is said by it. */
  entity: 0.22,
  /** Whoever is named says it of himself: what one asks about somebody is rarely what he says of another. */
  self: 0.04,
  /** The question asks what was, and the line tells what was: not what somebody plans, wishes or thinks. */
  past: 0.06,
  /** A typed fact was written to be found; a heading or a dump was not. */
  kind: 0.06,
  /** The question wishes for an opinion or an experience, and it is one; or asks for a decision, time, number or title, and it has one. */
  wish: 0.1,
  /** Of a time window, what was said in it goes before what only held during it. */
  time: 0.12,
  /** Newer is likelier to hold. Small: it only orders what is otherwise alike. */
  recency: 0.015,
  /**
   * The line means what the question means, by an embedding model; 0 without one. Its most is rarely reached: by 0.055 a
   * deviation, a line that nothing else speaks for reaches the middle of the words' results. Where words are sure, a line
   * goes first for them whatever the score (see `order.ts`).
   */
  vector: 0.55,
  /** By how much the best line near it is better: what is asked about is talked of there (`nearby.ts`). */
  nearby: 0.2,
} as const;

/** What each signal weighs; 0 leaves it out. */
export type Weights = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** What meaning weighs more in a message of several sentences: of many words each says less. */
export const MESSAGE_MEANING = 1.2;

/**
 * Similarity in deviations over what any text has to the question: cosines themselves mean something else with every
 * model, two unrelated lines have 0.1 with one and 0.6 with another. The signal grows evenly from the middle of all
 * texts, by `share` a deviation, and slowly from `knee` on, so that no two are alike. Meaning alone makes a candidate
 * from `near` on, which one in forty random lines reaches; from `alone` on where no word of the question stands
 * anywhere: to "quokka" something is near by chance. Of a message in several sentences, the one that fits a line best
 * counts as `sentence` beside the whole, and of a log the line after as `after`. Of what all texts have in common,
 * `shared` is taken out of the question. A deviation counts as `leastDeviation` at least.
 */
export const VECTOR_SCALE = {
  near: 2,
  alone: 4.5,
  knee: 8,
  share: 0.1,
  sentence: 0.5,
  after: 0.5,
  shared: 0.7,
  leastDeviation: 0.02,
} as const;

/** What the letters of an English question are worth, of what they are elsewhere: its words are found by their stems. */
export const STEMMED_SHARE = 0.5;

/** What the letters of a line lose that is about none of those who are named. */
export const OF_ANOTHER_LOSS = 0.5;

/** How much a term counts by where it stands; the line itself is 1. */
export const FIELD_WEIGHTS = {
  /** The line before, of the same section: what is said is said about something. */
  before: 0.25,
  /** The line before when it asks something: its words are what this line answers. */
  questionBefore: 0.8,
  /** The line after. */
  after: 0.3,
  /** Two lines away, either side. */
  second: 0.2,
  /** Three lines away, either side. */
  third: 0.08,
  /** The heading above. */
  section: 0.85,
  /** The name of the page. */
  page: 0.3,
} as const;

/** A line that only asks is rarely what was asked for: taken off its lexical signal. */
export const ASKING_PENALTY = 0.06;

/** What is said in a session's dump was rarely meant to last, and there is a lot of it: its lexical signal counts so much. */
export const DUMP_SHARE = 0.65;

/** The words of a page's names, which its first lines answer for: less than those of a line that says them. */
export const PAGE_SHARE = 0.6;

/** BM25's saturation, and how much of a count the length of a line divides, against the mean of the candidates. */
export const SATURATION = 0.6;
export const LENGTH_SHARE = 0.3;

/**
 * A line of more than `long` characters is also judged by the best of its passages of about `length`, which counts as
 * much as the whole of it: chats with an assistant gain 6 points of MRR, no other kind changes.
 */
export const PASSAGE = { long: 400, length: 300 } as const;

/**
 * What an assistant says counts so much where nobody asks for it: the answer repeats the words of the statement that it
 * answers. 7 points of MRR on chats with an assistant; other texts name none.
 */
export const REPLY_SHARE = 0.8;

/**
 * A question is short, and says so little beside what it asks. The line before one that answers it may say more. Longer
 * ones state something and then ask: 6 points of MRR on chats with an assistant, -1.1 on a third of LoCoMo.
 */
export const QUESTION = { alone: 160, told: 60, before: 300 } as const;

/** A question is about its rarest words even more than BM25 has it: the inverse document frequency to this power. */
export const RARITY = 1.3;

/** A name, or a noun of German, says more than the verbs and adjectives beside it: what its worth is multiplied by. */
export const CAPITAL_SHARE = 1.2;

/** Of the wish signal, what a time is worth to "when", a number to "how many", and a title to "which book". */
export const CUE_SHARE = { when: 0.65, howMany: 0.5, title: 0.9 } as const;

/** Half of the recency signal is gone after this many days. */
export const RECENCY_HALF_LIFE_DAYS = 120;

/** A line with every term several times over, well surrounded, comes near this share; it makes the signal reach 1. */
export const MOST_OF_LEXICAL = 1.25;

/** A line with so many of the words that tell most says what was asked, however long the question is. */
export const MOST_TELLING = 5;

/**
 * What the words of a question with a time window weigh at least: as much as one fairly rare word, and far more where
 * nothing but the time was said, so that a line that happens to say "December" does not pass for an answer.
 */
export const LEAST_WEIGHT = { content: 4, timeOnly: 40 } as const;
