import { CHINESE_INSTEAD_OF, INSTEAD_OF } from '../../language/statements/comparison.js';
import { isUncertainStatement } from '../../language/statements/tenses.js';
import { CJK_NEGATION_PATTERN, isNegation, NEGATION_PATTERN, splitAtNegations } from '../../language/words/stop.js';
import { isQuestion, sentencesOf } from '../../text/sentences.js';
import { formsOf, hasWord, isCommonWord, isSmallWord, type TextWord, wordsOf } from './word-forms.js';

/** Matches the end of a clause. A comma or a stop before a digit is part of a number. */
const CLAUSE =
  /[;；。!！，、](?!\d)|,(?=\s|$)|\s[–—-]\s|\s(?:but|and|while|whereas|although|though|because|since|so that|und|aber|sondern|weil|denn|damit|et|mais)\s|但是?|而且?|因为|所以|并且?/u;

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

/** Prefixes that negate a word: "dislikes" means "does not like". */
const DENYING_PREFIX =
  /\bdis(?=(?:like|trust|agree|approve|allow)s?d?\b)|\bun(?=(?:happy|safe|fair|reliable|available|stable|able|willing)\b)/gi;
const ENDS =
  /\b(?:no longer|stopped|quit|gave up|refuses?|avoids?|lacks?|without|against|cancell?ed|fail(?:s|ed) to|hates?|opposes?|missing|fehlte?|fällt aus|ausgefallen|entf[aä]ll\p{L}*|gegen|verzicht\p{L}*|abgesagt|storniert)(?!\p{L})|不再|以后再|待定|跳过|去掉|删掉|移除|禁(?!止)|停止|放弃|讨厌|反对|取消|拒绝|避免/giu;

/** Writes a name in backticks as `Name`, so that it is read as a name. */
export function markNames(text: string): string {
  return text.replace(/`(\p{Ll}[^`\s]{0,60})`/gu, (_, name: string) => name.charAt(0).toUpperCase() + name.slice(1));
}

/** Writes the prefix of a negated word as a word of its own: "dislikes" as "not likes". */
export function separateNegations(text: string): string {
  return text.replace(DENYING_PREFIX, 'not ');
}

/** In "A instead of B", A is affirmed. */
const OTHER_THAN = new RegExp(
  `(?<!\\p{L})(?:${INSTEAD_OF}|(?:an)?statt|not least)(?!\\p{L})|${CHINESE_INSTEAD_OF}`,
  'iu',
);

/** Whether a clause is denied; a double negation is not. */
export function hasNegation(text: string): boolean {
  const clause = text.replace(OTHER_THAN, '');
  const words =
    clause
      .toLowerCase()
      .replace(/’/g, "'")
      .replace(ENDS, ' not ')
      .match(/[\p{L}']+/gu) ?? [];
  const denials = words.filter((word) => isNegation(word) || word.endsWith("n't")).length;
  return (denials + splitAtNegations(clause.replace(ENDS, ' ')).length - 1) % 2 === 1;
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
  `(?<!\\p{L})(?:${NEGATION_PATTERN}|\\p{L}+n't)(?!\\p{L})|${ENDS.source}|${CJK_NEGATION_PATTERN}|${OTHER_THAN.source}`,
  'iu',
);

function tellingWords(text: string): readonly TextWord[] {
  return wordsOf(text).flatMap((word) => {
    if (!word.isCjk) return isSmallWord(word.folded) || /^\p{N}+$/u.test(word.folded) ? [] : [word];
    return [...word.folded].length > 4 ? [{ ...word, folded: [...word.folded].slice(0, 4).join('') }] : [word];
  });
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

/** The sides of "A instead of B": the text of A, and the beginning of B. Undefined without such words. */
export function comparisonIn(text: string): { readonly chosen: string; readonly left: string } | undefined {
  const found = OTHER_THAN.exec(text);
  if (found === null) return undefined;
  const first = /\S+/u.exec(text.slice(found.index + found[0].length))?.[0] ?? '';
  return first === '' ? undefined : { chosen: text.slice(0, found.index), left: first.replace(/[.,;!?]+$/u, '') };
}
