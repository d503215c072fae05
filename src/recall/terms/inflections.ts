import { foldText } from '../../language/scripts.js';
import { withoutUmlauts } from '../../language/spelling.js';
import { detectLanguages } from '../../language/time/languages/detect.js';
import { stemOf } from '../../language/words/forms.js';

/** Returns the words of an index that begin with a text. */
type VocabularyLookup = (beginning: string) => readonly string[];

/** Two forms of a word must begin with at least this many equal letters. */
const LEAST_SHARED = 3;
/**
 * Two forms of a word must begin with equal letters. These must be at least this share of the letters of the longer
 * form.
 */
const SHARED = 0.65;
/** Maximum number of other forms that are returned. */
const MOST = 16;
/**
 * Prefixes that Arabic words may have, such as the article. The pattern `ARABIC` splits a word into a prefix, a base and an
 * ending.
 */
const ARABIC_BEFORE = ['', 'ال', 'وال', 'بال', 'لل', 'و', 'ب', 'ل', 'ف', 'ك'];
const ARABIC = /^(?:[وفبك]?ال|لل|[وفبلك](?=.{3}))?(.{2,}?)(?:ها|هم|ات|ون|ين|ان|يه|ية|ه|ة|ي)?$/;
const IS_ARABIC = /[\u0600-\u06ff]/;

/**
 * Whether the forms of a text's words must be found by their first letters, because there is no stemmer. False for English,
 * Vietnamese and scripts without spaces.
 */
export function isInflectedLanguage(text: string): boolean {
  return !isVietnamese(text) && (FOREIGN.test(text) || detectLanguages(text).size > 0);
}

/** Whether a text is Vietnamese. Its words do not change, and often consist of two syllables with a space between them. */
export function isVietnamese(text: string): boolean {
  return /[ăđơưạ-ỹ]/i.test(text);
}

const FOREIGN = /[\u00c0-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1e00-\u1fff]/;

/**
 * The words of an index that are probably other forms of a word, because they begin like it. For inflected languages without
 * a stemmer. Most similar first. Pure.
 */
export function findInflections(word: string, vocabulary: VocabularyLookup): readonly string[] {
  const own = stemOf(foldText(word));
  const bases = IS_ARABIC.test(own) ? arabicBases(own) : [own, withoutUmlauts(own)];
  const found = new Map<string, number>();
  for (const base of new Set(bases)) {
    const beginning = base.slice(0, Math.max(LEAST_SHARED, Math.ceil(SHARED * base.length)));
    if (beginning.length < LEAST_SHARED) continue;
    for (const term of vocabulary(beginning)) {
      const share = sharedLength(base, term) / Math.max(base.length, term.length);
      if (term !== own && share >= SHARED) found.set(term, Math.max(share, found.get(term) ?? 0));
    }
  }
  for (const base of new Set(bases)) {
    if (base.length < COMPOUND.least) continue;
    for (const term of vocabulary(base.slice(0, COMPOUND.part)))
      if (isOpened(base, term)) found.set(term, Math.max(base.length / term.length, found.get(term) ?? 0));
  }
  return [...found]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([term]) => term);
}

/** Minimum number of letters of a compound word, and of each of its parts. */
const COMPOUND = { least: 8, part: 4 } as const;

/** Whether `longer` is `word` with something inserted between its parts: `Heizungskeller` for `Heizkeller`. */
function isOpened(word: string, longer: string): boolean {
  if (longer.length <= word.length) return false;
  const before = sharedLength(word, longer);
  const after = sharedLength([...word].reverse().join(''), [...longer].reverse().join(''));
  return before >= COMPOUND.part && after >= COMPOUND.part && before + after >= word.length;
}

function arabicBases(word: string): readonly string[] {
  // Letters that look like a prefix may be the beginning of the word itself.
  const bases = new Set([ARABIC.exec(word)?.[1] ?? word, word]);
  return [...bases].flatMap((base) => ARABIC_BEFORE.map((before) => before + base));
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charAt(length) === other.charAt(length)) length++;
  return length;
}
