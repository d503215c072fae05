import type { FoundUnit, UnitKey } from '../../index/search.js';
import { isDate, isHeading } from './answers.js';

/** Where a unit stands on its page. */
export interface PlaceOnPage {
  /** The headings above it, the highest first. */
  readonly heading?: readonly string[];
  /** What the page calls itself. */
  readonly title?: string;
}

/** Reads the headings above a unit and the title of its page: a first heading that is no date. */
export function placeOnPage(unit: FoundUnit, unitAt: (key: UnitKey) => FoundUnit | undefined): PlaceOnPage {
  const { firstUnit } = unit.file;
  const above: FoundUnit[] = [];
  const parentOf = (one: FoundUnit): FoundUnit | undefined => {
    const key = isHeading(one) ? one.detail?.under : undefined;
    return key === undefined ? undefined : unitAt(firstUnit + key);
  };
  let next = isHeading(unit) ? parentOf(unit) : unit.section === null ? undefined : unitAt(unit.section);
  for (; next !== undefined; next = parentOf(next)) above.unshift(next);
  // Tags of the front matter may come before.
  const first = above[0]?.key === firstUnit ? above[0] : [firstUnit, firstUnit + 1].map(unitAt).find(isHeadingUnit);
  const hasTitle = first !== undefined && first.file === unit.file && first.key !== unit.key && !isDate(first);
  return {
    ...(above.length === 0 ? {} : { heading: above.map(({ text }) => text) }),
    ...(hasTitle ? { title: first.text } : {}),
  };
}

function isHeadingUnit(unit: FoundUnit | undefined): unit is FoundUnit {
  return unit !== undefined && isHeading(unit);
}
