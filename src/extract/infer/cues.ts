/** What the rules make of a line: what to remember first, then what was decided, changed, done, preferred. */
export interface Cue {
  readonly kind: 'W' | 'B' | 'O';
  /** The lower, the sooner. */
  readonly rank: number;
}

/**
 * Words that say themselves that something is to be kept, in the order of their worth. They stand in the text of people;
 * nothing is guessed.
 */
const CUES: readonly (readonly [kind: Cue['kind'], spaced: string, unspaced: string])[] = [
  [
    'W',
    "remember|don't forget|do not forget|keep in mind|for the record|note that|merk dir|nicht vergessen",
    '记住|記住|记得|別忘|别忘',
  ],
  ['W', 'decided|decision|agreed|entschieden|beschlossen|vereinbart|décidé|decidido', '决定|決定|约定|商定'],
  [
    'W',
    'moved to|moves to|switched to|switches to|migrated to|renamed to|changed to|umgezogen nach',
    '搬到|搬去|改成|改为|改用|换成|换到|迁移到',
  ],
  [
    'O',
    'prefers?|preferred|would rather|rather not|likes?|dislikes?|bevorzugt|préfère|prefiere',
    '偏好|喜欢|喜歡|更喜欢',
  ],
  ['B', 'fixed|solved|repaired|resolved|behoben|gelöst|réparé|arreglado', '修好了|修复了|解决了|搞定了'],
];

/** With what follows it: `spaced` words stand between others, `unspaced` ones anywhere. */
const PATTERNS = CUES.map(
  ([kind, spaced, unspaced]) =>
    [kind, new RegExp(`(?<![\\p{L}\\p{N}_])(?:${spaced})(?![\\p{L}\\p{N}_])|${unspaced}`, 'iu')] as const,
);
/** What only asks, supposes or plans is no fact. */
const OPEN =
  /[?？]\s*$|^\s*(?:if|maybe|perhaps|should|todo|wenn|vielleicht|如果|也许|是否)\b|\b(?:not sure|might|would be)\b|吗/iu;
/** Begins with somebody or something that only the lines above name. */
const LEANS =
  /^(?:he|she|it|they|this|that|these|those|his|her|their|er|sie|es|il|elle|他们?|她们?|它们?|这|那)(?:\b|(?<=[他她它们这那]))/iu;

/** The cue of a sentence that can be kept as it is; undefined when it has none, or can't stand alone. Pure. */
export function cueOf(sentence: string): Cue | undefined {
  if (OPEN.test(sentence) || LEANS.test(sentence)) return undefined;
  const rank = PATTERNS.findIndex(([, pattern]) => pattern.test(sentence));
  const kind = PATTERNS[rank]?.[0];
  return kind === undefined ? undefined : { kind, rank };
}
