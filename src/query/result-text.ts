import type { UnitKind } from '../line/unit.js';
import type { RecallResult } from './request.js';

/** The text of a result that can be understood alone. For a row of a table: its cells with their column names. */
export function selfContainedText({ content, row }: Pick<RecallResult, 'content' | 'row'>): string {
  return row?.join(' | ') ?? content;
}

/**
 * The topic of a plain line: the heading directly above it or above its table, or the line that introduces its list.
 * Undefined for a fact, and for a line of a page with a type. Also undefined if the heading is the title of the page, a day
 * or a time, or names another speaker.
 */
export function contextLabel({ kind, pageType, row, title, heading, speaker }: RecallResult): string | undefined {
  // The names of the columns come last. A row has those of the cells that are not empty.
  const columns = row?.map((cell) => cell.split(': ', 1)[0]);
  const from = columns === undefined ? -1 : (heading ?? []).findIndex((name) => columns.includes(name));
  const above = heading?.at(from < 1 ? -1 : from - 1)?.replace(/[:：][*_\s]*$/, '');
  const needsNone = !PLAIN_KINDS.has(kind) || pageType !== undefined || from === 0;
  if (needsNone || above === undefined || above === title || NAMES_NOTHING.test(above)) return undefined;
  if (speaker !== undefined && CLOCK_TIME.test(above) && !above.includes(speaker)) return undefined;
  return above.length > LONGEST_ABOVE ? `${above.slice(0, LONGEST_ABOVE - 1)}…` : above;
}

const PLAIN_KINDS: ReadonlySet<UnitKind> = new Set(['log', 'core', 'page']);
const NAMES_NOTHING = /^\P{L}*$|^\P{L}*\d{4}[-./年]\d/u;
const CLOCK_TIME = /\d[:.]\d\d/;
const LONGEST_ABOVE = 80;
