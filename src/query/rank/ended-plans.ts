import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import { dayOfUnit } from '../../index/found.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { ENDING_KEY } from '../../line/ahead.js';
import type { AnnouncedDays } from '../../line/ended-plan.js';
import { hasForm, type LineFormName } from '../../line/form.js';
import { contentTerms } from '../../line/statement/terms.js';

/** A plan or an appointment, with the line that announces it. */
interface Plan {
  readonly unit: FoundUnit;
  readonly from: Day | null;
  readonly to: Day | null;
}

/** Maximum number of lines that cancel or move something: the latest. */
const MOST_READ = 500;
/** Minimum share of the terms of what a line cancels or moves that a plan must have. */
const LEAST_SHARE = 0.5;
/** Forms of lines that state nothing. */
const NOT_STATED: readonly LineFormName[] = ['asksOnly', 'header', 'quoted', 'query', 'cancelled', 'struck', 'links'];

/** Orders lines by when they were said: undated ones first. */
export function compareSaid(a: FoundUnit, b: FoundUnit): number {
  return compareText(dayOfUnit(a) ?? '', dayOfUnit(b) ?? '') || a.key - b.key;
}

/**
 * Finds the plans that later lines cancel or move, with these lines.
 * @param asked terms of a question: two lines with the same one of them are about the same plan
 */
export function endedPlans(
  search: IndexSearch,
  filter: UnitFilter,
  plans: readonly Plan[],
  asked: ReadonlySet<string> = new Set(),
): ReadonlyMap<UnitKey, FoundUnit> {
  const found = new Map<UnitKey, FoundUnit>();
  if (plans.length === 0) return found;
  const endings = search
    .units(search.linked([ENDING_KEY], filter, MOST_READ))
    .filter((unit) => unit.file.role !== 'copy' && !NOT_STATED.some((form) => hasForm(unit, form)));
  const dayOf = ({ from, to }: Plan): string => from ?? to ?? '';
  const byDay = plans.toSorted((a, b) => compareText(dayOf(a), dayOf(b)) || compareSaid(a.unit, b.unit));
  const termsOf = new Map(plans.map(({ unit }) => [unit.key, new Set(contentTerms(unit.text))]));
  for (const by of endings.toSorted(compareSaid)) {
    const { ends, days: targets = [] } = by.detail?.ahead ?? {};
    if (ends === undefined) continue;
    const ended = byDay.filter(({ unit, from, to }) => {
      const shared = ends.terms.filter((term) => termsOf.get(unit.key)?.has(term));
      if (unit.key === by.key || shared.length === 0 || compareSaid(unit, by) > 0) return false;
      const isOf = ([first, last = first]: AnnouncedDays): boolean =>
        (first ?? '') <= (to ?? from ?? '') && (last ?? '9999') >= (from ?? to ?? '');
      if (ends.days.length > 0) return ends.days.some(isOf);
      const isAhead = (to ?? from ?? '') >= (dayOfUnit(by) ?? '');
      const isSame = shared.length >= LEAST_SHARE * ends.terms.length || shared.some((term) => asked.has(term));
      return isAhead && isSame && !targets.some(isOf);
    });
    // Without a day, the next appointment is meant.
    for (const { unit } of ends.days.length > 0 ? ended : ended.slice(0, 1)) found.set(unit.key, by);
  }
  return found;
}

/** The plans that lines announce. A line of a task announces none. */
export function plansOf(units: readonly FoundUnit[]): readonly Plan[] {
  return units.flatMap((unit) => {
    const { task, days = [] } = unit.detail?.ahead ?? {};
    return task === undefined ? days.map(([from, to = from]) => ({ unit, from, to })) : [];
  });
}
