import type { Day } from '../../base/clock.js';
import { detectLanguageGroup, type LanguageGroup } from '../../language/language-group.js';
import { BASIC_HAN_RANGES, isAscii, KATAKANA_RANGES } from '../../language/scripts.js';
import { readDurationDays } from '../../language/statements/durations.js';
import { describesTemporaryState, mayBeRestored } from '../../language/statements/temporary.js';
import * as tenses from '../../language/statements/tenses.js';
import { describesPlan } from '../../language/statements/tenses.js';
import { addDays, daysBetween } from '../../language/time/calendar.js';
import { detectLanguages, hasLanguageCue } from '../../language/time/languages/detect.js';
import type { TimeReader } from '../../language/time/read-time.js';
import { blankRanges } from '../../language/tokens.js';
import { CJK_NEGATION_PATTERN, NEGATION_PATTERN } from '../../language/words/stop.js';
import { findWordsForNow } from '../../language/words/time-words.js';
import { readValidityAndMentions, type Validity } from '../validity.js';
import { endedTerms } from './ended-value.js';
import { contentTerms } from './terms.js';
import { readValues, type StatedValue } from './values.js';

/** A clause of a statement that can end apart from the rest, parsed once and independent of other statements. */
export interface Clause {
  /** Place of the clause in the text of the statement: from the offset `from` up to `to`. */
  readonly from: number;
  readonly to: number;
  /** Words and numbers that the clause is about. Clauses about the same topic share some of them. */
  readonly terms: readonly string[];
  readonly values?: readonly StatedValue[];
  readonly isDenied?: true;
  /**
   * The clause is a plan or an intention by its words. A clause with a future date is also a plan until that day, without
   * this field.
   */
  readonly isPlan?: true;
  /**
   * The clause is only a supposition ("perhaps", "might"). It may be the newest statement of its topic, but it supersedes
   * nothing.
   */
  readonly isUnsure?: true;
  /** The clause is about an event on one or a few days. */
  readonly isEvent?: true;
  readonly isHabit?: true;
  /**
   * The clause is an event, or may be one. An event stays true once it has happened, so no later value replaces its values.
   */
  readonly hasHappened?: true;
  /** The clause is about a past state. It may end another statement, but it does not say what is true now. */
  readonly isPast?: true;
  /** The clause says that somebody is in a state that is over within days or weeks: ill, travelling. */
  readonly isTemporary?: true;
  /** The clause may say that a temporary state is over: "back at work". */
  readonly isRestored?: true;
  /** Days that the clause names, as in {@link Validity}. */
  readonly validFrom?: Day;
  readonly validTo?: Day;
  readonly isPeriod?: true;
  /** Terms of an old value that the clause says is over ("no longer in Vienna"), and days that no longer apply. */
  readonly ended?: readonly string[];
}

/** The clauses of a statement, in order. */
export type ParsedStatement = readonly Clause[];

export type StatementParser = typeof parseStatement;

/**
 * A clause with a date is an event only if the date is less than `ago` days old and spans at most `longest` days. An older
 * date describes a thing: `farmhouse from 1880`.
 */
const EVENT = { longest: 31, ago: 62 } as const;

/** A clause that has a time and at most this many other terms, numbers not counted, belongs to the clause before it. */
const MOST_LEANING = 1;

const ENGLISH: LanguageGroup = 'english';

const DENIED = new RegExp(`(?<![\\p{L}'])(?:${NEGATION_PATTERN})(?![\\p{L}'])|${CJK_NEGATION_PATTERN}`, 'iu');

/**
 * Parses a statement. Pure, linear in the text.
 * @param text without its leading entities
 * @param day on which it was stated
 * @param names of its entities; their terms are left out, because all statements about them share these
 */
export function parseStatement(
  text: string,
  day: Day | null,
  times: TimeReader,
  names: readonly string[],
): ParsedStatement {
  // Fast path: most statements are obviously English.
  let tongue: LanguageGroup | undefined = isAscii(text) && !hasLanguageCue(text) ? ENGLISH : undefined;
  const isEnglish = tongue !== undefined;
  const ofNames = isEnglish ? () => ENGLISH : undefined;
  const own = new Set(names.flatMap((name) => contentTerms(name.replace(/[-_.]/g, ' '), ofNames)));
  const languageGroupOfAll = (): LanguageGroup => {
    tongue ??= detectLanguageGroup(text);
    return tongue;
  };
  const whole: Whole = {
    text,
    day,
    times,
    own,
    languageGroupOf: (part) =>
      isEnglish || part === text ? languageGroupOfAll() : detectLanguageGroup(part, languageGroupOfAll),
  };
  const read = (piece: Piece): Clause => readPart(whole, piece);
  const parts: Clause[] = [];
  for (const piece of divide(text)) {
    const [part, last] = [read(piece), parts.at(-1)];
    if (last === undefined || !leans(part)) parts.push(part);
    else parts[parts.length - 1] = read({ from: last.from, to: part.to });
  }
  return parts;
}

/**
 * Whether a clause has too little content of its own, so that it belongs to the clause before. Such a clause has hardly
 * more than a time (`back on August 9` in `off to Rome, back on August 9`), or no content word at all.
 */
function leans({ terms, values = [], validFrom, validTo }: Clause): boolean {
  if (terms.length + values.length === 0) return true;
  return (validFrom ?? validTo) !== undefined && terms.filter((term) => !/^\d/.test(term)).length <= MOST_LEANING;
}

/** Context that all clauses of a statement share. */
interface Whole {
  readonly text: string;
  readonly day: Day | null;
  readonly times: TimeReader;
  /** Terms of the statement's entities. They are not part of the content of a clause. */
  readonly own: ReadonlySet<string>;
  /** Language group of a clause; the rest of the statement helps to decide. */
  readonly languageGroupOf: (part: string) => LanguageGroup;
}

function readPart({ text, day, times, own, languageGroupOf }: Whole, { from, to }: Piece): Clause {
  const said = text.slice(from, to);
  const { validity, mentions, old } = readValidityAndMentions(said, day, times);
  const time = timeOf(said, day, validity);
  const isHabit = tenses.describesHabit(said);
  // Dates are blanked, because they are not part of the content.
  const dated = (time.validFrom ?? time.validTo) === undefined ? said : blankRanges(said, mentions);
  const untimed = blankRanges(dated, findWordsForNow(dated));
  const values = readValues(said, untimed);
  const ended = [...endedTerms(dated), ...old];
  const terms = contentTerms(untimed, () => languageGroupOf(untimed)).filter((term) => !own.has(term));
  const part: Draft = { from, to, terms };
  if (values.length > 0) part.values = values;
  if (DENIED.test(said)) part.isDenied = true;
  if (!isHabit && describesPlan(said)) part.isPlan = true;
  if (tenses.isUncertainStatement(said)) part.isUnsure = true;
  if (!isHabit && isEventOf(time, day)) part.isEvent = true;
  if (isHabit) part.isHabit = true;
  if (mayHaveHappened(said, values, isHabit)) part.hasHappened = true;
  if (tenses.describesFormerState(said)) part.isPast = true;
  if (!isHabit && !part.isPlan && describesTemporaryState(said)) part.isTemporary = true;
  if (mayBeRestored(said)) part.isRestored = true;
  Object.assign(part, time);
  if (ended.length > 0) part.ended = ended;
  return part;
}

/**
 * Whether the clause may describe a single event. No later amount replaces the value of an event. "5 km" of a run looks
 * like "5 mg" of a dose, and in most languages the program can't tell an event from a state here. In doubt the answer is
 * yes.
 */
function mayHaveHappened(said: string, values: readonly StatedValue[], isHabit: boolean): boolean {
  if (tenses.describesEvent(said.trimStart())) return true;
  return !isHabit && values.some(({ kind }) => !NAMING.test(kind)) && !tenses.describesState(said.trimStart());
}

/** Kinds of values that name something and are never an amount. */
const NAMING = /^(?:version|code)/;

/** A clause whose fields are set one by one. Most clauses have few of the fields, so this is much faster. */
type Draft = { -readonly [Key in keyof Clause]: Clause[Key] };

type Time = Pick<Clause, 'validFrom' | 'validTo' | 'isPeriod'>;

function timeOf(said: string, day: Day | null, found: Validity | null): Time {
  const lasts = found === null && day !== null ? readDurationDays(said) : undefined;
  if (lasts !== undefined && day !== null) return { validTo: addDays(day, lasts), isPeriod: true };
  return {
    ...(found?.from == null ? {} : { validFrom: found.from }),
    ...(found?.to == null ? {} : { validTo: found.to }),
    ...(found?.type === 'period' ? { isPeriod: true } : {}),
  };
}

/** Whether a clause is about a few recent days that had already come when it was stated. */
function isEventOf({ validFrom, validTo, isPeriod }: Time, day: Day | null): boolean {
  if (isPeriod || day === null || validFrom === undefined || validTo === undefined) return false;
  return validTo <= day && daysBetween(validFrom, validTo) < EVENT.longest && daysBetween(validFrom, day) < EVENT.ago;
}

/** Offsets of a clause in the text. */
type Piece = Pick<Clause, 'from' | 'to'>;

/** Positions where a clause may end, including those between the items of an enumeration. */
const JOINT = new RegExp(
  String.raw`[;；。！!]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Nr|vs|ca|\p{Lu}|\d{1,2}))\.(?=\s+[\p{Lu}\p{Lo}\p{N}@"“])|[,，、](?!\s*\d)(?:\s*(?:and|und|et|en|y|e|и)(?=\s))?|\s(?:and|und|et|en|y|e|и)(?=\s)|(?<=[${KATAKANA_RANGES}])と(?=[${KATAKANA_RANGES}])|(?<=[${BASIC_HAN_RANGES}])和(?=[${BASIC_HAN_RANGES}])`,
  'gu',
);
const ENCLOSED = /\([^()]*\)|（[^（）]*）|"[^"]*"|“[^”]*”|`[^`]*`|「[^」]*」|\[[^\]]*\]/g;
const TELLS = /\p{L}{2}|\p{Lo}|\d/u;
const LONGEST = 600;
const MOST_PARTS = 12;
/** Two names joined by a conjunction are one name: `Mercer and Poole`. */
const NAME_BEFORE = /(?:^|\s)\p{Lu}\p{Ll}+$/u;
const NAME_AFTER = /^\s*\p{Lu}\p{Ll}+(?:\s|$)/u;

/** Cheap check: every joint contains one of these. */
const MAY_JOIN = /[^\0-\x7f]|[;!,]|\.\s|\s(?:and|und|et|en|y|e)\s/i;

/** Clauses of a statement, in order; they cover the text except for the joints. Pure, linear in the text. */
function divide(text: string): readonly Piece[] {
  if (text.length > LONGEST || !MAY_JOIN.test(text)) return [{ from: 0, to: text.length }];
  const blanked = text.replace(ENCLOSED, (enclosed) => '_'.repeat(enclosed.length));
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: joint, index } of blanked.matchAll(JOINT)) {
    const [before, after] = [blanked.slice(from, index), blanked.slice(index + joint.length)];
    if (!TELLS.test(before) || !TELLS.test(after) || pieces.length + 1 >= MOST_PARTS) continue;
    if (/^\sen$/i.test(joint) && !detectLanguages(text).has('nl')) continue;
    if (/^\s/.test(joint) && NAME_BEFORE.test(before) && NAME_AFTER.test(after)) continue;
    pieces.push({ from, to: index });
    from = index + joint.length;
  }
  return [...pieces, { from, to: text.length }];
}
