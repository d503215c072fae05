import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { PageBelief, PageData, PageEntity, PageNote, PageStatement } from './page-data.js';

/** Maximum size of a page, in bytes. */
const MOST_BYTES = 8_000_000;
/** Maximum share of the page for the data of entities and beliefs. The lines of the files are more important. */
const DERIVED_SHARE = 0.3;
/** Share of the page that the texts of pages and days get before facts, if they need it. */
const TEXT_SHARE = 0.4;

/**
 * Drops data until the page fits the limit. Entities and beliefs have a maximum share of the page. If they take more,
 * their details are dropped first, because other commands show them, then the last beliefs. Then the oldest facts are
 * dropped, the longest pages are shortened, and the texts of the oldest days are dropped. The returned data says how much was dropped.
 * Pure.
 * @param frame size of the page without its data, in bytes
 */
export function limitPageSize(data: PageData, frame: number, limit = MOST_BYTES): PageData {
  const most = limit - frame;
  if (weight(data) <= most) return data;
  const thinned = withLessDetail(data, most * DERIVED_SHARE);
  const sizeOf = (isDay: boolean): number =>
    thinned.notes.reduce((sum, { kind, text }) => sum + ((kind === 'day') === isDay ? weight(text) : 0), 0);
  const [logs, texts] = [sizeOf(true), sizeOf(false)];
  const recent = withoutOldestFacts(thinned, most + logs + texts - Math.min(logs + texts, most * TEXT_SHARE));
  const room = Math.max(0, most - (weight(recent) - logs - texts));
  return withoutOldestDays(withShorterNotes(recent, (room * texts) / Math.max(1, logs + texts)), most);
}

/** Maximum numbers of statements of an entity, by status, if entities and beliefs take too much. */
const MOST_SHOWN = { now: 20, planned: 10, lately: 5, before: 5 } as const;
/** Then the maximum number of earlier statements of a thread. */
const MOST_EARLIER = 2;
/** Then the maximum number of pieces of evidence of a belief. The newest are shown. */
const MOST_STEPS = 5;

/** Then drops beliefs from the end of the list, where those without evidence are. */
function withLessDetail(data: PageData, most: number): PageData {
  if (weight([data.entities, data.beliefs]) <= most) return data;
  const entities = data.entities.map(shorterEntity);
  let left = most - weight(entities);
  const beliefs = data.beliefs.map(shorterBelief).filter((belief) => {
    left -= weight(belief) + 1;
    return left >= 0;
  });
  const dropped = data.beliefs.length - beliefs.length;
  return { ...data, entities, beliefs, left_out: { ...data.left_out, beliefs: dropped } };
}

function shorterEntity(entity: PageEntity): PageEntity {
  const { holds } = entity;
  if (holds === null) return entity;
  let { hasMore } = entity;
  const shorter = <T>(all: readonly T[], most: number): readonly T[] => {
    if (all.length > most) hasMore = true;
    return all.slice(0, most);
  };
  const part = (name: keyof typeof holds): readonly PageStatement[] =>
    shorter(holds[name], MOST_SHOWN[name]).map(({ earlier, ...statement }) =>
      earlier === undefined ? statement : { ...statement, earlier: shorter(earlier, MOST_EARLIER) },
    );
  const shown = { now: part('now'), planned: part('planned'), lately: part('lately'), before: part('before') };
  return { ...entity, holds: shown, hasMore };
}

function shorterBelief(belief: PageBelief): PageBelief {
  const more = belief.steps.length - MOST_STEPS;
  return more <= 0 ? belief : { ...belief, steps: belief.steps.slice(-MOST_STEPS), more };
}

/** Limits the texts of pages to `room` bytes in total: shorter ones stay whole, all others get an equal share. */
function withShorterNotes(data: PageData, room: number): PageData {
  const weights = data.notes.map(({ kind, text }) => (kind === 'day' ? 0 : weight(text)));
  let left = room;
  let share = Number.POSITIVE_INFINITY;
  for (const [at, one] of weights.toSorted((a, b) => a - b).entries()) {
    const equal = left / (weights.length - at);
    if (one > equal) {
      share = equal;
      break;
    }
    left -= one;
  }
  let { shortened_pages } = data.left_out;
  const notes = data.notes.map((note, at) => {
    const own = weights[at] ?? 0;
    if (own <= share) return note;
    const most = Math.floor((note.text.length * share) / own);
    // Cut the note at the last end of a line within the limit. If there is no end of a line, cut it at the limit.
    const text = note.text.slice(0, note.text.lastIndexOf('\n', most) + 1 || most);
    if (note.cut === 0) shortened_pages++;
    return { ...note, text, cut: note.cut + note.text.length - text.length };
  });
  return { ...data, notes, left_out: { ...data.left_out, shortened_pages } };
}

/** Drops facts until the data has at most `most` bytes: first those dated in the future, then the oldest. */
function withoutOldestFacts(data: PageData, most: number): PageData {
  const { left, until } = oldest(data, data.items, weight(data) - most, ({ at }) => at[0], weight);
  const { facts, facts_until } = data.left_out;
  const left_out = { ...data.left_out, facts: facts + left.size, facts_until: newer(facts_until, until) };
  return { ...data, items: data.items.filter((item) => !left.has(item)), left_out };
}

/** Drops the texts of days until the data has at most `most` bytes: first those of future days, then the oldest. */
function withoutOldestDays(data: PageData, most: number): PageData {
  const days = data.notes.filter(({ kind, text }) => kind === 'day' && text !== '');
  // Without its text, a note still has the quotes of a text, and a longer `cut`.
  const sizeOf = ({ text }: PageNote): number => weight(text) - 10;
  const { left, until } = oldest(data, days, weight(data) - most, ({ file }) => file, sizeOf);
  const notes = data.notes.map((note) =>
    left.has(note) ? { ...note, text: '', cut: note.cut + note.text.length } : note,
  );
  let { log_lines } = data.left_out;
  for (const { lines = 0 } of left) log_lines += lines;
  return { ...data, notes, left_out: { ...data.left_out, log_lines, until: newer(data.left_out.until, until) } };
}

/**
 * The parts that together have at least `excess` bytes: first those dated in the future, then the oldest, last those without
 * a day. `until` is the newest day of them that is not in the future.
 */
function oldest<T>(
  { files, today }: PageData,
  all: readonly T[],
  excess: number,
  fileOf: (one: T) => number,
  sizeOf: (one: T) => number,
) {
  const dayOf = (one: T): Day | null => files[fileOf(one)]?.day ?? null;
  const order = (day: Day | null): string => (day === null ? '9999-12-31' : day > today ? '' : day);
  const left = new Set<T>();
  let until: Day | null = null;
  let size = 0;
  for (const one of all.toSorted((a, b) => compareText(order(dayOf(a)), order(dayOf(b))))) {
    if (size >= excess) break;
    left.add(one);
    size += sizeOf(one);
    if ((dayOf(one) ?? '') <= today) until = newer(until, dayOf(one));
  }
  return { left, until };
}

function newer(one: Day | null, other: Day | null): Day | null {
  return (one ?? '') > (other ?? '') ? one : other;
}

/** Size of a value in the page, in bytes. A `<` is written as `\u003c`, which takes 5 bytes more. */
function weight(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  return Buffer.byteLength(json) + (json.split('<').length - 1) * 5;
}
