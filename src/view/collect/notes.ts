import { compareText } from '../../base/order.js';
import type { FoundFile } from '../../index/search.js';
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
import type { PageData, PageNote } from '../page-data.js';
import { type FilesScope, noteKind } from './files.js';
import type { FileTable } from './places.js';

/** Maximum number of characters of a note. Longer notes are cut, so that a browser can show them at once. */
const LONGEST = 500_000;
export interface NotesInput extends FilesScope {
  readonly forgotten: ForgottenStatements;
  /** Address of a link target that is not a page: a day or an entity. */
  readonly addressOf: (name: string) => string | undefined;
  /** Texts of facts. They may link to notes. */
  readonly lines: readonly string[];
}

/** The texts of files, sorted by path, and the targets of link names. */
export function collectNotes(
  input: NotesInput,
  files: readonly FoundFile[],
  places: FileTable,
): Pick<PageData, 'notes' | 'links'> {
  const read = files.flatMap((file) => readNote(input, file) ?? []).sort((a, b) => compareText(a.path, b.path));
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
  readonly lines: number | undefined;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly fields: readonly string[];
  readonly text: string;
  readonly line: number;
  readonly links: readonly string[];
}

function readNote(input: NotesInput, file: FoundFile): ReadNote | undefined {
  const { root, search, forgotten, kept, ownPage } = input;
  const kind = noteKind(file, input);
  const bytes = readVersion(fullPathOf(root, file.path))?.bytes;
  if (kind === undefined || bytes === undefined) return undefined;
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
