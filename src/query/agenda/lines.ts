import type { Day } from '../../base/clock.js';
import { compareText, groupBy } from '../../base/order.js';
import { dayOfUnit, isHeading, isPageUnit } from '../../index/found.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { addDays, parseDay } from '../../language/time/calendar.js';
import { dayKeys, FINISHED_TASK_KEYS, finishedTaskKey, OPEN_TASK_KEY, yearlyKeys } from '../../line/ahead.js';
import { hasForm, type LineFormName } from '../../line/form.js';
import { contentTerms } from '../../line/statement/terms.js';
import { taskText } from '../../line/task.js';
import { textAfterLeadingEntities } from '../../markdown/bullet.js';
import { normaliseText } from '../../memory/fact.js';
import type { FinalPairVerdicts } from '../../memory/threads/verdicts.js';
import type { BeliefLookup } from '../beliefs.js';
import { compareSaid, endedPlans } from '../rank/ended-plans.js';
import { toFoldedResult } from '../rank/fold.js';
import { settledLines } from '../rank/settled-lines.js';
import { resultThreads, type ThreadStatus, threadStatus } from '../rank/thread-status.js';

/** Without a time, the agenda shows this many days, today included: four weeks. */
const AGENDA_DAYS = 28;

export interface AgendaSource {
  readonly search: IndexSearch;
  readonly beliefs: BeliefLookup;
  readonly verdicts?: (() => FinalPairVerdicts) | undefined;
  readonly withResources: boolean;
}

/** What is asked for. */
export interface AgendaDays {
  readonly today: Day;
  /** The days that somebody asks for. Undefined: the coming weeks, and all open tasks. */
  readonly span?: { readonly since: Day; readonly until: Day } | undefined;
}

/** A date, with the line that names it. */
export interface Dated {
  readonly unit: FoundUnit;
  readonly from: Day | null;
  readonly to: Day | null;
  /** `date`: a plan or an appointment. `task`: the day of an open task. `yearly`: it comes every year. */
  readonly type: 'date' | 'task' | 'yearly';
  /** The sentence that names the date, if the line has other ones. */
  readonly said?: string | undefined;
}

function sentenceOf({ text, detail }: FoundUnit, at: number): string | undefined {
  const place = detail?.ahead?.said?.[at];
  return place && text.slice(...place).trim();
}

/** Maximum number of lines that are read for each part of the answer. */
const MOST_READ = 2_000;
const NOT_SHOWN: readonly LineFormName[] = [
  'asksOnly',
  'header',
  'quoted',
  'query',
  'done',
  'cancelled',
  'struck',
  'links',
  'note',
  'empty',
  'date',
];

/** The lines of an agenda, in the order of the answer. */
interface FoundAgenda {
  readonly since: Day;
  readonly until: Day;
  readonly dates: readonly Dated[];
  readonly tasks: readonly FoundUnit[];
  /** Open tasks with a later closed one of nearly the same words, which may be the same. */
  readonly maybeDone: ReadonlyMap<UnitKey, FoundUnit>;
  /** Dates that a later line cancels or moves. */
  readonly replaced: readonly { readonly unit: FoundUnit; readonly by: FoundUnit }[];
  /** How later statements change the lines. */
  readonly marks: ReadonlyMap<UnitKey, ThreadStatus>;
}

/** Finds what lies ahead and what is open. What nobody settled is shown. */
export function findAgenda(source: AgendaSource, { today, span }: AgendaDays): FoundAgenda {
  const since = span?.since ?? today;
  const until = span?.until ?? addDays(today, AGENDA_DAYS - 1);
  const open = openTasks(source);
  const named = [...announced(source, since, until, open), ...placed(source, since, until, today)];
  const plans = named.filter(({ type }) => type === 'date');
  const by = endedPlans(source.search, filterOf(source), plans);
  const marks = marksOf(source, today, [...named.map(({ unit }) => unit), ...open]);
  const isOver = ({ key }: FoundUnit): boolean => by.has(key) || marks.get(key)?.superseded !== undefined;
  const dates = eachOnce(named.filter(({ unit }) => !isOver(unit))).sort(nextFirst(since));
  const ofSpan = (day: Day): boolean => span === undefined || (day >= since && day <= until);
  const listed = open.filter((unit) => !isOver(unit) && (span === undefined || taskDays(unit).some(ofSpan)));
  const maybeDone = closedAlike(source, listed);
  const tasks = listed
    .map((unit) => ({ unit, first: `${maybeDone.has(unit.key)} ${taskDays(unit)[0] ?? '9999'}` }))
    .sort((a, b) => compareText(a.first, b.first) || compareSaid(b.unit, a.unit))
    .map(({ unit }) => unit);
  const replaced = named.flatMap(({ unit }) => {
    const later = by.get(unit.key);
    return later === undefined ? [] : { unit, by: later };
  });
  return { since, until, dates, tasks, maybeDone, replaced, marks };
}

/** The days of a task, the first before the others. */
function taskDays({ detail }: FoundUnit): readonly Day[] {
  const { due, scheduled } = detail?.ahead?.task ?? {};
  return [due, scheduled].filter((day) => day !== undefined).sort();
}

function filterOf({ withResources }: AgendaSource): UnitFilter {
  return { withResources };
}

function isShown(unit: FoundUnit): boolean {
  // A line that announces something has more than the form of a date: "Dentist 2026-12-03".
  const announces = (form: LineFormName): boolean => form === 'date' && unit.detail?.ahead !== undefined;
  const isLeftOut = NOT_SHOWN.some((form) => hasForm(unit, form) && !announces(form));
  return !isPageUnit(unit) && unit.file.role !== 'copy' && !isLeftOut;
}

/** The lines and open tasks whose text names days of a period, and what comes every year on one of them. */
function announced(source: AgendaSource, since: Day, until: Day, open: readonly FoundUnit[]): readonly Dated[] {
  const { search } = source;
  const filter = filterOf(source);
  const unitsOf = (range: readonly [string, string]) =>
    search.units(search.keyed(range, filter, MOST_READ)).filter(isShown);
  const dated = [...unitsOf(dayKeys(since, '9999')), ...open].flatMap((unit) =>
    (unit.detail?.ahead?.days ?? []).flatMap(([from, to = from], at): Dated | readonly Dated[] => {
      const isInside = (from ?? to ?? '') <= until && (to ?? '9999') >= since;
      const type = unit.detail?.ahead?.task === undefined ? 'date' : 'task';
      return isInside ? { unit, from, to, type, said: sentenceOf(unit, at) } : [];
    }),
  );
  const years = [...new Set([since.slice(0, 4), until.slice(0, 4)])];
  const yearly = years.flatMap((year) => {
    const first = since.startsWith(year) ? since.slice(5) : '01-01';
    const last = until.startsWith(year) ? until.slice(5) : '12-31';
    return unitsOf(yearlyKeys(first, last)).flatMap((unit): Dated | readonly Dated[] => {
      // In most years, 29 February is the day before 1 March.
      const day = parseDay(`${year}-${unit.detail?.ahead?.yearly}`) ?? parseDay(`${year}-02-28`);
      const said = sentenceOf(unit, unit.detail?.ahead?.days?.length ?? 0);
      return day === null ? [] : { unit, from: day, to: day, type: 'yearly', said };
    });
  });
  return [...dated, ...yearly];
}

/**
 * The lines that stand at a day of a period: rows and sections of a calendar, and logs of days ahead. The lines of today's
 * log and of earlier ones tell what was.
 */
function placed(source: AgendaSource, since: Day, until: Day, today: Day): readonly Dated[] {
  const { search } = source;
  const keys = search.filtered({ ...filterOf(source), days: [{ since, until }] }, MOST_READ);
  return search.units(keys).flatMap((unit): Dated | readonly Dated[] => {
    const day = dayOfUnit(unit);
    const isLog = unit.file.day !== null && day !== null && day <= today;
    if (day === null || day < since || day > until || isLog || isHeading(unit)) return [];
    if (!isShown(unit) || !isPlaced(unit) || unit.detail?.field || unit.detail?.ahead) return [];
    return { unit, from: day, to: day, type: 'date' };
  });
}

const PLACED_ROLES: ReadonlySet<string> = new Set(['daily', 'topic', 'core', 'bank', 'resource', 'persona']);

/** Whether the place of a line may be its day. Of what `import` wrote, only lines of calendars lie ahead. */
function isPlaced({ file: { role, path } }: FoundUnit): boolean {
  return PLACED_ROLES.has(role) || path.startsWith('memory/imports/calendar/');
}

/** Tasks that are open, each once: the latest copy says whether it is. */
function openTasks(source: AgendaSource): readonly FoundUnit[] {
  const { search } = source;
  const filter = filterOf(source);
  const keyOf = ({ detail, text }: FoundUnit): string => finishedTaskKey(taskText(detail?.ahead?.task, text));
  const open = search.units(search.linked([OPEN_TASK_KEY], filter, MOST_READ)).filter(isShown);
  const newest = [...groupBy(open, keyOf)].flatMap(([key, copies]) => {
    const unit = copies.toSorted(compareSaid).at(-1);
    return unit === undefined ? [] : { key, unit };
  });
  const closedKeys = newest.map(({ key }) => key);
  const closed = groupBy(search.units(search.linked(closedKeys, filter, MOST_READ)), keyOf);
  return newest.flatMap(({ key, unit }) => ((closed.get(key) ?? []).some((copy) => isLater(copy, unit)) ? [] : unit));
}

/**
 * The last later closed task that has most of the words of an open one: "Ferry is booked" for "Dan to book the ferry". They may
 * be two tasks, so this only says what may be done.
 */
function closedAlike(source: AgendaSource, open: readonly FoundUnit[]): ReadonlyMap<UnitKey, FoundUnit> {
  const found = new Map<UnitKey, FoundUnit>();
  if (open.length === 0) return found;
  const { search } = source;
  const wordsOf = ({ detail, text }: FoundUnit): readonly string[] =>
    contentTerms(taskText(detail?.ahead?.task, text)).filter((term) => /\p{L}/u.test(term));
  const closed = search
    .units(search.keyed(FINISHED_TASK_KEYS, filterOf(source), MOST_READ))
    .map((unit) => ({ unit, words: new Set(wordsOf(unit)) }))
    .sort((a, b) => compareSaid(a.unit, b.unit));
  for (const unit of open) {
    const words = wordsOf(unit);
    const alike = closed.findLast((one) => {
      const shared = words.filter((word) => one.words.has(word)).length;
      const isMost = 2 * shared >= words.length || shared === one.words.size;
      return isMost && shared >= Math.min(2, words.length) && isLater(one.unit, unit);
    });
    if (alike !== undefined && words.length > 0) found.set(unit.key, alike.unit);
  }
  return found;
}

/** Whether one line was certainly said after another. */
function isLater(a: FoundUnit, b: FoundUnit): boolean {
  const [dayA, dayB] = [dayOfUnit(a), dayOfUnit(b)];
  if (dayA === null && dayB === null) return a.file.path === b.file.path && a.key > b.key;
  return compareSaid(a, b) > 0;
}

/** How later statements and verdicts change some lines. */
function marksOf(
  { search, beliefs, verdicts: read }: AgendaSource,
  until: Day,
  units: readonly FoundUnit[],
): ReadonlyMap<UnitKey, ThreadStatus> {
  const verdicts = read?.() ?? new Map();
  const lines = [...new Set(units)].map(toFoldedResult);
  const isView = (unit: FoundUnit): boolean => hasForm(unit, 'observed') || beliefs.of(unit) !== undefined;
  const threads = resultThreads(search, lines, { until, verdicts, isView });
  const marks = new Map<UnitKey, ThreadStatus>();
  for (const [key, strands] of threads) {
    const mark = threadStatus(strands);
    if (mark !== undefined) marks.set(key, mark);
  }
  for (const [unit, { mark }] of settledLines(search, lines, { verdicts, until })) marks.set(unit.key, mark);
  return marks;
}

/** Leaves out the copies of a line at the same days: the line that was said last stays. */
function eachOnce(dates: readonly Dated[]): Dated[] {
  const seen = new Set<string>();
  return dates
    .toSorted((a, b) => compareSaid(b.unit, a.unit))
    .filter(({ unit, from, to }) => {
      const said = [unit.fact ?? '', normaliseText(textAfterLeadingEntities(unit.text))];
      const keys = said.filter((key) => key !== '').map((key) => `${from} ${to} ${key}`);
      const isNew = !keys.some((key) => seen.has(key));
      for (const key of keys) seen.add(key);
      return isNew;
    });
}

/** Orders by day and hour. What has begun before the first day is of that day. */
function nextFirst(since: Day | ''): (a: Dated, b: Dated) => number {
  const dayOf = ({ from, to }: Dated): string => {
    const day = from ?? to ?? '';
    return day < since ? since : day;
  };
  const hourOf = ({ unit }: Dated): string =>
    /(?<![\d.:])\d{1,2}:\d\d(?!\d)/.exec(unit.text)?.[0].padStart(5, '0') ?? '';
  return (a, b) => compareText(dayOf(a), dayOf(b)) || compareText(hourOf(a), hourOf(b)) || compareSaid(a.unit, b.unit);
}
