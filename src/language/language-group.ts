import {
  BASIC_CJK_RANGES,
  BASIC_HAN_RANGES,
  HANGUL_RANGES,
  isAscii,
  KANA_RANGES,
  SOUTH_EAST_ASIAN_RANGES,
} from './scripts.js';
import { detectLanguages } from './time/languages/detect.js';
import { ENGLISH_STOP_WORDS } from './words/stop.js';

/**
 * Groups of languages. An embedding model may know one group and not another: nearly every model knows English, but its
 * vectors for other groups may be noise. The script of a text shows its group. For Latin letters there are two groups:
 * English, and all other languages.
 */
export const LANGUAGE_GROUPS = [
  'english',
  'latin',
  'han',
  'kana',
  'hangul',
  'thai',
  'cyrillic',
  'arabic',
  'other',
] as const;
export type LanguageGroup = (typeof LANGUAGE_GROUPS)[number];

/** Names of the groups for a message: "… does not know Chinese". */
export const LANGUAGE_GROUP_NAMES: Readonly<Record<LanguageGroup, string>> = {
  english: 'English',
  latin: 'languages in Latin letters but English',
  han: 'Chinese',
  kana: 'Japanese',
  hangul: 'Korean',
  thai: 'Thai and its neighbours',
  cyrillic: 'languages in Cyrillic letters',
  arabic: 'languages in Arabic letters',
  other: 'the script of this',
};

/** One CJK or South East Asian character counts as this many letters when the scripts of a text are compared. */
const SIGN_IN_LETTERS = 3;
/** Minimum share of kana among the CJK characters of a Japanese text. */
const KANA_SHARE = 0.1;
/**
 * If more than this share of the words has a letter that English lacks (`é`, `ß`), a text in Latin letters is not English.
 */
const FOREIGN_SHARE = 0.2;

const SIGNS = new RegExp(`[${BASIC_CJK_RANGES}${SOUTH_EAST_ASIAN_RANGES}]`, 'g');
const OF_SIGNS = [
  ['han', new RegExp(`[${BASIC_HAN_RANGES}]`)],
  ['kana', new RegExp(`[${KANA_RANGES}]`)],
  ['hangul', new RegExp(`[${HANGUL_RANGES}]`)],
  ['thai', new RegExp(`[${SOUTH_EAST_ASIAN_RANGES}]`)],
] as const;
const LETTERS = [
  ['latin', /[a-z\u00c0-\u024f\u1e00-\u1eff]/gi],
  ['cyrillic', /[\u0400-\u052f]/g],
  ['arabic', /[\u0600-\u06ff\u0750-\u077f]/g],
  ['other', /[\u0370-\u03ff\u0530-\u05ff\u0700-\u074f\u0780-\u0e00\u1200-\u137f]/g],
] as const;

/**
 * The language group to which most of a text belongs. English if the text shows no other group. Pure.
 * @param beside the text around `text`, or a function that returns the group of that text. `text` gets this group if it
 * is in Latin letters and its own words do not show its language
 */
export function detectLanguageGroup(text: string, beside: string | (() => LanguageGroup) = ''): LanguageGroup {
  if (isAscii(text)) return ofLatin(text, beside);
  const found = detectScriptGroup(text);
  return found === 'latin' ? ofLatin(text, beside) : found;
}

/** Like {@link detectLanguageGroup}, but all languages in Latin letters are one group, `latin`. Much faster. */
export function detectScriptGroup(text: string): LanguageGroup {
  if (isAscii(text)) return 'latin';
  const signs = text.match(SIGNS) ?? [];
  let most = SIGN_IN_LETTERS * signs.length;
  let found: LanguageGroup = most > 0 ? ofSigns(signs) : 'latin';
  for (const [group, letters] of LETTERS) {
    const count = text.match(letters)?.length ?? 0;
    if (count > most) [most, found] = [count, group];
  }
  return found;
}

function ofSigns(signs: readonly string[]): LanguageGroup {
  const counts = OF_SIGNS.map(([tongue, sign]) => ({ tongue, count: signs.filter((one) => sign.test(one)).length }));
  // A little kana is enough to call a text Japanese. Japanese text may have mostly Chinese characters, but Chinese text has
  // no kana.
  const kana = counts.find(({ tongue }) => tongue === 'kana')?.count ?? 0;
  if (kana > KANA_SHARE * signs.length) return 'kana';
  return counts.sort((a, b) => b.count - a.count)[0]?.tongue ?? 'han';
}

function ofLatin(text: string, beside: string | (() => LanguageGroup)): LanguageGroup {
  for (const language of detectLanguages(text)) if (language !== 'ja' && language !== 'ru') return 'latin';
  if (!isAscii(text)) {
    const words = text.match(WORDS) ?? [];
    const foreign = words.filter((word) => /[\u00c0-\u024f\u1e00-\u1eff]/.test(word)).length;
    if (foreign > FOREIGN_SHARE * words.length) return 'latin';
  }
  if (beside === '') return 'english';
  const around = typeof beside === 'string' ? detectLanguageGroup(beside) : beside();
  if (around !== 'latin') return 'english';
  return (text.match(WORDS) ?? []).some((word) => ENGLISH_STOP_WORDS.has(word.toLowerCase())) ? 'english' : 'latin';
}

const WORDS = /[a-z\u00c0-\u024f\u1e00-\u1eff]+/gi;
