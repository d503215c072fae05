import { lazy } from '../../base/cache.js';
import { addToGroup } from '../../base/order.js';
import { linkedNames, plainNotePath, tagsIn } from '../../markdown/wiki.js';
import type { PageEntity, PageItem, PageNote } from '../page-data.js';
import { formatCount, PAGE_DATA, pageAddress } from './data.js';

const targets = lazy(() => new Map(PAGE_DATA.links));

/**
 * The address to which a link with this name leads; undefined if the name is unknown. The same name may lead elsewhere in
 * another note.
 * @param note index of the note with the link
 */
export function linkAddress(written: string, note: number | undefined): string | undefined {
  const name = plainNotePath(written);
  const own = note === undefined ? undefined : PAGE_DATA.notes[note]?.own?.find(([one]) => one === name)?.[1];
  const target = own ?? targets().get(name);
  return typeof target === 'number' ? noteAddress(target) : target === undefined ? undefined : `#${target}`;
}

export function notePath({ file }: PageNote): string {
  return PAGE_DATA.files[file]?.path ?? '';
}

export function noteAddress(place: number): string {
  const note = PAGE_DATA.notes[place];
  return pageAddress('page', note === undefined ? '' : notePath(note));
}

export const noteIndexByPath = lazy(() => new Map(PAGE_DATA.notes.map((note, place) => [notePath(note), place])));

/** For the index of each note: the indices of the notes that link to it. */
export const notesByLinkedNote = lazy(() => {
  const found = new Map<number, number[]>();
  for (const [from, { to }] of PAGE_DATA.notes.entries()) for (const place of to) addToGroup(found, place, from);
  return found;
});

/** For each address in the HTML page: the items whose text links to the address. */
export const itemsByTarget = lazy(() => {
  const found = new Map<string, PageItem[]>();
  for (const item of PAGE_DATA.items)
    for (const target of new Set(linkedNames(item.text).flatMap((name) => linkAddress(name, undefined) ?? [])))
      addToGroup(found, target, item);
  return found;
});

/** Lines of a note that link to an address. */
export function linesWithLinkTo(place: number, target: string): readonly string[] {
  const lines = (PAGE_DATA.notes[place]?.text ?? '').split('\n');
  return lines.filter((line) => linkedNames(line).some((name) => linkAddress(name, place) === target));
}

/** Notes that link to an entity, or mention it with an `@`. */
export function notesAbout({ name, aliases }: PageEntity): readonly number[] {
  const target = pageAddress('entity', name);
  const names = [name, ...aliases];
  const isAbout = ({ text }: PageNote, place: number): boolean =>
    names.some((one) => text.includes(`@${one}`)) || (text.includes('[[') && linesWithLinkTo(place, target).length > 0);
  return PAGE_DATA.notes.flatMap((note, place) => (isAbout(note, place) ? [place] : []));
}

/** Tags with their number of notes, most first. */
export const tagCounts = lazy(() => {
  const found = new Map<string, number>();
  for (const { tags: own } of PAGE_DATA.notes) for (const tag of own) found.set(tag, (found.get(tag) ?? 0) + 1);
  return [...found].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
});

export function itemsWithTag(tag: string): readonly PageItem[] {
  return PAGE_DATA.items.filter(({ text }) => text.includes('#') && tagsIn(text).includes(tag));
}

/** Numbers of notes, links and tags, for the start page and the list of pages. */
export function formatNoteCounts(): readonly string[] {
  const links = PAGE_DATA.notes.reduce((sum, { to }) => sum + to.length, 0);
  const { length } = PAGE_DATA.notes;
  return length === 0
    ? []
    : [formatCount(length, 'page'), formatCount(links, 'link'), formatCount(tagCounts().length, 'tag')];
}

/** The most linked notes. */
export function mostLinkedNotes(most: number): readonly number[] {
  return [...notesByLinkedNote()]
    .sort(([a, one], [b, other]) => other.length - one.length || a - b)
    .slice(0, most)
    .map(([place]) => place);
}
