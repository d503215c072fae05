import { wordList } from './word-set.js';

/**
 * The only table of words that negate what follows, in the most common languages of notes. Words that only some callers
 * count as negation (to dislike, to stop, to forbid) are kept by those callers.
 */
const SPACED = wordList(`
  not no never without cannot neither nor nothing none nobody nowhere
  don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't haven't hasn't hadn't
  dont doesnt didnt isnt arent wasnt wont cant
  nicht kein keine keinen keinem keiner nie niemals ohne niet geen nooit zonder
  jamais aucun aucune pas rien nunca jamás não nem non senza не нет нельзя без никогда ні немає
`);
const NEGATIONS: ReadonlySet<string> = new Set(SPACED);

/** The words of the table as alternatives of a pattern, for texts with straight apostrophes. */
export const NEGATION_PATTERN = SPACED.join('|').replace('not|', 'not(?! (?:only|just|merely|as \\S+ as)\\b)|');

/**
 * Negations of Chinese, Japanese and Korean as a pattern. A match includes an auxiliary verb after the negation (不会,
 * 不能). Excludes words that only look like negations (不同, 不久, 差不多, 未来, 没关系) and comparisons (不如).
 */
export const CJK_NEGATION_PATTERN = [
  '(?<!差(?=不多))不(?![同过過仅僅错錯断斷但管论論久只如])[要能会會可得许許准应應再是]?',
  '[没沒](?!关系|關係)有?|未(?![来來])|[无無][需法]|禁止|切勿|[并並而]非|[勿莫]',
  'ない|ません|않|못|금지',
].join('|');
const CJK = new RegExp(CJK_NEGATION_PATTERN, 'u');

/** True for a word that negates what follows it. `word` is lower-case with straight apostrophes. */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

/** Splits a text of an unspaced script at its negations; every part after the first follows a negation. */
export function splitAtNegations(text: string): readonly string[] {
  return text.split(CJK);
}
