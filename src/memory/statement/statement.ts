import type { Day } from '../../base/clock.js';
import { isAscii } from '../../language/fold-text.js';
import { detectLanguageGroup, type LanguageGroup } from '../../language/language-group.js';
import { HAN, KATAKANA } from '../../language/scripts.js';
import { durationDays } from '../../language/statements/durations.js';
import { tellsOfPlan } from '../../language/statements/plans.js';
import * as tenses from '../../language/statements/tenses.js';
import { addDays, daysBetween } from '../../language/time/calendar.js';
import { detectLanguages, mayShowLanguage } from '../../language/time/languages/detect.js';
import type { Times } from '../../language/time/times.js';
import { blankRanges } from '../../language/tokens.js';
import { CJK_NEGATION, NEGATION } from '../../language/words/negation.js';
import { findNowWord } from '../../language/words/now.js';
import { readDated, type Validity } from '../validity.js';
import { endedTerms } from './ended-value.js';
import { contentTerms } from './terms.js';
import { readValues, type StatedValue } from './values.js';

/** A part of a statement that can end apart, read once; what its words say, and nothing of other statements. */
export interface Clause {
  /** Where it stands in the statement's text. */
  readonly from: number;
  readonly to: number;
  /** By which it is found to be of one matter with another. */
  readonly terms: readonly string[];
  readonly values?: readonly StatedValue[];
  readonly isDenied?: true;
  /** It is planned or thought of; a date to come makes it a plan for as long as that is to come. */
  readonly isPlan?: true;
  /** It is only supposed: it may be news, and puts nothing beneath it. */
  readonly isUnsure?: true;
  /** It tells of what happened on a day. */
  readonly isEvent?: true;
  readonly isHabit?: true;
  /** It tells of what happened, or may do so: no value of it is replaced. */
  readonly hasHappened?: true;
  /** It tells of what was once: it may end something, and holds no more itself. */
  readonly isPast?: true;
  /** The days that it names, as in {@link Validity}. */
  readonly validFrom?: Day;
  readonly validTo?: Day;
  readonly isPeriod?: true;
  /** Terms of the old value that its words say is over, and days that are no longer the ones. */
  readonly ended?: readonly string[];
}

/** A statement as it is read: its parts in its order. */
export type ParsedStatement = readonly Clause[];

export type ReadStatement = typeof parseStatement;

/** A day that is named happened no longer ago than this; what is older tells of what something is: `farmhouse from 1880`. */
const EVENT = { longest: 7, ago: 60 } as const;

/** Beside its time: one word, or two small ones. */
const MOST_LEANING = 1;

const ENGLISH: LanguageGroup = 'english';

const DENIED = new RegExp(`(?<![\\p{L}'])(?:${NEGATION})(?![\\p{L}'])|${CJK_NEGATION}`, 'iu');

/**
 * Reads a statement. Pure, linear in the text.
 * @param text without its leading entities
 * @param day on which it was told
 * @param names of the entities that it names, left out of its terms: all statements about them have these
 */
export function parseStatement(text: string, day: Day | null, times: Times, names: readonly string[]): ParsedStatement {
  // Most statements are in English, which is seen at a glance.
  let tongue: LanguageGroup | undefined = isAscii(text) && !mayShowLanguage(text) ? ENGLISH : undefined;
  const isEnglish = tongue !== undefined;
  const ofNames = isEnglish ? () => ENGLISH : undefined;
  const own = new Set(names.flatMap((name) => contentTerms(name.replace(/[-_.]/g, ' '), ofNames)));
  const tongueOfAll = (): LanguageGroup => {
    tongue ??= detectLanguageGroup(text);
    return tongue;
  };
  const whole: Whole = {
    text,
    day,
    times,
    own,
    tongueOf: (part) => (isEnglish || part === text ? tongueOfAll() : detectLanguageGroup(part, tongueOfAll)),
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

/** Whether a piece says nothing of its own: a time of what stands before it (`off to Rome, back on August 9`), or not even that. */
function leans({ terms, values = [], validFrom, validTo }: Clause): boolean {
  if (terms.length + values.length === 0) return true;
  return (validFrom ?? validTo) !== undefined && terms.filter((term) => !/^\d/.test(term)).length <= MOST_LEANING;
}

/** What the parts of a statement have in common. */
interface Whole {
  readonly text: string;
  readonly day: Day | null;
  readonly times: Times;
  /** Terms of the entities that it names. */
  readonly own: ReadonlySet<string>;
  /** Of a part, beside the others. */
  readonly tongueOf: (part: string) => LanguageGroup;
}

function readPart({ text, day, times, own, tongueOf }: Whole, { from, to }: Piece): Clause {
  const said = text.slice(from, to);
  const { validity, mentions, old } = readDated(said, day, times);
  const time = timeOf(said, day, validity);
  const isHabit = tenses.describesHabit(said);
  // When something is says nothing of what it is.
  const dated = (time.validFrom ?? time.validTo) === undefined ? said : blankRanges(said, mentions);
  const untimed = blankRanges(dated, findNowWord(dated));
  const values = readValues(said, untimed);
  const ended = [...endedTerms(dated), ...old];
  const terms = contentTerms(untimed, () => tongueOf(untimed)).filter((term) => !own.has(term));
  const part: Draft = { from, to, terms };
  if (values.length > 0) part.values = values;
  if (DENIED.test(said)) part.isDenied = true;
  if (!isHabit && tellsOfPlan(said)) part.isPlan = true;
  if (tenses.tellsOfDoubt(said)) part.isUnsure = true;
  if (!isHabit && isEventOf(time, day)) part.isEvent = true;
  if (isHabit) part.isHabit = true;
  if (mayHaveHappened(said, values, isHabit)) part.hasHappened = true;
  if (tenses.describesFormerState(said)) part.isPast = true;
  Object.assign(part, time);
  if (ended.length > 0) part.ended = ended;
  return part;
}

/**
 * Whether what is told may be what happened once, of which no later amount is the new one: a run of 5 km is like a dose
 * of 5 mg, and in most languages nobody knows here which of the two it is.
 */
function mayHaveHappened(said: string, values: readonly StatedValue[], isHabit: boolean): boolean {
  if (tenses.describesEvent(said.trimStart())) return true;
  return !isHabit && values.some(({ kind }) => !NAMING.test(kind)) && !tenses.describesState(said.trimStart());
}

/** Values of these kinds name something, and are never how much was done. */
const NAMING = /^(?:version|code)/;

/** Most parts have few of the fields: one that gets them one by one is made in a fraction of the time. */
type Draft = { -readonly [Key in keyof Clause]: Clause[Key] };

type Time = Pick<Clause, 'validFrom' | 'validTo' | 'isPeriod'>;

function timeOf(said: string, day: Day | null, found: Validity | null): Time {
  const lasts = found === null && day !== null ? durationDays(said) : undefined;
  if (lasts !== undefined && day !== null) return { validTo: addDays(day, lasts), isPeriod: true };
  return {
    ...(found?.from == null ? {} : { validFrom: found.from }),
    ...(found?.to == null ? {} : { validTo: found.to }),
    ...(found?.type === 'period' ? { isPeriod: true } : {}),
  };
}

/** Whether what is told is of some days that had come when it was told. */
function isEventOf({ validFrom, validTo, isPeriod }: Time, day: Day | null): boolean {
  if (isPeriod || day === null || validFrom === undefined || validTo === undefined) return false;
  return validTo <= day && daysBetween(validFrom, validTo) < EVENT.longest && daysBetween(validFrom, day) < EVENT.ago;
}

/** A part of a statement that can end apart, as it stands in the text. */
type Piece = Pick<Clause, 'from' | 'to'>;

/** Where a clause may end, and where one of several things that are told alike does. */
const JOINT = new RegExp(
  String.raw`[;；。！!]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Nr|vs|ca|\p{Lu}|\d{1,2}))\.(?=\s+[\p{Lu}\p{Lo}\p{N}@"“])|[,，、](?!\s*\d)(?:\s*(?:and|und|et|en|y|e|и)(?=\s))?|\s(?:and|und|et|en|y|e|и)(?=\s)|(?<=[${KATAKANA}])と(?=[${KATAKANA}])|(?<=[${HAN}])和(?=[${HAN}])`,
  'gu',
);
const ENCLOSED = /\([^()]*\)|（[^（）]*）|"[^"]*"|“[^”]*”|`[^`]*`|「[^」]*」|\[[^\]]*\]/g;
const TELLS = /\p{L}{2}|\p{Lo}|\d/u;
const LONGEST = 600;
const MOST_PARTS = 12;
/** Two names are one: `Mercer and Poole`. */
const NAME_BEFORE = /(?:^|\s)\p{Lu}\p{Ll}+$/u;
const NAME_AFTER = /^\s*\p{Lu}\p{Ll}+(?:\s|$)/u;

/** One of these is in every joint. */
const MAY_JOIN = /[^\0-\x7f]|[;!,]|\.\s|\s(?:and|und|et|en|y|e)\s/i;

/** The parts of a statement in its order; they cover it, but for what joins them. Pure, linear in the text. */
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
