import { compareText } from '../../base/order.js';
import type { FoundFile, IndexSearch } from '../../index/search.js';
import type { MarkdownScan } from '../../markdown/block.js';
import { scanMarkdown } from '../../markdown/scan.js';
import { linkedNames, tagKeys, tagsIn } from '../../markdown/wiki.js';
import type { ForgottenStatements } from '../../memory/forgotten.js';
import { fieldRole, readHead } from '../../memory/page/head.js';
import { stripMarkers } from '../../memory/page/lines.js';
import { fileTitle, nameKey } from '../../memory/page/names.js';
import { decodeBytes } from '../../text/bytes.js';
import { readVersion } from '../../workspace/files.js';
import { fullPathOf } from '../../workspace/read-scope.js';
import type { PageData, PageNote } from '../page-data.js';
import type { FileTable } from './places.js';

/** Maximum number of characters of a note. Longer notes are cut, so that a browser can show them at once. */
const LONGEST = 500_000;
/**
 * Roles of files that are shown as notes. Daily logs are on the timeline, and pages of entities are among the entities.
 */
const ROLES: ReadonlySet<string> = new Set(['core', 'persona', 'topic', 'import', 'bank', 'resource']);

export function isNote({ role, day }: Pick<FoundFile, 'role' | 'day'>): boolean {
  return ROLES.has(role) && day === null;
}

export interface NotesInput {
  readonly root: string;
  readonly search: IndexSearch;
  readonly forgotten: ForgottenStatements;
  readonly withResources: boolean;
  /** Address of a link target that is not a note: a day or an entity. */
  readonly addressOf: (name: string) => string | undefined;
  /** Texts of items that the page does not show as notes. They may link to notes. */
  readonly lines: readonly string[];
}

/** All notes with their texts, and the targets of link names. */
export function collectNotes(input: NotesInput, places: FileTable): Pick<PageData, 'notes' | 'links'> {
  const { root, search, forgotten, withResources } = input;
  const files = search.files().filter(({ role }) => ROLES.has(role) && (role !== 'resource' || withResources));
  const found = files.flatMap(({ path }) => search.file(path) ?? []).filter(isNote);
  const sorted = found.toSorted((a, b) => compareText(a.path, b.path));
  const read = sorted.flatMap((file) => readNote(root, file, forgotten) ?? []);
  const targets = new LinkTargets(read, input.addressOf);
  const notes = read.map((note) => toPageNote(note, targets, places));
  const names = new Set([...read.flatMap((note) => note.links), ...input.lines.flatMap(linkedNames)]);
  const links = [...names].sort(compareText).flatMap((name) => {
    const target = targets.of(name);
    return target === undefined ? [] : [[name, target] as const];
  });
  return { notes, links };
}

interface ReadNote extends NamedNote {
  readonly title: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly fields: readonly string[];
  readonly text: string;
  readonly line: number;
  readonly links: readonly string[];
}

function readNote(root: string, file: FoundFile, forgotten: ForgottenStatements): ReadNote | undefined {
  const bytes = readVersion(fullPathOf(root, file.path))?.bytes;
  if (bytes === undefined) return undefined;
  const scan = scanMarkdown(decodeBytes(bytes));
  const head = readHead(file.path, file, scan);
  if (head.isDrawing) return undefined;
  const stem = fileTitle(file.path.slice(file.path.lastIndexOf('/') + 1, -'.md'.length));
  const [title = stem, ...others] = head.names;
  const lines = scan.lines.slice(head.endLine).map((line) => (isForgotten(line, forgotten) ? '' : line));
  const prose = proseLines(scan).slice(head.endLine);
  const said = lines.filter((_, at) => prose[at]);
  return {
    path: file.path,
    title,
    names: [stem, ...head.names],
    aliases: others.filter((name) => name !== title && name !== stem),
    tags: [...new Set([...head.tags.flatMap(tagKeys), ...said.flatMap(tagsOf)])].sort(compareText),
    // Leave out tags, because the page shows them at another place.
    fields: head.fields
      .map(({ text }) => text)
      .filter((text) => fieldRole(text.slice(0, text.indexOf(':'))) !== 'tags' && !forgotten.hasLine(text)),
    text: lines.join('\n').trimEnd(),
    line: head.endLine + 1,
    links: [...new Set(said.flatMap(linkedNames))],
  };
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
  const { path, title, aliases: names, tags, fields, line, links } = note;
  const own = links.flatMap((name) => {
    const [here, elsewhere] = [targets.of(name, path), targets.of(name)];
    return here === undefined || here === elsewhere ? [] : [[name, here] as const];
  });
  const to = links.map((name) => targets.of(name, path)).filter((target) => typeof target === 'number');
  const text = note.text.slice(0, LONGEST);
  return {
    file: places.file(path),
    title,
    names,
    tags,
    fields,
    text,
    line,
    to: [...new Set(to)],
    ...(own.length === 0 ? {} : { own }),
    cut: note.text.length - text.length,
  };
}

interface NamedNote {
  readonly path: string;
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
    for (const [place, { path, names, aliases }] of notes.entries()) {
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
