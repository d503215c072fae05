import type { PageSession } from '../page-data.js';
import { formatCount, formatLongDay, isAfterToday, PAGE_DATA, pageAddress, toDayNumber } from './data.js';
import { daySizes, factsByDay, notesByDay } from './lines.js';
import { lineAddress, notePath } from './links.js';
import { noteBody } from './notes.js';
import {
  codeText,
  createHtmlElement,
  createSvgElement,
  dayText,
  type ElementChild,
  joinWithDots,
  leadText,
  listItem,
  listSection,
  longList,
  noteText,
  reasonText,
  sectionWithTitle,
  sourceLink,
  textLink,
  textWithoutLinks,
} from './parts.js';
import { itemLine, statementText } from './rows.js';
import { commitLine } from './today.js';

const CELL = 14;
/** Opacity of a day's cell, by level: level 0 has no lines, and level 4 the most. */
const HEAT = [1, 0.28, 0.5, 0.75, 1] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * A heat map per year, starting with the first month that has lines, and the selected day.
 * @param path path of a log of that day, and `at` the line or heading in it to scroll to
 */
export function timelinePage(wanted: string | undefined, path?: string, at?: string): readonly ElementChild[] {
  const days = [...daySizes().keys()];
  const last = days.at(-1);
  if (last === undefined)
    return [createHtmlElement('h1', {}, 'Timeline'), noteText('There are no daily logs to show.')];
  const day = wanted ?? days.findLast((one) => !isAfterToday(one)) ?? last;
  const years = [...new Set(days.map((one) => one.slice(0, 4)))];
  return [
    createHtmlElement('h1', {}, 'Timeline'),
    createHtmlElement('div', { class: 'years' }, ...years.toReversed().map((year) => heatMap(year, days, day))),
    ...oneDay(day, days, path, at),
  ];
}

/** The next or previous day with lines. */
export function findNextDay(day: string, step: 1 | -1): string | undefined {
  const days = [...daySizes().keys()];
  return step === 1 ? days.find((one) => one > day) : days.findLast((one) => one < day);
}

function oneDay(day: string, days: readonly string[], path?: string, at?: string): readonly ElementChild[] {
  const [before, after] = [days.findLast((one) => one < day), days.find((one) => one > day)];
  const link = (other: string | undefined, text: string) =>
    other === undefined
      ? createHtmlElement('span', {})
      : createHtmlElement('a', { href: pageAddress('timeline', other) }, text);
  const commits = typeof PAGE_DATA.commits === 'string' ? [] : PAGE_DATA.commits.filter((one) => one.day === day);
  const sessions = (PAGE_DATA.sessions ?? []).filter((one) => one.day === day);
  const links = sessions.map(({ id }) =>
    createHtmlElement('a', { class: 'chip', href: pageAddress('session', id) }, id),
  );
  const head = [
    link(before, `← ${before}`),
    createHtmlElement('h2', {}, formatLongDay(day)),
    link(after, `${after} →`),
  ];
  return [
    createHtmlElement('div', { class: 'day-head', id: 'day' }, ...head),
    daySizes().has(day) ? null : noteText('Nothing was written on this day.'),
    isAfterToday(day) ? noteText('This day has not come yet.') : null,
    ...logsOf(day, path, at),
    links.length === 0 ? null : sectionWithTitle('Sessions', createHtmlElement('p', {}, ...links)),
    listSection('Commits', commits, Number.POSITIVE_INFINITY, commitLine),
  ];
}

/** The logs of a day as they were written, and the facts of the day whose log has no room on the page. */
function logsOf(day: string, path: string | undefined, at: string | undefined): readonly ElementChild[] {
  const places = notesByDay().get(day) ?? [];
  const logs = places.flatMap((place) => {
    const note = PAGE_DATA.notes[place];
    if (note === undefined) return [];
    const source = leadText(sourceLink([note.file, note.line]));
    return [source, ...noteBody(place, notePath(note) === path ? at : undefined)];
  });
  const rest = (factsByDay().get(day) ?? []).filter((fact) => lineAddress(fact.at) === undefined);
  return [...logs, listSection('Facts', rest, 100, (fact) => itemLine(fact, false))];
}

function heatMap(year: string, days: readonly string[], chosen: string): HTMLElement {
  const begin = days.find((day) => day.startsWith(year))?.slice(0, 7) ?? `${year}-01`;
  const [first, last] = [toDayNumber(`${begin}-01`), toDayNumber(`${year}-12-31`)];
  const levels = levelsOf(days);
  // 1970-01-01 was a Thursday; weeks begin on Monday.
  const weekday = (number: number): number => (number + 3) % 7;
  const column = (number: number): number => Math.floor((number - first + weekday(first)) / 7);
  const cells: SVGElement[] = [];
  for (let number = first; number <= last; number++) {
    const day = new Date(number * 86_400_000).toISOString().slice(0, 10);
    const found = daySizes().get(day) ?? 0;
    const [x, y] = [column(number) * CELL + 1, weekday(number) * CELL + 18];
    const level = levels(found);
    const marks = { class: `cell l${level}${day === chosen ? ' chosen' : ''}`, 'fill-opacity': HEAT[level] };
    const title = createSvgElement('title', {}, `${day}: ${formatCount(found, 'line')}`);
    const cell = createSvgElement('rect', { ...marks, x, y, width: CELL - 3, height: CELL - 3, rx: 2.5 }, title);
    if (found > 0) cell.addEventListener('click', () => location.assign(pageAddress('timeline', day)));
    cells.push(cell);
  }
  const labels = MONTHS.flatMap((month, at) => {
    const number = toDayNumber(`${year}-${String(at + 1).padStart(2, '0')}-01`);
    if (number < first) return [];
    return createSvgElement('text', { class: 'month', x: column(number) * CELL + 1, y: 11 }, month);
  });
  const size = { width: (column(last) + 1) * CELL, height: 7 * CELL + 18 };
  const label = `${year}: ${formatCount(days.filter((day) => day.startsWith(year)).length, 'day')} with entries`;
  const map = createSvgElement(
    'svg',
    { class: 'heat', role: 'img', 'aria-label': label, ...size },
    ...labels,
    ...cells,
  );
  const region = { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `days of ${year}` };
  return createHtmlElement(
    'figure',
    { class: 'year' },
    createHtmlElement('figcaption', {}, year),
    createHtmlElement('div', region, map),
  );
}

/** Maps a number of lines to a level from 0 (no lines) to 4. Levels 1 to 4 cover about the same number of days. */
function levelsOf(days: readonly string[]): (lines: number) => number {
  const counts = days.map((day) => daySizes().get(day) ?? 0).sort((a, b) => a - b);
  const at = (share: number): number => counts[Math.floor(counts.length * share)] ?? 0;
  const bounds = [at(0.25), at(0.5), at(0.75)];
  return (lines) => (lines === 0 ? 0 : 1 + bounds.filter((bound) => lines > bound).length);
}

/** List of sessions, last written first. */
export function sessionListPage(): readonly ElementChild[] {
  const { sessions: all } = PAGE_DATA;
  const head = createHtmlElement('h1', {}, 'Sessions');
  if (all === null) return [head, noteText('This page was made without sessions: ', codeText('--no-sessions'), '.')];
  if (all.length === 0)
    return [
      head,
      noteText('There are no conversations yet. Add one with ', codeText('openclaw memory session import'), '.'),
    ];
  return [head, longList(all, 100, row)];
}

function row({ id, day, live, archived, memory }: PageSession): HTMLElement {
  const title = memory?.find((one) => one.title === 'Session Title')?.lines[0];
  const size = `${formatCount(live, 'live message')}, ${archived.toLocaleString('en')} archived`;
  return listItem(
    dayText(day ?? ''),
    textLink(pageAddress('session', id), title ?? id),
    title === undefined ? null : createHtmlElement('code', { class: 'source' }, id),
    reasonText(size),
  );
}

/** Page of one session: its Working Memory, its archives, and removed items. */
export function sessionPage(id: string): readonly ElementChild[] {
  const found = PAGE_DATA.sessions?.find((one) => one.id === id);
  if (found === undefined)
    return [createHtmlElement('h1', {}, id), noteText('There is no session with this name on this page.')];
  const { day, live, archived, memory, archives, removed } = found;
  return [
    createHtmlElement('h1', {}, id),
    leadText(joinWithDots(day, formatCount(live, 'live message'), `${archived} archived`)),
    memory === null
      ? noteText('It has no Working Memory yet. Make one with openclaw memory session commit.')
      : createHtmlElement(
          'div',
          {},
          ...memory.map(({ title, lines }) =>
            sectionWithTitle(
              title,
              longList(lines, 60, (text) => listItem(statementText(text))),
            ),
          ),
        ),
    listSection('Archives', archives.toReversed(), Number.POSITIVE_INFINITY, archiveLine),
    listSection(
      'Dropped from the Working Memory',
      removed.toReversed(),
      40,
      ({ archive, section: of, item, reason }) => {
        const gone = createHtmlElement('span', { class: 'text gone', dir: 'auto' }, item);
        return listItem(dayText(archive), gone, reasonText(`${of}: ${reason}`));
      },
    ),
  ];
}

function archiveLine({ id, state, day, messages, abstract, at }: PageSession['archives'][number]): HTMLElement {
  const size = messages === null ? '' : `, ${formatCount(messages, 'message')}`;
  return listItem(dayText(day ?? id), textWithoutLinks(abstract || id), reasonText(state + size), sourceLink(at));
}
