import { formatCount, PAGE_DATA, pageAddress } from './data.js';
import { itemsWithTag, mentionsOf } from './lines.js';
import * as links from './links.js';
import { renderInline, renderMarkdown } from './markdown.js';
import * as ui from './parts.js';
import { itemLine } from './rows.js';
import { pageHistorySection } from './today.js';

const FIRST_TAGS = 40;
const MOST_LINES = 3;

/** List of pages, with tags. */
export function noteListPage(): readonly ui.ElementChild[] {
  const all = links.pages();
  const order = [...all].sort((a, b) => titleOf(a).localeCompare(titleOf(b)) || a - b);
  const named = (place: number): string =>
    [titleOf(place), ...(PAGE_DATA.notes[place]?.names ?? []), folderOf(place)].join('\n');
  const list = ui.filteredList(order, named, row, 'Filter pages by name or folder', 'There is no page with this name.');
  return [
    ui.html('h1', {}, 'Pages'),
    links.tagCounts().length === 0
      ? null
      : ui.longList(links.tagCounts(), FIRST_TAGS, tagChip, ui.html('ul', { class: 'chips' })),
    ...list,
  ];
}

function titleOf(place: number): string {
  return PAGE_DATA.notes[place]?.title ?? '';
}

function folderOf(place: number): string {
  return links.notePath(place).replace(/\/?[^/]*$/, '');
}

function row(place: number): HTMLElement {
  const times = links.notesByLinkedNote().get(place)?.length ?? 0;
  const number = times === 0 ? null : ui.numberText(formatCount(times, 'link'));
  return ui.nameListRow(links.noteAddress(place), titleOf(place), folderOf(place), number);
}

function tagChip([tag, number]: readonly [string, number]): HTMLElement {
  return ui.html('li', { class: 'chip' }, tagLink(tag), ui.numberText(number));
}

function tagLink(tag: string): HTMLElement {
  return ui.html('a', { class: 'tagged', href: pageAddress('tag', tag) }, `#${tag}`);
}

/** Pages and lines with a tag. */
export function tagPage(name: string): readonly ui.ElementChild[] {
  const wanted = name.toLowerCase();
  const places = links.pages().filter((place) => PAGE_DATA.notes[place]?.tags.includes(wanted));
  const lines = itemsWithTag(wanted);
  return [
    ui.html('h1', { dir: 'auto' }, `#${name}`),
    places.length + lines.length === 0 ? ui.noteText('Nothing on this page has this tag.') : null,
    ui.listSection('Pages', places, 60, row, ui.html('ul', { class: 'names' })),
    ui.listSection('Lines', lines, 60, itemLine),
  ];
}

/** Page of one note. @param at line or heading to scroll to */
export function notePageByPath(path: string, at: string | undefined): readonly ui.ElementChild[] {
  const place = links.noteIndexByPath().get(path);
  const found = place === undefined ? undefined : PAGE_DATA.notes[place];
  if (place === undefined || found === undefined)
    return [ui.html('h1', {}, path), ui.noteText('There is no page with this name here.')];
  const { title, names, text, line, file } = found;
  const also = names.length === 0 ? null : `also ${names.join(', ')} `;
  const address = links.noteAddress(place);
  return [
    ui.html('h1', { dir: 'auto' }, title),
    ui.leadText(also, ui.sourceLink([file, line])),
    text.trim() === '' ? ui.noteText('This page is empty.') : null,
    ...noteBody(place, at),
    backlinks(place),
    ui.listSection(
      'Mentioned without a link',
      mentionsOf([title, ...names], (line, one) => one === place || links.hasLinkTo(line.text, one, address)),
      12,
      itemLine,
    ),
    pageHistorySection('History of the page', file),
  ];
}

/** Tags, fields and text of a note. @param at line or heading to scroll to */
export function noteBody(place: number, at: string | undefined): readonly ui.ElementChild[] {
  const note = PAGE_DATA.notes[place];
  if (note === undefined) return [];
  const { title, tags, fields, text, cut } = note;
  // In the log of a day, a tag in the text is not shown again.
  const own = note.kind === 'day' ? tags.filter((tag) => !text.toLowerCase().includes(`#${tag}`)) : tags;
  const { element, reveal } = renderMarkdown(place, note, title);
  if (at !== undefined) reveal(at);
  return [
    own.length === 0 ? null : ui.html('p', { class: 'chips' }, ...own.map((one) => ui.chip(tagLink(one)))),
    fields.length === 0 ? null : ui.html('ul', { class: 'fields' }, ...fields.map((one) => written(one, place))),
    text.trim() === '' ? null : element,
    cut === 0
      ? null
      : ui.noteText(`There is no room for ${formatCount(cut, 'more character')}. Read them in the file.`),
  ];
}

/** Renders one line of a note as a list item. */
function written(text: string, note: number): HTMLElement {
  return ui.html('li', { dir: 'auto' }, ...renderInline(text, { note }));
}

/** The notes that link to a note. */
function backlinks(place: number): HTMLElement | null {
  const target = links.noteAddress(place);
  const from = (links.notesByLinkedNote().get(place) ?? []).filter((one) => one !== place);
  if (from.length === 0) return null;
  const linkingPage = (one: number): HTMLElement => {
    const lines = (PAGE_DATA.notes[one]?.text ?? '').split('\n').filter((line) => links.hasLinkTo(line, one, target));
    const shown = lines.slice(0, MOST_LINES).map((line) => written(line.replace(MARKER, ''), one));
    return ui.listItem(ui.noteLink(one), ui.html('ul', { class: 'sides' }, ...shown));
  };
  return ui.sectionWithTitle('Linked from', ui.longList(from, 25, linkingPage));
}

/** Marker of a list item, task, heading or quote. */
const MARKER = /^[\s>]*(?:[-*+] |\d+[.)] |#{1,6} )?(?:\[[ xX]\] )?/;
