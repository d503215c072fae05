import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { PageData, PageItem } from './page-data.js';

/** What a page may weigh, in bytes, with some room for script and style. */
const MOST_BYTES = 8_000_000;
const ROOM = 100_000;

/** Leaves out the oldest log lines until the page weighs no more than it may. Lines without a day are the last to go. Pure. */
export function withinBudget(data: PageData, most = MOST_BYTES): PageData {
  const whole = weight(data) + ROOM;
  if (whole <= most) return data;
  const dayOf = ({ at }: PageItem): Day | null => data.files[at[0]]?.day ?? null;
  const order = (line: PageItem): string => dayOf(line) ?? '9999-12-31';
  const lines = data.items.filter(({ kind }) => kind === 'log').sort((a, b) => compareText(order(a), order(b)));
  const left = new Set<PageItem>();
  let excess = whole - most;
  let until: Day | null = null;
  for (const line of lines) {
    if (excess <= 0) break;
    left.add(line);
    excess -= weight(line) + 1;
    until = dayOf(line) ?? until;
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
    leftOut: { logLines: left.size, until },
  };
}

/** In bytes as it stands in the page. */
function weight(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (json.split('<').length - 1) * 5;
}
