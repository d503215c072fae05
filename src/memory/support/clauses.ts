import { isUncertainStatement } from '../../language/statements/tenses.js';
import { CJK_NEGATION_PATTERN, isNegation, NEGATION_PATTERN, splitAtNegations } from '../../language/words/stop.js';
import { isQuestion, sentencesOf } from '../../text/sentences.js';
import { formsOf, hasWord, isCommonWord, isSmallWord, type TextWord, wordsOf } from './word-forms.js';

/** Matches the end of a clause. A comma or a stop before a digit is part of a number. */
const CLAUSE = /[;；。!！，、](?!\d)|,(?=\s|$)|\s(?:but|and|because|since|und|aber|weil)\s/u;

/** In a source, what stands behind a colon is a clause of its own: `Tasks: Anna cooks, Bo washes up`. */
const SOURCE_CLAUSE = new RegExp(`${CLAUSE.source}|[:：](?=\\s|$|\\P{ASCII})`, 'u');

/** The clauses of a text, without those that have no words. */
export function splitClauses(text: string): readonly string[] {
  return sentencesIn(text).flatMap((sentence) => clausesOfSentence(sentence));
}

function clausesOfSentence(sentence: string, ends = CLAUSE): readonly string[] {
  return sentence.split(ends).filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** A part of a source: one clause, with what its sentence says about it. */
export interface SourceClause {
  readonly text: string;
  readonly hasNegation: boolean;
  /** The words that its negations deny. Empty if it is not denied. */
  readonly denied: readonly TextWord[];
  /** Whether it asks or guesses, so that it states nothing. */
  readonly isOpen: boolean;
}

/**
 * Reads the clauses of a message.
 * @param isAccepted whether the next message agrees, so that a question is a statement
 */
export function clausesOfMessage(text: string, isAccepted: boolean): readonly SourceClause[] {
  return text.split('\n').flatMap((line) =>
    sentencesIn(line).flatMap((sentence) => {
      const isAsked = isQuestion(sentence);
      const clauses = clausesOfSentence(sentence, SOURCE_CLAUSE);
      return clauses.map(
        (clause): SourceClause => ({
          text: clause,
          hasNegation: hasNegation(clause),
          denied: deniedWords(clause),
          isOpen: (!isAccepted && isAsked) || isUncertainStatement(clause),
        }),
      );
    }),
  );
}

function sentencesIn(line: string): readonly string[] {
  const found = sentencesOf(line);
  return found.length > 0 ? found : /[\p{L}\p{N}]/u.test(line) ? [line] : [];
}

/** Words beside negations that say that something is not there. */
const ABSENT = /\bfehlte?(?!\p{L})/giu;

/** Writes a name in backticks as `Name`, so that it is read as a name. */
export function markNames(text: string): string {
  return text.replace(/`(\p{Ll}[^`\s]{0,60})`/gu, (_, name: string) => name.charAt(0).toUpperCase() + name.slice(1));
}

/** Whether a clause is denied; a double negation is not. */
export function hasNegation(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replace(/’/g, "'")
      .replace(ABSENT, ' not ')
      .match(/[\p{L}']+/gu) ?? [];
  const denials = words.filter((word) => isNegation(word) || word.endsWith("n't")).length;
  return (denials + splitAtNegations(text.replace(ABSENT, ' ')).length - 1) % 2 === 1;
}

/** Number of words after a negation that it denies, or before it, if nothing follows. */
const DENIED_WORDS = 3;

/** The telling words next to the negations of a clause. */
function deniedWords(clause: string): readonly TextWord[] {
  const parts = clause.replace(/’/gu, "'").split(NEGATIONS);
  return parts.slice(1).flatMap((part, at) => {
    const after = tellingWords(part).slice(0, DENIED_WORDS);
    return after.length > 0 ? after : tellingWords(parts[at] ?? '').slice(-DENIED_WORDS);
  });
}

const NEGATIONS = new RegExp(
  `(?<!\\p{L})(?:${NEGATION_PATTERN}|\\p{L}+n't)(?!\\p{L})|${ABSENT.source}|${CJK_NEGATION_PATTERN}`,
  'iu',
);

function tellingWords(text: string): readonly TextWord[] {
  return wordsOf(text).filter(({ folded, isCjk }) => isCjk || !isSmallWord(folded));
}

const YES =
  /^\W*(?:ok(?:ay)?|yes|yep|yeah|yup|sure|right|correct|agreed|fine|good|great|perfect|please|do (?:it|that|so)|go (?:ahead|for it|with)|sounds good|deal|exactly|ja|genau|gerne?|passt|einverstanden|abgemacht|mach(?:en wir)? (?:das|es)|oui|sí|好|是的?|可以|行|对|没问题|同意|确认|就这样|嗯)(?![\p{L}\p{N}])|^(?:好|可以|行|对|没问题|同意|就这样)/iu;

/** Number of telling words of an offer that a message repeats, if it takes the offer up in its own words. */
const TAKEN_UP = 2;

/** Whether a message agrees with the one before it: it says so, or takes up its words without a question. */
export function accepts(text: string, before: string): boolean {
  if (YES.test(text.trim())) return true;
  if (isQuestion(text.trim()) || hasNegation(text) || isUncertainStatement(text)) return false;
  const known = formsOf(before);
  return tellingWords(text).filter((word) => !isCommonWord(word.folded) && hasWord(known, word)).length >= TAKEN_UP;
}
