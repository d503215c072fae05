import { foldText } from '../../language/scripts.js';
import { withoutUmlauts } from '../../language/spelling.js';
import { detectLanguages } from '../../language/time/languages/detect.js';
import { wordSet } from '../../language/tokens.js';
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

/** How the forms of a word are found: by the endings of its language, or only by their first letters. */
type Inflection = 'endings' | 'letters';

/**
 * How the forms of a text's words are found, because there is no stemmer. Undefined for English, Vietnamese and scripts
 * without spaces.
 */
export function inflectionOf(text: string): Inflection | undefined {
  if (isVietnamese(text)) return undefined;
  if (detectLanguages(text).size > 0) return 'endings';
  return FOREIGN.test(text) ? 'letters' : undefined;
}

/** Whether a text is Vietnamese. Its words do not change, and often consist of two syllables with a space between them. */
export function isVietnamese(text: string): boolean {
  return /[ăđơưạ-ỹ]/i.test(text);
}

const FOREIGN = /[\u00c0-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1e00-\u1fff]/;

/** Words of an index that begin like a word, most similar first. */
interface Inflections {
  /** Other forms of the word. */
  readonly forms: readonly string[];
  /** Words that may be other words: `vendredi` for `vendre`. */
  readonly others: readonly string[];
}

/** The words of an index that are probably other forms of a word, because they begin like it. Pure. */
export function findInflections(word: string, vocabulary: VocabularyLookup, inflection: Inflection): Inflections {
  const own = stemOf(foldText(word));
  const bases = new Set(IS_ARABIC.test(own) ? arabicBases(own) : [own, withoutUmlauts(own)]);
  const forms = new Map<string, number>();
  const others = new Map<string, number>();
  for (const base of bases) {
    const beginning = base.slice(0, Math.max(LEAST_SHARED, Math.ceil(SHARED * base.length)));
    if (beginning.length < LEAST_SHARED) continue;
    for (const term of vocabulary(beginning)) {
      const share = sharedLength(base, term) / Math.max(base.length, term.length);
      if (term === own || share < SHARED) continue;
      const found = inflection === 'letters' || isForm(base, term) ? forms : others;
      found.set(term, Math.max(share, found.get(term) ?? 0));
    }
  }
  for (const base of bases)
    for (const term of openedWords(base, vocabulary))
      others.set(term, Math.max(base.length / term.length, others.get(term) ?? 0));
  return { forms: mostSimilar(forms), others: mostSimilar(others) };
}

function mostSimilar(found: ReadonlyMap<string, number>): readonly string[] {
  return [...found]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([term]) => term);
}

/** Whether two words in Latin letters differ only in their endings. Of other letters, the share of equal ones decides. */
function isForm(one: string, other: string): boolean {
  if (!LATIN.test(one)) return true;
  const shared = sharedLength(one, other);
  return shared >= LEAST_OF_FORM && isEnding(one.slice(shared)) && isEnding(other.slice(shared));
}

/** A shorter common beginning belongs to many words: `cor` is no form of `corre`. */
const LEAST_OF_FORM = 4;
const LATIN = /^[a-z]+$/;

function isEnding(letters: string): boolean {
  return letters === '' || ENDINGS.has(letters);
}

/** Endings of German, Dutch, French, Spanish, Portuguese and Italian words, without accents. */
const ENDINGS = wordSet(`
  e en er es em ern n s r st t te ten ter tes tem test tet et est ere eren este esten nd nde end ende enden d de den
  x ee ees ent nt ez z ons ais ait aient ant ante ants antes i is it ir ira irai rai ra re rez ront u ue us ues
  a o as os ar ada ado adas ados ida ido idas idos da do das dos ando endo iendo ndo aron ieron eron aba aban ia ian io
  amos emos imos mos an on am em im ou eu iu ava avam aram eram ero are ire ato ata ati ate ta to ti uto ito ono ano no
  iamo mo va vo vano che chi
`);

/** Minimum number of letters of a compound word, and of each of its parts. */
const COMPOUND = { least: 8, part: 4 } as const;

function openedWords(word: string, vocabulary: VocabularyLookup): readonly string[] {
  if (word.length < COMPOUND.least) return [];
  return vocabulary(word.slice(0, COMPOUND.part)).filter((term) => isOpened(word, term));
}

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
