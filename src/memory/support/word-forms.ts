import { ALL_CJK_RANGES, foldText, readBigrams, splitByScript } from '../../language/scripts.js';
import { isFunctionWord } from '../../language/time/languages/detect.js';
import { stemOf } from '../../language/words/forms.js';
import { ENGLISH_STOP_WORDS, EVERYDAY_WORDS, FRAME_WORDS, isFrequentWord } from '../../language/words/stop.js';
import { toSimplified } from '../../language/words/traditional.js';

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
const CJK = new RegExp(`[${ALL_CJK_RANGES}]`, 'u');

/** A word of a text, in the order of the text. A run of Chinese, Japanese or Korean counts as one word. */
export interface TextWord {
  readonly written: string;
  /** Folded, in simplified characters, without a possessive 's. */
  readonly folded: string;
  readonly isCjk: boolean;
}

/** The words of a text in order. Joined words such as `hz-3` are split at their signs. */
export function wordsOf(text: string): readonly TextWord[] {
  return Array.from(text.matchAll(WORD), ([word]) => word).flatMap((word) =>
    splitByScript(word).map(({ text: written, isUnspaced }) => ({
      written,
      folded: toSimplified(foldText(written)).replace(/['’]s?$|['’]s$/u, ''),
      isCjk: isUnspaced && CJK.test(written),
    })),
  );
}

/** Whether a folded word has no content of its own: an article, a pronoun, a preposition. */
export function isSmallWord(folded: string): boolean {
  return ENGLISH_STOP_WORDS.has(folded) || isFunctionWord(folded);
}

/** Whether a folded word occurs on any topic, so that it shows little if a text lacks it. */
export function isCommonWord(folded: string): boolean {
  return isFrequentWord(folded) || EVERYDAY_WORDS.has(folded) || FRAME_WORDS.has(folded);
}

/** Finds the forms of the words of a text: `moved` for `moves`, `Küche` for `Küchenschrank`. */
export class WordForms {
  private readonly exact = new Set<string>();
  private readonly stems = new Set<string>();
  private readonly pairs = new Set<string>();
  private readonly signs = new Set<string>();

  constructor(words: Iterable<TextWord>) {
    for (const { folded, isCjk } of words) {
      if (isCjk) {
        for (const pair of readBigrams(folded)) this.pairs.add(pair);
        for (const sign of folded) this.signs.add(sign);
      } else this.add(folded);
    }
  }

  private add(folded: string): void {
    if (this.exact.has(folded)) return;
    this.exact.add(folded);
    this.stems.add(stemOf(folded));
  }

  /** Whether the text has the word itself, or its plural. */
  hasExactly(folded: string): boolean {
    return this.exact.has(folded) || this.exact.has(`${folded}s`) || this.exact.has(folded.replace(/s$/u, ''));
  }

  /** Whether the text has a form of the word. */
  has(folded: string): boolean {
    return this.hasExactly(folded) || this.stems.has(stemOf(folded));
  }

  /** For each character of a CJK run, whether the text has it together with a neighbour. */
  coverage(run: string): readonly boolean[] {
    const signs = [...run];
    if (signs.length === 1) return [this.signs.has(run)];
    return signs.map((sign, at) => {
      const [before, after] = [signs[at - 1], signs[at + 1]];
      return (
        (before !== undefined && this.pairs.has(before + sign)) || (after !== undefined && this.pairs.has(sign + after))
      );
    });
  }

  hasSign(sign: string): boolean {
    return this.signs.has(sign);
  }
}

export function formsOf(text: string): WordForms {
  return new WordForms(wordsOf(text));
}

/** Whether a text has a form of a word, or most of a run of Chinese. */
export function hasWord(forms: WordForms, { folded, isCjk }: TextWord): boolean {
  if (!isCjk) return forms.has(folded);
  const covered = forms.coverage(folded);
  return covered.filter(Boolean).length >= covered.length * 0.5;
}

/** The telling words of a text in order, to compare clauses word by word. */
export function readContentWords(text: string): readonly TextWord[] {
  return wordsOf(text).filter(
    ({ written, folded, isCjk }) => isCjk || /^[A-HJ-Z]$/u.test(written) || !isSmallWord(folded),
  );
}
