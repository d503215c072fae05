import type { UnitKind } from '../memory/unit.js';
import type { RecallResult } from './request.js';

/** The text of a result that can be understood alone. For a row of a table: its cells with their column names. */
export function selfContainedText({ content, row }: Pick<RecallResult, 'content' | 'row'>): string {
  return row?.join(' | ') ?? content;
}

/**
 * The topic of a plain line: the heading directly above it, or the line that introduces its list. Undefined for a fact, for
 * a row, and for a line of a page with a type. Also undefined if the heading is the title of the page, a day or a time.
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
