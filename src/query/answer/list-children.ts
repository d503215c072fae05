import { displayText } from '../../index/found.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import { isLineBelowTableHeader } from '../../line/table.js';
import { introducesList } from '../../memory/page/lines.js';
import type { RecallResult } from '../request.js';

/**
 * Maximum number of lines below a line that are read, and of their characters. A caller that needs more can get the page.
 */
const MOST = { lines: 8, chars: 800 } as const;

const NOTHING: LedIn = { units: [], isAll: true };

interface LedIn {
  readonly units: readonly FoundUnit[];
  readonly isAll: boolean;
}

/**
 * The children of a line that ends in a colon, or of the header of a table: the items below with their own children, or the
 * rows. Without them the line says nothing.
 */
export function childItems(unit: FoundUnit, search: IndexSearch): LedIn {
  const { key, text, file, fact, detail } = unit;
  if (fact !== null || !(detail?.cells || introducesList(text))) return NOTHING;
  const units: FoundUnit[] = [];
  let chars = 0;
  for (const next of search.range(key + 1, Math.min(key + 1 + MOST.lines, file.lastUnit))) {
    const under = next.detail?.under ?? -1;
    if (under < key - file.firstUnit || next.section === next.key) break;
    if (isLineBelowTableHeader(next.text)) continue;
    chars += next.text.length;
    if (units.length === MOST.lines || chars > MOST.chars) return { units, isAll: false };
    units.push(next);
  }
  return { units, isAll: true };
}

/** {@link childItems} as it is read; the last is `…` where there is more. */
export function childLines({ units, isAll }: LedIn): readonly string[] {
  return [...units.map(displayText), ...(isAll ? [] : ['…'])];
}

export function withChildItems(led: LedIn): Pick<RecallResult, 'below'> {
  return led.units.length === 0 ? {} : { below: childLines(led) };
}
