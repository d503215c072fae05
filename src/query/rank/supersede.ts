import type { Day } from '../../base/clock.js';
import { dayOfUnit } from '../../index/found.js';
import { unitId } from '../../index/query/ids.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { hasForm } from '../../line/form.js';
import { contentTerms } from '../../line/statement/terms.js';
import { currentRowIndex, tableCells } from '../../line/table.js';
import type { ThreadEntry } from '../../memory/threads/threads.js';
import { endedPlans, plansOf } from './ended-plans.js';
import type { OrderRules } from './order.js';
import type { RankedUnit, ResultLookup } from './ranked.js';
import { settledLines } from './settled-lines.js';
import type { StatementUnit } from './statement-unit.js';
import {
  findNewerStatement,
  isStatedAsOver,
  resultThreads,
  type ThreadLookup,
  type ThreadStatus,
  threadStatus,
} from './thread-status.js';

/** This many results more than `k` are examined, because some of the first may be folded into one. */
const MORE_RESULTS = 5;

interface SupersedeOptions extends ThreadLookup, ResultLookup {
  /** Maximum number of results. */
  readonly k: number;
  /** Whether the question asks for the current state. Then a newer statement takes the place of an older one. */
  readonly wantsCurrent: boolean;
  /**
   * Whether the question asks for the person about whom something is stated. Then a newer statement about the same topic is
   * no answer.
   */
  readonly asksWho: boolean;
  /** The text of the question. */
  readonly asked: string;
  /** The filters of the question, without its days. */
  readonly filter: UnitFilter;
}

interface Supersession extends OrderRules {
  /** Newer statements that are no results yet. */
  readonly missing: readonly RankedUnit[];
  readonly marks: ReadonlyMap<FoundUnit, ThreadStatus>;
}

/**
 * Finds the results that stand beneath a newer statement of their subject (see `memory/threads`), which comes directly before
 * them. It is a result, too, whether or not it has the words of the question.
 */
export function findSuperseded(ranked: readonly RankedUnit[], options: SupersedeOptions): Supersession {
  const top = statementsOf(ranked, options);
  const strands = resultThreads(options.search, top, options);
  const asked = new Set(contentTerms(options.asked));
  const numbers = numbersIn(options.asked);
  const marks = new Map<FoundUnit, ThreadStatus>();
  const above = new Map<FoundUnit, FoundUnit>();
  for (const entry of top) {
    const { unit } = entry;
    const own = strands.get(unit.key) ?? [];
    const mark = threadStatus(own);
    if (mark !== undefined) marks.set(unit, mark);
    const by = findNewerStatement(own, asked);
    if (
      by !== undefined &&
      !isStatedAsOver(by) &&
      !numbers.some((number) => numbersIn(unit.text).includes(number) && !numbersIn(by.unit.text).includes(number)) &&
      (mark?.superseded !== undefined || mayStandBefore(by.unit, entry, options))
    )
      above.set(unit, by.unit);
  }
  const rowNow = rowReader(options.search, options.until);
  for (const { unit } of top) {
    const row = rowNow(unit);
    if (row === undefined) continue;
    marks.set(unit, { superseded: unitId(row, options.search) });
    above.set(unit, row);
  }
  for (const [unit, { mark, by }] of settledLines(options.search, top, options)) {
    marks.set(unit, mark);
    above.set(unit, by);
  }
  const changed = changedPlans(top, asked, options);
  for (const [unit, by] of changed) {
    if (above.has(unit)) continue;
    marks.set(unit, { newer: unitId(by, options.search) });
    above.set(unit, by);
  }
  const found = new Set(ranked.map(({ unit }) => unit.key));
  if (!options.wantsCurrent) return { missing: [], marks, above: new Map(), behind: new Map(), changed: new Map() };
  const absent = [...new Set(above.values())].filter(({ key }) => !found.has(key));
  // A line that changes a plan may be of another time than the question asks for.
  const changes = absent.filter((unit) => [...changed.values()].includes(unit));
  const ofAnyTime = new Set(
    options.search.allowed(
      changes.map(({ key }) => key),
      options.filter,
    ),
  );
  const allowed = [
    ...options.allowed(absent.filter((unit) => !changes.includes(unit))),
    ...changes.filter(({ key }) => ofAnyTime.has(key)),
  ];
  return {
    missing: allowed.map((unit) => options.score(unit)),
    marks,
    above,
    changed,
    behind: behindWhatHolds(ranked, strands, asked, options.until),
  };
}

/** The results that announce something that a later line cancels or moves, with this line. */
function changedPlans(
  top: readonly RankedUnit[],
  asked: ReadonlySet<string>,
  { search, filter, until }: SupersedeOptions,
): ReadonlyMap<FoundUnit, FoundUnit> {
  const plans = plansOf(top.map(({ unit }) => unit));
  const ended = endedPlans(search, filter, plans, asked);
  return new Map(
    plans.flatMap(({ unit }) => {
      const by = ended.get(unit.key);
      return by === undefined || (dayOfUnit(by) ?? '') > until ? [] : [[unit, by] as const];
    }),
  );
}

/** Maximum number of lines read below the head of a table. */
const MOST_ROWS = 400;

/** Reads of a row of a table whose end is past which row of the same matter holds on a day. */
function rowReader(search: IndexSearch, day: Day): (unit: FoundUnit) => FoundUnit | undefined {
  const tables = new Map<UnitKey, readonly FoundUnit[]>();
  const tableOf = (head: UnitKey, { file, detail }: FoundUnit): readonly FoundUnit[] => {
    const known = tables.get(head);
    if (known !== undefined) return known;
    const isTable = search.unit(head)?.detail?.cells === true;
    const below = isTable ? search.range(head + 1, Math.min(head + MOST_ROWS, file.lastUnit)) : [];
    const rows = below.filter((line) => line.detail?.under === detail?.under && !hasForm(line, 'empty'));
    tables.set(head, rows);
    return rows;
  };
  return (unit) => {
    const under = unit.detail?.under;
    if (under === undefined || unit.fact !== null || !unit.text.includes('|')) return undefined;
    const rows = tableOf(unit.file.firstUnit + under, unit);
    const at = rows.findIndex(({ key }) => key === unit.key);
    const now =
      at < 0
        ? undefined
        : currentRowIndex(
            rows.map(({ text }) => tableCells(text)),
            at,
            day,
          );
    return now === undefined ? undefined : rows[now];
  };
}

/** The numbers in a text. If a question names one, it asks for the reading that has it. */
function numbersIn(text: string): readonly string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** What nobody settled stays before what is newer of the same, where that is asked of whom it is told, or it is a wish of another matter. */
function mayStandBefore(newer: FoundUnit, old: RankedUnit, { score, asksWho }: SupersedeOptions): boolean {
  const is = score(newer);
  if (asksWho && old.isWhole && !is.isWhole) return false;
  return newer.kind !== 'opinion' || is.signals.lexical > 0;
}

/** The first results, without what only shows one of them once more, and what says the same in the same words: it will be one with them. */
function statementsOf(ranked: readonly RankedUnit[], { k, isView }: SupersedeOptions): readonly RankedUnit[] {
  const stated = ranked.filter(({ unit }) => !isView(unit));
  const said = new Set<string>();
  for (const { unit } of stated) {
    if (said.size >= k + MORE_RESULTS) break;
    said.add(unit.text);
  }
  return stated.filter(({ unit }) => said.has(unit.text));
}

/** What says of itself that it is over comes behind what its subject's other statements say of what is asked. */
function behindWhatHolds(
  ranked: readonly RankedUnit[],
  strands: ReadonlyMap<number, readonly ThreadEntry<StatementUnit>[]>,
  asked: ReadonlySet<string>,
  day: Day,
): ReadonlyMap<FoundUnit, readonly FoundUnit[]> {
  const told = ranked.flatMap((entry) => {
    const own = strands.get(entry.unit.key);
    return own === undefined || own.length === 0 ? [] : [{ entry, own }];
  });
  const isPast = ([first]: readonly ThreadEntry<StatementUnit>[]): boolean =>
    first !== undefined && isOver(first.fact, day);
  const behind = new Map<FoundUnit, readonly FoundUnit[]>();
  for (const { entry, own } of told.filter((one) => isPast(one.own))) {
    const subject = own[0]?.fact.subjects[0];
    const holding = told.filter(
      (other) =>
        !isPast(other.own) &&
        other.own[0]?.fact.subjects[0] === subject &&
        (other.own.some(({ part }) => part.terms.some((term) => asked.has(term))) ||
          other.entry.signals.lexical >= entry.signals.lexical),
    );
    if (holding.length > 0)
      behind.set(
        entry.unit,
        holding.map((other) => other.entry.unit),
      );
  }
  return behind;
}

/** Whether a statement says that it is over, or that it held until a day before this one. */
function isOver(told: StatementUnit, day: Day): boolean {
  const { isPeriod, validTo } = told.unit;
  return isStatedAsOver(told) || (isPeriod && (validTo ?? day) < day);
}
