import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import type { FoundFile, IndexSearch } from '../../index/search.js';
import type { MarkdownScan } from '../../markdown/block.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { scanMarkdown } from '../../markdown/scan.js';
import { visibleLines } from '../../markdown/visible.js';
import { linkedNames, tagKeys, tagsIn } from '../../markdown/wiki.js';
import type { ForgottenStatements } from '../../memory/forgotten.js';
import { fieldRole, readHead } from '../../memory/page/head.js';
import { stripMarkers } from '../../memory/page/lines.js';
import { fileTitle, nameKey } from '../../memory/page/names.js';
import { decodeBytes } from '../../text/bytes.js';
import { readVersion } from '../../workspace/files.js';
import { fullPathOf } from '../../workspace/read-scope.js';
import type { OmittedLineCounts, PageData, PageNote } from '../page-data.js';
import { newestFirst, noteKind, pastDay } from './files.js';
import type { FileTable } from './places.js';

/** Maximum number of characters of a note. Longer notes are cut, so that a browser can show them at once. */
const LONGEST = 500_000;
/** Maximum number of characters of the texts of days, newest first. A page has no room for more. */
const ROOM = 8_000_000;

export interface NotesInput {
  readonly root: string;
  readonly search: IndexSearch;
  readonly forgotten: ForgottenStatements;
  readonly withResources: boolean;
  readonly since: Day | undefined;
  readonly today: Day;
  /** If the page is about one entity: the numbers of the lines about it, by path. Other lines are left out. */
  readonly kept: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  /** Path of the page of that entity, which is shown whole. */
  readonly ownPage: string | null;
  /** Address of a link target that is not a page: a day or an entity. */
  readonly addressOf: (name: string) => string | undefined;
  /** Texts of facts. They may link to notes. */
  readonly lines: readonly string[];
}

interface CollectedNotes extends Pick<PageData, 'notes' | 'links'> {
  readonly leftOut: Pick<OmittedLineCounts, 'log_lines' | 'until'>;
}

/** All notes with their texts, the targets of link names, and the number of lines of days that were not read. */
export function collectNotes(input: NotesInput, places: FileTable, room = ROOM): CollectedNotes {
  const { read, leftOut } = readNotes(input, room);
  const targets = new LinkTargets(read, input.addressOf);
  const notes = read.map((note) => toPageNote(note, targets, places));
  const names = new Set([...read.flatMap((note) => note.links), ...input.lines.flatMap(linkedNames)]);
  const links = [...names].sort(compareText).flatMap((name) => {
    const target = targets.of(name);
    return target === undefined ? [] : [[name, target] as const];
  });
  return { notes, links, leftOut };
}

/** Reads pages, then days until the limit is reached, newest first. Sorts them by path. */
function readNotes(input: NotesInput, room: number) {
  const { search, withResources, since, today, kept, ownPage } = input;
  const read: ReadNote[] = [];
  const leftOut: { log_lines: number; until: Day | null } = { log_lines: 0, until: null };
  let length = 0;
  for (const file of newestFirst(search, today)) {
    const kind = noteKind(file, withResources);
    const isOld = kind === 'day' && since !== undefined && (file.day ?? since) < since;
    if (kind === undefined || isOld || (kept !== undefined && !kept.has(file.path) && file.path !== ownPage)) continue;
    if (kind === 'day' && length >= room) {
      const { lines } = search.countIn(file);
      leftOut.log_lines += lines;
      if (lines > 0) leftOut.until ??= pastDay(file.day, today);
      continue;
    }
    const note = readNote(input, file, kind);
    if (note === undefined) continue;
    if (kind === 'day') length += note.text.length;
    read.push(note);
  }
  return { read: read.sort((a, b) => compareText(a.path, b.path)), leftOut };
}

interface ReadNote extends NamedNote {
  readonly lines: number | undefined;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly fields: readonly string[];
  readonly text: string;
  readonly line: number;
  readonly links: readonly string[];
}

function readNote(
  { root, search, forgotten, kept, ownPage }: NotesInput,
  file: FoundFile,
  kind: PageNote['kind'],
): ReadNote | undefined {
  const bytes = readVersion(fullPathOf(root, file.path))?.bytes;
  if (bytes === undefined) return undefined;
  const written = decodeBytes(bytes);
  const scan = scanMarkdown(written);
  const head = readHead(file.path, file, scan);
  if (head.isDrawing) return undefined;
  const stem = fileTitle(file.path.slice(file.path.lastIndexOf('/') + 1, -'.md'.length));
  const plain = stem.replace(NOTION_HASH, '');
  const [first] = scan.blocks.slice(head.endLine === 0 ? 0 : 1);
  // A heading with the name of the file has the better spelling.
  const heading = first?.type === 'heading' && nameKey(first.text) === nameKey(plain) ? first.text : plain;
  const [title = heading, ...others] = head.names.map((name) => (name === stem ? heading : name));
  const only = file.path === ownPage ? undefined : kept?.get(file.path);
  const isHidden = hiddenLines(scan, forgotten, kind === 'entity' ? findManagedBlocks(written) : []);
  const isShown = (line: number): boolean => !isHidden(line) && only?.has(line) !== false;
  const lines = visibleLines(scan).map((line, at) => (isShown(at + 1) ? line : ''));
  const isProse = proseLines(scan);
  const said = lines.filter((line, at) => at >= head.endLine && isProse[at] && line !== '');
  return {
    path: file.path,
    kind,
    title,
    names: [stem, plain, ...head.names],
    aliases: others.filter((name) => name !== title),
    tags: [...new Set([...(only ? [] : head.tags.flatMap(tagKeys)), ...said.flatMap(tagsOf)])].sort(compareText),
    // Leave out tags, because the page shows them at another place.
    fields: (only ? [] : head.fields)
      .map(({ text }) => text)
      .filter((text) => fieldRole(text.slice(0, text.indexOf(':'))) !== 'tags' && !forgotten.hasLine(text)),
    text: lines.slice(head.endLine).join('\n').trimEnd(),
    line: head.endLine + 1,
    links: [...new Set(said.flatMap(linkedNames))],
    lines: kind === 'day' ? (only?.size ?? search.countIn(file).lines) : undefined,
  };
}

/** The id of the page that Notion appends to the name of an exported file. */
const NOTION_HASH = /[ _-][0-9a-f]{32}$/;

/** Returns a function that tells whether a line (1-based) is forgotten or generated. */
function hiddenLines(
  scan: MarkdownScan,
  forgotten: ForgottenStatements,
  generated: readonly { readonly startLine: number; readonly endLine: number }[],
): (line: number) => boolean {
  const items = scan.blocks.flatMap((block) =>
    block.type === 'item' && forgotten.size > 0 && forgotten.hasLine(block.text.replaceAll('\n', ' '))
      ? [{ startLine: block.startLine, endLine: block.textEndLine }]
      : [],
  );
  const spans = [...generated, ...items];
  return (line) =>
    spans.some(({ startLine, endLine }) => startLine <= line && line <= endLine) ||
    isForgotten(scan.lines[line - 1] ?? '', forgotten);
}

function isForgotten(line: string, forgotten: ForgottenStatements): boolean {
  return forgotten.size > 0 && (forgotten.hasLine(line.trim()) || forgotten.hasLine(stripMarkers(line)));
}

/** Tags of a line. `[[#Heading]]` is a link, not a tag. */
function tagsOf(line: string): readonly string[] {
  return tagsIn(line.includes('[[#') ? line.replace(/\[\[#[^[\]]*\]\]/g, '') : line);
}

/** Whether each line is prose. Code and comments contain no links or tags. */
function proseLines({ lines, blocks }: MarkdownScan): readonly boolean[] {
  const prose = lines.map(() => true);
  for (const { type, startLine, endLine } of blocks)
    if (type === 'fence' || type === 'code' || type === 'comment') prose.fill(false, startLine - 1, endLine);
  return prose;
}

function toPageNote(note: ReadNote, targets: LinkTargets, places: FileTable): PageNote {
  const { path, kind, title, aliases: names, tags, fields, line, links, lines } = note;
  const own = links.flatMap((name) => {
    const [here, elsewhere] = [targets.of(name, path), targets.of(name)];
    return here === undefined || here === elsewhere ? [] : [[name, here] as const];
  });
  const to = links.map((name) => targets.of(name, path)).filter((target) => typeof target === 'number');
  const text = note.text.slice(0, LONGEST);
  return {
    file: places.file(path),
    kind,
    title,
    names,
    tags,
    fields,
    text,
    line,
    to: [...new Set(to)],
    ...(own.length === 0 ? {} : { own }),
    cut: note.text.length - text.length,
    ...(lines === undefined ? {} : { lines }),
  };
}

interface NamedNote {
  readonly path: string;
  readonly kind: PageNote['kind'];
  /** Names by which links may refer to the note: the name of its file, then the names in its front matter. */
  readonly names: readonly string[];
  readonly aliases: readonly string[];
}

/** Resolves the names in links, like Obsidian and Logseq. */
class LinkTargets {
  private readonly own = new Map<string, Set<number>>();
  private readonly other = new Map<string, Set<number>>();

  constructor(
    private readonly notes: readonly NamedNote[],
    private readonly addressOf: (name: string) => string | undefined,
  ) {
    for (const [place, { path, kind, names, aliases }] of notes.entries()) {
      // `addressOf` knows days and entities.
      if (kind !== 'page') continue;
      const folders = path.slice(0, -'.md'.length).split('/');
      const paths = folders.map((_, depth) => folders.slice(depth).join('/'));
      for (const name of [...paths, ...names])
        add(aliases.includes(name) ? this.other : this.own, nameKey(name), place);
    }
  }

  /**
   * Resolves a name: the index of a note, else an address of the page; `undefined` if unknown. If several notes have
   * the name, the one in the folder of the linking note wins, else the one with the fewest parent folders.
   * @param from path of the linking note
   */
  of(name: string, from?: string): number | string | undefined {
    const key = nameKey(name);
    const found = [...(this.own.get(key) ?? this.other.get(key) ?? [])];
    if (found.length < 2) return found[0] ?? this.addressOf(name);
    const folder = from === undefined ? undefined : folderOf(from);
    const near = folder === undefined ? undefined : found.find((place) => folderOf(this.pathOf(place)) === folder);
    const depth = (place: number): number => this.pathOf(place).split('/').length;
    return near ?? found.sort((a, b) => depth(a) - depth(b) || a - b)[0];
  }

  private pathOf(place: number): string {
    return this.notes[place]?.path ?? '';
  }
}

function add(places: Map<string, Set<number>>, key: string, place: number): void {
  if (key !== '') places.set(key, (places.get(key) ?? new Set()).add(place));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
