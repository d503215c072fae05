import type { FoundUnit, Search, UnitKey } from '../../index/search.js';
import { logLineId } from '../../memory/fact.js';
import type { Folded } from '../rank/fold.js';
import type { RecallResult, StoodFor } from '../request.js';
import { contentOf } from './content.js';
import { placeOnPage } from './headings.js';

/** `memory/2025-11-27.md#L12`, or `…#L12-L14` */
export function citation(unit: FoundUnit): string {
  const lines = unit.endLine > unit.line ? `#L${unit.line}-L${unit.endLine}` : `#L${unit.line}`;
  return unit.file.path + lines;
}

function toPlace(unit: FoundUnit): StoodFor {
  return { content: contentOf(unit), entities: unit.detail?.entities ?? [], source: citation(unit) };
}

/** The id of a fact, or of a line of log text. */
export function idOf(unit: FoundUnit, search: Search): string {
  return unit.fact ?? logLineId(unit.file.path, unit.text, search.occurrence(unit));
}

/**
 * What a script gets of a ranked statement.
 * @param unitAt reads a unit, such as a heading
 */
export function toResult(
  item: Folded,
  search: Search,
  extra: Pick<RecallResult, 'superseded' | 'newer' | 'over' | 'beside' | 'why'>,
  unitAt = (key: UnitKey) => search.unit(key),
): RecallResult {
  const { unit } = item;
  const { detail, file } = unit;
  return {
    id: idOf(unit, search),
    kind: unit.kind,
    ...(file.pageType === null ? {} : { pageType: file.pageType }),
    timestamp: file.day,
    validFrom: unit.validFrom,
    validTo: unit.validTo,
    entities: detail?.entities ?? [],
    content: contentOf(unit),
    ...(detail?.confidence === undefined ? {} : { confidence: detail.confidence }),
    ...(detail?.evidence === undefined ? {} : { evidence: detail.evidence }),
    ...placeOnPage(unit, unitAt),
    source: citation(unit),
    ...(item.standsFor.length === 0 ? {} : { standsFor: item.standsFor.map(toPlace) }),
    path: file.path,
    startLine: unit.line,
    endLine: unit.endLine,
    score: Math.round(Math.min(1, item.score) * 1000) / 1000,
    ...extra,
  };
}
