import { isPastForm } from '../../language/time/languages/english.js';
import type { RangeInText, Token } from '../../language/tokens.js';
import { wordSet } from '../../language/tokens.js';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import type { EntityNameLookup } from './reading.js';

const MAX_WORDS_IN_NAME = 4;
const MAX_CHARACTERS_IN_NAME = 6;
const MAX_CHARACTERS_READ = 256;
const MAX_TOKENS_READ = 256;

/** Words that are short for "… is" with 's, not owners. */
const CONTRACTED = wordSet('it he she that this there here what who where when why how let one');
/** Verbs in the third person that are seldom a plural noun ("Will users …"). */
const THIRD_PERSON = wordSet(
  'is was has had does did likes loves hates prefers enjoys wants thinks believes knows says lives',
);

/** A known entity, and the place in the question that names it. */
interface NamedEntity extends RangeInText {
  readonly slug: string;
  /** The name as written in the question. */
  readonly text: string;
}

/** Known entities, by name, alias or slug, with or without `@`: left to right, the longest name at each place. */
export function findNamedEntities(text: string, tokens: readonly Token[], names: EntityNameLookup): NamedEntity[] {
  const found: NamedEntity[] = [];
  let characters = 0;
  let free = 0;
  for (const [index, token] of tokens.slice(0, MAX_TOKENS_READ).entries()) {
    if (token.start < free) continue;
    if (token.kind === 'word') {
      const entity = atWord(text, tokens, index, names);
      if (entity) found.push(entity);
      free = entity?.end ?? free;
    } else {
      found.push(...inCharacters(token, names, MAX_CHARACTERS_READ - characters));
      characters += token.text.length;
    }
  }
  return found;
}

function atWord(
  text: string,
  tokens: readonly Token[],
  index: number,
  names: EntityNameLookup,
): NamedEntity | undefined {
  const first = tokens[index];
  if (!first) return undefined;
  const marked = text.charAt(first.start - 1) === '@';
  for (let count = Math.min(MAX_WORDS_IN_NAME, tokens.length - index); count > 0; count--) {
    const words = tokens.slice(index, index + count);
    const last = words.at(-1) ?? first;
    if (!marked && !couldBeName(words, index === 0, tokens[index + count])) continue;
    if (!areTogether(text, words)) continue;
    const written = text.slice(first.start, last.end);
    const slug = names.lookup(words.map((word) => word.lower).join(' ')) ?? lookupAsWritten(written, words, names);
    if (slug !== undefined) return { slug, start: first.start, end: last.end, text: written };
  }
  return undefined;
}

/** Names with signs inside ("node.js", "the-castle", "R_2") are known as they are written. */
function lookupAsWritten(written: string, words: readonly Token[], names: EntityNameLookup): string | undefined {
  return words.length > 1 && !/\s/.test(written) ? names.lookup(written.normalize('NFKC').toLowerCase()) : undefined;
}

/**
 * Stop words are a name only in capitals, and where a sentence begins only with a possessive or before a verb that has a
 * form of its own: "Will" in "did Will come", "Will's birthday" and "Will likes tea", never in "Will you come".
 */
function couldBeName(words: readonly Token[], opensQuestion: boolean, next: Token | undefined): boolean {
  if (words.some((word) => !ENGLISH_STOP_WORDS.has(word.lower))) return true;
  if (!words.every(({ text }) => text.charAt(0) !== text.charAt(0).toLowerCase())) return false;
  return !opensQuestion || isOwner(words.at(-1)) || (next?.kind === 'word' && hasSubject(next.lower));
}

/** "Will's", but not "it's" or "who's". */
function isOwner(word: Token | undefined): boolean {
  return word !== undefined && word.lower.length < word.text.length && !CONTRACTED.has(word.lower);
}

function hasSubject(verb: string): boolean {
  return THIRD_PERSON.has(verb) || isPastForm(verb);
}

function areTogether(text: string, words: readonly Token[]): boolean {
  return words.every((word, i) => {
    const next = words[i + 1];
    return !next || /^(?:\s{1,3}|[-._&+]|\s?&\s?|\.\s)$/.test(text.slice(word.end, next.start));
  });
}

function inCharacters(token: Token, names: EntityNameLookup, budget: number): NamedEntity[] {
  const found: NamedEntity[] = [];
  const end = Math.min(token.text.length, budget);
  for (let at = 0; at < end; ) {
    const name = longestName(token.text, at, names);
    if (name) found.push({ ...name, start: token.start + at, end: token.start + at + name.text.length });
    at += name?.text.length ?? 1;
  }
  return found;
}

function longestName(run: string, at: number, names: EntityNameLookup): { slug: string; text: string } | undefined {
  for (let length = Math.min(MAX_CHARACTERS_IN_NAME, run.length - at); length > 1; length--) {
    const text = run.slice(at, at + length);
    const slug = names.lookup(text.normalize('NFKC'));
    if (slug !== undefined) return { slug, text };
  }
  return undefined;
}
