import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { PageData, PageItem } from './page-data.js';

/** What a page may weigh, in bytes. */
const MOST_BYTES = 8_000_000;

/**
 * Shortens the longest pages of notes and leaves out the oldest log lines, each by its share, until the page weighs no
 * more than it may. Lines without a day are the last to go. Pure.
 * @param frame what the page weighs without its data, in bytes
 */
export function withinBudget(data: PageData, frame: number, limit = MOST_BYTES): PageData {
  const most = limit - frame;
  const whole = weight(data);
  if (whole <= most) return data;
  const logs = data.items.reduce((sum, item) => sum + (item.kind === 'log' ? weight(item) : 0), 0);
  const texts = data.notes.reduce((sum, { text }) => sum + weight(text), 0);
  const room = Math.max(0, most - (whole - logs - texts));
  return withoutOldest(withShorter(data, (room * texts) / Math.max(1, logs + texts)), most);
}

/** With so many bytes of the texts of notes: as much of each, and all of those that are shorter. */
function withShorter(data: PageData, room: number): PageData {
  const weights = data.notes.map(({ text }) => weight(text));
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
  let { shortened } = data.leftOut;
  const notes = data.notes.map((note, at) => {
    const own = weights[at] ?? 0;
    if (own <= share) return note;
    const most = Math.floor((note.text.length * share) / own);
    // Whole lines, where there is one.
    const text = note.text.slice(0, note.text.lastIndexOf('\n', most) + 1 || most);
    if (note.cut === 0) shortened++;
    return { ...note, text, cut: note.cut + note.text.length - text.length };
  });
  return { ...data, notes, leftOut: { ...data.leftOut, shortened } };
}

function withoutOldest(data: PageData, most: number): PageData {
  const whole = weight(data);
  if (whole <= most) return data;
  const dayOf = ({ at }: PageItem): Day | null => data.files[at[0]]?.day ?? null;
  const order = (line: PageItem): string => dayOf(line) ?? '9999-12-31';
  const lines = data.items.filter(({ kind }) => kind === 'log').sort((a, b) => compareText(order(a), order(b)));
  const left = new Set<PageItem>();
  let excess = whole - most;
  let { until } = data.leftOut;
  for (const line of lines) {
    if (excess <= 0) break;
    left.add(line);
    excess -= weight(line) + 1;
    const day = dayOf(line);
    if (day !== null && day > (until ?? '')) until = day;
  }
  // Places among the items move up.
  const places = new Map<number, number>();
  for (const [place, item] of data.items.entries()) if (!left.has(item)) places.set(place, places.size);
  return {
    ...data,
    items: data.items.filter((item) => !left.has(item)),
    entities: data.entities.map((entity) => ({
      ...entity,
      prose: entity.prose.flatMap((place) => places.get(place) ?? []),
    })),
    leftOut: { ...data.leftOut, logLines: data.leftOut.logLines + left.size, until },
  };
}

/** In bytes as it stands in the page. */
function weight(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (json.split('<').length - 1) * 5;
}
