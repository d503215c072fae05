import { lazy } from '../../base/cache.js';
import { addToGroup, groupBy } from '../../base/order.js';
import { linkedNames, tagsIn } from '../../markdown/wiki.js';
import { stripMarkers } from '../../memory/page/lines.js';
import type { PageItem, PageNote } from '../page-data.js';
import { compareByNewest, dayOfItem, entityIndexByName, factAt, PAGE_DATA, pageAddress, toDayNumber } from './data.js';
import { linkAddress } from './links.js';

/** A line of a text, without markers. A row of a table has the names of its columns. The text of a heading is empty. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
  /** The heading of the line. */
  readonly heading: string;
}

const FENCE = /^(?:```|~~~)/;
/** The line below the head of a table, and a rule. */
const RULE = /^[|:\s]*-[-|:\s]*$/;

/** Lines of a note that say something, in their order: no rules, no heads of tables, no fences of code. */
export function readTextLines({ text, line: first }: Pick<PageNote, 'text' | 'line'>): readonly TextLine[] {
  const found: TextLine[] = [];
  let heading = '';
  let head: readonly string[] = [];
  for (const [at, { line, isCode, isRow, isHead }] of markedLines(text).entries()) {
    const title = isCode ? undefined : /^#{1,6} +(\S.*)$/.exec(line)?.[1];
    heading = title ?? heading;
    head = isHead ? cellsOf(line) : isRow ? head : [];
    const said = isRow ? rowText(cellsOf(line), head) : isCode ? line : plainLine(line);
    if (title !== undefined) found.push({ line: first + at, text: '', heading });
    else if (!isHead && said !== '') found.push({ line: first + at, text: said, heading });
  }
  return found;
}

/** Lines without the signs of quotes. A fence of code is empty. `isHead`: whether it is the head of a table. */
function markedLines(text: string) {
  const lines = text.split('\n').map((line) => line.replace(/^[\s>]+/, ''));
  let isCode = false;
  let wasRow = false;
  return lines.map((line, at) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    const isRow = !isCode && line.startsWith('|');
    const isHead = isRow && !wasRow && RULE.test(lines[at + 1] ?? '');
    wasRow = isRow;
    return { line: isFence ? '' : line, isCode, isRow, isHead };
  });
}

/** Text without markers; empty for a rule. */
function plainLine(line: string): string {
  if (RULE.test(line)) return '';
  return stripMarkers(line).replace(/^\[[ xX/-]\] |\s\^[A-Za-z0-9][A-Za-z0-9-]+$/g, '');
}

function cellsOf(row: string): readonly string[] {
  const cells = row
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim());
}

function rowText(cells: readonly string[], head: readonly string[]): string {
  if (cells.every((cell) => /^:?-*:?$/.test(cell))) return '';
  const named = cells.map((cell, at) => (head[at] && cell ? `${head[at]}: ${cell}` : cell));
  return named.filter(Boolean).join(' · ');
}

/** Facts, and the lines of days. */
export const allItems = lazy(() => itemsOfDays(() => true));

/** The facts, and the lines of days that are not facts, of some files. */
function itemsOfDays(isWanted: (item: Pick<PageItem, 'at'>) => boolean): readonly PageItem[] {
  const lines = PAGE_DATA.notes.flatMap((note): readonly PageItem[] => {
    if (note.kind !== 'day' || !isWanted({ at: [note.file, 1] })) return [];
    const said = readTextLines(note).filter(({ line, text }) => text !== '' && factAt([note.file, line]) === undefined);
    return said.map(({ line, text }) => ({ kind: 'log', text, at: [note.file, line], about: entitiesIn(text) }));
  });
  return [...PAGE_DATA.items.filter(isWanted), ...lines];
}

/** Entities that a line names with `@` or a link. All lines of a page about one entity are about it. */
function entitiesIn(text: string): readonly number[] {
  const byName = entityIndexByName();
  const only = PAGE_DATA.entity === null ? undefined : byName.get(PAGE_DATA.entity.toLowerCase());
  const mentions = text.includes('@') ? [...text.matchAll(/@([\p{L}\p{N}_.-]*[\p{L}\p{N}_-])/gu)] : [];
  const named = mentions.flatMap(([, name = '']) => byName.get(name.toLowerCase()) ?? []);
  const linked = linkedNames(text).flatMap((name) => {
    const target = linkAddress(name, undefined);
    return target?.startsWith(pageAddress('entity', '')) ? (byName.get(name.toLowerCase()) ?? []) : [];
  });
  return [...new Set([...named, ...linked, ...(only === undefined ? [] : [only])])];
}

/** Facts and lines by entity, newest first. */
export const itemsByEntity = lazy(() => {
  const found = new Map<number, PageItem[]>();
  for (const item of allItems()) for (const entity of item.about ?? []) addToGroup(found, entity, item);
  for (const items of found.values()) items.sort(compareByNewest);
  return found;
});

/** Facts by day. */
export const factsByDay = lazy(() => {
  const days = groupBy(PAGE_DATA.items, (item) => dayOfItem(item) ?? '');
  days.delete('');
  return days;
});

/** Notes of each day: indices into the notes of the page. */
export const notesByDay = lazy(() => {
  const found = new Map<string, number[]>();
  for (const [place, { kind, file, text }] of PAGE_DATA.notes.entries())
    if (kind === 'day' && text !== '') addToGroup(found, PAGE_DATA.files[file]?.day ?? '', place);
  return found;
});

/** Each day with something on it, in order, with its number of facts and lines. */
export const daySizes = lazy((): ReadonlyMap<string, number> => {
  const days = [...new Set([...factsByDay().keys(), ...notesByDay().keys()])].sort();
  const lines = (day: string): number =>
    (notesByDay().get(day) ?? []).reduce((sum, place) => sum + (PAGE_DATA.notes[place]?.lines ?? 0), 0);
  return new Map(days.map((day) => [day, lines(day) + (factsByDay().get(day)?.length ?? 0)]));
});

/** Facts and lines with a tag. */
export function itemsWithTag(tag: string): readonly PageItem[] {
  return allItems().filter(({ text }) => text.includes('#') && tagsIn(text).includes(tag));
}

/** Shorter names are in too many lines by chance. */
const SHORTEST_NAME = 3;

/** Lines of notes that have a name, newest first. @param isLeftOut whether a line of a note is left out */
export function mentionsOf(
  names: readonly string[],
  isLeftOut: (item: PageItem, note: number) => boolean,
): readonly PageItem[] {
  const wanted = names.filter((name) => name.length >= SHORTEST_NAME).map((name) => name.toLowerCase());
  const isNamed = (text: string): boolean => wanted.some((name) => hasWords(text.toLowerCase(), name));
  const found = PAGE_DATA.notes.flatMap((note, place) => {
    if (!isNamed(note.text)) return [];
    const lines = readTextLines(note).filter(({ text }) => isNamed(text));
    const items = lines.map(({ line, text }): PageItem => ({ kind: 'log', text, at: [note.file, line] }));
    return items.filter((item) => !isLeftOut(item, place)).map((item) => factAt(item.at) ?? item);
  });
  return found.sort(compareByNewest);
}

/** Number of days of the lines in which people are looked for. */
const LATELY = 14;

/** Entities that lines of the last two weeks name, with the newest line of each, newest first. */
export function recentMentions(): readonly { readonly entity: number; readonly item: PageItem }[] {
  const isLate = (item: Pick<PageItem, 'at'>): boolean => {
    const [day, today] = [toDayNumber(dayOfItem(item) ?? ''), toDayNumber(PAGE_DATA.today)];
    return day <= today && day > today - LATELY;
  };
  const late = itemsOfDays(isLate).toSorted(compareByNewest);
  const texts = late.map(({ text }) => text.toLowerCase());
  const found = PAGE_DATA.entities.flatMap(({ name, aliases, holds }, entity) => {
    if (holds === null) return [];
    const names = [name, ...aliases].filter(({ length }) => length >= SHORTEST_NAME).map((one) => one.toLowerCase());
    const at = late.findIndex(
      ({ about = [] }, index) => about.includes(entity) || names.some((one) => hasWords(texts[index] ?? '', one)),
    );
    return late.slice(at, at + (at === -1 ? 0 : 1)).map((item) => ({ entity, item }));
  });
  return found.sort((a, b) => compareByNewest(a.item, b.item));
}

/** Whether a text has a name as whole words, so that `Ann` is not in `Anna`. */
function hasWords(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = (text[at - 1] ?? ' ') + (text[at + name.length] ?? ' ');
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}
