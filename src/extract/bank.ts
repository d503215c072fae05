import { type Dirent, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { memoize } from '../base/cache.js';
import { toFailure } from '../base/failure.js';
import { asText, parseRecord } from '../base/json.js';
import { APPLIED_PATH } from '../memory/pages.js';
import { encodeBytes } from '../text/bytes.js';
import { PageSnapshot } from '../workspace/changes.js';
import { contentHash, entriesOf, namesIn, resolveContainedPath } from '../workspace/files.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { namesByNfc, originalOfCopy, type UnreadReason, whyNotRead } from '../workspace/readable.js';
import type { MemoryType } from './memory-type.js';
import type { OperationsDocument } from './operations/document.js';
import { type IsProgramLine, lineHash } from './page/ownership.js';
import { isSinglePageType } from './types.js';

/** The pages of a workspace on disk, with the planned changes of a run. */
export class BankDraft extends PageSnapshot {
  /** The planned text of each page, and the hashes of the lines that the plan adds to it. */
  private readonly planned = new Map<string, { readonly after: string | null; readonly added: readonly string[] }>();
  /** The documents that were applied before, also on other clones of the workspace. */
  readonly applied = new AppliedDocumentLog(this.disk(APPLIED_PATH)?.text ?? null);

  constructor(
    root: string,
    readonly reads?: WorkspaceContext['reads'],
  ) {
    super(root);
  }

  /** Why recall can't read a page; undefined if it can. */
  whyNotRead(path: string): UnreadReason | undefined {
    const before = this.disk(path)?.text;
    return whyNotRead(this, path, before === undefined ? undefined : encodeBytes(before));
  }

  /** Planned or current text of a page; null if there is none. */
  text(path: string): string | null {
    const planned = this.planned.get(path);
    return planned === undefined ? (this.disk(path)?.text ?? null) : planned.after;
  }

  /** Plans the new text of a page; null deletes it. @param added hashes of its new lines */
  plan(path: string, after: string | null, added: readonly string[]): void {
    this.planned.set(path, { after, added });
    this.names(posix.dirname(path)).set(sameName(path), posix.basename(path));
  }

  /** Pages whose planned text differs from the one on disk. */
  get changed() {
    const pages = [...this.planned].map(([path, to]) => ({ path, before: this.disk(path), ...to }));
    return pages.filter(({ before, after }) => (before?.text ?? null) !== after);
  }

  isPlanned(path: string): boolean {
    return this.planned.has(path);
  }

  /**
   * The given path, spelled as on disk. The two spellings may differ in case or Unicode form, because some file systems
   * ignore such differences.
   */
  spelled(path: string): string {
    const name = this.names(posix.dirname(path)).get(sameName(path));
    return name === undefined ? path : posix.join(posix.dirname(path), name);
  }

  private readonly names = memoize(
    (folder: string) => new Map(namesIn(`${this.root}/${folder}`).map((name) => [sameName(name), name])),
  );
}

function sameName(path: string): string {
  return posix.basename(path).normalize('NFC').toLowerCase();
}

/** The Markdown files of a type, including subfolders, or its single page. Excludes conflict copies. */
export function pagesOfType(root: string, type: MemoryType): readonly string[] {
  if (isSinglePageType(type)) {
    const path = `${type.directory}/${type.filename_template}.md`;
    return statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true ? [path] : [];
  }
  const found: string[] = [];
  const waiting = [type.directory];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = entriesWithin(root, folder);
    const names = namesByNfc(entries.map(({ name }) => name));
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && entry.name.endsWith('.md') && originalOfCopy(root, path, names) === undefined)
        found.push(path);
    }
  }
  return found;
}

/** Entries of a folder. Empty if it does not exist, or is a link that leads out of the workspace. */
function entriesWithin(root: string, folder: string): readonly Dirent[] {
  try {
    return entriesOf(resolveContainedPath(root, folder));
  } catch (error) {
    if (toFailure(error).type === 'refused') return [];
    throw error;
  }
}

/**
 * Maximum number of lines in the log of applied documents. Older lines are dropped, because a document that old will not
 * come again.
 */
const MOST_LINES = 5_000;

type AppliedLine = NonNullable<ReturnType<typeof readLine>>;

/** Parsed log of applied documents. */
class AppliedDocumentLog {
  private readonly lines: readonly string[];
  private readonly known: readonly AppliedLine[];

  constructor(text: string | null) {
    this.lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
    this.known = this.lines.flatMap((line) => readLine(line) ?? []);
  }

  /** Whether the same id was used before, for a document with other content. */
  isOther(document: string, content: string): boolean {
    return this.known.some((line) => line.document === document && !line.cut && line.content !== content);
  }

  has(document: string): boolean {
    return this.known.some((line) => line.document === document && !line.cut);
  }

  /**
   * Whether a document was applied to a page. A line in the log is not enough, because it is written before the page. The
   * line contains the hash of the page before the change. If the page still has this hash, the change was never written.
   * @param now current page; null if there is none
   * @param cut whether to look for the application of a truncated answer
   */
  isDone(document: string, page: string, now: ReturnType<BankDraft['disk']>, cut = false): boolean {
    const lines = this.known.filter((line) => line.document === document && line.page === page && cut === !!line.cut);
    return lines.length > 0 && lines.every(({ before }) => before !== (now?.hash ?? null));
  }

  /** Builds a test that tells whether the program wrote a given line of a page. */
  oursOf(page: string): IsProgramLine {
    const hashes = new Set(this.known.flatMap((line) => (line.page === page ? line.lines : [])));
    return (line) => hashes.has(lineHash(line));
  }

  /** The new text of the log, with a line for each page that a document changes. */
  with({ id: document, content, isCut }: OperationsDocument, pages: BankDraft['changed']): string {
    const added = pages.map(({ path: page, before, after, added: lines }): AppliedLine => {
      const hashes = { before: before?.hash ?? null, after: after === null ? null : contentHash(encodeBytes(after)) };
      return { document, content, page, ...hashes, lines: [...lines], ...(isCut && { cut: true }) };
    });
    const own = new Set(added.map((line) => JSON.stringify(line)));
    const kept = this.lines.filter((line) => !own.has(line));
    return `${[...kept, ...own].slice(-MOST_LINES).join('\n')}\n`;
  }
}

function readLine(line: string) {
  const { document, content, page, before, after, lines, cut } = parseRecord(line) ?? {};
  if (typeof document !== 'string' || typeof content !== 'string' || typeof page !== 'string') return undefined;
  return {
    document,
    /** Hash of the document's content. */
    content,
    page,
    /** Hash of the page's bytes before the change. `after` is the hash after it. Null if there is no page. */
    before: asText(before) ?? null,
    after: asText(after) ?? null,
    /** Hashes of the added lines, see `page/ownership.ts`. */
    lines: Array.isArray(lines) ? lines.map(String) : [],
    /** Set if the answer was truncated. The whole document can still be applied later. */
    ...(cut === true && { cut }),
  };
}
