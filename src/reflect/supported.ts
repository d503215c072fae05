import type { ReflectFact } from './facts.js';

const DIGITS = /\d+/gu;
const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’_-]*/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
/** What is Markdown or HTML would be something else on the page. */
const MARKUP = /[\r\n<>[\]`|*_#]|\]\(|^\s*(?:[-+]|\d+[.)])\s/u;
/** Words that a sentence may begin with though no fact does. */
const OPENERS: ReadonlySet<string> = new Set(
  'the a an this that these those he she it they his her its their in on at since until from after before during when while as for with by now currently recently earlier later also both there although but and no not most some all one i'.split(
    ' ',
  ),
);

/**
 * Whether everything in a sentence that could be made up stands in the facts it cites: every number, every capitalised
 * word, every run of Chinese, Japanese or Korean. A sentence that fails is dropped, whoever wrote it. Pure.
 */
export function isSupported(sentence: string, cited: readonly ReflectFact[]): boolean {
  if (cited.length === 0 || sentence.trim() === '' || sentence.length > 500 || MARKUP.test(sentence)) return false;
  const said = cited.map(({ text, entities, day }) => `${text} ${entities.join(' ')} ${day ?? ''}`).join('\n');
  const numbers = new Set(said.match(DIGITS) ?? []);
  const words = new Set(said.match(/[\p{L}\p{N}'’_-]+/gu) ?? []);
  // A name in several parts is written with hyphens as an entity.
  for (const word of [...words]) for (const part of word.split(/[-_]/)) words.add(part);
  const isKnown = (word: string): boolean =>
    words.has(word) || word.split(/[-_'’]/).every((part) => words.has(part) || part === 's');
  return (
    (sentence.match(DIGITS) ?? []).every((digits) => numbers.has(digits)) &&
    (sentence.match(CJK) ?? []).every((run) => said.includes(run)) &&
    (sentence.match(CAPITALISED) ?? []).every((word) => isKnown(word) || OPENERS.has(word.toLowerCase()))
  );
}
