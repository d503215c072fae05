import type { PageWeek } from '../page-data.js';
import { formatCount, formatDay, PAGE_DATA, pageAddress, toDayNumber } from './data.js';
import { recentMentions } from './lines.js';
import { lineAddress } from './links.js';
import * as ui from './parts.js';
import { statementText } from './rows.js';

/** Number of days of the week ahead, and of the days that are new. */
const WEEK = 7;
const MOST_PEOPLE = 8;
const FIRST = 8;

type Dated = PageWeek['dates'][number];

/** One or two sentences that say what is ahead, open and new. */
export function weekSummary({ dates, tasks, more, days }: PageWeek): string {
  const [near, late] = [dates.filter(isNear).length, tasks.filter(({ isOverdue }) => isOverdue).length];
  // Dates and tasks that are left out are not counted.
  const least = more === 0 ? '' : 'at least ';
  const ahead =
    near === 0
      ? 'No date lies in the next seven days'
      : `${least}${formatCount(near, 'date lies', 'dates lie')} in the next seven days`;
  const overdue = late === 0 ? '' : `, ${late === 1 ? 'one of them' : `${late} of them`} overdue`;
  const open =
    tasks.length === 0
      ? 'no task is open'
      : `${least}${formatCount(tasks.length, 'task is', 'tasks are')} open${overdue}`;
  const fresh = days.filter(({ day }) => isNew(day)).length;
  const since = fresh === 0 ? 'There are no new notes.' : `There are new notes from ${formatCount(fresh, 'day')}.`;
  const said = `${ahead}, and ${open}. ${since}`;
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function isNear({ from, to }: Dated): boolean {
  const ahead = daysAhead(from ?? to ?? '');
  return ahead >= 0 && ahead <= WEEK;
}

function daysAhead(day: string): number {
  return toDayNumber(day) - toDayNumber(PAGE_DATA.today);
}

function isNew(day: string): boolean {
  return daysAhead(day) > -WEEK;
}

/** What is ahead and what is open, side by side, then what is new, and who was named. */
export function weekSections(week: PageWeek): readonly ui.ElementChild[] {
  const { dates, tasks, more, until } = week;
  const isRunning = ({ from }: Dated): boolean => from !== null && daysAhead(from) < 0;
  const later = dates.filter((date) => !isNear(date) && !isRunning(date));
  return [
    ui.html(
      'div',
      { class: 'columns' },
      ui.html(
        'div',
        {},
        ui.listSection('The week ahead', dates.filter(isNear), FIRST * 2, dateLine),
        ui.listSection('Going on', dates.filter(isRunning), FIRST, dateLine),
        ui.listSection(`Later, until ${formatDay(until)}`, later, FIRST, dateLine),
      ),
      ui.html('div', {}, ui.listSection('Open tasks', tasks, FIRST * 2, taskLine)),
    ),
    more === 0 ? null : ui.noteText(`${formatCount(more, 'more line')}: `, ui.codeText('openclaw memory agenda')),
    whatIsNew(week),
    ui.listSection(
      'People and things lately',
      recentMentions().slice(0, MOST_PEOPLE),
      MOST_PEOPLE,
      ({ entity, item }) =>
        line({ ...item, before: ui.entityLink(entity), label: formatDay(PAGE_DATA.files[item.at[0]]?.day ?? '') }),
    ),
  ];
}

/** A line whose text leads to its place. @param before what comes before the text */
function line({
  text,
  at,
  before,
  label,
  mark,
}: Pick<Dated, 'text' | 'at'> & { before: ui.ElementChild; label?: string | null; mark?: string }) {
  const address = lineAddress(at);
  return ui.html(
    'li',
    { class: before === '☐' ? 'row open' : 'row' },
    ui.html('span', { class: 'before' }, before),
    ui.html('span', {}, statementText(text, at), label ? ui.html('span', { class: `tag ${mark ?? ''}` }, label) : null),
    address === undefined
      ? ui.sourceLink(at, true)
      : ui.html('a', { class: 'go', href: address, 'aria-label': `go to: ${text}` }, '→'),
  );
}

function dateLine({ from, to, type, ...said }: Dated): HTMLElement {
  return line({ ...said, before: spanText(from, to), label: type === 'yearly' ? 'every year' : null });
}

function spanText(from: string | null, to: string | null): string {
  if (from === null) return `until ${relativeDay(to ?? '')}`;
  return to === null || to === from ? relativeDay(from) : `${relativeDay(from)} – ${relativeDay(to)}`;
}

function relativeDay(day: string): string {
  const ahead = daysAhead(day);
  return ahead === 0 ? 'today' : ahead === 1 ? 'tomorrow' : formatDay(day);
}

function taskLine({ due, scheduled, owner, isOverdue, ...said }: PageWeek['tasks'][number]): HTMLElement {
  const when = due === null ? null : `${isOverdue ? 'overdue since' : 'due'} ${relativeDay(due)}`;
  const begin = scheduled === null ? null : `planned for ${relativeDay(scheduled)}`;
  return line({ ...said, before: '☐', label: ui.joinWithDots(owner, begin, when), mark: isOverdue ? 'left' : '' });
}

function whatIsNew({ days }: PageWeek): HTMLElement | null {
  const fresh = days.filter(({ day }) => isNew(day));
  const shown = fresh.length === 0 ? days.slice(0, 1) : fresh;
  const title = fresh.length === 0 ? 'Last written' : 'Since last week';
  const rows = shown.flatMap(({ day, lines }) =>
    lines.map((one, at) => ({
      ...one,
      before: at === 0 ? ui.html('a', { href: pageAddress('timeline', day) }, relativeDay(day)) : null,
    })),
  );
  return ui.listSection(title, rows, FIRST * 3, line);
}
