import type { Prompt } from './model.js';

/** Minimum number of words that a line must share in a row with the prompt to count as copied from it. */
const COPIED_WORDS = 3;

/** Matches a whole line that stands for a text: `<name>`, or a word of a prompt that is no content by itself. */
const STANDS_FOR_TEXT =
  /^(?:<[^<>]*>|\[[a-z _-]*\]|keep|update|append|none|n\/?a|null|text|todo|tbd|not carried|unknown)$/iu;

/**
 * Returns a function that tells whether a line of a model says nothing: dots, `<name>`, `KEEP`, or words of the prompt
 * itself. Only our own part of the prompt counts, not the data in it. Pure.
 */
export function makePlaceholderTest({ system }: Pick<Prompt, 'system'>): (line: string) => boolean {
  const asked = ` ${wordsOf(system).join(' ')} `;
  return (line) => {
    // Without the list marker, the kind and the entity, which a placeholder may follow.
    const text = line.replace(/^\s*(?:[-*+]\s+)?(?:[WBOS](?:\(c=[^)]*\))?\s+)?(?:@\S+\s*:?)?/u, '').trim();
    const words = wordsOf(text);
    const isCopied = words.length >= COPIED_WORDS && asked.includes(` ${words.join(' ')} `);
    return words.length === 0 || isCopied || STANDS_FOR_TEXT.test(text.replace(/^["'`*_]+|["'`*_.…]+$/gu, ''));
  };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
