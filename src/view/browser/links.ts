import { lazy } from '../../base/cache.js';
import { addToGroup } from '../../base/order.js';
import { linkedNames, plainNotePath } from '../../markdown/wiki.js';
import type { FileLine } from '../page-data.js';
import { PAGE_DATA, pageAddress } from './data.js';

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

export function notePath(place: number): string {
  return PAGE_DATA.files[PAGE_DATA.notes[place]?.file ?? -1]?.path ?? '';
}

export function noteAddress(place: number): string {
  return pageAddress('page', notePath(place));
}

/** Notes by their file: indices of `files` and of `notes`. */
export const noteByFile = lazy(() => new Map(PAGE_DATA.notes.map(({ file }, place) => [file, place])));

/** The address of a line in the HTML page; undefined if the text of its file is not shown. */
export function lineAddress([file, line]: FileLine): string | undefined {
  const place = noteByFile().get(file);
  return place === undefined || !PAGE_DATA.notes[place]?.text ? undefined : `${noteAddress(place)}#L${line}`;
}

/** Notes that are shown among the pages: indices. */
export const pages = lazy(() => [...PAGE_DATA.notes.keys()].filter((place) => PAGE_DATA.notes[place]?.kind === 'page'));

export const noteIndexByPath = lazy(() => new Map(PAGE_DATA.notes.map((_, place) => [notePath(place), place])));

/** For the index of each note: the indices of the notes that link to it. */
export const notesByLinkedNote = lazy(() => {
  const found = new Map<number, number[]>();
  for (const [from, { to }] of PAGE_DATA.notes.entries()) for (const place of to) addToGroup(found, place, from);
  return found;
});

/** Whether a line of a note links to an address. */
export function hasLinkTo(line: string, place: number, target: string): boolean {
  return linkedNames(line).some((name) => linkAddress(name, place) === target);
}

/** Tags with their number of notes, most first. */
export const tagCounts = lazy(() => {
  const found = new Map<string, number>();
  for (const { tags: own } of PAGE_DATA.notes) for (const tag of own) found.set(tag, (found.get(tag) ?? 0) + 1);
  return [...found].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
});
