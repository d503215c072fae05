import type { Day } from '../../base/clock.js';
import type { FoundUnit, Search } from '../../index/search.js';
import { statementTerms } from '../../language/words/terms.js';
import { contentTerms } from '../../memory/statement/terms.js';
import { newestFirst, type Strand, threadsOf } from '../../memory/threads/threads.js';
import type { PairVerdicts } from '../../memory/threads/verdicts.js';
import { compareRanked, isMoreExact } from './order.js';
import type { Ranked } from './ranked.js';
import { slugReader, type ToldUnit, toldUnit } from './told-unit.js';

/** What stands beneath another one comes right behind it. */
const JUST_BEFORE = 1.0001;
/** Log text that has so many of a fact's terms says the same. */
const SAME_SHARE = 0.6;
/** Only results that may be shown, if some before them fold, are looked at, and of each subject only its latest facts. */
const MORE_RESULTS = 5;
const MOST_OF_SUBJECT = 150;
const MOST_SUBJECTS = 6;

export interface SupersedeOptions {
  /** So many results may be shown. */
  readonly k: number;
  /** Later facts than of this day do not count. */
  readonly until: Day;
  readonly verdicts: PairVerdicts;
  /** Whether what holds is asked for: what is newer then takes the place of what stands beneath it. */
  readonly wantsCurrent: boolean;
  /** Whether it asks of whom something is told: another statement of the same is no answer. */
  readonly asksWho: boolean;
  /** The question. */
  readonly asked: string;
  /** Whether a unit folds into another result: a line of an entity's page, a log line of a belief. */
  readonly isView: (unit: FoundUnit) => boolean;
  /** Those of some units that may be results. */
  readonly allowed: (units: readonly FoundUnit[]) => readonly FoundUnit[];
  /** The score of one that was no candidate. */
  readonly score: (unit: FoundUnit) => Ranked;
}

/** What the threads of a result's subject tell of it. */
export interface ThreadMark {
  /** Id of the fact that put an end to it. */
  readonly superseded?: string;
  /** Id of the newest later fact of its matter; nobody settled it. */
  readonly newer?: string;
  /** Words of it that are over. */
  readonly over?: string;
}

export interface Supersession {
  readonly ranked: readonly Ranked[];
  readonly marks: ReadonlyMap<FoundUnit, ThreadMark>;
  /** Each with the newer one that stands directly before it. */
  readonly above: ReadonlyMap<FoundUnit, FoundUnit>;
}

/**
 * Marks the results that stand beneath a newer statement of their subject (see `memory/threads`), and puts that one directly before
 * them. It is a result, too, whether or not it has the words of the question.
 */
export function supersede(search: Search, ranked: readonly Ranked[], options: SupersedeOptions): Supersession {
  const top = statementsOf(ranked, options);
  const slugOf = slugReader(search);
  const strands = strandsOf(search, top, slugOf, options);
  const asked = new Set(contentTerms(options.asked));
  const marks = new Map<FoundUnit, ThreadMark>();
  const above = new Map<FoundUnit, FoundUnit>();
  for (const entry of top) {
    const { unit } = entry;
    // What speaks for or against a belief has moved it already.
    const own = (strands.get(unit.key) ?? []).map((strand) =>
      strand.settledBy === undefined && isEvidence(strand.beneath?.fact, unit)
        ? { ...strand, beneath: undefined }
        : strand,
    );
    const mark = markOf(own);
    if (mark !== undefined) marks.set(unit, mark);
    const by = newerOf(own, asked);
    if (
      by !== undefined &&
      !saysItIsOver(by) &&
      (mark?.superseded !== undefined || mayStandBefore(by.unit, entry, options))
    )
      above.set(unit, by.unit);
  }
  for (const { unit } of top) {
    const by = unit.fact === null ? tellsOf(unit, above, marks) : undefined;
    if (by !== undefined) above.set(unit, by);
  }
  const isPlain = above.size === 0 && ![...strands.values()].some(([first]) => first && saysItIsOver(first.fact));
  if (isPlain || !options.wantsCurrent) return { ranked, marks, above: new Map() };
  const ordered = behindWhatHolds(inOrder(ranked, above, options), strands, asked);
  return { ranked: ordered, marks, above };
}

/** What nobody settled stays before what is newer of the same, where that is asked of whom it is told, or it is a wish of another matter. */
function mayStandBefore(newer: FoundUnit, old: Ranked, { score, asksWho }: SupersedeOptions): boolean {
  const is = score(newer);
  if (asksWho && old.isWhole && !is.isWhole) return false;
  return newer.kind !== 'opinion' || is.signals.lexical > 0;
}

function markOf(strands: readonly Strand<ToldUnit>[]): ThreadMark | undefined {
  const beneath = strands.filter((strand) => strand.beneath !== undefined);
  const [first] = beneath;
  const { over, verdict } = strands.find((strand) => strand.over !== undefined) ?? {};
  if (first?.beneath === undefined)
    return verdict === undefined ? undefined : { newer: verdict.fact, ...(over === undefined ? {} : { over }) };
  // That it is over it says itself.
  if (beneath.every(({ part }) => part.isPast)) return undefined;
  const settled = beneath.find(({ settledBy }) => settledBy !== undefined);
  const by = (settled ?? first).beneath?.fact.id ?? '';
  if (settled === undefined) return { newer: by, ...(over === undefined ? {} : { over }) };
  if (strands.every(({ settledBy }) => settledBy !== undefined)) return { superseded: by };
  const { from, to } = settled.part;
  return { newer: by, over: over ?? settled.fact.text.slice(from, to) };
}

/** What stands above the part that is asked for, or above any where none is. */
function newerOf(strands: readonly Strand<ToldUnit>[], asked: ReadonlySet<string>): ToldUnit | undefined {
  const shares = strands.map(({ part }) => part.terms.filter((term) => asked.has(term)).length);
  const most = Math.max(...shares);
  return strands.find(({ beneath }, at) => beneath !== undefined && shares[at] === most)?.beneath?.fact;
}

/** The first results, without what only shows one of them once more. */
function statementsOf(ranked: readonly Ranked[], { k, isView }: SupersedeOptions): readonly Ranked[] {
  const top: Ranked[] = [];
  for (const entry of ranked) {
    if (top.length >= k + MORE_RESULTS) break;
    if (!isView(entry.unit)) top.push(entry);
  }
  return top;
}

/** The parts of some results among the latest facts of their subjects, by the key of the result. */
function strandsOf(
  search: Search,
  top: readonly Ranked[],
  slugOf: (name: string) => string,
  { until, verdicts, isView }: SupersedeOptions,
): ReadonlyMap<number, readonly Strand<ToldUnit>[]> {
  const results = top.filter(({ unit }) => unit.fact !== null).map(({ unit }) => toldUnit(unit, slugOf));
  const subjects = [...new Set(results.flatMap((told) => told.subjects))].slice(0, MOST_SUBJECTS);
  const found = new Map<number, readonly Strand<ToldUnit>[]>();
  for (const subject of subjects) {
    const own = results.filter((told) => told.subjects.includes(subject));
    const slugs = search.entity(subject)?.slugs ?? [subject];
    const byId = new Map<string, ToldUnit>();
    const latest = slugs.flatMap((slug) => search.latestFacts(slug, MOST_OF_SUBJECT)).filter((unit) => !isView(unit));
    for (const told of [...own, ...latest.map((unit) => toldUnit(unit, slugOf))]) {
      if (!told.subjects.includes(subject) || (told.day ?? '') > until) continue;
      // A copy of a fact says nothing newer: where it was said it has a day.
      const known = byId.get(told.id);
      if (known === undefined || (known.day === null && told.day !== null)) byId.set(told.id, told);
    }
    const threads = threadsOf([...byId.values()].sort(newestFirst), { day: until, verdicts });
    for (const told of own) {
      const strands = threads.get(byId.get(told.id) ?? told) ?? [];
      found.set(told.unit.key, found.get(told.unit.key)?.map((known, at) => clearer(known, strands[at])) ?? strands);
    }
  }
  return found;
}

function isEvidence(told: ToldUnit | undefined, { detail }: FoundUnit): boolean {
  const { evidence } = detail ?? {};
  if (told === undefined || evidence === undefined) return false;
  const source = `${told.path}#L${told.line}`;
  return [...evidence.for, ...evidence.against].some((one) => one.source === source);
}

function saysItIsOver({ statement }: ToldUnit): boolean {
  return statement.some(({ isPast }) => isPast);
}

/** What says of itself that it is over comes behind what its subject's other statements say of what is asked. */
function behindWhatHolds(
  ranked: readonly Ranked[],
  strands: ReadonlyMap<number, readonly Strand<ToldUnit>[]>,
  asked: ReadonlySet<string>,
): readonly Ranked[] {
  const told = ranked.flatMap((entry) => {
    const own = strands.get(entry.unit.key);
    return own === undefined || own.length === 0 ? [] : [{ entry, own }];
  });
  const isOver = ([first]: readonly Strand<ToldUnit>[]): boolean => first !== undefined && saysItIsOver(first.fact);
  const over = told.filter(({ own }) => isOver(own));
  if (over.length === 0) return ranked;
  const moved = new Map<Ranked, Ranked>();
  for (const { entry, own } of over) {
    const subject = own[0]?.fact.subjects[0];
    const holding = told.filter(
      (other) =>
        !isOver(other.own) &&
        other.own[0]?.fact.subjects[0] === subject &&
        (other.own.some(({ part }) => part.terms.some((term) => asked.has(term))) ||
          other.entry.signals.lexical >= entry.signals.lexical),
    );
    const least = Math.min(...holding.map((other) => other.entry.score));
    if (least < entry.score) moved.set(entry, { ...entry, isWhole: false, score: least / JUST_BEFORE });
  }
  return ranked.map((entry) => moved.get(entry) ?? entry).sort(compareRanked);
}

/** Of what the threads of two subjects say of a part: that it is settled, else what is newest. */
function clearer(one: Strand<ToldUnit>, other: Strand<ToldUnit> | undefined): Strand<ToldUnit> {
  if (other?.beneath === undefined || one.settledBy !== undefined) return one;
  const isClearer =
    other.settledBy !== undefined || one.beneath === undefined || newestFirst(other.beneath.fact, one.beneath.fact) < 0;
  return isClearer ? other : one;
}

/** Each newer one directly before the first that stands beneath it, where that one has no exact token which it lacks. */
function inOrder(
  ranked: readonly Ranked[],
  above: ReadonlyMap<FoundUnit, FoundUnit>,
  { allowed, score }: SupersedeOptions,
): readonly Ranked[] {
  const entries = new Map(ranked.map((entry) => [entry.unit.key, entry]));
  const missing = [...above.values()].filter(({ key }) => !entries.has(key));
  for (const unit of allowed(missing)) entries.set(unit.key, score(unit));
  for (const { unit } of ranked) {
    const by = above.get(unit);
    const [old, newer] = [entries.get(unit.key), by && entries.get(by.key)];
    if (old === undefined || newer === undefined || isMoreExact(old, newer)) continue;
    const isWhole = newer.isWhole || old.isWhole;
    entries.set(newer.unit.key, { ...newer, isWhole, score: Math.max(newer.score, old.score * JUST_BEFORE) });
    entries.set(unit.key, {
      ...old,
      score: Math.min(old.score, Math.max(newer.score, old.score * JUST_BEFORE) / JUST_BEFORE),
    });
  }
  return [...entries.values()].sort(compareRanked);
}

/** Each newer one directly before what stands beneath it, whatever views of them have brought. */
export function newerFirst<R extends Ranked & { readonly standsFor: readonly FoundUnit[] }>(
  items: readonly R[],
  above: ReadonlyMap<FoundUnit, FoundUnit>,
): readonly R[] {
  const factOf = ({ unit }: R): string | null => unit.fact;
  const newerOf = new Map([...above].flatMap(([old, by]) => (old.fact === null ? [] : [[old.fact, by] as const])));
  const ordered = [...items];
  for (let at = 0; at < ordered.length; at++) {
    const old = ordered[at];
    const by = old && newerOf.get(factOf(old) ?? '');
    if (old === undefined || by === undefined) continue;
    const from = ordered.findIndex(
      (item) => item.unit.key === by.key || (by.fact !== null && factOf(item) === by.fact),
    );
    const newer = ordered[from];
    if (from < at || newer === undefined || isMoreExact(old, newer)) continue;
    ordered.splice(from, 1);
    ordered.splice(at, 0, { ...newer, score: Math.max(newer.score, old.score) });
  }
  return ordered;
}

/** What ended the fact that a line of log text of the same file tells of: the fact was made from it. */
function tellsOf(
  line: FoundUnit,
  above: ReadonlyMap<FoundUnit, FoundUnit>,
  marks: ReadonlyMap<FoundUnit, ThreadMark>,
): FoundUnit | undefined {
  let terms: ReadonlySet<string> | undefined;
  for (const [unit, by] of above) {
    if (unit.fact === null || unit.file !== line.file || marks.get(unit)?.superseded === undefined) continue;
    terms ??= new Set(statementTerms(line.text));
    const said = statementTerms(unit.text);
    if (said.filter((term) => terms?.has(term)).length >= SAME_SHARE * said.length) return by;
  }
  return undefined;
}
