/**
 * The only definition of which characters belong to which script. Each constant is the inside of a character class. The
 * constants use ranges and not Unicode property escapes, for two reasons. An escape costs up to 5 ms at its first use, too
 * much for a command that runs for 60 ms. Its characters also change with the version of Unicode, but the content of an
 * index must stay the same. `text/tokens.ts` has other ranges on purpose: they say which characters cost more than one
 * token.
 */

/** Letters, digits and `_` of every script with spaces between words. */
export const LETTER_RANGES = '\\w\\u00c0-\\u1fff';

/** The Chinese characters in daily use. Unicode normalisation (NFKD) leaves them unchanged. */
export const COMMON_HAN_RANGE = '\\u4e00-\\u9fff';
/**
 * Letters and digits of ASCII, letters of Latin, Cyrillic and kana, and common Chinese characters. Unicode counts each of
 * them as a letter or digit.
 */
export const COMMON_LETTER_RANGES = `A-Za-z0-9\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0400-\\u0481\\u048a-\\u052f\\u3041-\\u3096\\u30a1-\\u30fa${COMMON_HAN_RANGE}`;
/** Capital letters of Latin, Greek and Cyrillic. The range U+0100 to U+017F also contains small letters. */
export const CAPITAL_RANGES = 'A-Z\\u00c0-\\u00de\\u0100-\\u017f\\u0391-\\u03a9\\u0401-\\u042f';

/** Chinese characters of the basic plane with radicals, 々, 〇 and old numerals. */
export const BASIC_HAN_RANGES = `\\u2e80-\\u2fdf\\u3005\\u3007\\u3021-\\u3029\\u3038-\\u303b\\u3400-\\u4dbf${COMMON_HAN_RANGE}\\uf900-\\ufaff`;
/** Hiragana, the script of Japanese grammar. */
export const HIRAGANA_RANGE = '\\u3041-\\u309f';
/** Katakana, the script of foreign words in Japanese, and the sign ー for a long vowel. */
export const KATAKANA_RANGES = '\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff';
export const KANA_RANGES = `${HIRAGANA_RANGE}${KATAKANA_RANGES}`;
export const HANGUL_RANGES = '\\u1100-\\u11ff\\u3131-\\u318e\\ua960-\\ua97c\\uac00-\\ud7fb';
/** Half-width Katakana and Hangul, which old systems write. */
const HALF_WIDTH = '\\uff66-\\uff9f\\uffa0-\\uffdc';
/** Thai, Lao, Khmer and Burmese: no spaces between words, but no CJK either. */
export const SOUTH_EAST_ASIAN_RANGES =
  '\\u0e01-\\u0e3a\\u0e40-\\u0e5b\\u0e81-\\u0edf\\u1000-\\u109f\\u1780-\\u17f9\\u19e0-\\u19ff\\ua9e0-\\ua9fe\\uaa60-\\uaa7f';

/** Chinese, Japanese and Korean of the basic plane. */
export const BASIC_CJK_RANGES = `${BASIC_HAN_RANGES}${KANA_RANGES}${HANGUL_RANGES}${HALF_WIDTH}`;
/** Chinese characters of every plane, for patterns with the flag `u`. */
export const ALL_HAN_RANGES = `${BASIC_HAN_RANGES}\\u{16fe2}-\\u{16ff6}\\u{20000}-\\u{3ffff}`;
/** Chinese, Japanese and Korean of every plane, for patterns with the flag `u`. */
export const ALL_CJK_RANGES = `${BASIC_CJK_RANGES}\\u{16fe2}-\\u{16ff6}\\u{1aff0}-\\u{1b16f}\\u{20000}-\\u{3ffff}`;
/**
 * Scripts that are indexed by bigrams: those without spaces between words, and Korean, whose particles are attached to
 * words. For patterns with the flag `u`.
 */
export const UNSPACED_SCRIPT_RANGES = `${ALL_CJK_RANGES}${SOUTH_EAST_ASIAN_RANGES}`;

const SOME_COMMON_HAN = new RegExp(`[${COMMON_HAN_RANGE}]`);

/** Whether a text has a Chinese character in daily use. Japanese text may have one too. */
export function hasHan(text: string): boolean {
  return SOME_COMMON_HAN.test(text);
}

/** Whether a word begins with a capital letter. */
export function startsWithCapital(word: string): boolean {
  const first = word.charAt(0);
  return first !== first.toLowerCase();
}

/** A run of text, either in scripts with spaces between words or in scripts without. */
interface ScriptRun {
  readonly text: string;
  readonly isUnspaced: boolean;
}

const UNSPACED_RUN = new RegExp(`([${UNSPACED_SCRIPT_RANGES}]+)`, 'u');

/** Whether a text has a character of a script that is indexed by bigrams. */
export function hasUnspaced(text: string): boolean {
  return UNSPACED_RUN.test(text);
}

/** Splits a text where its script changes between spaced and unspaced: `使用redis缓存` has three runs. */
export function splitByScript(text: string): readonly ScriptRun[] {
  if (!hasUnspaced(text)) return text === '' ? [] : [{ text, isUnspaced: false }];
  const runs = text.split(UNSPACED_RUN).map((run, index) => ({ text: run, isUnspaced: index % 2 === 1 }));
  return runs.filter((run) => run.text !== '');
}

/** The pairs of neighbouring characters of a run; a single character is returned alone. */
export function readBigrams(run: string): readonly string[] {
  return readNgrams(run, 2);
}

/** The n-grams of a run, where n is `length`. A shorter run is returned whole. */
export function readNgrams(run: string, length: number): readonly string[] {
  const characters = [...run];
  if (characters.length <= length) return run === '' ? [] : [run];
  return Array.from({ length: characters.length - length + 1 }, (_, i) => characters.slice(i, i + length).join(''));
}

const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Whether a text is ASCII only. For such a text, callers avoid patterns for all of Unicode, which take milliseconds to
 * build.
 */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Accents and other diacritics, except the voicing marks of kana: `か` and `が` are two different letters. */
const DIACRITICS = /(?:(?![\u3099\u309a])\p{Mn})+/gu;
/**
 * Matches a text that has only common characters: Latin, Greek, Cyrillic, Han, kana, emoji. All diacritics of such a text
 * are in `COMMON_DIACRITICS`, whose ranges match four times as fast as the Unicode property in `DIACRITICS`.
 */
const COMMON_SCRIPTS =
  /^[\ufe00-\ufe0f\u0000-\u0482\u048a-\u058f\u1100-\u11ff\u1e00-\u20cf\u2100-\u2cee\u2e00-\u3029\u3030-\ua66e\uff00-\uffef\ud83c-\ud83e\udc00-\udfff]*$/;
const COMMON_DIACRITICS = /[\ufe00-\ufe0f\u0300-\u036f]+/g;

/**
 * Folds a text for comparison and search: to lower case, without diacritics, and with plain characters for compatibility
 * forms such as `Ｒｅｄｉｓ`, `ﬁ` and `²`. A character is folded in the same way wherever it stands. So `ς`, the form of `σ` at
 * the end of a word, becomes `σ`.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const apart = lower.normalize('NFKD');
  const bare = apart.replace(COMMON_SCRIPTS.test(apart) ? COMMON_DIACRITICS : DIACRITICS, '');
  return bare.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}
