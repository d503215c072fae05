import type { Day } from '../../base/clock.js';
import type { FoundUnit, UnitKey } from '../../index/search.js';
import { CAPITAL_RANGES } from '../../language/scripts.js';
import { daysBetween } from '../../language/time/calendar.js';
import { PatternWithWordTest } from '../../language/tokens.js';
import { compareNewestFirst } from '../../memory/threads/threads.js';
import type { QuestionReading } from '../question/reading.js';
import type { ResultLookup } from './ranked.js';
import { type StatementUnit, slugReader, toStatement } from './statement-unit.js';

const HOME = new PatternWithWordTest(
  'liv|resid|dwel|based|stay|mov|relocated|settled|back in|wohn|leb|gezogen|ziehen|abit|vit|séjourne|viv|vécu|déménag|mora|woon|住|搬|目前在|现在在|滞在|жив|жил|переехал|se mudó',
  /\b(?:liv(?:es?|ed|ing) (?:in|at|on|with|near|by|there|here|alone|together|above|next|abroad)|resid(?:es?|ed|ing)|dwel(?:ls?|t)|based (?:in|at|near|out)|stay(?:s|ed|ing)? (?:in|at|on|with|near)|mov(?:ed?|ing) (?:to|into|back)|relocated|settled|back in|wohn(?:e|t|te|en)|gewohnt|leb(?:t|te)|gelebt|gezogen|ziehen|habit(?:e|ait)|vit|vivait|séjourne|viv(?:e|eva|ía|ió)|reside|abit(?:a|ava)|mora(?:va)?|woon(?:t|de))(?![\w\u00c0-\u1fff])|habité|vécu|déménag(?:é|er)|[住搬]|目前在|现在在|滞在|жив[её]т|живут|жил[аи]?(?![а-я])|переехал|se mudó/i,
);
const PLACED = new RegExp(
  `^(?:(?:[Ii]s|[Ii]st|[Ee]st) )?(?:\\S+ly |[Dd]erzeit |[Zz]urzeit |[Aa]ctuellement |[Aa]hora |[Сс]ейчас )?(?:[Bb]ack )?(?:[Ii]n|[Aa]t|à|À|[Ee]n|[Aa]u|[Вв]о?) [${CAPITAL_RANGES}]|^(?:现在|目前|正)?在(?!.{0,12}(?:工作|上班))`,
);

/** Whether a statement says of its own state that it is over or still ahead on a day: then it does not hold. */
export function isOutOfDate({ statement, unit: { isPeriod, validFrom, validTo } }: StatementUnit, day: Day): boolean {
  if (isPeriod && ((validTo ?? day) < day || (validFrom ?? day) > day)) return true;
  const isDue = validFrom !== null && validFrom <= day;
  return statement.some(({ isPast, isPlan }) => isPast || (!isDue && isPlan));
}

/** Whether a statement says where its subject is. */
function saysWhere({ text }: StatementUnit): boolean {
  return HOME.isIn(text) || PLACED.test(text);
}

/** What "where is …?" may say besides a name, in languages without stop words of ours. */
const WHERE =
  /^(?:where|wo|où|ou|dónde|donde|dove|onde|где|находится|живёт|живет|vive|is|ist|est|está|se|trouve|steckt|lives?|living|living|stay(?:s|ing)?|based|home|wohnt|lebt|gerade|grad|habite|vit|vive|住|住在|人|家)$/i;
const ASKS_WHERE = /(?<![\w\u00c0-\u1fff])(?:wo|où|dónde|dove|onde|где)(?![\w\u00c0-\u1fff])/i;
const MOST_UNITS = 2_000;
const FIRST_UNITS = 80;

/**
 * "Where is Peter now?" has no word that an answer would have: the newest fact goes first that says where somebody is,
 * and before it one that says so of days which this is one of.
 */
export function findCurrentLocation(
  reading: QuestionReading,
  day: Day,
  { search, allowed }: ResultLookup,
): FoundUnit | undefined {
  if (!asksWhere(reading)) return undefined;
  const slugs = new Set(reading.entities.flatMap((slug) => search.entity(slug)?.slugs ?? [slug]));
  const slugOf = slugReader(search);
  const isIt = (fact: StatementUnit): boolean =>
    fact.subjects.some((slug) => slugs.has(slug)) && (saysWhere(fact) || isAway(fact)) && !isOutOfDate(fact, day);
  const told = (units: readonly FoundUnit[]): readonly FoundUnit[] =>
    units
      .filter(({ kind, file }) => (kind === 'world' || kind === 'observation') && file.day !== null && file.day <= day)
      .sort((a, b) => compareNewestFirst(placed(a), placed(b)));
  const newest = (units: readonly FoundUnit[]) => units.find((unit) => isIt(toStatement(unit, slugOf)));
  const keys = search.linked([...slugs], { withResources: false }, MOST_UNITS);
  const stay = newest(told(search.factsFor(day, keys)));
  const found = stay ?? newestOf(keys, (some) => told(search.facts(some)), newest);
  return found === undefined ? undefined : allowed([found])[0];
}

function asksWhere({ tense, entities, window, cues, words, cjk, text }: QuestionReading): boolean {
  if (tense === 'past' || entities.length === 0 || window !== null) return false;
  if (!cues.where && !ASKS_WHERE.test(text)) return false;
  return [...words.filter(({ role }) => role === 'content').map((word) => word.text), ...cjk].every(
    (word) => WHERE.test(word) || isName(word, entities),
  );
}

function isName(word: string, entities: readonly string[]): boolean {
  return entities.some((slug) => slug.includes(word.toLowerCase()));
}

function placed({ file: { day, path }, line }: FoundUnit) {
  return { day, path, line };
}

/** Keys are of the latest days first: the newest is mostly among few of them, and those of its day are read with it. */
function newestOf(
  keys: readonly UnitKey[],
  read: (keys: readonly UnitKey[]) => readonly FoundUnit[],
  newest: (units: readonly FoundUnit[]) => FoundUnit | undefined,
): FoundUnit | undefined {
  for (let count = FIRST_UNITS; ; count *= 5) {
    const units = read(keys.slice(0, count));
    const found = newest(units);
    if (count >= keys.length || (found && found.file.day !== units.at(-1)?.file.day)) return found;
  }
}

/** Somewhere for some days, whatever is done there: `En vacances à Ischia du 3 au 10 juin`. */
function isAway({ text, unit: { isPeriod, validFrom, validTo } }: StatementUnit): boolean {
  if (!isPeriod || validFrom === null || validTo === null) return false;
  return daysBetween(validFrom, validTo) <= LONGEST_STAY && AWAY.test(text);
}

const LONGEST_STAY = 62;
const AWAY = new RegExp(`(?:^|\\s)(?:[IiEe]n|[Aa]t|[OoAa]n|[Ii]m|auf|à|aux?|em?|op|во?|на) [${CAPITAL_RANGES}]|在`);
