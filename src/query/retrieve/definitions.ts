import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { termSlug, valueSlug } from '../../memory/page/terms.js';
import { isAlwaysRead } from '../../memory/pages.js';
import type { TopicName } from '../parse/reading.js';
import { isValueQuestion } from '../parse/topic-names.js';
import { unquotedName } from './page-names.js';

/**
 * Maximum number of lines that define one term. If more lines have the term, only those of the core and the persona define
 * it.
 */
const MOST_OF_A_TERM = 12;
const MOST_LOOKED_AT = 60;
const BELOW_A_HEADING = 5;

const NONE: ReadonlyMap<UnitKey, number> = new Map();

/** The lines that define what a question asks about as a whole, of the longest of some names, and how much they do, 0..1. */
export function definitionLines(
  search: IndexSearch,
  names: readonly TopicName[],
  filter: UnitFilter,
): ReadonlyMap<UnitKey, number> {
  const slugs = names.flatMap(({ name }) => [termSlug(unquotedName(name)), valueSlug(unquotedName(name))]);
  if (slugs.length === 0 || search.linked(slugs, filter, 1).length === 0) return NONE;
  for (const { name, beside } of names) {
    const found = linesOf(search, unquotedName(name), filter);
    if (found.size > 0) return isValueQuestion(beside) ? NONE : found;
  }
  return NONE;
}

/**
 * The lines that define a term, the first lines below a heading with that name, and the lines that have it as their value.
 */
function linesOf(search: IndexSearch, name: string, filter: UnitFilter): ReadonlyMap<UnitKey, number> {
  const found = new Map<UnitKey, number>();
  for (const unit of unitsOf(search, termSlug(name), filter))
    for (const [at, key] of (unit.section === unit.key ? below(search, unit) : [unit.key]).entries())
      found.set(key, 1 / (1 + at));
  for (const { key } of unitsOf(search, valueSlug(name), filter)) if (!found.has(key)) found.set(key, 0);
  return found;
}

function unitsOf(search: IndexSearch, slug: string, filter: UnitFilter): readonly FoundUnit[] {
  const units = search.units(search.linked([slug], filter, MOST_LOOKED_AT));
  return units.length > MOST_OF_A_TERM ? units.filter(({ file }) => isAlwaysRead(file.role)) : units;
}

function below(search: IndexSearch, heading: FoundUnit): readonly UnitKey[] {
  const isSaid = ({ fact, detail }: FoundUnit) => fact === null && !detail?.cells;
  return search
    .linesBelow(heading)
    .filter(isSaid)
    .slice(0, BELOW_A_HEADING)
    .map(({ key }) => key);
}
