import { basename, dirname, join } from 'node:path';
import { fail } from '../base/failure.js';
import { groupBy } from '../base/order.js';
import { list, type ReportFields, type ReportOf } from '../base/report.js';
import type { RequestFields, RequestOf } from '../base/request.js';
import { readForgotten } from '../index/forgotten-page.js';
import type { ForgottenStatements } from '../memory/forgotten.js';
import { pageOfPath } from '../memory/pages.js';
import { readUnits } from '../memory/units.js';
import { safeFileName } from '../text/slug.js';
import { editPage, type FileChange, readPageText } from '../workspace/changes.js';
import { findPathOnDisk, namesIn, readVersion, resolveContainedPath } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { refuseUnreadPage, whyNotRead } from '../workspace/readable.js';
import { type EntryBlock, type ExportChat, type ExportProgram, formatEntry, plainTitle } from './import/entry.js';
import { readExport } from './import/formats.js';
import { addEntries } from './import/page.js';

export const IMPORT_REQUEST = {
  files: {
    type: 'list',
    of: { type: 'text' },
    required: true,
    place: 'words',
    instead: ['file', 'path'],
    doc: 'files or folders that another program exported',
  },
  as: { type: 'text', isNeverEmpty: true, value: 'name', doc: 'name of the page, if the files are one chat' },
  dryRun: { type: 'boolean', doc: 'show ten of the new lines, and write nothing' },
} as const satisfies RequestFields;

export type ImportRequest = RequestOf<typeof IMPORT_REQUEST>;

export const IMPORT_REPORT = {
  chats: list<ImportedChat>(),
  /** Up to ten of the new entries, each with its day. */
  lines: list(),
  warnings: list(),
  /** The pages before and after. */
  changes: list<FileChange>(),
} satisfies ReportFields;

export type ExportReport = ReportOf<typeof IMPORT_REPORT>;

/** What an import did with one chat, book, calendar or thread. */
export interface ImportedChat {
  readonly program: ExportProgram;
  readonly title: string;
  readonly pages: readonly string[];
  readonly added: number;
  /** Number of entries that an earlier import had already added. */
  readonly known: number;
  /** Number of messages that nobody wrote, such as joins and calls, and of events that were called off. */
  readonly left_out: number;
  /** Number of entries that are not written because they were forgotten. */
  readonly forgotten: number;
}

const FOLDER = 'memory/imports';
/** Number of entries from which on a chat is written to one page a month. */
const LONG_CHAT = 1_000;
const SHOWN_LINES = 10;

/**
 * Writes exports of other programs as pages in `memory/imports/`. Adds only what these pages do not have yet, so importing
 * twice changes nothing. The lines are other people's words: they are never facts.
 * @param request `files`: absolute paths
 * @throws MemoryError `usage` for a file of an unknown format, `refused` for one that is too large, `busy`
 */
export async function importExports(context: WorkspaceContext, request: ImportRequest): Promise<ExportReport> {
  const { as: name, dryRun = false } = request;
  const chats: ExportChat[] = [];
  for (const file of request.files) {
    const read = await readExport(file, context.clock);
    // An export of a whole account lists chats in which nobody wrote. They get no page.
    chats.push(...read.filter(({ entries }) => entries.length > 0 || read.length === 1));
  }
  const titles = new Set(chats.map(({ program, title }) => `${program}/${title}`));
  if (name !== undefined && titles.size > 1)
    fail('usage', `--as can't name ${titles.size} chats`, 'import the files one by one, or leave out --as');
  return runWithLock({ ...context, command: 'import', dryRun }, () => {
    const pages = new ImportPages(context, dryRun);
    const written = chats.map((chat) => pages.write({ ...chat, title: name ?? chat.title }));
    const lines = written.flatMap(({ added }) => added.slice(0, SHOWN_LINES)).slice(0, SHOWN_LINES);
    return {
      chats: written.map(({ report }) => report),
      lines: lines.map(({ day, lines: [first = ''] }) => `${day ?? ''} ${first.slice('- '.length)}`.trim()),
      warnings: chats.flatMap(({ warnings = [] }) => warnings),
      changes: [...pages.changes.values()],
    };
  });
}

/** The pages of imports. The caller holds the lock. */
class ImportPages {
  /** The pages before the import and after it, by path. */
  readonly changes = new Map<string, FileChange>();
  private readonly forgotten: ForgottenStatements;

  constructor(
    private readonly context: WorkspaceContext,
    private readonly dryRun: boolean,
  ) {
    this.forgotten = readForgotten(context.root);
  }

  write({ program, title: given, entries, leftOut }: ExportChat) {
    const { root } = this.context;
    const title = plainTitle(given);
    const single = findPathOnDisk(root, `${FOLDER}/${program}/${safeFileName(given)}.md`);
    const all = entries.flatMap((entry) => formatEntry(entry) ?? []);
    const blocks = this.forgotten.size === 0 ? all : all.filter((block) => !this.isForgotten(single, block));
    const parts = this.divide(program, single, title, blocks);
    const added = parts.flatMap((part) => this.add(part));
    const pages = parts.flatMap(({ path }) => (this.changes.get(path)?.after == null ? [] : [path]));
    const known = blocks.filter(({ isCancelled }) => isCancelled !== true).length - added.length;
    const report: ImportedChat = {
      program,
      title,
      pages,
      added: added.length,
      known,
      left_out: leftOut,
      forgotten: all.length - blocks.length,
    };
    return { report, added };
  }

  /**
   * Divides the entries of a chat into pages: one, or one a month for a long chat. What the one page already has stays there.
   * Undated entries, and entries that a later export may move to another day, are always on that page.
   */
  private divide(
    program: ExportProgram,
    single: string,
    title: string,
    blocks: readonly EntryBlock[],
  ): readonly Part[] {
    const written = this.textOf(single);
    const rest = written === null ? blocks : addEntries(written, title, blocks).added;
    const base = single.slice(0, -'.md'.length);
    const isOfMonth = (name: string): boolean =>
      name.startsWith(basename(base)) && /^-\d{4}-\d{2}\.md$/.test(name.slice(basename(base).length));
    const count = (written?.match(/^- /gm)?.length ?? 0) + rest.length;
    const isLong = count > LONG_CHAT || namesIn(join(this.context.root, dirname(single))).some(isOfMonth);
    if (!isLong || program === 'calendar') return [{ path: single, heading: title, blocks }];
    return [...groupBy(rest, ({ day }) => day?.slice(0, 'YYYY-MM'.length) ?? '')].map(([month, some]) =>
      month === ''
        ? { path: single, heading: title, blocks: some }
        : { path: `${base}-${month}.md`, heading: `${title}, ${month}`, blocks: some },
    );
  }

  private add({ path, heading, blocks }: Part): readonly EntryBlock[] {
    const { root } = this.context;
    const unread = whyNotRead(this.context, path, readVersion(resolveContainedPath(root, path))?.bytes);
    if (unread !== undefined) refuseUnreadPage(path, unread);
    const earlier = this.changes.get(path);
    let added: readonly EntryBlock[] = [];
    const edit = (now: string | null): string | null => {
      const made = addEntries(this.dryRun ? (earlier?.after ?? now) : now, heading, blocks);
      added = made.added;
      return made.text;
    };
    const change = editPage(root, path, edit, this.dryRun);
    this.changes.set(path, { ...change, before: earlier === undefined ? change.before : earlier.before });
    return added;
  }

  private textOf(path: string): string | null {
    return this.changes.get(path)?.after ?? readPageText(this.context.root, path);
  }

  /** Whether the index would leave out the entry, or a line of it, because it was forgotten. */
  private isForgotten(path: string, { lines }: EntryBlock): boolean {
    const page = pageOfPath(path);
    if (page === undefined) return false;
    const texts = [lines.join('\n'), lines.map((line) => line.trim().replace(/^(?!- )/, '- ')).join('\n')];
    return texts.some((text) => readUnits(path, page, text, this.forgotten).forgotten > 0);
  }
}

/** Entries for one page. */
interface Part {
  readonly path: string;
  readonly heading: string;
  readonly blocks: readonly EntryBlock[];
}
