import { stemmer } from 'stemmer';

/**
 * The stem of a lower-case English word, by Porter's rules as SQLite's `porter` has them: what two forms of a word
 * have in common in the index has to be what they have in common here. Numbers and other scripts stay as they are.
 */
export function stemOf(word: string): string {
  return stemmer(word);
}
