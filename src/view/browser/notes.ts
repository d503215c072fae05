import { countPairs, type IndexPairCount } from '../page-data.js';
import { formatCount, PAGE_DATA, pageAddress } from './data.js';
import { drawGraph } from './graph.js';
import { itemsWithTag } from './lines.js';
import * as links from './links.js';
import { renderInline, renderMarkdown } from './markdown.js';
import * as ui from './parts.js';
import { itemLine } from './rows.js';
import { pageHistorySection } from './today.js';

const FIRST_TAGS = 40;
const MOST_LINES = 3;
/** Minimum number of headings for a table of contents, and minimum number of notes for a graph around a note. */
const LONG = 3;

/** List of pages, with tags and a graph of links. */
export function noteListPage(): readonly ui.ElementChild[] {
  const all = links.pages();
  const head = ui.createHtmlElement('h1', {}, 'Pages');
  if (all.length === 0 && PAGE_DATA.entity !== null)
    return [head, ui.noteText('A page about one entity has no notes.')];
  const vault = [ui.codeText('extraFolders'), ' to read the notes of a vault.'];
  if (all.length === 0) return [head, ui.noteText('There are no pages of notes. Use the setting ', ...vault)];
  const order = [...all].sort((a, b) => titleOf(a).localeCompare(titleOf(b)) || a - b);
  const named = (place: number): string =>
    [titleOf(place), ...(PAGE_DATA.notes[place]?.names ?? []), folderOf(place)].join('\n');
  const list = ui.filteredList(order, named, row, 'Filter pages by name or folder', 'There is no page with this name.');
  const drawn = graphOf(all, 'Links between pages') ?? ui.noteText('No page has a link to another page.');
  return [
    head,
    ui.leadText(links.formatNoteCounts().join(' · ')),
    links.tagCounts().length === 0
      ? null
      : ui.longList(links.tagCounts(), FIRST_TAGS, tagChip, ui.createHtmlElement('ul', { class: 'chips' })),
    ui.createHtmlElement(
      'div',
      { class: 'two' },
      ui.createHtmlElement('div', {}, ...list),
      ui.createHtmlElement('div', {}, drawn),
    ),
  ];
}

function titleOf(place: number): string {
  return PAGE_DATA.notes[place]?.title ?? '';
}

function folderOf(place: number): string {
  const pageOfNote = PAGE_DATA.notes[place];
  return pageOfNote === undefined ? '' : links.notePath(pageOfNote).replace(/\/?[^/]*$/, '');
}

function row(place: number): HTMLElement {
  const times = links.notesByLinkedNote().get(place)?.length ?? 0;
  const number =
    times === 0 ? null : ui.createHtmlElement('span', { class: 'number', title: 'pages that link to it' }, times);
  return ui.nameListRow(links.noteAddress(place), titleOf(place), folderOf(place), number);
}

function tagChip([tag, number]: readonly [string, number]): HTMLElement {
  return ui.createHtmlElement('li', { class: 'chip' }, tagLink(tag), ui.numberText(number));
}

function tagLink(tag: string): HTMLElement {
  return ui.createHtmlElement('a', { class: 'tagged', href: pageAddress('tag', tag) }, `#${tag}`);
}

/** Pages and lines with a tag. */
export function tagPage(name: string): readonly ui.ElementChild[] {
  const wanted = name.toLowerCase();
  const places = links.pages().filter((place) => PAGE_DATA.notes[place]?.tags.includes(wanted));
  const lines = itemsWithTag(wanted);
  return [
    ui.createHtmlElement('h1', { dir: 'auto' }, `#${name}`),
    places.length + lines.length === 0 ? ui.noteText('Nothing on this page has this tag.') : null,
    ui.listSection('Pages', places, 60, row, ui.createHtmlElement('ul', { class: 'names' })),
    ui.listSection('Lines', lines, 60, itemLine),
  ];
}

/** Page of one note. @param at line or heading to scroll to */
export function notePageByPath(path: string, at: string | undefined): readonly ui.ElementChild[] {
  const place = links.noteIndexByPath().get(path);
  const found = place === undefined ? undefined : PAGE_DATA.notes[place];
  if (place === undefined || found === undefined)
    return [ui.createHtmlElement('h1', {}, path), ui.noteText('There is no page with this name here.')];
  const { title, names, text, line, file } = found;
  const also = names.length === 0 ? null : `also ${names.join(', ')}`;
  return [
    ui.createHtmlElement('h1', { dir: 'auto' }, title),
    ui.leadText(ui.joinWithDots(folderOf(place), also), ui.sourceLink([file, line])),
    text.trim() === '' ? ui.noteText('This page is empty.') : null,
    ...noteBody(place, at),
    backlinks(place),
    neighbours(place),
    pageHistorySection('History of the page', file),
  ];
}

/** Tags, fields, headings and text of a note. @param at line or heading to scroll to */
export function noteBody(place: number, at: string | undefined): readonly ui.ElementChild[] {
  const note = PAGE_DATA.notes[place];
  if (note === undefined) return [];
  const { title, tags: own, fields, text, cut } = note;
  const { element, headings, reveal } = renderMarkdown(place, note, title);
  if (at !== undefined) reveal(at);
  return [
    own.length === 0 ? null : ui.createHtmlElement('p', { class: 'chips' }, ...own.map((one) => ui.chip(tagLink(one)))),
    fields.length === 0
      ? null
      : ui.createHtmlElement('ul', { class: 'fields' }, ...fields.map((one) => written(one, place))),
    headings.length < LONG || note.kind !== 'page' ? null : contents(links.notePath(note), headings),
    text.trim() === '' ? null : element,
    cut === 0
      ? null
      : ui.noteText(`There is no room for ${formatCount(cut, 'more character')}. Read them in the file.`),
  ];
}

/** Renders one line of a note as a list item. */
function written(text: string, note: number): HTMLElement {
  return ui.createHtmlElement('li', { dir: 'auto' }, ...renderInline(text, { note }));
}

function contents(path: string, headings: ReturnType<typeof renderMarkdown>['headings']): HTMLElement {
  const link = ({ depth, text, key }: (typeof headings)[number]): HTMLElement => {
    const href = `${pageAddress('page', path)}#${encodeURIComponent(key)}`;
    return ui.createHtmlElement('li', { class: `d${Math.min(depth, 4)}` }, ui.createHtmlElement('a', { href }, text));
  };
  const list = ui.longList(headings, 100, link, ui.createHtmlElement('ul'));
  return ui.createHtmlElement(
    'details',
    { class: 'contents' },
    ui.createHtmlElement('summary', {}, formatCount(headings.length, 'heading')),
    list,
  );
}

/** The notes and lines that link to a note. */
function backlinks(place: number): HTMLElement | null {
  const target = links.noteAddress(place);
  const from = (links.notesByLinkedNote().get(place) ?? []).filter((one) => one !== place);
  if (from.length === 0) return null;
  const linkingPage = (one: number): HTMLElement => {
    const lines = links.linesWithLinkTo(one, target).map((line) => written(line.replace(MARKER, ''), one));
    return ui.listItem(ui.noteLink(one), ui.createHtmlElement('ul', { class: 'sides' }, ...lines.slice(0, MOST_LINES)));
  };
  return ui.sectionWithTitle('Linked from', ui.longList(from, 25, linkingPage));
}

/** Marker of a list item, task, heading or quote. */
const MARKER = /^[\s>]*(?:[-*+] |\d+[.)] |#{1,6} )?(?:\[[ xX]\] )?/;

function neighbours(place: number): HTMLElement | null {
  const isPage = (one: number): boolean => PAGE_DATA.notes[one]?.kind === 'page';
  const near = new Set([place, ...(links.notesByLinkedNote().get(place) ?? []), ...(PAGE_DATA.notes[place]?.to ?? [])]);
  const drawn = near.size < LONG ? null : graphOf([...near].filter(isPage), 'Pages with links to or from this page');
  return drawn === null ? null : ui.sectionWithTitle('Around it', drawn);
}

/** Draws a graph of some notes and the links between them. */
function graphOf(places: readonly number[], caption: string): HTMLElement | null {
  const shown = new Set(places);
  const weight = (place: number): number =>
    (links.notesByLinkedNote().get(place)?.length ?? 0) + (PAGE_DATA.notes[place]?.to.length ?? 0);
  const ends = places.flatMap((from) =>
    (PAGE_DATA.notes[from]?.to ?? []).flatMap((to) => (to === from || !shown.has(to) ? [] : [[from, to] as const])),
  );
  const sum = ([a, b]: IndexPairCount): number => weight(a) + weight(b);
  return drawGraph({
    together: countPairs(ends).sort((one, other) => sum(other) - sum(one) || one[0] - other[0] || one[1] - other[1]),
    nameOf: titleOf,
    addressOf: links.noteAddress,
    weight,
    caption,
    label: (number) => `links between ${number} pages`,
  });
}
