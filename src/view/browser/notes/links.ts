import { lazy } from '../../../base/cache.js';
import { addTo } from '../../../base/order.js';
import { linkedNames, tagsIn, withoutSteps } from '../../../markdown/wiki.js';
import type { PageEntity, PageItem, PageNote } from '../../page-data.js';
import { address, countLabel, DATA } from '../data.js';

const targets = lazy(() => new Map(DATA.links));

/**
 * The address to which a link with this name leads; undefined if the name is unknown. The same name may lead elsewhere in
 * another note.
 * @param note index of the note with the link
 */
export function linkTo(written: string, note: number | undefined): string | undefined {
  const name = withoutSteps(written);
  const own = note === undefined ? undefined : DATA.notes[note]?.own?.find(([one]) => one === name)?.[1];
  const target = own ?? targets().get(name);
  return typeof target === 'number' ? noteAddress(target) : target === undefined ? undefined : `#${target}`;
}

export function pathOf({ file }: PageNote): string {
  return DATA.files[file]?.path ?? '';
}

export function noteAddress(place: number): string {
  const note = DATA.notes[place];
  return address('page', note === undefined ? '' : pathOf(note));
}

export const noteByPath = lazy(() => new Map(DATA.notes.map((note, place) => [pathOf(note), place])));

/** The notes that link to a note, by its index. */
export const linkedFrom = lazy(() => {
  const found = new Map<number, number[]>();
  for (const [from, { to }] of DATA.notes.entries()) for (const place of to) addTo(found, place, from);
  return found;
});

/** For each address: the items that link to it. */
export const itemsByTarget = lazy(() => {
  const found = new Map<string, PageItem[]>();
  for (const item of DATA.items)
    for (const target of new Set(linkedNames(item.text).flatMap((name) => linkTo(name, undefined) ?? [])))
      addTo(found, target, item);
  return found;
});

/** Lines of a note that link to an address. */
export function linesTo(place: number, target: string): readonly string[] {
  const lines = (DATA.notes[place]?.text ?? '').split('\n');
  return lines.filter((line) => linkedNames(line).some((name) => linkTo(name, place) === target));
}

/** Notes that link to an entity, or mention it with an `@`. */
export function notesAbout({ name, aliases }: PageEntity): readonly number[] {
  const target = address('entity', name);
  const names = [name, ...aliases];
  const isAbout = ({ text }: PageNote, place: number): boolean =>
    names.some((one) => text.includes(`@${one}`)) || (text.includes('[[') && linesTo(place, target).length > 0);
  return DATA.notes.flatMap((note, place) => (isAbout(note, place) ? [place] : []));
}

/** Tags with their number of notes, most first. */
export const tags = lazy(() => {
  const found = new Map<string, number>();
  for (const { tags: own } of DATA.notes) for (const tag of own) found.set(tag, (found.get(tag) ?? 0) + 1);
  return [...found].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
});

export function itemsWithTag(tag: string): readonly PageItem[] {
  return DATA.items.filter(({ text }) => text.includes('#') && tagsIn(text).includes(tag));
}

/** Numbers of notes, links and tags, for the start page and the list of pages. */
export function noteFigures(): readonly string[] {
  const links = DATA.notes.reduce((sum, { to }) => sum + to.length, 0);
  const { length } = DATA.notes;
  return length === 0 ? [] : [countLabel(length, 'page'), countLabel(links, 'link'), countLabel(tags().length, 'tag')];
}

/** The most linked notes. */
export function mostLinked(most: number): readonly number[] {
  return [...linkedFrom()]
    .sort(([a, one], [b, other]) => other.length - one.length || a - b)
    .slice(0, most)
    .map(([place]) => place);
}
