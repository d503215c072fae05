import type { Day } from '../../base/clock.js';
import { dayOfUnit, displayText, isHeading, isPageUnit } from '../../index/found.js';
import { unitId } from '../../index/query/ids.js';
import type { FoundUnit, IndexSearch, UnitKey } from '../../index/search.js';
import { hasForm } from '../../line/form.js';
import { hasNoText, tableCells } from '../../line/table.js';
import type { EvidenceCount } from '../../line/unit.js';
import type { BeliefLookup } from '../beliefs.js';
import type { FoldedResult } from '../rank/fold.js';
import type { FoldedLine, RecallResult } from '../request.js';

/** `memory/2025-11-27.md#L12`, or `…#L12-L14` */
export function citationOf(unit: FoundUnit): string {
  const lines = unit.endLine > unit.line ? `#L${unit.line}-L${unit.endLine}` : `#L${unit.line}`;
  return unit.file.path + lines;
}

/** The other places where a statement stands. A long line is cut in pieces, which have one place. */
function placesOf({ unit, standsFor }: FoldedResult): readonly FoldedLine[] {
  const shown = new Set([citationOf(unit)]);
  return standsFor.flatMap((other) => {
    const source = citationOf(other);
    if (shown.has(source)) return [];
    shown.add(source);
    return { content: displayText(other), entities: other.detail?.entities ?? [], source };
  });
}

/**
 * Maximum number of places that a result lists. A statement that is repeated every day stands at hundreds of places, so the
 * result gives their number, too.
 */
const MOST_PLACES = 20;

function withPlaces(item: FoldedResult): Pick<RecallResult, 'standsFor' | 'standsForCount'> {
  const places = placesOf(item);
  if (places.length <= MOST_PLACES) return places.length === 0 ? {} : { standsFor: places };
  return { standsFor: places.slice(0, MOST_PLACES), standsForCount: places.length };
}

function withEvidence(
  { detail }: FoundUnit,
  count: EvidenceCount | undefined,
): Pick<RecallResult, 'evidence' | 'evidenceCount'> {
  if (detail?.evidence === undefined) return {};
  const { for: speaksFor, against } = detail.evidence;
  if (count === undefined && Math.max(speaksFor.length, against.length) <= MOST_PLACES)
    return { evidence: detail.evidence };
  return {
    evidence: { ...detail.evidence, for: speaksFor.slice(-MOST_PLACES), against: against.slice(-MOST_PLACES) },
    evidenceCount: count ?? { for: speaksFor.length, against: against.length },
  };
}

/** The other data from which a result is made, besides its unit. */
interface ResultInput {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
  /** For an answer as of a day: that day. */
  readonly until?: Day | undefined;
}

/**
 * Turns a ranked statement into the result that callers get.
 * @param unitAt reads a unit, such as a heading
 */
export function toResult(
  item: FoldedResult,
  { search, beliefs, until }: ResultInput,
  { below, ...extra }: Pick<RecallResult, 'below' | 'superseded' | 'newer' | 'over' | 'beside' | 'sourceAway' | 'why'>,
  unitAt = (key: UnitKey) => search.unit(key),
): RecallResult {
  const { unit } = item;
  const { detail, file } = unit;
  return {
    id: unitId(unit, search),
    kind: unit.kind,
    ...(file.pageType === null ? {} : { pageType: file.pageType }),
    timestamp: dayOfUnit(unit),
    ...withDayBy(unit),
    ...(unit.speaker === null ? {} : { speaker: unit.speaker }),
    validFrom: unit.validFrom,
    validTo: unit.validTo,
    entities: detail?.entities ?? [],
    content: displayText(unit),
    ...rowOf(unit, unitAt),
    ...(below === undefined ? {} : { below }),
    ...(file.role === 'copy' ? { conflictCopy: true } : {}),
    ...(detail?.confidence === undefined ? {} : { confidence: detail.confidence }),
    ...withEvidence(unit, beliefs.evidenceCount(unit, until)),
    ...placeOnPage(unit, unitAt),
    source: citationOf(unit),
    ...withPlaces(item),
    path: file.path,
    startLine: unit.line,
    endLine: unit.endLine,
    score: Math.round(Math.min(1, item.score) * 1000) / 1000,
    ...extra,
  };
}

/** The place from which a unit has its day: its line, row, heading, page or file. */
function withDayBy(unit: FoundUnit): Pick<RecallResult, 'dayBy'> {
  if (unit.day === null) return unit.file.day === null ? {} : { dayBy: 'file' };
  if (hasForm(unit, 'stamped')) return { dayBy: 'line' };
  return { dayBy: hasForm(unit, 'ofRow') ? 'row' : hasForm(unit, 'ofHeading') ? 'heading' : 'page' };
}

/** Where a unit stands on its page. */
interface PlaceOnPage {
  /** The headings above it, the highest first. */
  readonly heading?: readonly string[];
  /** The title of the page. */
  readonly title?: string;
}

/**
 * Reads what a unit stands under, the highest first: headings, the items of a list that it is nested in, the header of a
 * table; and the title of its page: a first heading that is no date, else what the page is called.
 */
export function placeOnPage(unit: FoundUnit, unitAt: (key: UnitKey) => FoundUnit | undefined): PlaceOnPage {
  const { firstUnit } = unit.file;
  const above: FoundUnit[] = [];
  const parentOf = (one: FoundUnit): FoundUnit | undefined => {
    const under = one.detail?.under;
    if (under !== undefined) return unitAt(firstUnit + under);
    return isHeading(one) || one.section === null ? undefined : unitAt(one.section);
  };
  for (let next = parentOf(unit); next !== undefined; next = parentOf(next)) above.unshift(next);
  const title = titleOf(unit, unitAt);
  return {
    ...(above.length === 0 ? {} : { heading: above.flatMap(headingOf) }),
    ...(title === undefined ? {} : { title }),
  };
}

function headingOf(unit: FoundUnit): readonly string[] {
  return unit.detail?.cells ? tableCells(displayText(unit)).filter((cell) => cell !== '') : [displayText(unit)];
}

/** The cells of a row with their names from the head of its table; empty ones say nothing. */
function rowOf(unit: FoundUnit, unitAt: (key: UnitKey) => FoundUnit | undefined): Pick<RecallResult, 'row'> {
  const under = unit.detail?.under;
  const head = under === undefined ? undefined : unitAt(unit.file.firstUnit + under);
  if (!head?.detail?.cells) return {};
  const [names, cells] = [tableCells(displayText(head)), tableCells(displayText(unit))];
  const row = cells.flatMap((cell, i) => (hasNoText(cell) ? [] : names[i] ? `${names[i]}: ${cell}` : cell));
  return names.length === cells.length && row.length > 0 ? { row } : {};
}

function titleOf(unit: FoundUnit, unitAt: (key: UnitKey) => FoundUnit | undefined): string | undefined {
  const { firstUnit } = unit.file;
  const first = [0, 1, 2].map((at) => unitAt(firstUnit + at)).filter((one) => one?.file === unit.file);
  // The page itself and fields of the front matter may come before.
  const heading = first.find((one) => one !== undefined && isHeading(one) && !isPageUnit(one));
  if (heading !== undefined && heading.key !== unit.key && !hasForm(heading, 'date')) return heading.text;
  const [page] = first;
  return page !== undefined && isPageUnit(page) ? page.text.split('\n')[0] : undefined;
}
