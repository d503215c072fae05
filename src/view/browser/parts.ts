import type { FileLine, PageItem, PageStatement } from '../page-data.js';
import {
  dayOfItem,
  entityIndexByName,
  FACT_KINDS,
  isAfterToday,
  PAGE_DATA,
  pageAddress,
  sourceHref,
  sourceLabel,
} from './data.js';
import { linkAddress, noteAddress } from './links.js';

/** Children of an element. Strings become text nodes, never HTML. */
export type ElementChild = Node | string | number | null | readonly ElementChild[];
type Attributes = Readonly<Record<string, string | number | boolean | ((event: Event) => void) | undefined>>;

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an HTML element. If the value of an attribute is a function, it becomes a listener for the event of that name. */
export function createHtmlElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly ElementChild[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function createSvgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly ElementChild[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly ElementChild[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

function append(element: Element, children: readonly ElementChild[]): void {
  for (const child of children) {
    if (child === null) continue;
    if (typeof child === 'string' || typeof child === 'number') element.append(String(child));
    else if (child instanceof Node) element.append(child);
    else append(element, child);
  }
}

export function sectionWithTitle(title: string, ...children: readonly ElementChild[]): HTMLElement {
  return createHtmlElement('section', {}, createHtmlElement('h2', {}, title), ...children);
}

/** A section with a list, or null if the list is empty. The parameters are those of {@link longList}. */
export function listSection<T>(
  title: string,
  all: readonly T[],
  first: number,
  row: (one: T) => HTMLElement,
  list?: HTMLElement,
): HTMLElement | null {
  return all.length === 0 ? null : sectionWithTitle(title, longList(all, first, row, list));
}

/** Returns a function that creates elements with a fixed tag and fixed attributes. */
const kindOf =
  <K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}) =>
  (...children: readonly ElementChild[]): HTMLElementTagNameMap[K] =>
    createHtmlElement(tag, attributes, ...children);

export const noteText = kindOf('p', { class: 'note' });
/** Line below the title of a page. */
export const leadText = kindOf('p', { class: 'lead' });
export const listItem = kindOf('li');
export const codeText = kindOf('code');
/** Remark behind a line. */
export const reasonText = kindOf('em', { class: 'why' });
export const chip = kindOf('span', { class: 'chip' });
/** Date before a line. */
export const dayText = kindOf('span', { class: 'day' });
/** Label before a line: its type, or how it changed. */
export const labelElement = kindOf('span', { class: 'tag' });
/** Count, appended to a label. */
export const numberText = kindOf('span', { class: 'number' });
/** Text in which names are not turned into links. */
export const textWithoutLinks = kindOf('span', { class: 'text', dir: 'auto' });

export function dayLink(day: string): HTMLElement {
  return createHtmlElement('a', { class: 'day', href: pageAddress('timeline', day) }, day);
}

export function noteLink(place: number): HTMLElement {
  return createHtmlElement('a', { href: noteAddress(place), dir: 'auto' }, PAGE_DATA.notes[place]?.title ?? '');
}

/** Note that is shown if no fact names an entity. */
export const noEntityNote = (): HTMLElement =>
  noteText('No fact names a person or thing yet. Write ', codeText('@Name'), ' in a fact to name one.');

/** A link that looks like ordinary text. */
export function textLink(href: string, text: string): HTMLElement {
  return createHtmlElement('a', { class: 'text', dir: 'auto', href }, text);
}

/** A link to a line of a file. @param isShort shows the day of the file instead of its path, if it has one */
export function sourceLink(at: FileLine, isShort = false): HTMLElement {
  const source = sourceLabel(at);
  const day = PAGE_DATA.files[at[0]]?.day ?? null;
  const shown = isShort && day !== null ? `${day} L${at[1]}` : source;
  return createHtmlElement('a', { class: 'source', href: sourceHref(at), title: `open ${source}` }, shown);
}

/** Splits a text into strings and links: `@Name` links to the entity, `[[Name]]` to the page. */
export function textWithLinks(text: string): readonly ElementChild[] {
  return text.split(/(@[\p{L}\p{N}_.-]*[\p{L}\p{N}_-]|\[\[[^[\]]+\]\])/u).map((part) => {
    if (part.startsWith('[[')) return pageLink(part);
    const place = part.startsWith('@') ? entityIndexByName().get(part.slice(1).toLowerCase()) : undefined;
    return place === undefined ? part : entityLink(place, part);
  });
}

function pageLink(written: string): ElementChild {
  const [target = '', label = target] = written.slice(2, -2).split('|');
  const href = linkAddress(target.replace(/[#^].*$/, '').trim(), undefined);
  return href === undefined ? (label === target ? written : label) : createHtmlElement('a', { href }, label);
}

export function entityLink(place: number, text?: string): HTMLElement | string {
  const entity = PAGE_DATA.entities[place];
  if (entity === undefined) return text ?? '';
  const shown = text ?? entity.name;
  if (entity.holds === null) return shown;
  return createHtmlElement('a', { class: 'entity', href: pageAddress('entity', entity.name) }, shown);
}

/** Joins the non-empty parts with ` · `. */
export function joinWithDots(...said: readonly (string | null)[]): string {
  return said.filter(Boolean).join(' · ');
}

/** A line with a link to its source. @param before content before the text, such as a day */
export function lineWithSource(
  text: string,
  at: FileLine | null,
  before: ElementChild = null,
  after: ElementChild = null,
): HTMLElement {
  return listItem(before, statementText(text), after, at === null ? null : sourceLink(at));
}

export function statementText(text: string): HTMLElement {
  return textWithoutLinks(...textWithLinks(text));
}

export function statementSection(title: string, all: readonly PageStatement[], withDays = true): HTMLElement | null {
  return listSection(title, all, Number.POSITIVE_INFINITY, ({ text, at, from, to, ending, earlier = [] }) => {
    const row = lineWithSource(
      text,
      at,
      withDays ? daysOf(from, to ?? null) : null,
      ending === undefined ? null : reasonText(ending),
    );
    row.append(...earlierStatementsList(earlier));
    return row;
  });
}

/** An entry of a list of names, with a type and a number. */
export function nameListRow(href: string, name: string, type: string | null, number: ElementChild): HTMLElement {
  const shown = createHtmlElement('span', { class: 'name', dir: 'auto' }, name);
  return listItem(
    createHtmlElement(
      'a',
      { href },
      shown,
      type === null ? null : createHtmlElement('span', { class: 'type' }, type),
      number,
    ),
  );
}

/**
 * A button, and the list of the earlier statements of a thread, which the button shows and hides. Empty if there are no
 * earlier statements.
 */
export function earlierStatementsList(earlier: NonNullable<PageStatement['earlier']>): readonly HTMLElement[] {
  if (earlier.length === 0) return [];
  const list = createHtmlElement(
    'ul',
    { class: 'sides', hidden: true },
    ...earlier.map(({ text, at }) => lineWithSource(text, at)),
  );
  const shape = { type: 'button', class: 'thread', 'aria-expanded': 'false' };
  const button = createHtmlElement('button', shape, `${earlier.length} earlier`);
  button.addEventListener('click', () => {
    list.hidden = !list.hidden;
    button.setAttribute('aria-expanded', String(!list.hidden));
  });
  return [button, list];
}

function daysOf(from: string | null, to: string | null): HTMLElement | null {
  const days = [from, to === from ? null : to].filter((day) => day !== null);
  return days.length === 0 ? null : dayText(days.join(' – '));
}

/** A list entry that shows an item (a fact or a line) with its kind and day. */
export function itemLine(item: PageItem, withDay = true): HTMLElement {
  const { kind, text, at } = item;
  const day = dayOfItem(item);
  const dot = FACT_KINDS.has(kind) ? createHtmlElement('span', { class: `kind ${kind}`, title: kind }) : null;
  const ahead = withDay && isAfterToday(day) ? reasonText('in the future') : null;
  return lineWithSource(text, at, [dot, withDay && day !== null ? dayLink(day) : null], ahead);
}

/** Number of lines that each click on "more" adds. */
const NEXT = 1_000;

/** A list that shows its first lines and adds more on request. @param list element to append to */
export function longList<T>(
  all: readonly T[],
  first: number,
  row: (one: T) => HTMLElement,
  list: HTMLElement = createHtmlElement('ul', { class: 'lines' }),
): HTMLElement {
  list.append(...all.slice(0, first).map((one) => row(one)));
  if (all.length <= first) return list;
  let shown = first;
  const rest = () => `${(all.length - shown).toLocaleString('en')} more`;
  const more = createHtmlElement('button', { type: 'button', class: 'more' }, rest());
  more.addEventListener('click', () => {
    list.append(...all.slice(shown, shown + NEXT).map((one) => row(one)));
    shown += NEXT;
    if (shown >= all.length) more.remove();
    else more.textContent = rest();
  });
  return createHtmlElement('div', {}, list, more);
}

const FIRST = 400;

/** An input field, and a list filtered by the typed text. */
export function filteredList<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  row: (one: T) => HTMLElement,
  label: string,
  nothing: string,
): readonly HTMLElement[] {
  const texts = all.map((one) => textOf(one).toLowerCase());
  const list = createHtmlElement('div', {});
  const field = createHtmlElement('input', { type: 'search', placeholder: label, 'aria-label': label });
  const fill = (): void => {
    const wanted = field.value.trim().toLowerCase();
    const found = all.filter((_, at) => texts[at]?.includes(wanted));
    const rows = createHtmlElement('ul', { class: 'names' });
    list.replaceChildren(found.length === 0 ? noteText(nothing) : longList(found, FIRST, row, rows));
  };
  field.addEventListener('input', fill);
  fill();
  return [field, list];
}
