import type { UnitKind } from '../memory/unit.js';
import type { RecallResult } from './request.js';

/** What a result says as a line that is read by itself: of a row, its cells with their names. */
export function selfContainedText({ content, row }: Pick<RecallResult, 'content' | 'row'>): string {
  return row?.join(' | ') ?? content;
}

/**
 * What a line is said of, where it does not say so itself: the heading right above it, or the line that leads it in. None of a
 * fact, of a row, of a typed page, nor where that is the title of the page, a day or a time.
 */
export function contextLabel({ kind, pageType, row, title, heading }: RecallResult): string | undefined {
  const above = heading?.at(-1)?.replace(/[:：][*_\s]*$/, '');
  const needsNone = !PLAIN_KINDS.has(kind) || pageType !== undefined || row !== undefined;
  if (needsNone || above === undefined || above === title || NAMES_NOTHING.test(above)) return undefined;
  return above.length > LONGEST_ABOVE ? `${above.slice(0, LONGEST_ABOVE - 1)}…` : above;
}

const PLAIN_KINDS: ReadonlySet<UnitKind> = new Set(['log', 'core', 'page']);
const NAMES_NOTHING = /^\P{L}*$|^\P{L}*\d{4}[-./年]\d/u;
const LONGEST_ABOVE = 80;
