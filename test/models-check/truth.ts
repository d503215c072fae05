import { CONVERSATION, FILES, GOLD } from './fixture.js';

const STOP = new Set(
  'the and that this with from for are was were has have had its it is be been to of in on at a an by or as so he she they his her their will would then than there here not no never nobody user'.split(
    ' ',
  ),
);
const NEGATION = /\b(?:not?|never|nobody|nothing|none|without|cannot)\b|n't\b/iu;
const NAMES = [...new Set(GOLD.flatMap(({ about, also }) => [about, ...(also === undefined ? [] : [also])]))];
const VALUES = [...new Set(GOLD.flatMap(({ values }) => values))];

/** A part of what somebody says or writes in the fixture, or of a true statement. */
interface Said {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly isDenied: boolean;
}

const SENTENCES = [
  ...CONVERSATION.map(({ content }) => content),
  ...Object.values(FILES).flatMap((text) => String(text).split('\n')),
  ...GOLD.map(({ text }) => text),
].flatMap(sentencesOf);
const KNOWN = new Set(SENTENCES.map(keyOf));
const KNOWN_WORDS = new Set(SENTENCES.flatMap(contentWords));
/** What only a question or a condition says is not said. */
const SAID: readonly Said[] = SENTENCES.filter((sentence) => !/^If |\?$/u.test(sentence)).flatMap((sentence) => [
  ...(/, and \p{Lu}/u.test(sentence) ? [] : [said(sentence, [])]),
  ...clausesOf(sentence).map(({ text, names }) => said(text, names)),
]);

function said(text: string, names: readonly string[]): Said {
  const words = new Set([...contentWords(text), ...names.flatMap(contentWords)]);
  return { text, words, isDenied: NEGATION.test(text) };
}

/**
 * Finds what is false in a line about the fixture, by its tables. It may call a true line false if that uses other words
 * than the fixture.
 * @returns the reason, or undefined if the line is true
 */
export function findFalsehood(line: string): string | undefined {
  const sentences = sentencesOf(line);
  if (sentences.length === 0) return 'it says nothing';
  return sentences.map(falsehoodOf).find((found) => found !== undefined);
}

/** The statement of a line, without markup, kind, ids, days, links and notes about its origin. */
export function plainLine(line: string): string {
  return line
    .replace(/<!--.*?-->/gu, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/^\s*(?:[-*+]|\d+\.)\s+(?:\[[ x-]\]\s+)?/u, '')
    .replace(/^(?:[WBOS](?:\(c=[^)]*\))?\s*:?\s+)(?=\S)/u, '')
    .replace(/^(?:earlier, )?\d{4}-\d\d-\d\d(?: – \d{4}-\d\d-\d\d)?: /u, '')
    .replace(/\((?:from|said|c=|memory\/|believed)[^()]*\)/gu, '')
    .replace(/^(?:@[\p{L}\p{N}_-]+\s*)+:?\s*/gu, '')
    .replace(/\^[fo]-\w+|~~|\*\*/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.。]$/u, '');
}

function falsehoodOf(sentence: string): string | undefined {
  if (KNOWN.has(keyOf(sentence))) return undefined;
  const words = contentWords(sentence);
  const unknown = words.filter((word) => !KNOWN_WORDS.has(word));
  if (words.length === 0) return 'it says nothing';
  if (unknown.length > 1 || unknown.length > words.length * 0.15 || unknown.some((word) => /\d/u.test(word)))
    return `nobody said ${unknown.join(', ')}`;
  return clausesOf(sentence)
    .map(({ text, names }) => falsehoodOfClause(text, names))
    .find((found) => found !== undefined);
}

/** Says why nothing in the fixture carries a clause. @param names what it is about */
function falsehoodOfClause(text: string, names: readonly string[]): string | undefined {
  const words = contentWords(text);
  const values = VALUES.filter((value) => has(text, value));
  const numbers = words.filter((word) => /\d|^(?:one|two|three|four|five|six|ten|twelve)$/u.test(word));
  const telling = [...[...names, ...values].flatMap(contentWords), ...numbers];
  const carrying = SAID.filter((one) => telling.every((word) => one.words.has(word)));
  if (carrying.length === 0) return `nobody said this of ${names.join(', ')}: ${[...values, ...numbers].join(', ')}`;
  const near = carrying.filter((one) => words.filter((word) => one.words.has(word)).length >= words.length * 0.6);
  if (near.length === 0) return 'nobody said it so';
  const isDenied = NEGATION.test(text);
  return near.some((one) => one.isDenied === isDenied) ? undefined : `one denies it: ${near[0]?.text}`;
}

/** The clauses of a sentence, each with the things that it names, or else the clause before it. */
function clausesOf(sentence: string) {
  let names: readonly string[] = [];
  return sentence
    .split(/[;,]\s+|\s+(?=(?:and|but|while)\s)/u)
    .filter((text) => contentWords(text).length > 0)
    .map((text) => {
      const own = NAMES.filter((name) => has(text, name));
      names = own.length > 0 ? own : names;
      return { text, names };
    });
}

function sentencesOf(text: string): readonly string[] {
  return plainLine(text)
    .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
    .filter((sentence) => contentWords(sentence).length > 0);
}

/** A sentence without its label ("Remember:"), its first "and", its case and its last full stop. */
function keyOf(sentence: string): string {
  return sentence
    .replace(/^(?:[A-Z][a-z]+(?: [a-z]+)?: )+/u, '')
    .replace(/^(?:and|no|yes|that|remember)\b[.,:]?\s*/iu, '')
    .replace(/[\s.!?,;:]+/gu, ' ')
    .trim()
    .toLowerCase();
}

function has(text: string, part: string): boolean {
  const escaped = part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}

/** The words of a text that say something, without their endings. */
function contentWords(text: string): readonly string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.:,/-]*[\p{L}\p{N}]|\p{N}/gu) ?? [];
  return found.filter((word) => !STOP.has(word)).map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s|d)$/u, ''));
}

/**
 * Whether another line has the names, numbers and negations of a line, and half of its words. Names are words with a
 * capital inside of a sentence.
 */
export function carries(other: string, line: string): boolean {
  const [body = '', ...more] = sentencesOf(line).map((sentence) => sentence.replace(/^(?:\p{Lu}\p{Ll}+: )+/u, ''));
  const sentences = [body, ...more].filter((sentence) => contentWords(sentence).length > 1);
  const names = sentences.flatMap((sentence) => sentence.match(/(?<=\S\s)\p{Lu}[\p{L}\p{N}]+|\S*\d[^\s,;]*/gu) ?? []);
  const words = sentences.flatMap(contentWords);
  const [own, others] = [new Set(names.flatMap(contentWords)), new Set(contentWords(other))];
  return (
    [...own].every((word) => others.has(word)) &&
    words.filter((word) => others.has(word)).length >= words.length / 2 &&
    sentences.some((sentence) => NEGATION.test(sentence)) === NEGATION.test(other)
  );
}
