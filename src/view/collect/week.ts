import type { Day } from '../../base/clock.js';
import { makeAgenda } from '../../query/agenda.js';
import { findRecent } from '../../query/recent.js';
import type { PageWeek } from '../page-data.js';
import type { FileTable } from './places.js';

/** The index, as `agenda` and `recent` need it. */
export type WeekSource = Parameters<typeof makeAgenda>[0] & Parameters<typeof findRecent>[0];

/** Maximum number of dates, and of tasks. */
const MOST = 60;

/** Collects coming dates, open tasks and recent lines. */
export function collectWeek(source: WeekSource, today: Day, places: FileTable): PageWeek {
  const { until, dates, tasks, dropped } = makeAgenda(source, { today, k: MOST });
  return {
    until,
    // The days of tasks are shown with the open tasks.
    dates: dates.flatMap(({ content, source: place, from, to, type }) =>
      type === 'task' ? [] : { text: content, at: places.source(place), from, to, type },
    ),
    tasks: tasks.map(({ content, source: place, due, scheduled, owner, isOverdue }) => {
      return { text: content, at: places.source(place), due, scheduled, owner, isOverdue };
    }),
    more: dropped,
    days: findRecent(source, today).days.map(({ day, written, decided, changed }) => {
      const labelled = [
        ...decided.map((line) => ({ ...line, label: 'decided' })),
        ...changed.map((line) => ({ ...line, label: 'changed' })),
      ];
      const known = new Set(labelled.map((line) => line.source));
      const plain = written.filter((line) => !known.has(line.source));
      const lines = [...plain.map(({ heading, ...line }) => ({ ...line, label: heading })), ...labelled];
      const shown = lines.map(({ content, source: place, label }) => ({
        text: content,
        at: places.source(place),
        label,
      }));
      return { day, lines: shown.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]) };
    }),
  };
}
