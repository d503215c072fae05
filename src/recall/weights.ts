/**
 * Every weight of the ranking, with its reason. A unit's score is the weighted sum of its signals, each 0..1, so that
 * scores are comparable between questions; measured, this beats reciprocal rank fusion by far when one signal (the
 * words) carries most of the answer.
 */
export const WEIGHTS = {
  /** The words of the question in the line: what recall is about. */
  lexical: 0.62,
  /** A code, path or quoted phrase stands there letter for letter: whoever types one wants that line. */
  exact: 0.14,
  /** The line is about an entity that the question names, or is said by it. */
  entity: 0.12,
  /** A typed fact was written to be found; a heading or a dump was not. */
  kind: 0.06,
  /** The question wishes for an opinion or an experience, and it is one; or asks when, and it names a time. */
  wish: 0.1,
  /** Newer is likelier to hold. Small: it only orders what is otherwise alike. */
  recency: 0.04,
} as const;

/** How much a term counts by where it stands; the line itself is 1. */
export const FIELD_WEIGHTS = {
  /** The lines before and after, of the same section: turns of a conversation only make sense with their neighbours. */
  next: 0.3,
  /** Two lines away. */
  second: 0.12,
  /** The heading above. */
  section: 0.25,
  /** The name of the page. */
  page: 0.3,
} as const;

/** BM25's saturation and length normalisation. Lines are short and alike, so length says little. */
export const BM25 = { k1: 1.2, b: 0.3, averageLength: 20 } as const;

/** Half of the recency signal is gone after this many days. */
export const RECENCY_HALF_LIFE_DAYS = 120;
