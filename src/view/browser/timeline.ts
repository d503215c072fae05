import type { PageSession } from '../page-data.js';
import {
  formatCount,
  formatDay,
  formatLongDay,
  formatMonth,
  isAfterToday,
  PAGE_DATA,
  pageAddress,
  toDayNumber,
} from './data.js';
import { daySizes, factsByDay, notesByDay } from './lines.js';
import { lineAddress, notePath } from './links.js';
import { noteBody } from './notes.js';
import * as ui from './parts.js';
import { itemLine, statementText } from './rows.js';
import { commitLine } from './today.js';

/** Number of months that are shown at once. */
const MONTHS_SHOWN = 6;
const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;

/**
 * The selected day beside the calendar of its months.
 * @param path path of a log of that day, and `at` the line or heading in it to scroll to
 */
export function timelinePage(wanted: string | undefined, path?: string, at?: string): readonly ui.ElementChild[] {
  const days = [...daySizes().keys()];
  const day = wanted ?? days.findLast((one) => !isAfterToday(one)) ?? days.at(-1) ?? PAGE_DATA.today;
  const shown = { class: 'dated', 'data-day': day };
  return [ui.html('div', shown, calendar(day, days), ui.html('div', {}, ...oneDay(day, path, at)))];
}

/** The next or previous day with lines. */
export function findNextDay(day: string, step: 1 | -1): string | undefined {
  const days = [...daySizes().keys()];
  return step === 1 ? days.find((one) => one > day) : days.findLast((one) => one < day);
}

function oneDay(day: string, path?: string, at?: string): readonly ui.ElementChild[] {
  const [before, after] = [findNextDay(day, -1), findNextDay(day, 1)];
  const link = (other: string | undefined, before: string, after: string): ui.ElementChild =>
    other === undefined
      ? null
      : ui.html('a', { href: pageAddress('timeline', other) }, before, formatDay(other), after);
  const commits = PAGE_DATA.commits.filter((one) => one.day === day);
  const sessions = (PAGE_DATA.sessions ?? []).filter((one) => one.day === day);
  const links = sessions.map(({ id }) => ui.html('a', { class: 'chip', href: pageAddress('session', id) }, id));
  return [
    ui.html('h1', {}, formatLongDay(day)),
    ui.html('p', { class: 'lead between' }, link(before, '← ', ''), link(after, '', ' →')),
    daySizes().has(day) ? null : ui.noteText('Nothing was written on this day.'),
    isAfterToday(day) ? ui.noteText('This day has not come yet.') : null,
    ...logsOf(day, path, at),
    links.length === 0 ? null : ui.sectionWithTitle('Sessions', ui.html('p', {}, ...links)),
    ui.listSection('Commits', commits, Number.POSITIVE_INFINITY, commitLine),
  ];
}

/** The logs of a day as they were written, and the facts of the day whose log has no room on the page. */
function logsOf(day: string, path: string | undefined, at: string | undefined): readonly ui.ElementChild[] {
  const places = notesByDay().get(day) ?? [];
  const logs = places.flatMap((place) => {
    const note = PAGE_DATA.notes[place];
    if (note === undefined) return [];
    const source = ui.html('p', { class: 'lead origin' }, ui.sourceLink([note.file, note.line]));
    return [source, ...noteBody(place, notePath(place) === path ? at : undefined)];
  });
  const rest = (factsByDay().get(day) ?? []).filter((fact) => lineAddress(fact.at) === undefined);
  return [...logs, ui.listSection('Facts', rest, 100, (fact) => itemLine(fact, false))];
}

/**
 * Months with their days, newest first: those beside the selected day, and links to the other years. It begins with the
 * first month that has something, and ends with the last.
 */
function calendar(chosen: string, days: readonly string[]): HTMLElement {
  const [first = chosen, last = chosen] = [days[0], days.at(-1)].map((day) => day?.slice(0, 7));
  const [from, to, at] = [toMonthNumber(first), toMonthNumber(last), toMonthNumber(chosen)];
  const newest = Math.min(Math.max(to, at), Math.max(at + 1, Math.min(from, at) + MONTHS_SHOWN - 1));
  const oldest = Math.max(Math.min(from, at), newest - MONTHS_SHOWN + 1);
  const months = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);
  const level = levelsOf(days);
  const years = [...new Set(days.map((day) => day.slice(0, 4)))].toReversed();
  const yearLink = (year: string): HTMLElement => {
    const day = days.findLast((one) => one.startsWith(year));
    const mark = chosen.startsWith(year) ? 'chosen' : undefined;
    return ui.listItem(ui.html('a', { href: pageAddress('timeline', day), class: mark }, year));
  };
  return ui.html(
    'section',
    { class: 'calendar', 'aria-label': 'Calendar' },
    ui.html('div', { class: 'months scroll', tabindex: 0 }, ...months.map((month) => monthTable(month, chosen, level))),
    years.length < 2 ? null : ui.html('ul', { class: 'chips years' }, ...years.map(yearLink)),
  );
}

/** Number of months since the year 0. */
function toMonthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function monthTable(month: number, chosen: string, level: (lines: number) => number): HTMLElement {
  const [year, at] = [String(Math.floor(month / 12)).padStart(4, '0'), String((month % 12) + 1).padStart(2, '0')];
  const begin = toDayNumber(`${year}-${at}-01`);
  const length = new Date(Date.UTC(Number(year), (month % 12) + 1, 0)).getUTCDate();
  // 1970-01-01 was a Thursday; weeks begin on Monday.
  const before = (begin + 3) % 7;
  const weeks = Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) => {
    const dates = WEEKDAYS.map((_, weekday) => 7 * week + weekday - before + 1);
    const cell = (date: number): HTMLElement =>
      dayCell(`${year}-${at}-${String(date).padStart(2, '0')}`, chosen, level);
    return ui.html('tr', {}, ...dates.map((date) => (date < 1 || date > length ? ui.html('td') : cell(date))));
  });
  return ui.html(
    'table',
    {},
    ui.html('caption', {}, formatMonth(`${year}-${at}-01`)),
    ui.html('thead', {}, ui.html('tr', {}, ...WEEKDAYS.map((name) => ui.html('th', { scope: 'col' }, name)))),
    ui.html('tbody', {}, ...weeks),
  );
}

function dayCell(day: string, chosen: string, level: (lines: number) => number): HTMLElement {
  const found = daySizes().get(day) ?? 0;
  const date = Number(day.slice(8));
  const marks = ['cell', `l${level(found)}`, day === chosen && 'chosen', day === PAGE_DATA.today && 'today'];
  const title = `${formatLongDay(day)}: ${formatCount(found, 'line')}`;
  const link = ui.html('a', { href: pageAddress('timeline', day), title }, date);
  return ui.html('td', { class: marks.filter(Boolean).join(' ') }, found === 0 ? date : link);
}

/** Maps a number of lines to a level from 0 (no lines) to 4. Levels 1 to 4 cover about the same number of days. */
function levelsOf(days: readonly string[]): (lines: number) => number {
  const counts = days.map((day) => daySizes().get(day) ?? 0).sort((a, b) => a - b);
  const at = (share: number): number => counts[Math.floor(counts.length * share)] ?? 0;
  const bounds = [at(0.25), at(0.5), at(0.75)];
  return (lines) => (lines === 0 ? 0 : 1 + bounds.filter((bound) => lines > bound).length);
}

/** List of sessions, last written first. */
export function sessionListPage(): readonly ui.ElementChild[] {
  return [ui.html('h1', {}, 'Sessions'), ui.longList(PAGE_DATA.sessions ?? [], 100, row)];
}

function row({ id, day, live, archived, memory }: PageSession): HTMLElement {
  const title = memory?.find((one) => one.title === 'Session Title')?.lines[0];
  const size = `${formatCount(live, 'live message')}, ${archived.toLocaleString('en')} archived`;
  return ui.listItem(
    ui.dayText(day ?? ''),
    ui.textLink(pageAddress('session', id), title ?? id),
    title === undefined ? null : ui.html('code', { class: 'source' }, id),
    ui.reasonText(size),
  );
}

/** Page of one session: its Working Memory, its archives, and removed items. */
export function sessionPage(id: string): readonly ui.ElementChild[] {
  const found = PAGE_DATA.sessions?.find((one) => one.id === id);
  if (found === undefined)
    return [ui.html('h1', {}, id), ui.noteText('There is no session with this name on this page.')];
  const { day, live, archived, memory, archives, removed } = found;
  return [
    ui.html('h1', {}, id),
    ui.leadText(ui.joinWithDots(day, formatCount(live, 'live message'), `${archived} archived`)),
    memory === null
      ? ui.noteText('It has no Working Memory yet. Make one with openclaw memory session commit.')
      : memory.map(({ title, lines }) => ui.listSection(title, lines, 60, (text) => ui.listItem(statementText(text)))),
    ui.listSection('Archives', archives.toReversed(), Number.POSITIVE_INFINITY, archiveLine),
    ui.listSection(
      'Dropped from the Working Memory',
      removed.toReversed(),
      40,
      ({ archive, section: of, item, reason }) => {
        const gone = ui.html('span', { class: 'text gone', dir: 'auto' }, item);
        return ui.listItem(ui.dayText(archive), gone, ui.reasonText(`${of}: ${reason}`));
      },
    ),
  ];
}

function archiveLine({ id, state, day, messages, abstract, at }: PageSession['archives'][number]): HTMLElement {
  const size = messages === null ? '' : `, ${formatCount(messages, 'message')}`;
  return ui.listItem(
    ui.dayText(day ?? id),
    ui.textWithoutLinks(abstract || id),
    ui.reasonText(state + size),
    ui.sourceLink(at),
  );
}
