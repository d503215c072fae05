import type { Day } from '../base/clock.js';
import { largest } from '../base/order.js';
import { ALL_CJK_RANGES } from '../language/scripts.js';
import { wordSet } from '../language/tokens.js';
import { isNegation, splitAtNegations } from '../language/words/stop.js';
import { readStatementTerms } from '../language/words/terms.js';

/** A source that a sentence cites. */
interface CitedText {
  readonly text: string;
  readonly entities: readonly string[];
  /** Day of the source. Null on undated pages. */
  readonly day: Day | null;
}

const DIGITS = /\p{N}+/gu;
/**
 * Dates, times and versions. They are compared as a whole, because each of their numbers may occur in a fact that names
 * another date.
 */
const COMPOUND = /\p{N}+(?:[-./:,]\p{N}+)+/gu;
/** Words with a capital letter at any place: `Berlin`, `iPhone`, `macOS`. */
const CAPITALISED = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}'’_-]*[\p{Lu}\p{Lt}])[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;
/**
 * Words in scripts without capital letters, such as Chinese, Japanese and Korean. There, a capital can't show which words
 * are names.
 */
const UNCASED = new RegExp(`[\\p{Lo}${ALL_CJK_RANGES}][\\p{Lo}\\p{Lm}\\p{M}]*`, 'gu');
const MENTIONS = /@[\p{L}\p{N}._-]*/gu;
/**
 * Matches the characters and marks that a sentence must not contain. Markdown, HTML, ids and links would get a meaning on
 * the page. Invisible characters may hide something.
 */
const MARKUP =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>[\]`|*_#^~\\]|\]\(|:\/\/|&\w+;|\b[fol]-[0-9a-z]{13}\b|^\s*(?:[-+]|\d+[.)])\s/u;
/** Words that may begin a sentence although no fact contains them. */
const OPENERS: ReadonlySet<string> = wordSet(
  'the a an this that these those he she it they his her its their in on at since until from after before during when while as for with by now currently recently earlier later also both there although but and no not most some all one i',
);

/**
 * Whether the cited facts contain everything in a sentence that could be made up: every number, every capitalised word, and
 * every run of Chinese, Japanese or Korean. The sentence must also keep the polarity of the facts: it must not affirm what
 * they deny, or deny what they affirm. A sentence that fails is dropped, whoever wrote it. Pure.
 */
export function isSupported(sentence: string, cited: readonly CitedText[]): boolean {
  if (cited.length === 0 || sentence.trim() === '' || sentence.length > 500 || MARKUP.test(sentence)) return false;
  const said = cited.map(({ text, entities, day }) => `${text} ${entities.join(' ')} ${day ?? ''}`).join('\n');
  const numbers = new Set([...(said.match(DIGITS) ?? []), ...(said.match(COMPOUND) ?? [])]);
  const words = new Set(said.match(/[\p{L}\p{N}'’_-]+/gu) ?? []);
  // In an entity, the words of a name are joined by hyphens. Each of them is a word of the facts, too.
  for (const word of [...words]) for (const part of word.split(/[-_]/)) words.add(part);
  const isKnown = (word: string): boolean =>
    words.has(word) || word.split(/[-_'’]/).every((part) => words.has(part) || part === 's');
  return (
    [...(sentence.match(DIGITS) ?? []), ...(sentence.match(COMPOUND) ?? [])].every((number) => numbers.has(number)) &&
    (sentence.match(UNCASED) ?? []).every((run) => said.includes(run)) &&
    (sentence.match(MENTIONS) ?? []).every((name) => said.includes(name)) &&
    (sentence.match(CAPITALISED) ?? []).every((word) => isKnown(word) || OPENERS.has(word.toLowerCase())) &&
    hasSamePolarity(sentence, cited)
  );
}

const CLAUSE = /[;；。.!！,，、](?!\d)|\s(?:but|and|while|whereas|although|though|und|aber|et|mais)\s|但是?|而且?/u;
/** A clause of a sentence is compared only with clauses of facts that have at least this share of its terms. */
const SAME_CLAUSE = 0.5;

/**
 * Whether every clause of the sentence keeps the polarity of its source. "Ships to Norway" does not keep that of "does not
 * ship to Norway".
 */
function hasSamePolarity(sentence: string, cited: readonly CitedText[]): boolean {
  const known = cited.flatMap(({ text }) => clausesOf(text));
  return clausesOf(sentence).every(({ terms, isDenied }) => {
    const shared = (other: (typeof known)[number]): number => [...terms].filter((term) => other.terms.has(term)).length;
    const most = largest(known.map(shared), 0);
    if (most === 0 || most < terms.size * SAME_CLAUSE) return true;
    return known.some((other) => shared(other) === most && other.isDenied === isDenied);
  });
}

function clausesOf(text: string) {
  return text.split(CLAUSE).flatMap((written) => {
    const clause = written.replace(DENYING_PREFIX, 'not ');
    const terms = new Set(readStatementTerms(clause));
    return terms.size === 0 ? [] : [{ terms, isDenied: deniesOnce(clause) }];
  });
}

/** Prefixes that negate a word: "dislikes" means "does not like". */
const DENYING_PREFIX =
  /\bdis(?=(?:like|trust|agree|approve|allow)s?d?\b)|\bun(?=(?:happy|safe|fair|reliable|available|stable|able|willing)\b)/gi;
const ENDS =
  /\b(?:no longer|stopped|quit|gave up|refuses?|avoids?|lacks?|without|fail(?:s|ed) to|instead of|hates?|opposes?)\b|不再|停止|放弃|讨厌|反对/gi;

/** Whether a clause is denied; a double negation is not. */
function deniesOnce(clause: string): boolean {
  const words =
    clause
      .toLowerCase()
      .replace(/’/g, "'")
      .replace(ENDS, ' not ')
      .match(/[\p{L}']+/gu) ?? [];
  const denials = words.filter((word) => isNegation(word) || word.endsWith("n't")).length;
  return (denials + splitAtNegations(clause.replace(ENDS, ' ')).length - 1) % 2 === 1;
}
