import type { Day } from '../base/clock.js';
import { compareText, groupBy } from '../base/order.js';
import { flag, list, number, type ReportFields, type ReportOf } from '../base/report.js';
import type { RequestFields, RequestOf } from '../base/request.js';
import { dayOfUnit, displayText, isHeading, isPageUnit } from '../index/found.js';
import type { FoundUnit, IndexSearch } from '../index/search.js';
import { isWeekday } from '../language/words/time-words.js';
import { hasForm, type LineFormName } from '../line/form.js';
import { statesDecision } from '../line/said.js';
import { findEndedValues } from '../line/statement/ended-value.js';
import { citationOf, toResult } from './answer/result.js';
import type { BeliefLookup } from './beliefs.js';
import { toFoldedResult } from './rank/fold.js';
import { FILTER_FIELDS } from './request.js';
import { selfContainedText } from './result-text.js';

/** Number of days that are shown: of those that have something, and at most with `since`. */
const SHOWN_DAYS = { latest: 7, since: 31 } as const;

export const RECENT_REQUEST = {
  since: { ...FILTER_FIELDS.since, doc: `${FILTER_FIELDS.since.doc} (default: the last ${SHOWN_DAYS.latest} days)` },
} as const satisfies RequestFields;

export type RecentRequest = RequestOf<typeof RECENT_REQUEST>;

interface RecentLine {
  readonly content: string;
  readonly source: string;
}

/** What was written on a day. */
interface RecentDay {
  readonly day: Day;
  /** The sections that were written, each with its first line. */
  readonly written: readonly (RecentLine & { readonly heading: string | null; readonly lines: number })[];
  /** Lines that state a decision. */
  readonly decided: readonly RecentLine[];
  /** Lines that say that something is over, moved or replaced, and beliefs whose confidence changed. */
  readonly changed: readonly RecentLine[];
}

export const RECENT_ANSWER = {
  /** Only days with something, the newest first. */
  days: list<RecentDay>(),
  /** Number of sections, decisions and changes of these days that are left out. */
  dropped: number(),
  stale: flag(),
  warnings: list(),
} satisfies ReportFields;

export type RecentAnswer = ReportOf<typeof RECENT_ANSWER>;

interface RecentSource {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
  readonly withResources: boolean;
  readonly stale: boolean;
  readonly warnings: readonly string[];
}

/** Maximum number of lines that are read. */
const MOST_READ = 5_000;
const MOST_OF_DAY = { written: 12, decided: 6, changed: 6 } as const;
const LONGEST = 200;
const NOT_WRITTEN: readonly LineFormName[] = ['header', 'quoted', 'query', 'links', 'note', 'empty', 'date'];
const WRITTEN_ROLES: ReadonlySet<string> = new Set(['daily', 'dump', 'topic', 'core', 'resource']);

/** Lists for each day up to today what was written, decided and changed. */
export function findRecent(source: RecentSource, today: Day, since?: Day): RecentAnswer {
  const { search, withResources } = source;
  const latest = search.latestDays(today, since === undefined ? SHOWN_DAYS.latest : SHOWN_DAYS.since);
  const days = latest.filter((day) => since === undefined || day >= since);
  const oldest = days.at(-1) ?? today;
  const units = search.units(search.filtered({ withResources, days: [{ since: oldest, until: today }] }, MOST_READ));
  const byDay = groupBy(units.filter(isWritten), (unit) => dayOfUnit(unit));
  const beliefs = groupBy(changedBeliefs(source, oldest), ({ detail }) => detail?.updated ?? null);
  let dropped = 0;
  const first = <T>(all: readonly T[], most: number): readonly T[] => {
    dropped += Math.max(0, all.length - most);
    return all.slice(0, most);
  };
  const line = (unit: FoundUnit): RecentLine => recentLine(source, unit);
  const found = days.flatMap((day): RecentDay | readonly RecentDay[] => {
    const lines = (byDay.get(day) ?? []).sort(inPlace);
    const sections = [...groupBy(lines, ({ file, section }) => `${file.path} ${section}`).values()];
    const changed = [...lines.filter(saysChange), ...(beliefs.get(day) ?? [])];
    if (lines.length + changed.length === 0) return [];
    return {
      day,
      written: first(sections, MOST_OF_DAY.written).flatMap((own) => sectionOf(source, own)),
      decided: first(
        lines.filter(({ text }) => statesDecision(text)),
        MOST_OF_DAY.decided,
      ).map(line),
      changed: first(changed, MOST_OF_DAY.changed).map(line),
    };
  });
  return { days: found, dropped, stale: source.stale, warnings: source.warnings };
}

function isWritten(unit: FoundUnit): boolean {
  if (isPageUnit(unit) || isHeading(unit) || unit.detail?.generated || unit.detail?.field) return false;
  return WRITTEN_ROLES.has(unit.file.role) && !NOT_WRITTEN.some((form) => hasForm(unit, form));
}

function inPlace(a: FoundUnit, b: FoundUnit): number {
  return compareText(a.file.path, b.file.path) || a.key - b.key;
}

function saysChange({ text, detail }: FoundUnit): boolean {
  // "Ask for blue instead of red" is not done yet.
  if (detail?.ahead?.task !== undefined) return false;
  return detail?.ahead?.ends !== undefined || findEndedValues(text).length > 0;
}

/** Beliefs whose confidence changed on a day or later. */
function changedBeliefs({ search, withResources }: RecentSource, since: Day): readonly FoundUnit[] {
  const opinions = search.units(search.filtered({ withResources, kinds: ['opinion'] }, MOST_READ));
  return opinions.filter(({ file, detail }) => file.role === 'opinions' && (detail?.updated ?? '') >= since);
}

function sectionOf(source: RecentSource, [first, ...others]: readonly FoundUnit[]): RecentDay['written'] {
  if (first === undefined) return [];
  const section = first.section === null ? undefined : source.search.unit(first.section);
  const title = section === undefined ? '' : displayText(section);
  // The day of the section is known already.
  const isDay = section === undefined || hasForm(section, 'date') || isWeekday(title);
  return [{ ...recentLine(source, first), heading: isDay ? null : title, lines: 1 + others.length }];
}

function recentLine({ search, beliefs }: RecentSource, unit: FoundUnit): RecentLine {
  const said = selfContainedText(toResult(toFoldedResult(unit), { search, beliefs }, {}));
  const content = said.length > LONGEST ? `${said.slice(0, LONGEST - 1)}…` : said;
  return { content, source: citationOf(unit) };
}
