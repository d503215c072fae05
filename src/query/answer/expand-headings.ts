import { isHeading, isPageUnit } from '../../index/found.js';
import type { FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import { hasForm } from '../../line/form.js';
import { isStarterLine } from '../../workspace/scaffold.js';
import { compareRanked, type RankedUnit, type ResultLookup } from '../rank/ranked.js';

/** Number of the first lines of a section that take the place of its heading. */
const FIRST_LINES = 2;
/** Number of units below the name of an entity that are searched for a line that says something. */
const LOOKED_AT = 16;

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
    if (below.length === 0 || hasForm(unit, 'date') || !source.isHit(unit)) continue;
    for (const line of source.allowed(below)) {
      const risen = { ...entry, unit: line };
      const known = raised.get(line.key);
      if (known === undefined || compareRanked(risen, known) < 0) raised.set(line.key, risen);
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
  return isPageUnit(unit) ? named > 0 : !hasForm(unit, 'date') && !isStarterLine(unit.file.path, unit.text);
}

/** A line with the best of its own rank and that of its heading. */
function above(line: RankedUnit, heading: RankedUnit): RankedUnit {
  const [isWhole, named] = [line.isWhole || heading.isWhole, Math.max(line.named, heading.named)];
  const exact = Math.max(line.signals.exact, heading.signals.exact);
  const score = Math.max(line.score, heading.score);
  return { ...line, named, isWhole, score, signals: { ...line.signals, exact } };
}

/**
 * The lines that take the place of a heading or of the header of a table: those below it whose label the question asks
 * about. If a heading has none, its first lines.
 */
function linesFor(unit: FoundUnit, { search, isLabelled }: AnswerSource): readonly FoundUnit[] {
  const labelled = search.linesBelow(unit).filter((line) => standsForMore(line) && isLabelled(line));
  return labelled.length === 0 && isHeading(unit)
    ? firstLines(unit, search.unitsBelow(unit))
    : labelled.slice(0, FIRST_LINES);
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
    } else if (standsForMore(unit)) (unit.detail?.field || hasForm(unit, 'mostlyLinks') ? poor : lines).push(unit);
    if (lines.length === FIRST_LINES) break;
  }
  if (lines.length > 0) return lines;
  return poor.length > 0 || !ofPage ? poor.slice(0, FIRST_LINES) : headings.slice(0, 1);
}

/** Whether a line says something of what it stands under. */
function standsForMore(unit: FoundUnit): boolean {
  return !unit.detail?.embed && !saysNothing(unit, false);
}

/** A rule, an empty bullet or task, a fence, what `init` wrote, a line of ours that is for the machine. */
function saysNothing(unit: FoundUnit, isToken: boolean): boolean {
  if (unit.fact !== null) return false;
  if (hasForm(unit, 'note') || isStarterLine(unit.file.path, unit.text)) return true;
  return !isToken && hasForm(unit, 'empty');
}
