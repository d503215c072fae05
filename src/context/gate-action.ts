/** How a sentence asks, which decides what the verbs in it are worth. */
export type SentenceKind = 'statement' | 'polite' | 'how-to' | 'why' | 'explain';

/** A verb of the vocabulary where it stands. */
export interface ActionHit {
  readonly group: 'effect' | 'execution' | 'general';
  readonly points: number;
  readonly word: string;
  /** The clause orders or asks for it. */
  readonly order: boolean;
  /** Has no everyday sense. */
  readonly sure: boolean;
  readonly negated: boolean;
}
