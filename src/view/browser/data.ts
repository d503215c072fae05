import { lazy } from '../../base/cache.js';
import type { FileLine, PageData, PageItem } from '../page-data.js';

/** All data of the page. */
export const PAGE_DATA: PageData = JSON.parse(document.getElementById('data')?.textContent ?? '{}');

/** The address of a part of the HTML page, such as `#entity=Peter`. */
export function pageAddress(part: string, name?: string): string {
  return name === undefined ? `#${part}` : `#${part}=${encodeURIComponent(name)}`;
}

export function dayOfItem({ at }: Pick<PageItem, 'at'>): string | null {
  return PAGE_DATA.files[at[0]]?.day ?? null;
}

/** Formats a source as `memory/2026-01-15.md#L5`. */
export function sourceLabel([file, line]: FileLine): string {
  return `${PAGE_DATA.files[file]?.path ?? ''}#L${line}`;
}

/** Address of a line of a file. A browser opens no file from a served page, so such a page links to its own text. */
export function sourceHref([file, line]: FileLine): string {
  if (location.protocol === 'http:' && PAGE_DATA.lineMark === '#L')
    return `${pageAddress('page', PAGE_DATA.files[file]?.path ?? '')}#L${line}`;
  const { lineMark } = PAGE_DATA;
  return `${PAGE_DATA.files[file]?.href ?? ''}${lineMark === '' ? '' : `${lineMark}${line}`}`;
}

export const FACT_KINDS: ReadonlySet<string> = new Set(['world', 'experience', 'opinion', 'observation']);

/** Indices of entities by name, alias or slug, all in lower case. */
export const entityIndexByName = lazy(() => {
  const found = new Map<string, number>();
  for (const [place, { name, slug, aliases }] of PAGE_DATA.entities.entries()) {
    for (const one of [slug, name, ...aliases]) if (!found.has(one.toLowerCase())) found.set(one.toLowerCase(), place);
  }
  return found;
});

const factsByPlace = lazy(() => new Map(PAGE_DATA.items.map((item) => [item.at.join(' '), item])));

/** The fact at a line of a file. */
export function factAt(at: FileLine): PageItem | undefined {
  return factsByPlace().get(at.join(' '));
}

/** Whether a day is after the day on which the HTML page was made. */
export function isAfterToday(day: string | null): boolean {
  return day !== null && day > PAGE_DATA.today;
}

/** Sorts the newest first. Lines without a day and lines of a future day are last. */
export function compareByNewest(a: PageItem, b: PageItem): number {
  const order = (day: string | null): string => (day === null || isAfterToday(day) ? '' : day);
  const [dayA, dayB] = [order(dayOfItem(a)), order(dayOfItem(b))];
  return dayA === dayB ? a.at[0] - b.at[0] || a.at[1] - b.at[1] : dayA < dayB ? 1 : -1;
}

export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Formats a day as `Thursday 15 January 2026`. */
export const formatLongDay = dayFormat({ dateStyle: 'full' });
const SHORT = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const [shortDay, shortDayOfYear] = [dayFormat(SHORT), dayFormat({ ...SHORT, year: 'numeric' })];
/** Formats a day as `Thu 15 Jan`, with its year if that is not this one. */
export function formatDay(day: string): string {
  return (day.startsWith(PAGE_DATA.today.slice(0, 4)) ? shortDay : shortDayOfYear)(day);
}
/** Formats the month of a day as `January 2026`. */
export const formatMonth = dayFormat({ month: 'long', year: 'numeric' });

function dayFormat(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day) => {
    const at = Date.parse(`${day}T00:00:00Z`);
    return Number.isNaN(at) ? day : format.format(at).replaceAll(',', '');
  };
}

/** Number of days since 1970-01-01. */
export function toDayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
}
