import type { Day } from '../../base/clock.js';
import { weekdayOf } from '../../language/time/calendar.js';
import { AGENDA_REQUEST, type AgendaAnswer, type AgendaDate, type AgendaTask } from '../../query/agenda.js';
import { RECENT_REQUEST, type RecentAnswer } from '../../query/recent.js';
import { createStyleMarkers, formatNumberOf } from '../text.js';
import { defineVerb } from '../verb.js';
import { openMemoryWorkspace, readSinceOption } from '../workspace.js';

const agenda = defineVerb({
  takes: AGENDA_REQUEST,
  examples: ['agenda "next week"'],
  run: async (context, request) => {
    const workspace = await openMemoryWorkspace(context);
    const answer = await workspace.agenda(request);
    context.out.answer(agendaText(answer, context.out.colour), answer);
  },
});

const recent = defineVerb({
  takes: RECENT_REQUEST,
  examples: ['recent --since "last week"'],
  run: async (context, request) => {
    const workspace = await openMemoryWorkspace(context);
    const answer = await workspace.recent({ ...request, since: await readSinceOption(workspace, request) });
    context.out.answer(recentText(answer, context.out.colour), answer);
  },
});

export const commands = { agenda, recent };

const WEEKDAYS = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function dayLabel(day: Day): string {
  return `${WEEKDAYS[weekdayOf(day)]} ${day}`;
}

/** Formats an agenda for a person: the dates, the next first, then the open tasks with their days. */
function agendaText({ since, until, tasks, replaced, dropped, ...answer }: AgendaAnswer, colour: boolean): string {
  const dates = answer.dates.filter(({ type }) => type !== 'task');
  const style = createStyleMarkers(colour);
  const line = (
    label: string,
    { content, source, newer, over }: AgendaDate | AgendaTask,
    ...marks: string[]
  ): string => {
    const said = [...marks, newer === undefined ? '' : `newer: ${newer}`, over === undefined ? '' : `over: "${over}"`];
    const marked = said.filter((mark) => mark !== '').map((mark) => `(${mark})`);
    return `  ${label}  ${[content, ...marked].join(' ')}  ${style.dim(`[${source}]`)}`;
  };
  const widest = Math.max(0, ...dates.map((date) => whenLabel(date).length));
  const ahead = dates.map((date) => line(whenLabel(date).padEnd(widest), date));
  const open = tasks.map((task) => {
    const owner = task.owner === null || task.content.includes(task.owner) ? '' : task.owner;
    const done = task.maybeDone === undefined ? '' : `perhaps done: ${task.maybeDone}`;
    return line(taskLabel(task), task, owner, done);
  });
  const left = formatNumberOf(replaced.length, 'date');
  return [
    style.bold(`Ahead, ${dayLabel(since)} to ${dayLabel(until)}:`),
    ...(ahead.length === 0 ? ['  nothing that a line gives a day'] : ahead),
    ...(replaced.length === 0
      ? []
      : [style.dim(`  ${left} cancelled or moved: ${replaced.map(({ by }) => by).join(', ')}`)]),
    ...(open.length === 0 ? [] : [style.bold('Open tasks:'), ...open]),
    ...(dropped === 0 ? [] : [`(${dropped} more: use --k)`]),
  ].join('\n');
}

function whenLabel({ from, to }: AgendaDate): string {
  if (from === null) return `until ${to}`;
  if (to === null) return `from ${from}`;
  return from === to ? dayLabel(from) : `${dayLabel(from)} to ${to.slice(to.startsWith(from.slice(0, 5)) ? 5 : 0)}`;
}

function taskLabel({ due, scheduled, isOverdue }: AgendaTask): string {
  const label =
    due === null ? (scheduled === null ? '' : `on ${scheduled}`) : `${isOverdue ? 'overdue' : 'due'} ${due}`;
  return label.padEnd(18);
}

/** Formats the latest days for a person: one line for each section, then decisions and changes. */
function recentText({ days, dropped }: RecentAnswer, colour: boolean): string {
  const { bold, dim } = createStyleMarkers(colour);
  const shown = days.flatMap(({ day, written, decided, changed }) => [
    bold(dayLabel(day)),
    ...written.map(({ heading, content, source, lines }) => {
      const more = lines === 1 ? '' : ` (${lines} lines)`;
      return `  ${heading === null ? '' : `${heading} › `}${content}${more}  ${dim(`[${source}]`)}`;
    }),
    ...decided.map(({ content, source }) => `  decided: ${content}  ${dim(`[${source}]`)}`),
    ...changed.map(({ content, source }) => `  changed: ${content}  ${dim(`[${source}]`)}`),
  ]);
  if (shown.length === 0) return 'Nothing was written.';
  return [
    ...shown,
    ...(dropped === 0 ? [] : [`(${dropped} more lines are left out: use --since with a later day)`]),
  ].join('\n');
}
