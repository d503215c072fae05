import type { Clock, Day } from '../../base/clock.js';
import { makeRelativeTimeTest } from '../../language/time/read-time.js';
import { readStatementTerms } from '../../language/words/terms.js';
import {
  bySectionName,
  contentItems,
  isWorkingMemory,
  itemKey,
  itemOfLine,
  parseDocument,
  renderDocument,
  SECTION_NAMES,
  type SectionName,
} from '../../wm/document.js';
import { appendSaidDay, dayOfMessage, messageText, SAID_DAY_PATTERN, type SessionMessage } from '../message.js';
import type { LedgerEntry } from './ledger/ledger.js';
import type { WmUpdate } from './update.js';

/** The input that a new Working Memory was made from. */
interface MadeFrom {
  /** The previous Working Memory. */
  readonly old: string | null;
  readonly messages: readonly SessionMessage[];
  /** Number of earlier messages of the session, from the ledger. */
  readonly countBefore: number;
  readonly clock: Clock;
}

/**
 * Adds the day of the message to new lines that name a relative time ("yesterday", "until Friday"). A line that a model
 * wrote gets the day of the message with which it shares most words.
 */
export async function addDaysToLines<Step extends WmUpdate>(step: Step, from: MadeFrom): Promise<Step> {
  if (from.messages.length === 0 || !isWorkingMemory(step.document)) return step;
  const { bodies } = parseDocument(step.document);
  const before = itemsOf(from.old);
  const fresh = SECTION_NAMES.flatMap((section) =>
    contentItems(bodies[section])
      .filter((item) => mayBeDated(section, item) && !before.keys.has(itemKey(item)))
      .map((item) => ({ section, item })),
  );
  const isOfItsDay = await makeRelativeTimeTest(fresh.map(({ item }) => item).join('\n'), from.clock.dateOrder);
  const days = new DaysOfLines(from, step.ledger.entries);
  const dated = new Map<string, string>();
  for (const { section, item } of fresh) {
    if (!isOfItsDay(item)) continue;
    const day = before.days.get(itemKey(item)) ?? days.of(section, item);
    if (!item.includes(day)) dated.set(placeOf(section, item), day);
  }
  if (dated.size === 0) return step;
  const withDay = (section: SectionName, text: string, item = text): string => {
    const day = dated.get(placeOf(section, item));
    return day === undefined ? text : appendSaidDay(text, day);
  };
  const document = renderDocument(
    bySectionName((name) =>
      bodies[name]
        .split('\n')
        .map((line) => withDay(name, line, itemOfLine(line)))
        .join('\n'),
    ),
  );
  const entries = step.ledger.entries.map((entry) => ({ ...entry, text: withDay(entry.section, entry.text) }));
  return { ...step, document, ledger: { ...step.ledger, entries } };
}

/**
 * True for a line that comes from the conversation. Lines about files and tool outputs get no day, because a time in them is
 * not relative to the message.
 */
function mayBeDated(section: SectionName, item: string): boolean {
  if (section === 'Errors & Corrections') return item.startsWith('User: ');
  return section !== 'Files & Context';
}

function placeOf(section: SectionName, item: string): string {
  return `${section}\n${itemKey(item)}`;
}

/**
 * The items of a Working Memory. `keys`: the keys of all items. `days`: for each item that ends with a day (`… (said
 * 2026-03-12)`), that day. It is found by the key of the item without its day.
 */
function itemsOf(document: string | null) {
  const { bodies } = parseDocument(document);
  const items = SECTION_NAMES.flatMap((name) => contentItems(bodies[name]));
  const days = items.flatMap((item) => {
    const day = SAID_DAY_PATTERN.exec(item)?.[1];
    return day === undefined ? [] : [[itemKey(item.replace(SAID_DAY_PATTERN, '')), day] as const];
  });
  return { keys: new Set(items.map(itemKey)), days: new Map(days) };
}

/** Finds the message that a line of a Working Memory comes from, and returns the day on which that message was written. */
class DaysOfLines {
  readonly #days: readonly Day[];
  readonly #ages: ReadonlyMap<string, number>;
  #terms: readonly ReadonlySet<string>[] | undefined;

  constructor(
    private readonly from: MadeFrom,
    entries: readonly LedgerEntry[],
  ) {
    this.#days = from.messages.map((message) => dayOfMessage(message, from.clock));
    this.#ages = new Map(entries.map(({ section, text, at }) => [placeOf(section, text), at]));
  }

  of(section: SectionName, item: string): string {
    const at = this.#ages.get(placeOf(section, item));
    const known = at === undefined ? undefined : this.#days[at - this.from.countBefore - 1];
    return known ?? this.#days[this.#bestFor(item)] ?? '';
  }

  /** Index of the message that shares most words with a line; the last one if several do. */
  #bestFor(item: string): number {
    if (new Set(this.#days).size < 2) return 0;
    this.#terms ??= this.from.messages.map((message) => new Set(readStatementTerms(messageText(message))));
    const wanted = new Set(readStatementTerms(item));
    const shared = this.#terms.map((terms) => [...wanted].filter((term) => terms.has(term)).length);
    return shared.lastIndexOf(shared.reduce((most, count) => Math.max(most, count), 0));
  }
}
