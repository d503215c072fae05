import { address, DATA, entityByName } from '../data.js';
import { linkTo } from '../notes/links.js';
import { type Child, el, entityLink, longList } from '../parts.js';
import { type Block, type ListItem, readBlocks } from './blocks.js';
import { type Inline, readInline } from './inline.js';

/** So many blocks of a page, items of a list and rows of a table are shown at first. */
const FIRST = 300;
/** Of a text without an end so many characters. */
const LONGEST = 20_000;

/** A heading of a page, and what is found by it. */
export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly key: string;
}

/** Where text stands: links are read from there. */
export interface Place {
  /** Among the notes; undefined for what stands in no note. */
  readonly note: number | undefined;
}

/** A text and its blocks, the first of them shown; `reveal` shows what has a heading. */
export interface Rendered {
  readonly element: HTMLElement;
  readonly headings: readonly Heading[];
  readonly reveal: (key: string) => HTMLElement | null;
}

/** Shows Markdown. Nothing is ever read as HTML, and nothing is fetched: pictures are links. @param title a first heading that says the same is left out */
export function renderMarkdown(text: string, place: Place, title: string): Rendered {
  const all = readBlocks(text);
  const [first] = all;
  const blocks = first?.type === 'heading' && keyOf(first.text) === keyOf(title) ? all.slice(1) : all;
  const levels = levelsOf(blocks);
  const element = el('div', { class: 'prose markdown' });
  const more = el('button', { type: 'button', class: 'more' }, 'more of this page');
  let shown = 0;
  const show = (): void => {
    const next = blocks.slice(shown, shown + FIRST).map((block, at) => blockOf(block, place, levels[shown + at]));
    shown += FIRST;
    element.append(...next.flatMap((one) => one ?? []));
    if (shown < blocks.length) element.append(more);
    else more.remove();
  };
  more.addEventListener('click', show);
  show();
  const reveal = (key: string): HTMLElement | null => {
    const at = blocks.findIndex((block) => block.type === 'heading' && keyOf(block.text) === key);
    while (at >= shown) show();
    return (
      [...element.querySelectorAll<HTMLElement>('[data-heading]')].find((one) => one.dataset.heading === key) ?? null
    );
  };
  return { element, headings: blocks.flatMap(headingOf), reveal };
}

function headingOf(block: Block): readonly Heading[] {
  if (block.type !== 'heading') return [];
  const text = plainText(readInline(block.text)).trim();
  return text === '' ? [] : [{ depth: block.depth, text, key: keyOf(block.text) }];
}

/** What two ways of writing a heading have in common. */
export function keyOf(heading: string): string {
  return plainText(readInline(heading))
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** What is read of a text, without marks. */
export function plainText(parts: readonly Inline[]): string {
  return parts.map(plainPart).join('');
}

function plainPart(part: Inline): string {
  if (typeof part === 'string') return part;
  if ('parts' in part) return plainText(part.parts);
  if (part.type === 'code') return part.text;
  if (part.type === 'break') return '\n';
  if (part.type === 'wiki' || part.type === 'image') return part.label;
  return `${part.type === 'tag' ? '#' : '@'}${part.name}`;
}

/** Levels of headings below that of the page, without gaps. */
function levelsOf(blocks: readonly Block[]): readonly number[] {
  let last = 1;
  return blocks.map((block) => {
    if (block.type === 'heading') last = Math.min(6, block.depth + 1, last + 1);
    return last;
  });
}

const HEADINGS = ['h2', 'h2', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function blockOf(block: Block, place: Place, level = 6): HTMLElement | null {
  switch (block.type) {
    case 'heading': {
      const inside = inline(block.text, place);
      const isEmpty = plainText(readInline(block.text)).trim() === '';
      return isEmpty ? null : el(HEADINGS[level] ?? 'h6', { dir: 'auto', 'data-heading': keyOf(block.text) }, inside);
    }
    case 'text':
      return el('p', { dir: 'auto' }, inline(block.text, place));
    case 'code':
      return el('pre', {}, el('code', {}, block.text));
    case 'rule':
      return el('hr');
    case 'quote': {
      const title =
        block.title === null ? null : el('p', { class: 'callout', dir: 'auto' }, inline(block.title, place));
      return el('blockquote', {}, title, ...block.blocks.map((one) => blockOf(one, place)));
    }
    case 'table':
      return tableOf(block, place);
    case 'list':
      return listOf(block, place);
  }
}

function listOf({ start, items }: Extract<Block, { type: 'list' }>, place: Place): HTMLElement {
  const tag = start === null ? 'ul' : 'ol';
  const list = el(tag, start === null || start === 1 ? {} : { start });
  return longList(items, FIRST, (item) => itemOf(item, place), list);
}

function itemOf({ isDone, blocks }: ListItem, place: Place): HTMLElement {
  const [first, ...rest] = blocks;
  const box = isDone === null ? null : el('span', { class: 'box' }, isDone ? '☑ ' : '☐ ');
  const own = first?.type === 'text' ? el('span', { dir: 'auto' }, inline(first.text, place)) : null;
  const others = own === null ? blocks : rest;
  return el('li', isDone === null ? {} : { class: 'task' }, box, own, ...others.map((one) => blockOf(one, place)));
}

function tableOf({ head, rows }: Extract<Block, { type: 'table' }>, place: Place): HTMLElement {
  const cell = (tag: 'th' | 'td', text: string): HTMLElement =>
    el(text === '' ? 'td' : tag, { dir: 'auto' }, inline(text, place));
  const body = longList(rows, FIRST, (row) => el('tr', {}, ...row.map((text) => cell('td', text))), el('tbody'));
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...head.map((text) => cell('th', text)))), body);
  return el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table' }, table);
}

/** The text of a line as it is read. */
export function inline(text: string, place: Place): readonly Child[] {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
  return readInline(shown).map((part) => drawn(part, place));
}

function drawn(part: Inline, place: Place): Child {
  if (typeof part === 'string') return part;
  switch (part.type) {
    case 'break':
      return el('br');
    case 'code':
      return el('code', {}, part.text);
    case 'tag':
      return el('a', { class: 'tagged', href: address('tag', part.name.toLowerCase()) }, `#${part.name}`);
    case 'mention': {
      const entity = entityByName().get(part.name.toLowerCase());
      return entity === undefined ? `@${part.name}` : entityLink(entity, `@${part.name}`);
    }
    case 'wiki':
      return wikiLink(part.name, part.heading, part.label, place);
    case 'image':
      return outward(part.to, [`picture: ${part.label || part.to}`], place);
    case 'link':
      return outward(
        part.to,
        part.parts.map((one) => drawn(one, place)),
        place,
      );
    default:
      return el(part.type, {}, ...part.parts.map((one) => drawn(one, place)));
  }
}

/** A link to a page by its name; what has none is shown as such. */
export function wikiLink(name: string, heading: string, label: Child, place: Place): Child {
  const own = place.note === undefined ? undefined : DATA.notes[place.note];
  const base =
    name === '' && own !== undefined ? address('page', DATA.files[own.file]?.path ?? '') : linkTo(name, place.note);
  if (base === undefined) return el('span', { class: 'absent', title: 'no page has this name' }, label);
  const at = heading === '' || !base.startsWith('#page=') ? '' : `#${encodeURIComponent(keyOf(heading))}`;
  return el('a', { href: base + at }, label);
}

/** To a page of notes, to the web by a click alone, else as text with where it leads. */
function outward(to: string, label: readonly Child[], place: Place): Child {
  if (/^(?:https?:\/\/|mailto:)/i.test(to))
    return el('a', { href: to, rel: 'noreferrer noopener', target: '_blank' }, ...label);
  const [path = '', heading = ''] = to.split('#');
  if (path === '' && heading !== '') return wikiLink('', unescaped(heading), label, place);
  return /\.md$/.test(path)
    ? wikiLink(unescaped(path), unescaped(heading), label, place)
    : el('span', { class: 'absent', title: to }, ...label);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
