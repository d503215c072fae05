import type { Day } from '../base/clock.js';
import { flag, list, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import type { RequestFields, RequestOf } from '../base/request.js';
import type { FoundUnit } from '../index/search.js';
import { taskText } from '../line/task.js';
import { entitySlug } from '../text/slug.js';
import { type AgendaDays, type AgendaSource, type Dated, findAgenda } from './agenda/lines.js';
import { citationOf, toResult } from './answer/result.js';
import { toFoldedResult } from './rank/fold.js';
import type { ThreadStatus } from './rank/thread-status.js';
import type { RecallResult } from './request.js';
import { selfContainedText } from './result-text.js';

const DEFAULT_LIMIT = 40;

export const AGENDA_REQUEST = {
  when: {
    type: 'text',
    place: 'words?',
    doc: 'a time such as "next week" or 2026-12 (default: four weeks, and all open tasks)',
  },
  k: {
    type: 'number',
    whole: true,
    least: 1,
    example: 20,
    instead: ['limit'],
    doc: `maximum number of dates, and of tasks (default ${DEFAULT_LIMIT})`,
  },
} as const satisfies RequestFields;

export type AgendaRequest = RequestOf<typeof AGENDA_REQUEST>;

/** A line of the agenda. `content` is the sentence that names the date, where the line has others; `source` is its line. */
type Line = Pick<RecallResult, 'id' | 'kind' | 'content' | 'source' | 'timestamp' | 'entities'> & ThreadStatus;

/** A day or some days ahead, with the line that names them. `from` null: until the day `to`. `to` null: from then on. */
export interface AgendaDate extends Line {
  readonly from: Day | null;
  readonly to: Day | null;
  readonly type: Dated['type'];
}

export interface AgendaTask extends Line {
  readonly due: Day | null;
  readonly scheduled: Day | null;
  /** Name of the person who does the task, as written; null if the line names nobody. */
  readonly owner: string | null;
  readonly isOverdue: boolean;
  /** Place of a later closed task with nearly the same words, if there is one: the task may be done. */
  readonly maybeDone?: string;
}

export const AGENDA_ANSWER = {
  /** First and last day of the dates. */
  since: text<Day>(),
  until: text<Day>(),
  /** The next first. */
  dates: list<AgendaDate>(),
  /** Open tasks: overdue ones first, then by their days, those that may be done last. With a time, only those of its days. */
  tasks: list<AgendaTask>(),
  /** Dates that a later line cancels or moves. They are not in `dates`. */
  replaced: list<{ readonly content: string; readonly source: string; readonly by: string }>(),
  /** Number of dates and tasks that are left out because there are more than `k`. */
  dropped: number(),
  stale: flag(),
  warnings: list(),
} satisfies ReportFields;

export type AgendaAnswer = ReportOf<typeof AGENDA_ANSWER>;

/** Lists coming dates and open tasks, each with the line that names it. */
export function makeAgenda(
  source: AgendaSource & { readonly stale: boolean; readonly warnings: readonly string[] },
  { k = DEFAULT_LIMIT, ...asked }: AgendaDays & { readonly k?: number | undefined },
): AgendaAnswer {
  const { since, until, dates, tasks, maybeDone, replaced, marks } = findAgenda(source, asked);
  const line = (unit: FoundUnit, said?: string): Line => {
    const one = lineOf(source, unit, marks.get(unit.key));
    return said === undefined ? one : { ...one, content: said };
  };
  return {
    since,
    until,
    dates: dates.slice(0, k).map(({ unit, said, ...when }) => ({ ...when, ...line(unit, said) })),
    tasks: tasks.slice(0, k).map((unit) => {
      const closed = maybeDone.get(unit.key);
      return {
        ...taskOf(source, unit, asked.today),
        ...line(unit),
        ...(closed === undefined ? {} : { maybeDone: citationOf(closed) }),
      };
    }),
    replaced: replaced.map(({ unit, by }) => {
      return { content: line(unit).content, source: citationOf(unit), by: citationOf(by) };
    }),
    dropped: Math.max(0, dates.length - k) + Math.max(0, tasks.length - k),
    stale: source.stale,
    warnings: source.warnings,
  };
}

function lineOf({ search, beliefs }: AgendaSource, unit: FoundUnit, mark: ThreadStatus | undefined): Line {
  const result = toResult(toFoldedResult(unit), { search, beliefs }, {});
  const { id, kind, source, timestamp, entities } = result;
  const task = unit.detail?.ahead?.task;
  const content = task === undefined ? selfContainedText(result) : taskText(task, unit.text);
  return { id, kind, content, source, timestamp, entities, ...mark };
}

function taskOf({ search }: AgendaSource, { detail, text: written }: FoundUnit, today: Day) {
  const said = taskText(detail?.ahead?.task, written);
  const { due = null, scheduled = null, owner } = detail?.ahead?.task ?? {};
  // "Bo: call the bank" names who does it, if Bo is known.
  const label = /^(\p{L}[\p{L}\p{M} .-]{0,40}):\s/u.exec(said)?.[1];
  const named = label !== undefined && search.entity(entitySlug(label)) !== undefined ? label : null;
  return { due, scheduled, owner: owner ?? named, isOverdue: due !== null && due < today };
}
