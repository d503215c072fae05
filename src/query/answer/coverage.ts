import { foldText, HIRAGANA_RANGE, hasUnspaced } from '../../language/scripts.js';
import { isFunctionWord } from '../../language/time/languages/detect.js';
import { foldAccents } from '../../language/time/languages/words.js';
import { ASKING_WORDS, EVERYDAY_WORDS, isFrequentWord } from '../../language/words/stop.js';
import type { TermCounts } from '../rank/content-words.js';
import type { WeightedTerm } from '../terms/weighted-terms.js';

/** How much of the question an answer covers: it has all, some or too few of the telling words. */
export type Coverage = 'all' | 'some' | 'none';

/** A telling word of the question that no line of the first results has. */
export interface MissingWord {
  readonly word: string;
  /** Whether an indexed line has the word. */
  readonly indexed: boolean;
  /** For a word that no line has: the word of the first results that is nearest in meaning, if one is near. */
  readonly near?: readonly string[];
}

export interface QuestionCoverage {
  readonly answers: Coverage;
  /** Set only if a word is missing. */
  readonly missing?: readonly MissingWord[];
}

/** Facts about a question that its terms do not show. */
export interface QuestionFacts {
  readonly text: string;
  readonly isEnglish: boolean;
  /** Words and runs that name somebody. */
  readonly names: ReadonlySet<string>;
  /** Runs of text of scripts without spaces. */
  readonly runs: readonly string[];
  /** Whether results are from the time that the question names. */
  readonly isOfTime: boolean;
}

/** A result: the terms of the question that it has, with its headings, and whether it is about who is named. */
interface Said {
  readonly counts: TermCounts;
  readonly isNamed: boolean;
}

/** Minimum share of the worth of the telling words. An answer with less says something else. */
const LEAST_SHARE = 0.5;
/** This number of telling words is enough, however long a message is. */
const ENOUGH_WORDS = 3;
/**
 * What stands nowhere is often a pair of signs of two words, or asks: "viele" in "Wie viele Katzen hat Anna?". Which
 * words do so is known well of English alone.
 */
const UNKNOWN_SHARE = 0.5;
/** Notes often say a verb in other words: "Wren (Andrej)" answers "who plays Wren?". */
const VERB_SHARE = 0.3;

/** A word of the question, and where it was found. */
interface AskedWord {
  readonly text: string;
  readonly worth: number;
  readonly isName: boolean;
  readonly isIndexed: boolean;
  /** Whether a result has it, as it stands or in another form. */
  readonly isFound: boolean;
  /** Whether such a result is about who is named. */
  readonly isSure: boolean;
  /** Whether a result that may be about who is named has it, or what was searched instead of it. */
  readonly isNear: boolean;
}

/**
 * Computes how much of a question the first results cover, and which of its telling words they lack. Telling words are the
 * words of the topic without everyday words. A rare word is worth more. If the question names somebody, only lines about
 * them count. A guess is not the word, so it never makes an answer complete. A question that has only names is fully
 * answered by any result. Pure.
 * @param said the first results
 */
export function questionCoverage(
  terms: readonly WeightedTerm[],
  said: readonly Said[],
  asked: QuestionFacts,
): QuestionCoverage {
  const results = new FirstResults(said, terms, asked);
  const words = tellingWords([...spacedWords(terms, results, asked), ...unspacedWords(terms, results, asked)]);
  const missing = words.flatMap(({ text, isFound, isIndexed }) => (isFound ? [] : { word: text, indexed: isIndexed }));
  return {
    answers: said.length === 0 ? 'none' : coverageOf(words, asked),
    ...(missing.length === 0 ? {} : { missing }),
  };
}

function coverageOf(words: readonly AskedWord[], { text, isEnglish, isOfTime }: QuestionFacts): Coverage {
  const telling = words.filter(({ isName }) => !isName);
  if (telling.every(({ isSure }) => isSure)) return 'all';
  const verbs = isEnglish ? verbsOf(text) : NO_VERBS;
  const found = telling.filter(({ isNear }) => isNear);
  const worthOf = (some: readonly AskedWord[]): number =>
    some.reduce((sum, word) => sum + word.worth * (!word.isNear && verbs.has(word.text) ? VERB_SHARE : 1), 0);
  // A line from the time that is asked about says as much as one of the words.
  const time = isOfTime && found.length > 0 ? Math.max(...telling.map(({ worth }) => worth)) : 0;
  const isEnough = worthOf(found) + time >= LEAST_SHARE * (worthOf(telling) + time);
  const isMost = found.length > telling.length / 2 || found.length >= ENOUGH_WORDS;
  return found.length > 0 && (isMost || isEnough) ? 'some' : 'none';
}

/**
 * Leaves out words that only ask, and everyday words beside others, unless a result has them. The language of a short
 * question is often unknown, so a word that is a function word in any language asks, too: "wo" in "Wo wohnt Anna?".
 */
function tellingWords(words: readonly AskedWord[]): readonly AskedWord[] {
  const telling = words.filter(({ text, isFound }) => isFound || !ASKING_WORDS.has(text));
  const isEveryday = ({ text }: AskedWord): boolean => EVERYDAY_WORDS.has(text) || isFrequentWord(text);
  const hasOthers = telling.some((word) => !word.isName && !isEveryday(word));
  return hasOthers ? telling.filter((word) => word.isFound || !isEveryday(word)) : telling;
}

/** Looks for terms in the first results. */
class FirstResults {
  /** Results about who is named. If the question names nobody, all of them. */
  private readonly sure: readonly Said[];
  /** Results that may be about who is named. An English word with a capital letter need not be a name. */
  private readonly near: readonly Said[];

  constructor(
    private readonly said: readonly Said[],
    terms: readonly WeightedTerm[],
    { names, isEnglish }: QuestionFacts,
  ) {
    const known = terms.flatMap(({ text }, position) => (names.has(text) ? position : []));
    const named = said.filter((one) => one.isNamed || known.some((position) => has(one, position)));
    const capital = terms.flatMap(({ isCapital }, position) => (isEnglish && isCapital ? position : []));
    this.near = known.length === 0 ? said : named;
    this.sure =
      known.length > 0 || capital.length === 0
        ? this.near
        : said.filter((one) => capital.some((position) => has(one, position)));
  }

  /** Where a term or a name was found. */
  find(position: number, isName: boolean): Pick<AskedWord, 'isFound' | 'isSure' | 'isNear'> {
    const isIn = (some: readonly Said[]): boolean => some.some((one) => has(one, position) || (isName && one.isNamed));
    return { isFound: isIn(this.said), isSure: isIn(isName ? this.said : this.sure), isNear: isIn(this.near) };
  }
}

function has({ counts }: Said, position: number): boolean {
  return (counts?.[position] ?? 0) > 0;
}

function spacedWords(
  terms: readonly WeightedTerm[],
  results: FirstResults,
  asked: QuestionFacts,
): readonly AskedWord[] {
  const words = new Map<string, AskedWord>();
  for (const [position, { text, isAsked, worth, frequency, isGuess = false }] of terms.entries()) {
    const before = words.get(text);
    // Other forms of a word have its text.
    const isOther = !isAsked || hasUnspaced(text) || (frequency === 0 && isFunctionWord(foldAccents(text)));
    if (before === undefined && isOther) continue;
    const isName = asked.names.has(text);
    const { isFound, isSure, isNear } = results.find(position, isName);
    words.set(text, {
      text,
      worth: Math.max(before?.worth ?? 0, frequency === 0 && !asked.isEnglish ? UNKNOWN_SHARE * worth : worth),
      isName,
      isIndexed: before?.isIndexed === true || (frequency > 0 && !isGuess),
      isFound: before?.isFound === true || (isFound && !isGuess),
      isSure: before?.isSure === true || (isSure && !isGuess),
      isNear: before?.isNear === true || isNear,
    });
  }
  return [...words.values()];
}

/**
 * The words of scripts without spaces. Terms are pairs of characters, and many pairs are no words. So what is missing is read
 * from the characters that no found pair has. Two or more in a row are a word, but not hiragana, which is grammar.
 */
function unspacedWords(
  terms: readonly WeightedTerm[],
  results: FirstResults,
  asked: QuestionFacts,
): readonly AskedWord[] {
  return asked.runs.flatMap((run): readonly AskedWord[] => {
    const isName = asked.names.has(run);
    const plain = foldText(run);
    const pairs = terms.flatMap(({ text, isAsked, frequency, worth }, position) => {
      if (!isAsked || !hasUnspaced(text) || !plain.includes(text)) return [];
      const ownWorth = frequency === 0 ? UNKNOWN_SHARE * worth : worth;
      return { text, isIndexed: frequency > 0, worth: ownWorth, ...results.find(position, isName) };
    });
    const word = (text: string, of: typeof pairs): AskedWord => ({
      text,
      worth: of.reduce((sum, { worth }) => sum + worth, 0),
      isName,
      isIndexed: of.every(({ isIndexed }) => isIndexed),
      isFound: of.some(({ isFound }) => isFound),
      isSure: of.some(({ isSure }) => isSure),
      isNear: of.some(({ isNear }) => isNear),
    });
    const found = pairs.filter(({ isFound }) => isFound);
    const missing = uncovered(plain, [...found.map(({ text }) => text), ...ASKING_WORDS]);
    const words = missing.map((text) =>
      word(
        text,
        pairs.filter((pair) => text.includes(pair.text)),
      ),
    );
    return found.length === 0 ? words : [word(run, found), ...words];
  });
}

/** The parts of a run that none of some pieces covers. */
function uncovered(run: string, pieces: readonly string[]): readonly string[] {
  const covered = new Set<number>();
  for (const piece of pieces)
    for (let at = run.indexOf(piece); at >= 0; at = run.indexOf(piece, at + 1))
      for (let i = at; i < at + piece.length; i++) covered.add(i);
  const rest = Array.from(run, (character, at) => (covered.has(at) ? ' ' : character)).join('');
  return rest.split(' ').filter((part) => part.length > 1 && !HIRAGANA_ONLY.test(part));
}

const HIRAGANA_ONLY = new RegExp(`^[${HIRAGANA_RANGE}]+$`);

/** The verbs of an English question, as far as its grammar shows them: "what did **we spend** on …", "who **plays** …". */
function verbsOf(text: string): ReadonlySet<string> {
  const found = Array.from(text.toLowerCase().matchAll(VERB), ({ groups }) => groups?.verb ?? '');
  return new Set(found);
}

const NO_VERBS: ReadonlySet<string> = new Set();
const VERB =
  /\b(?:(?:do|does|did) (?:(?:the|my|our|your|his|her|their) )?[\p{L}\p{N}]+|who) (?:(?:first|last|ever|still|usually|originally) )?(?<verb>\p{L}+)/gu;
