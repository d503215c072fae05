import type { FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import { BASIC_CJK_RANGES, LETTER_RANGES } from '../../language/scripts.js';
import { hasForm } from '../../line/form.js';
import { withoutProvenance } from '../../markdown/inline.js';
import { textWithLinkLabels } from '../../markdown/wiki.js';
import { isStarterLine } from '../../workspace/scaffold.js';
import type { RankedUnit, ResultLookup } from '../rank/ranked.js';

/**
 * Number of the first lines of a section that take the place of its heading. `LOOKED_AT` and `PAGE_LOOKED_AT`: how many
 * lines below the heading are searched for them.
 */
const FIRST_LINES = 2;
const LOOKED_AT = 16;
const PAGE_LOOKED_AT = 40;
/** Share of the score of a result that a result placed directly behind it gets. */
export const JUST_BEHIND_FACTOR = 0.999;

interface AnswerSource extends ResultLookup {
  /** Whether a heading has a word of the question. */
  readonly isHit: (unit: FoundUnit) => boolean;
  /** Whether a unit itself has a word of the question. */
  readonly isAsked: (unit: FoundUnit) => boolean;
  /** Whether a line sets off at its beginning something that is asked. */
  readonly isLabelled: (unit: FoundUnit) => boolean;
  /** Whether the question is a single token. Then a line that has only signs may be an answer. */
  readonly isToken: boolean;
}

/**
 * Leaves out units that can't be an answer, and replaces a heading by the first lines of its section. The heading of an
 * empty section stays.
 */
export function expandHeadings(ranked: readonly RankedUnit[], source: AnswerSource): readonly RankedUnit[] {
  const answers: RankedUnit[] = [];
  const raised = new Map<UnitKey, RankedUnit>();
  for (const entry of ranked) {
    const { unit } = entry;
    const below = linesFor(unit, source);
    if (below.length === 0 && (isHeading(unit) ? answersItself(entry) : mayAnswer(unit, source))) answers.push(entry);
    if (below.length === 0 || isDateHeading(unit) || !source.isHit(unit)) continue;
    for (const [at, line] of source.allowed(below).entries()) {
      const risen = { ...entry, unit: line, score: entry.score * JUST_BEHIND_FACTOR ** at };
      if (isMore(risen, raised.get(line.key))) raised.set(line.key, risen);
    }
  }
  if (raised.size === 0) return answers;
  const risen = answers.map((entry) => {
    const heading = raised.get(entry.unit.key);
    raised.delete(entry.unit.key);
    return heading === undefined ? entry : above(entry, heading);
  });
  const brought = [...raised.values()].map((heading) => above(source.score(heading.unit), heading));
  return [...risen, ...brought];
}

/** A field answers when it itself is asked for; what is there for its neighbours does not. */
function mayAnswer(unit: FoundUnit, { isToken, isAsked, search }: AnswerSource): boolean {
  if (saysNothing(unit, isToken && isAsked(unit))) return false;
  if (hasForm(unit, 'header')) return isAsked(unit);
  return !unit.detail?.field || (isAsked(unit) && !namesWhatIsBelow(unit, search));
}

/** As a page of an entity begins: its name is a heading where something is said below. */
function namesWhatIsBelow({ key, text, file: { role, lastUnit } }: FoundUnit, search: IndexSearch): boolean {
  if (role !== 'entity' || !text.startsWith('name: ')) return false;
  const below = search.range(key + 1, Math.min(key + LOOKED_AT, lastUnit));
  return below.some((unit) => !isHeading(unit) && !unit.detail?.field && !saysNothing(unit, false));
}

/** A heading with nothing below it; a page without a line is there when it is asked for by its name. */
function answersItself({ unit, named }: RankedUnit): boolean {
  return isPageUnit(unit) ? named > 0 : !isDateHeading(unit) && !isStarterLine(unit.file.path, unit.text);
}

function isMore(entry: RankedUnit, other: RankedUnit | undefined): boolean {
  return other === undefined || entry.named > other.named || (entry.named === other.named && entry.score > other.score);
}

/** A line with the rank of its heading, if that is better than its own. */
function above(line: RankedUnit, heading: RankedUnit): RankedUnit {
  const isWhole = line.isWhole || heading.isWhole;
  const exact = Math.max(line.signals.exact, heading.signals.exact);
  const named = Math.max(line.named, heading.named);
  return { ...line, named, isWhole, score: Math.max(line.score, heading.score), signals: { ...line.signals, exact } };
}

/** Whether a unit is the page itself, over all of its headings. */
export function isPageUnit({ detail }: FoundUnit): boolean {
  return detail?.page === true;
}

export function isHeading({ section, key }: FoundUnit): boolean {
  return section === key;
}

/**
 * The lines that take the place of a heading or of the header of a table: those below it whose label the question asks
 * about. If a heading has none, its first lines.
 */
function linesFor(unit: FoundUnit, { search, isLabelled }: AnswerSource): readonly FoundUnit[] {
  const below = unitsBelow(unit, search);
  const labelled = saidOf(unit, below).filter((line) => standsForMore(line) && isLabelled(line));
  return labelled.length === 0 && isHeading(unit) ? firstLines(unit, below) : labelled.slice(0, FIRST_LINES);
}

/** The lines below a heading, and the rows below the head of a table, as far as they are looked at; none of other lines. */
export function linesBelow(unit: FoundUnit, search: IndexSearch): readonly FoundUnit[] {
  return saidOf(unit, unitsBelow(unit, search));
}

function unitsBelow(unit: FoundUnit, search: IndexSearch): readonly FoundUnit[] {
  const { key, file, detail } = unit;
  if (!isHeading(unit) && !detail?.cells) return [];
  return search.range(key + 1, Math.min(key + (isPageUnit(unit) ? PAGE_LOOKED_AT : LOOKED_AT), file.lastUnit));
}

function saidOf({ key, file, detail }: FoundUnit, below: readonly FoundUnit[]): readonly FoundUnit[] {
  const position = key - file.firstUnit;
  return below.filter((line) => (detail?.cells ? line.detail?.under === position : line.section === key));
}

/**
 * The first lines of the section of a heading, those below its sub-headings included; of a page, its first lines. Lines
 * of nothing but tags and links, and fields, only where there is nothing else; a page of nothing but headings has its first.
 */
function firstLines(heading: FoundUnit, below: readonly FoundUnit[]): readonly FoundUnit[] {
  const ofPage = isPageUnit(heading);
  const within = new Set([heading.key]);
  const [lines, poor, headings]: [FoundUnit[], FoundUnit[], FoundUnit[]] = [[], [], []];
  const isWithin = ({ detail }: FoundUnit): boolean =>
    detail?.under !== undefined && within.has(heading.file.firstUnit + detail.under);
  for (const unit of below) {
    if (isHeading(unit)) {
      if (!ofPage && (lines.length > 0 || !isWithin(unit))) break;
      within.add(unit.key);
      headings.push(unit);
    } else if (standsForMore(unit)) (unit.detail?.field || isListOfLinks(unit) ? poor : lines).push(unit);
    if (lines.length === FIRST_LINES) break;
  }
  if (lines.length > 0) return lines;
  return poor.length > 0 || !ofPage ? poor.slice(0, FIRST_LINES) : headings.slice(0, 1);
}

/** Whether a line says something of what it stands under. */
function standsForMore(unit: FoundUnit): boolean {
  return !unit.detail?.embed && !saysNothing(unit, false);
}

/** Whether more of a line is in links than beside them: what else a page says is said of it. */
function isListOfLinks(unit: FoundUnit): boolean {
  const { text } = unit;
  if (!text.includes('[')) return false;
  const length = (some: string): number => some.replace(/[^\p{L}\p{N}]+/gu, '').length;
  return hasForm(unit, 'links') || 2 * length(text.replace(LINK, '')) < length(text.replace(LINK, '$1$2'));
}

const LINK = /\[\[([^[\]]*)\]\]|\[([^[\]]*)\]\([^()\s]*\)/g;

/** A cheap look: the pattern that knows all of Unicode takes milliseconds to build. */
const SOME_LETTER = new RegExp(`[${LETTER_RANGES}${BASIC_CJK_RANGES}]`);
const SIGNS = /^[^\p{L}\p{N}\p{Extended_Pictographic}]*$/u;
const FENCE = /^(?:`{3}|~{3})/;
const EMPTY_TASK = /^\[[ xX]?\]$/;

/** A rule, an empty bullet or task, a fence, what `init` wrote, a line of ours that is for the machine. */
function saysNothing(unit: FoundUnit, isToken: boolean): boolean {
  const { text, file, fact } = unit;
  if (fact !== null) return false;
  if (hasForm(unit, 'note') || isStarterLine(file.path, text)) return true;
  return !isToken && (EMPTY_TASK.test(text) || FENCE.test(text) || (!SOME_LETTER.test(text) && SIGNS.test(text)));
}

const DATE = /\d{4}([-./_])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2\d{4}|\d{4}年|\b\d{4}\b/;
const MOST_WORDS = 2;

/** A heading that is nothing but a date, with the names of its day and month. */
export function isDateHeading(unit: FoundUnit): boolean {
  const { text } = unit;
  if (isPageUnit(unit) || !DATE.test(text)) return false;
  const words = text.replace(/\d+(?:st|nd|rd|th)?|[年月日号周星期]/g, ' ').match(/\p{L}+/gu) ?? [];
  return words.length <= MOST_WORDS;
}

/** A unit's text with what is written in it and not shown: what is looked for may be there. */
export function fullUnitText({ text, detail }: FoundUnit): string {
  return detail?.unseen === undefined ? text : `${text} ${detail.unseen}`;
}

/** The text of a unit for display. For the page itself, this is its name. */
export function displayText({ text, detail }: FoundUnit): string {
  return withoutProvenance(textWithLinkLabels(detail?.page === true ? (text.split('\n')[0] ?? '') : text));
}
