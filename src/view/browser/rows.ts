import type { FileLine, PageItem, PageStatement, StatementWithSource } from '../page-data.js';
import { dayOfItem, FACT_KINDS, isAfterToday, PAGE_DATA } from './data.js';
import { lineAddress, noteByFile } from './links.js';
import { renderInline, withTaskSign } from './markdown.js';
import * as ui from './parts.js';

/** A line with a link to its source. @param before content before the text, such as a day */
export function lineWithSource(
  text: string,
  at: FileLine | null,
  before: ui.ElementChild = null,
  after: ui.ElementChild = null,
): HTMLElement {
  return ui.listItem(before, statementText(text, at), after, at === null ? null : ui.sourceLink(at));
}

/** The text of a statement, read as Markdown. @param at its source, which decides where its links lead */
export function statementText(text: string, at: FileLine | null = null): HTMLElement {
  return ui.textWithoutLinks(
    ...renderInline(withTaskSign(text), { note: at === null ? undefined : noteByFile().get(at[0]) }),
  );
}

export function statementSection(title: string, all: readonly PageStatement[], withDays = true): HTMLElement | null {
  return ui.listSection(title, all, Number.POSITIVE_INFINITY, ({ text, at, from, to, ending, earlier }) => {
    const days = [...new Set([from, to])].filter(Boolean).join(' – ');
    const before = withDays && days !== '' ? ui.dayText(days) : null;
    const row = lineWithSource(text, at, before, ending === undefined ? null : ui.reasonText(ending));
    row.append(earlierStatements(earlier) ?? '');
    return row;
  });
}

/** The earlier statements of a thread, which are shown on a click; null if there are none. */
export function earlierStatements(earlier: PageStatement['earlier'] = []): HTMLElement | null {
  if (earlier.length === 0) return null;
  const button = ui.html('summary', { class: 'thread' }, `${earlier.length} earlier`);
  return ui.html('details', {}, button, sideList(earlier));
}

export function sideList(all: readonly StatementWithSource[]): HTMLElement {
  return ui.html('ul', { class: 'sides' }, ...all.map(({ text, at }) => lineWithSource(text, at)));
}

/** A list entry that shows an item with its kind, and its day or page as a link to its line. */
export function itemLine(item: PageItem, withDay = true): HTMLElement {
  const { kind, text, at } = item;
  const day = dayOfItem(item);
  const [address, note] = [lineAddress(at), PAGE_DATA.notes[noteByFile().get(at[0]) ?? -1]];
  const shown = day ?? note?.title ?? '';
  const place = address === undefined ? (day === null ? null : ui.dayLink(day)) : ui.dayLink(shown, address);
  const ahead = withDay && isAfterToday(day) ? ui.reasonText('in the future') : null;
  return lineWithSource(text, at, [FACT_KINDS.has(kind) ? ui.kindDot(kind) : null, withDay ? place : null], ahead);
}
