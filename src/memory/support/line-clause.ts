import { memoize } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { startsWithCapital } from '../../language/scripts.js';
import { isRoleOfSpeaker } from '../../language/speakers.js';
import { isUncertainStatement } from '../../language/statements/tenses.js';
import { isPastForm } from '../../language/time/languages/english.js';
import type { TimeReader } from '../../language/time/read-time.js';
import { blankRanges } from '../../language/tokens.js';
import { findContentRuns } from '../../language/words/terms.js';
import { hasNegation } from './clauses.js';
import { numbersOf, type TimeInText, timesOf } from './values.js';
import { isCommonWord, isSmallWord, readContentWords, type TextWord, wordsOf } from './word-forms.js';

/** The day of texts without one. Relative times of a line and of its sources then still agree. */
export const ANY_DAY = '2021-03-10';

/** A word of a clause that its sources must have, or should have. */
export interface ClauseTerm {
  readonly written: string;
  readonly folded: string;
  /**
   * `name`: must be there. `noun`: a word that may be a name. `word`: a telling word. `verb`: a
   * word of German that is no noun. `common`: a word that occurs on any
   * topic. `run`: a run of Chinese, Japanese or Korean.
   */
  readonly kind: 'name' | 'noun' | 'word' | 'verb' | 'common' | 'run';
}

/** A clause of a line that is checked. */
export interface LineClause {
  readonly text: string;
  readonly terms: readonly ClauseTerm[];
  readonly numbers: readonly string[];
  /** The times that the clause names, if it was written on a day. */
  readonly timesOn: (day: Day) => readonly TimeInText[];
  /** Its telling words in order, without its times. */
  readonly sequence: readonly TextWord[];
  readonly hasNegation: boolean;
  readonly isUncertainClause: boolean;
}

/**
 * Reads a clause of a line.
 * @param capitals what a capital letter shows: in German, any noun
 */
export function readLineClause(text: string, capitals: 'names' | 'nouns', reader: TimeReader): LineClause {
  const timesOn = memoize((day: Day) => timesOf(text, day, reader));
  const untimed = blankRanges(text, timesOn(ANY_DAY));
  const words = wordsOf(untimed);
  const terms = words.flatMap(({ written, folded, isCjk }, at): readonly ClauseTerm[] => {
    if (isCjk) return runsOf(folded).map((run) => ({ written: run, folded: run, kind: 'run' }));
    if (/^\p{N}+$/u.test(folded) || isSmallWord(folded) || isRoleOfSpeaker(folded)) return [];
    return [{ written, folded, kind: kindOf(written, folded, at, capitals === 'names') }];
  });
  return {
    text,
    terms,
    numbers: [...numbersOf(untimed, 'line')],
    timesOn,
    sequence: readContentWords(untimed),
    hasNegation: hasNegation(text),
    isUncertainClause: isUncertainStatement(text),
  };
}

function runsOf(folded: string): readonly string[] {
  return findContentRuns(folded.replace(/用户|助手|使用者/gu, '的'), NO_NAMES, true);
}

const NO_NAMES: ReadonlySet<string> = new Set();

function kindOf(written: string, folded: string, at: number, isOfNames: boolean): ClauseTerm['kind'] {
  if (/[\p{N}\p{Lo}]/u.test(folded)) return 'name';
  const hasInnerCapital = /\p{Lu}/u.test(written.slice(1));
  if (!startsWithCapital(written) && !hasInnerCapital)
    return isCommonWord(folded) ? 'common' : isOfNames ? 'word' : 'verb';
  // The first word of a sentence has a capital letter, whatever it is.
  const isVerb =
    at === 0 && !hasInnerCapital && (isCommonWord(folded) || isPastForm(folded) || /(?:s|ing)$/u.test(folded));
  if (isVerb) return isCommonWord(folded) ? 'common' : 'word';
  if (isOfNames || hasInnerCapital) return 'name';
  return at === 0 ? 'word' : 'noun';
}
