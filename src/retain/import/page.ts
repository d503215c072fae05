import { addToGroup } from '../../base/order.js';
import { type EntryBlock, readBlockId, withoutBlockId } from './entry.js';

/** The lines of a page below one heading with a day. */
interface Section {
  /** '' for the lines before the first heading with a day. */
  readonly day: string;
  /** The heading, and all lines before the first item. */
  readonly head: string[];
  blocks: readonly WrittenBlock[];
  /** The blank lines at its end. */
  readonly end: string[];
}

/** A list item of a page with its indented lines, or another line between items. */
interface WrittenBlock {
  readonly time: string;
  readonly lines: string[];
}

const DAY_HEADING = /^## (\d{4}-\d{2}-\d{2})$/;
const ITEM = /^- (?:(\d{2}:\d{2}) (?:[^:]{1,60}: )?)?/;

/**
 * Adds the entries that a page does not have yet, each below the heading of its day and in the order of time. An entry with
 * a key replaces the line that an earlier import wrote for it, unless somebody has edited that line. Everything else stays
 * byte for byte. Pure.
 * @param before the page; null if there is none
 * @returns the page, null if there still is none; and the entries that were added
 */
export function addEntries(before: string | null, title: string, entries: readonly EntryBlock[]) {
  const sections = readSections(before ?? `# ${title}\n`);
  const { shortened, edited } = replaceByKey(sections, entries);
  const known = new Map<string, number>();
  for (const { day, blocks } of sections)
    for (const { lines } of blocks) known.set(keyOf(day, lines), (known.get(keyOf(day, lines)) ?? 0) + 1);
  const added = entries.filter(({ day, lines, isCancelled }) => {
    const key = keyOf(day ?? '', lines);
    const count = known.get(key) ?? 0;
    known.set(key, count - 1);
    return count <= 0 && isCancelled !== true && !edited.has(readBlockId(lines)?.key ?? '');
  });
  if (added.length === 0 && shortened.size === 0) return { text: before, added };
  const byDay = new Map<string, WrittenBlock[]>();
  for (const { day, time, lines } of added) addToGroup(byDay, day ?? '', { time, lines: [...lines] });
  for (const [day, blocks] of byDay) {
    const section = sectionOf(sections, day);
    const sorted = blocks.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
    if (section.blocks.length === 0 && section.head.at(-1) !== '') section.head.push('');
    section.blocks = joinByTime(section.blocks, sorted);
  }
  const kept = sections.filter((section) => !shortened.has(section) || !isEmpty(section));
  const lines = kept.flatMap(({ head, blocks, end }) => [...head, ...blocks.flatMap((block) => block.lines), ...end]);
  return { text: `${lines.join('\n').trimEnd()}\n`, added };
}

/** What makes an entry the same: its day, time and text. Its speaker may have another name in a later export. */
function keyOf(day: string, [first = '', ...rest]: readonly string[]): string {
  const [lead = '', time = ''] = ITEM.exec(first) ?? [];
  return [day, time, withoutBlockId(first.slice(lead.length)), ...rest].join('\n').trimEnd();
}

function readSections(page: string): Section[] {
  let section: Section & { readonly blocks: WrittenBlock[] } = { day: '', head: [], blocks: [], end: [] };
  const sections = [section];
  for (const line of page.trimEnd().split('\n')) {
    const day = DAY_HEADING.exec(line)?.[1];
    if (day !== undefined) {
      section = { day, head: [line], blocks: [], end: [] };
      sections.push(section);
      continue;
    }
    const last = section.blocks.at(-1);
    if (line.startsWith('- ') || (last !== undefined && /^\S/.test(line)))
      section.blocks.push({ time: ITEM.exec(line)?.[1] ?? last?.time ?? '', lines: [line] });
    else (last?.lines ?? section.head).push(line);
  }
  for (const { head, blocks, end } of sections) {
    const last = blocks.at(-1)?.lines ?? head;
    while (last.length > 1 && last.at(-1) === '') end.push(last.pop() ?? '');
  }
  return sections;
}

/**
 * Removes the lines of entries with a key that are not as the export has them now.
 * @returns `shortened`: the sections that lost lines; `edited`: the keys of lines that somebody has edited, which stay
 */
function replaceByKey(sections: readonly Section[], entries: readonly EntryBlock[]) {
  const given = new Map<string, EntryBlock>();
  for (const entry of entries) {
    const id = entry.key === undefined ? undefined : readBlockId(entry.lines);
    if (id !== undefined) given.set(id.key, entry);
  }
  const edited = new Set<string>();
  const shortened = new Set<Section>();
  if (given.size > 0)
    for (const section of sections)
      section.blocks = section.blocks.filter(({ lines }) => {
        const id = readBlockId(lines);
        const entry = id && given.get(id.key);
        if (id === undefined || entry === undefined) return true;
        if (!id.isOurs) edited.add(id.key);
        const isSame = entry.day === section.day && entry.lines.join('\n') === lines.join('\n').trimEnd();
        const isKept = !id.isOurs || (isSame && entry.isCancelled !== true);
        if (!isKept) shortened.add(section);
        return isKept;
      });
  return { shortened, edited };
}

/** Whether a section has nothing below its heading. */
function isEmpty({ head, blocks }: Section): boolean {
  return blocks.length === 0 && head.slice(1).every((line) => line === '');
}

/** The section of a day. A new one stands before the first later day. */
function sectionOf(sections: Section[], day: string): Section {
  const found = sections.find((section) => section.day === day);
  if (found !== undefined) return found;
  const later = sections.findIndex((section) => section.day > day);
  const at = later < 0 ? sections.length : later;
  const made: Section = { day, head: [`## ${day}`, ''], blocks: [], end: later < 0 ? [] : [''] };
  const before = sections[at - 1]?.end;
  if (before?.length === 0) before.push('');
  sections.splice(at, 0, made);
  return made;
}

/** Joins items of one day in the order of time. Of one minute, those that the page has come first. */
function joinByTime(known: readonly WrittenBlock[], added: readonly WrittenBlock[]): readonly WrittenBlock[] {
  const joined: WrittenBlock[] = [];
  let at = 0;
  for (const block of added) {
    for (let next = known[at]; next !== undefined && next.time <= block.time; next = known[++at]) joined.push(next);
    joined.push(block);
  }
  return [...joined, ...known.slice(at)];
}
