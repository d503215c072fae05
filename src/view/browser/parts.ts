import type { FileLine } from '../page-data.js';
import { PAGE_DATA, pageAddress, sourceHref, sourceLabel } from './data.js';
import { noteAddress } from './links.js';

/** Children of an element. Strings become text nodes, never HTML. */
export type ElementChild = Node | string | number | null | readonly ElementChild[];
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an HTML element. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly ElementChild[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
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
  return html('section', {}, html('h2', {}, title), ...children);
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
    html(tag, attributes, ...children);

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

/** A link before a line. @param address where it leads; by default to the day */
export function dayLink(day: string, address = pageAddress('timeline', day)): HTMLElement {
  return html('a', { class: 'day', href: address, dir: 'auto' }, day);
}

/** The dot before a fact, in the colour of its kind. */
export function kindDot(kind: string): HTMLElement {
  return html('span', { class: `kind ${kind}`, title: kind });
}

export function noteLink(place: number): HTMLElement {
  return html('a', { href: noteAddress(place), dir: 'auto' }, PAGE_DATA.notes[place]?.title ?? '');
}

/** A link that looks like ordinary text. */
export function textLink(href: string, text: string): HTMLElement {
  return html('a', { class: 'text', dir: 'auto', href }, text);
}

/** A link to a line of a file. @param isShort shows the day of the file instead of its path, if it has one */
export function sourceLink(at: FileLine, isShort = false): HTMLElement {
  const source = sourceLabel(at);
  const day = PAGE_DATA.files[at[0]]?.day ?? null;
  const shown = isShort && day !== null ? `${day} L${at[1]}` : source;
  return html('a', { class: 'source', href: sourceHref(at), title: `open ${source}` }, shown);
}

export function entityLink(place: number, text?: string): HTMLElement | string {
  const entity = PAGE_DATA.entities[place];
  if (entity === undefined) return text ?? '';
  const shown = text ?? entity.name;
  if (entity.holds === null) return shown;
  return html('a', { class: 'entity', href: pageAddress('entity', entity.name) }, shown);
}

/** Joins the non-empty parts with ` · `. */
export function joinWithDots(...said: readonly (string | null)[]): string {
  return said.filter(Boolean).join(' · ');
}

/** An entry of a list of names, with a type and a number. */
export function nameListRow(href: string, name: string, type: string | null, number: ElementChild): HTMLElement {
  const shown = html('span', { class: 'name', dir: 'auto' }, name);
  return listItem(html('a', { href }, shown, type === null ? null : html('span', { class: 'type' }, type), number));
}

/** Number of lines that each click on "more" adds. */
const NEXT = 1_000;

/** A list that shows its first lines and adds more on request. @param list element to append to */
export function longList<T>(
  all: readonly T[],
  first: number,
  row: (one: T) => HTMLElement,
  list: HTMLElement = html('ul', { class: 'lines' }),
): HTMLElement {
  list.append(...all.slice(0, first).map((one) => row(one)));
  if (all.length <= first) return list;
  let shown = first;
  const rest = () => `${(all.length - shown).toLocaleString('en')} more`;
  const more = html('button', { type: 'button', class: 'more' }, rest());
  more.addEventListener('click', () => {
    list.append(...all.slice(shown, shown + NEXT).map((one) => row(one)));
    shown += NEXT;
    if (shown >= all.length) more.remove();
    else more.textContent = rest();
  });
  return html('div', {}, list, more);
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
  const list = html('div', {});
  const field = html('input', { type: 'search', placeholder: label, 'aria-label': label });
  const fill = (): void => {
    const wanted = field.value.trim().toLowerCase();
    const found = all.filter((_, at) => texts[at]?.includes(wanted));
    const rows = html('ul', { class: 'names' });
    list.replaceChildren(found.length === 0 ? noteText(nothing) : longList(found, FIRST, row, rows));
  };
  field.addEventListener('input', fill);
  fill();
  return [field, list];
}
