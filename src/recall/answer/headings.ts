import type { FoundUnit, UnitKey } from '../../index/search.js';
import { isDate, isHeading, isPage } from './answers.js';
import { contentOf } from './content.js';

/** Where a unit stands on its page. */
export interface PlaceOnPage {
  /** The headings above it, the highest first. */
  readonly heading?: readonly string[];
  /** What the page calls itself. */
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
  if (!unit.detail?.cells) return [contentOf(unit)];
  const cells = contentOf(unit).split('|');
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
}

function titleOf(unit: FoundUnit, unitAt: (key: UnitKey) => FoundUnit | undefined): string | undefined {
  const { firstUnit } = unit.file;
  const first = [0, 1, 2].map((at) => unitAt(firstUnit + at)).filter((one) => one?.file === unit.file);
  // The page itself and fields of the front matter may come before.
  const heading = first.find((one) => one !== undefined && isHeading(one) && !isPage(one));
  if (heading !== undefined && heading.key !== unit.key && !isDate(heading)) return heading.text;
  const [page] = first;
  return page !== undefined && isPage(page) ? page.text.split('\n')[0] : undefined;
}
