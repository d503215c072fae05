import { type Dirent, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { toFailure } from '../../base/failure.js';
import { parseRecord } from '../../base/json.js';
import { decodeBytes, encodeBytes } from '../../text/bytes.js';
import { containedPath } from '../../workspace/contained.js';
import { contentHash, entriesOf, namesIn, readVersion } from '../../workspace/files.js';
import { type IsOurs, lineHash } from '../page/ownership.js';
import type { MemoryType } from '../types/memory-type.js';
import { isSingle } from '../types.js';

export interface BankPage {
  readonly text: string;
  /** Of its bytes. */
  readonly hash: string;
}

interface PlannedPage {
  readonly path: string;
  readonly before: BankPage | null;
  readonly after: string | null;
  /** Hashes of its new lines. */
  readonly added: readonly string[];
}

/** The pages of a workspace as they are on disk, with what a run has planned for them. */
export class Bank {
  private readonly onDisk = new Map<string, BankPage | null>();
  private readonly planned = new Map<string, string | null>();
  private readonly added = new Map<string, readonly string[]>();
  private readonly folders = new Map<string, Map<string, string>>();

  constructor(readonly root: string) {}

  /** @throws MemoryError `refused` for a path that leads out of the workspace */
  disk(path: string): BankPage | null {
    const known = this.onDisk.get(path);
    if (known !== undefined) return known;
    const version = readVersion(containedPath(this.root, path));
    const page = version === undefined ? null : { text: decodeBytes(version.bytes), hash: version.hash };
    this.onDisk.set(path, page);
    return page;
  }

  /** What a page is to be; null when there is none. */
  text(path: string): string | null {
    const planned = this.planned.get(path);
    return planned === undefined ? (this.disk(path)?.text ?? null) : planned;
  }

  /** @param added hashes of its new lines */
  plan(path: string, text: string | null, added: readonly string[]): void {
    this.planned.set(path, text);
    this.added.set(path, added);
    this.names(posix.dirname(path)).set(sameName(path), posix.basename(path));
  }

  /** Pages that will be another than they are. */
  get changed(): readonly PlannedPage[] {
    return [...this.planned].flatMap(([path, after]) => {
      const before = this.disk(path);
      return (before?.text ?? null) === after ? [] : [{ path, before, after, added: this.added.get(path) ?? [] }];
    });
  }

  isPlanned(path: string): boolean {
    return this.planned.has(path);
  }

  /** The path as it is written on disk, where only case or the form of accents differ: not every file system tells. */
  spelled(path: string): string {
    const name = this.names(posix.dirname(path)).get(sameName(path));
    return name === undefined ? path : posix.join(posix.dirname(path), name);
  }

  /** Whether the page that was read is still on disk. */
  isUnchanged(path: string): boolean {
    return (readVersion(containedPath(this.root, path))?.hash ?? null) === (this.disk(path)?.hash ?? null);
  }

  private names(folder: string): Map<string, string> {
    const known = this.folders.get(folder);
    if (known !== undefined) return known;
    const names = new Map(namesIn(`${this.root}/${folder}`).map((name) => [sameName(name), name]));
    this.folders.set(folder, names);
    return names;
  }
}

function sameName(path: string): string {
  return posix.basename(path).normalize('NFC').toLowerCase();
}

/** The hash that a page of this text will have. */
export function hashOfText(text: string | null): string | null {
  return text === null ? null : contentHash(encodeBytes(text));
}

/** The Markdown files of a type, subfolders too, or its only one. */
export function pagesBelow(root: string, type: MemoryType): readonly string[] {
  if (isSingle(type)) {
    const path = `${type.directory}/${type.filenameTemplate}.md`;
    return statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true ? [path] : [];
  }
  const found: string[] = [];
  const waiting = [type.directory];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesWithin(root, folder)) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) waiting.push(`${folder}/${entry.name}`);
      else if (entry.isFile() && entry.name.endsWith('.md')) found.push(`${folder}/${entry.name}`);
    }
  }
  return found;
}

/** None of a folder that is not there, or a link that leads out of the workspace. */
function entriesWithin(root: string, folder: string): readonly Dirent[] {
  try {
    return entriesOf(containedPath(root, folder));
  } catch (error) {
    if (toFailure(error).type === 'refused') return [];
    throw error;
  }
}

/** Which document was applied to which page; merged by union, so that a clone does not apply it again. */
export const APPLIED_PATH = 'bank/.applied.jsonl';
/** Older lines are dropped: nobody applies a document again after so many others. */
const MOST_LINES = 5_000;

interface AppliedLine {
  readonly document: string;
  /** Hash of what the document said. */
  readonly content: string;
  readonly page: string;
  /** Hashes of the page's bytes; null: there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Hashes of the lines that were written new, see `page/ownership.ts`. */
  readonly lines?: readonly string[] | undefined;
  /** The answer ended in its middle: the same document comes again, whole. */
  readonly cut?: true | undefined;
}

/** What has been applied, as the file says. */
export class AppliedLog {
  private readonly lines: readonly string[];
  private readonly known: readonly AppliedLine[];

  constructor(text: string | null) {
    this.lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
    this.known = this.lines.flatMap((line) => readLine(line) ?? []);
  }

  /** Whether the id was used for a document that said something else. */
  isOther(document: string, content: string): boolean {
    return this.known.some((line) => line.document === document && !line.cut && line.content !== content);
  }

  has(document: string): boolean {
    return this.known.some((line) => line.document === document && !line.cut);
  }

  /**
   * Whether a page has what a document does to it. A line stands before its page is written: a page that is still what
   * it was before was not.
   * @param hash of the page as it is; null when there is none
   * @param cut whether its beginning was applied, of an answer that ended in its middle
   */
  isDone(document: string, page: string, hash: string | null, cut = false): boolean {
    const lines = this.known.filter((line) => line.document === document && line.page === page && cut === !!line.cut);
    return lines.length > 0 && lines.every(({ before }) => before !== hash);
  }

  /** Which lines of a page are ours. Of what was written before lines were recorded, a page that is as we left it. */
  oursOf(page: string, hash: string | null): IsOurs {
    const written = this.known.filter((line) => line.page === page);
    if (written.some(({ after, lines }) => lines === undefined && after !== null && after === hash)) return () => true;
    const hashes = new Set(written.flatMap(({ lines = [] }) => lines));
    return (line) => hashes.has(lineHash(line));
  }

  /** The file with more lines. */
  with(added: readonly AppliedLine[]): string {
    const own = new Set(added.map((line) => JSON.stringify(line)));
    const kept = this.lines.filter((line) => !own.has(line));
    return `${[...kept, ...own].slice(-MOST_LINES).join('\n')}\n`;
  }
}

function readLine(line: string): AppliedLine | undefined {
  const { document, content, page, before = null, after = null, lines, cut } = parseRecord(line) ?? {};
  if (typeof document !== 'string' || typeof content !== 'string' || typeof page !== 'string') return undefined;
  return {
    document,
    content,
    page,
    before: hashOrNull(before),
    after: hashOrNull(after),
    ...(Array.isArray(lines) && { lines: lines.map(String) }),
    ...(cut === true && { cut }),
  };
}

function hashOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
