import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';
import { fail, isMissingPathError, isReadErrorCode, systemErrorCode, unreadableReason } from '../base/failure.js';
import { compareText } from '../base/order.js';
import { type AwayPlaces, pageOfPlaceholder } from '../memory/away.js';
import { originalNoteName } from '../memory/conflict-copy.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import type { ForgottenStatements } from '../memory/forgotten.js';
import {
  conflictCopyPage,
  extraFolderPage,
  HOST_PAGES,
  isSkippedFolder,
  isTransientFile,
  PAGE_FOLDERS,
  type Page,
  pageOfPath,
} from '../memory/pages.js';
import { type Glob, pathGlob } from '../text/glob.js';
import { readBeginning } from '../workspace/files.js';
import { fullPathOf, pathInWorkspace, type ReadScope } from '../workspace/read-scope.js';
import { isIgnored, namesByNfc } from '../workspace/readable.js';
import { SETTINGS_FILE } from '../workspace/settings.js';
import { readForgotten } from './forgotten-page.js';
import { fileState, TreeFiles } from './tree-files.js';

export interface FileTree {
  readonly files: TreeFiles;
  /** Hash of all paths, states of files and tombstones. It changes whenever one of them does. */
  readonly digest: string;
  readonly forgotten: ForgottenStatements;
  readonly notices: readonly Notice[];
  /** All folders that were listed or checked. */
  readonly folders: readonly string[];
  /**
   * Whether at least one file is a link, or has a second name (hard link). Such a file may change without an event in its
   * folder.
   */
  readonly isLinked: boolean;
  /** Files and folders that are temporarily unavailable. */
  readonly away: AwayPlaces;
  /**
   * Paths of files that are named like conflict copies, and paths of the originals that these files are compared with.
   */
  readonly compared: ReadonlySet<string>;
}

/** A file or folder that exists but is not indexed, and why. */
export interface Notice {
  readonly path: string;
  readonly reason: string;
  /** Set if the notice is about a page, or a folder with pages, that was not read. Answers then lack its content. */
  readonly isUnread?: true;
  /** Set if the file is left out on purpose, so that nobody has to do anything. */
  readonly isNormal?: true;
  /** How to fix it, if known. */
  readonly hint?: string;
}

function unreadable(path: string, code: string | undefined): Notice {
  return { path, reason: `can't be read (${code ?? 'unknown error'})`, isUnread: true };
}

/**
 * Finds the notice of a file that exists but can't be read, for example because of its permissions. Such a file must not
 * count as deleted.
 */
export function unreadableNotice(notices: readonly Notice[]): Notice | undefined {
  return notices.find(({ reason }) => isReadErrorCode(/^can't be read \((\w+)\)$/.exec(reason)?.[1]));
}

/**
 * Throws if a file exists but can't be read, because a decision without its content could be wrong.
 * @throws MemoryError `io`
 */
export function requireAllRead(notices: readonly Notice[]): void {
  const held = unreadableNotice(notices);
  if (held === undefined) return;
  fail(
    'io',
    `${held.path} ${held.reason}; without it, nothing can be decided`,
    'try again; to skip this file, add it to "ignore" in memory.config.json5',
  );
}

/**
 * Lists the files of a workspace that the index covers. Synchronous, because this is twice as fast as promises for many
 * small files. Links that lead out of the workspace are not followed.
 */
export function readFileTree(root: string, reads: ReadScope = ONLY_OWN): FileTree {
  const walk = new Walk(root, reads.ignore);
  // Sorted by name: if both `MEMORY.md` and `memory.md` exist, the first is the core file.
  const top = walk.names('').toSorted((a, b) => compareText(a.name, b.name));
  const siblings = new Siblings('', top, pageOfPath);
  for (const entry of top) {
    const page = entry.isDirectory() ? undefined : siblings.pageOf(entry.name);
    if (page !== undefined) walk.file(entry.name, entry, page);
  }
  for (const entry of top) if (entry.isDirectory()) walk.pagesOfHost(entry.name);
  for (const folder of PAGE_FOLDERS) walk.own(folder, pageOfPath);
  for (const folder of reads.extraFolders) walk.extra(folder);
  for (const folder of reads.refusedFolders) walk.refused(folder);
  walk.overviews();
  return walk.tree();
}

/** Number of pages in the workspace that are not read because no setting names their folder. */
export function countUnreadPages(root: string, { ignore }: ReadScope, { files }: FileTree): number {
  const walk = new Walk(root, ignore);
  walk.extra(root);
  const read = new Set(files.paths);
  return walk.files.paths.filter((path) => !read.has(path)).length;
}

/** The read scope of a workspace without settings. */
const ONLY_OWN: ReadScope = { extraFolders: [], refusedFolders: [], ignore: [] };
/**
 * Folders at the top of a workspace that are not read as folders of `extraFolders`, because the program has its own rules
 * for them.
 */
const OWN_FOLDERS: ReadonlySet<string> = new Set([...PAGE_FOLDERS, 'sessions']);
/** The folder in which Logseq keeps old versions of pages. */
const BACKUPS = /(?:^|\/)logseq\/bak$/;

/** Files with pictures, sounds or code. They have no text that a person would miss in an answer. */
const WITHOUT_TEXT =
  /\.(?:png|jpe?g|gif|webp|svg|heic|bmp|tiff?|mp[34]|m4[av]|wav|ogg|opus|mov|webm|css|js|ttf|woff2?|canvas|base|zip)$/i;
/** Number of names in the notice about files that are not read. */
const FEW_NAMES = 3;

class Walk {
  readonly files = new TreeFiles();
  private readonly notices: Notice[] = [];
  private readonly ignored: readonly Glob[];
  /**
   * Paths that were found so far, so that no file is listed twice. Not set before the first folder of `extraFolders` is
   * listed. Only these folders may overlap with each other, so before that no file can be found twice.
   */
  private seen: Set<string> | undefined;
  private readonly folders: string[] = [];
  /** Files of a folder of `extraFolders` that are no pages. */
  private readonly others: string[] = [];
  private isLinked = false;
  private readonly compared = new Set<string>();
  private readonly away = { files: new Set<string>(), folders: new Set<string>() };
  private realRoot: string | undefined;

  constructor(
    private readonly root: string,
    ignore: readonly string[],
  ) {
    this.ignored = ignore.map(pathGlob);
  }

  names(folder: string): readonly Dirent[] {
    try {
      const entries = readdirSync(fullPathOf(this.root, folder), { withFileTypes: true });
      this.folders.push(folder);
      return entries;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'ENOTDIR') this.notices.push({ path: folder, reason: 'is not a folder', isUnread: true });
      else if (code !== 'ENOENT') this.notices.push(unreadable(folder, code));
      return [];
    }
  }

  /**
   * Lists a folder with its subfolders. @param pageOf returns the page for the path of a file, or undefined if the file is
   * no page
   */
  folder(top: string, pageOf: (path: string) => Page | undefined): void {
    const waiting: string[] = [top];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const entries = this.names(folder);
      const siblings = new Siblings(folder, entries, pageOf);
      for (const entry of entries) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!isSkippedFolder(entry.name) && !this.isIgnored(path) && !this.isReadElsewhere(path, pageOf))
            waiting.push(path);
        } else if (entry.isSymbolicLink() && this.linkedFolder(path)) {
          this.notices.push({ path, reason: 'is a link to a folder, and not followed' });
        } else this.file(path, entry, siblings.pageOf(entry.name), pageOf);
      }
    }
  }

  /** Finds the pages of the host in a folder at the top. Its other files are not read. */
  pagesOfHost(folder: string): void {
    if (!HOST_PAGES.some((path) => path.startsWith(`${folder}/`))) return;
    for (const entry of this.names(folder)) {
      const path = `${folder}/${entry.name}`;
      const page = HOST_PAGES.includes(path) ? pageOfPath(path) : undefined;
      if (page !== undefined) this.file(path, entry, page);
    }
  }

  /** Lists one of our own folders at the top, unless it is a link that leads outside. */
  own(folder: string, pageOf: (path: string) => Page | undefined): void {
    const notice = isLink(fullPathOf(this.root, folder)) ? this.whyNotFollowed(folder) : undefined;
    if (notice === undefined) this.folder(folder, pageOf);
    else this.notices.push({ ...notice, isUnread: true });
  }

  /**
   * Reports that a folder in `extraFolders` is outside the workspace and may not be read. Its files count as unavailable.
   * @param folder absolute path
   */
  refused(folder: string): void {
    const reason =
      'is in extraFolders, but not read, because it is outside of the workspace; to allow it: openclaw memory doctor --allow-folders';
    this.notices.push({ path: folder, reason, isUnread: true });
    this.away.folders.add(folder);
  }

  /** Lists a folder that the setting `extraFolders` names. @param folder absolute path */
  extra(folder: string): void {
    const start = pathInWorkspace(this.root, folder);
    if (OWN_FOLDERS.has(start.split('/')[0] ?? '')) return;
    this.seen ??= new Set(this.files.paths);
    const before = this.files.length;
    if (!this.linkedFolder(start))
      this.notices.push({ path: start, reason: 'is in extraFolders, but is not a folder', isUnread: true });
    else this.folder(start, extraFolderPage);
    this.reportOthers(start);
    // An empty folder may mean that its disk is not mounted. So the files in it are unavailable, not deleted.
    if (this.files.length === before && start !== '') this.away.folders.add(start);
  }

  file(path: string, entry: Dirent, page: Page | undefined, pageOf = pageOfPath): void {
    if (this.isIgnored(path)) return;
    if (page === undefined) {
      const original = pageOfPlaceholder(entry.name);
      if (original !== undefined) this.elsewhere(path.slice(0, -entry.name.length) + original, pageOf);
      else if (!entry.name.startsWith('.')) this.unread(path, entry.name, pageOf);
      return;
    }
    if (entry.isSymbolicLink()) {
      this.isLinked = true;
      const notice = this.whyNotFollowed(path);
      if (notice !== undefined) {
        this.notices.push(notice);
        return;
      }
    }
    this.add(path, page);
  }

  /** Records a page of which only a placeholder is there, because its content is in the cloud. */
  private elsewhere(path: string, pageOf: (path: string) => Page | undefined): void {
    if (pageOf(path) === undefined || this.isIgnored(path) || this.stat(path) !== undefined) return;
    this.away.files.add(path);
    this.notices.push({ path, reason: 'is away: only its placeholder is here' });
  }

  private unread(path: string, name: string, pageOf: (path: string) => Page | undefined): void {
    if (name.endsWith('.md') && isTransientFile(name))
      this.notices.push({ path, reason: 'is a temporary file', isNormal: true });
    else if (/\.(?:md|markdown|mdown|mkd)$/i.test(name) && !name.endsWith('.md'))
      this.notices.push({ path, reason: `is not read, because its name does not end in .md` });
    else if (pageOf === extraFolderPage && !name.endsWith('.md') && !WITHOUT_TEXT.test(name) && name !== SETTINGS_FILE)
      this.others.push(path);
  }

  /** Reports the files of a folder of `extraFolders` that are no Markdown: their number and the first names. */
  private reportOthers(folder: string): void {
    const others = this.others.splice(0);
    if (others.length === 0) return;
    const count = others.length === 1 ? '1 file' : `${others.length} files`;
    const names = others.slice(0, FEW_NAMES).map((path) => path.slice(path.lastIndexOf('/') + 1));
    const more = others.length > FEW_NAMES ? ', …' : '';
    const reason = `has ${count} that ${others.length === 1 ? 'is' : 'are'} not read, because only .md is: ${names.join(', ')}${more}; for exports of chats and mails, use openclaw memory import`;
    this.notices.push({ path: folder === '' ? '.' : folder, reason, isNormal: true });
  }

  /** Whether a folder must not be listed here: it is listed separately, or it is a folder of backups. */
  private isReadElsewhere(path: string, pageOf: (path: string) => Page | undefined): boolean {
    return BACKUPS.test(path) || (pageOf === extraFolderPage && (OWN_FOLDERS.has(path) || path === this.root));
  }

  private isIgnored(path: string): boolean {
    return isIgnored(this.ignored, path);
  }

  /** Adds the overview of the newest completed archive of each session. The overviews of older archives are outdated. */
  overviews(): void {
    if (isLink(fullPathOf(this.root, 'sessions')) && this.whyNotFollowed('sessions') !== undefined) return;
    for (const session of this.names('sessions')) {
      if (!session.isDirectory() || isSkippedFolder(session.name)) continue;
      const history = `sessions/${session.name}/history`;
      const entries = this.names(history);
      // If there is no history folder yet, the folder of the session is watched, so that its creation is seen.
      if (this.folders.at(-1) !== history) this.folders.push(`sessions/${session.name}`);
      const archives = entries
        .map((entry) => entry.name)
        .filter((name) => /^archive_\d+$/.test(name))
        .sort((a, b) => archiveNumber(b) - archiveNumber(a));
      const newest = archives.find((name) => this.stat(`${history}/${name}/.done`) !== undefined);
      if (newest === undefined) continue;
      const path = `${history}/${newest}/.overview.md`;
      const page = pageOfPath(path);
      this.folders.push(`${history}/${newest}`);
      if (page !== undefined) this.add(path, page);
    }
  }

  tree(): FileTree {
    const forgotten = readForgotten(this.root);
    this.evidence();
    const { files, notices, folders, isLinked, compared } = this;
    const away = { files: [...this.away.files], folders: [...this.away.folders] };
    return { files, digest: digestOfTree(files, forgotten), forgotten, notices, folders, isLinked, away, compared };
  }

  /** Reports the evidence file if it can't be read. It is not a page, but answers would lack its verdicts. */
  private evidence(): void {
    try {
      readBeginning(fullPathOf(this.root, EVIDENCE_PATH), 1);
    } catch (error) {
      if (!isMissingPathError(error))
        this.notices.push({ path: EVIDENCE_PATH, reason: unreadableReason(error), isUnread: true });
    }
  }

  private add(path: string, page: Page): void {
    const stat = this.stat(path);
    if (stat === undefined || this.seen?.has(path)) return;
    if (!stat.isFile()) {
      this.notices.push({ path, reason: 'is not a regular file', isUnread: true });
      return;
    }
    if (stat.nlink > 1) this.isLinked = true;
    if (page.role === 'core' && this.isSecondCore(path, stat)) return;
    this.seen?.add(path);
    const original = page.copy?.of ?? undefined;
    if (original !== undefined) this.compared.add(path).add(original);
    this.files.add(path, page, original === undefined ? stat : withState(stat, this.stat(original)));
  }

  /** Whether a file is a second core file. `MEMORY.md` and `memory.md` may be one file on disk or two; only one counts. */
  private isSecondCore(path: string, { size, mtimeMs, ctimeMs, ino: inode }: Stats): boolean {
    const first = [...this.files].find(({ page }) => page.role === 'core');
    if (first === undefined) return false;
    if (fileState(first) !== fileState({ size, mtimeMs, ctimeMs, inode }))
      this.notices.push({ path, reason: `is ignored: ${first.path} is the core file, and both exist` });
    return true;
  }

  private stat(path: string): Stats | undefined {
    try {
      return statSync(fullPathOf(this.root, path), { throwIfNoEntry: false });
    } catch (error) {
      this.notices.push(unreadable(path, systemErrorCode(error)));
      return undefined;
    }
  }

  private linkedFolder(path: string): boolean {
    try {
      return statSync(fullPathOf(this.root, path)).isDirectory();
    } catch {
      return false;
    }
  }

  private whyNotFollowed(path: string): Notice | undefined {
    try {
      this.realRoot ??= realpathSync(this.root);
      if (realpathSync(fullPathOf(this.root, path)).startsWith(this.realRoot + sep)) return undefined;
    } catch (error) {
      const code = systemErrorCode(error);
      return code === 'ENOENT'
        ? { path, reason: 'is a link to a missing file', isUnread: true }
        : unreadable(path, code);
    }
    return { path, reason: 'is a link to a place outside of the workspace, and not followed' };
  }
}

/**
 * The files of one folder. Whether a file is a page or a conflict copy depends on its name and on the names of the other
 * files.
 */
class Siblings {
  /** Maps the Unicode NFC form of each name in the folder to the name as it is written on disk. */
  private names: ReadonlyMap<string, string> | undefined;

  constructor(
    private readonly folder: string,
    private readonly entries: readonly Dirent[],
    private readonly pageAt: (path: string) => Page | undefined,
  ) {}

  pageOf(name: string): Page | undefined {
    const original = originalNoteName(name, (other) => this.named(other));
    return (
      conflictCopyPage(this.path(name), original && this.path(original), this.pageAt) ?? this.pageAt(this.path(name))
    );
  }

  private path(name: string): string {
    return this.folder === '' ? name : `${this.folder}/${name}`;
  }

  private named(name: string): string | undefined {
    this.names ??= namesByNfc(this.entries.map((entry) => entry.name));
    return this.names.get(name);
  }
}

/**
 * Combines the states of a conflict copy and its original. So the state of the copy also changes when the original changes,
 * because both files are compared.
 */
function withState(stat: Stats, original: Stats | undefined): Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'> {
  const { size, mtimeMs, ctimeMs, ino } = stat;
  if (original === undefined) return stat;
  return {
    size,
    mtimeMs: Math.max(mtimeMs, original.mtimeMs),
    ctimeMs: ctimeMs + original.ctimeMs,
    ino: ino + original.ino + original.size,
  };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Hash of all paths, states of files and tombstones. It changes whenever one of them may have changed. */
export function digestOfTree({ paths, states }: TreeFiles, forgotten: ForgottenStatements): string {
  return createHash('sha1').update(paths.join('\n')).update(states).update(forgotten.digest).digest('hex');
}

function archiveNumber(name: string): number {
  return Number(name.slice('archive_'.length));
}
