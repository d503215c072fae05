import { ALL_CJK } from '../../language/scripts.js';
import { wordSet } from '../../language/words/word-set.js';
import type { ReflectFact } from '../facts.js';

const DIGITS = /\p{N}+/gu;
/** A date, a time, a version: put together from the digits of several it would be another one. */
const COMPOUND = /\p{N}+(?:[-./:,]\p{N}+)+/gu;
/** Also `iPhone` and `macOS`. */
const CAPITALISED = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}'’_-]*[\p{Lu}\p{Lt}])[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;
/** Chinese, Japanese, Korean, and every other script that has no capitals to know a name by. */
const UNCASED = new RegExp(`[\\p{Lo}${ALL_CJK}][\\p{Lo}\\p{Lm}\\p{M}]*`, 'gu');
const MENTIONS = /@[\p{L}\p{N}._-]*/gu;
/** What is Markdown, HTML, an id or a link would be something else on the page; what can't be seen may be anything. */
const MARKUP =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>[\]`|*_#^~\\]|\]\(|:\/\/|&\w+;|\b[fol]-[0-9a-z]{13}\b|^\s*(?:[-+]|\d+[.)])\s/u;
/** Words that a sentence may begin with though no fact does. */
const OPENERS: ReadonlySet<string> = wordSet(
  'the a an this that these those he she it they his her its their in on at since until from after before during when while as for with by now currently recently earlier later also both there although but and no not most some all one i',
);

/**
 * Whether everything in a sentence that could be made up stands in the facts it cites: every number, every capitalised
 * word, every run of Chinese, Japanese or Korean. A sentence that fails is dropped, whoever wrote it. Pure.
 */
export function isSupported(sentence: string, cited: readonly ReflectFact[]): boolean {
  if (cited.length === 0 || sentence.trim() === '' || sentence.length > 500 || MARKUP.test(sentence)) return false;
  const said = cited.map(({ text, entities, day }) => `${text} ${entities.join(' ')} ${day ?? ''}`).join('\n');
  const numbers = new Set([...(said.match(DIGITS) ?? []), ...(said.match(COMPOUND) ?? [])]);
  const words = new Set(said.match(/[\p{L}\p{N}'’_-]+/gu) ?? []);
  // A name in several parts is written with hyphens as an entity.
  for (const word of [...words]) for (const part of word.split(/[-_]/)) words.add(part);
  const isKnown = (word: string): boolean =>
    words.has(word) || word.split(/[-_'’]/).every((part) => words.has(part) || part === 's');
  return (
    [...(sentence.match(DIGITS) ?? []), ...(sentence.match(COMPOUND) ?? [])].every((number) => numbers.has(number)) &&
    (sentence.match(UNCASED) ?? []).every((run) => said.includes(run)) &&
    (sentence.match(MENTIONS) ?? []).every((name) => said.includes(name)) &&
    (sentence.match(CAPITALISED) ?? []).every((word) => isKnown(word) || OPENERS.has(word.toLowerCase()))
  );
}
