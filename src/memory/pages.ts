import type { Day } from '../base/clock.js';
import { parseDay } from '../language/time/calendar.js';
import { isWeekday } from '../language/words/time-words.js';
import type { UnitKind } from '../line/unit.js';
import { compareWithOriginal, isConflictCopyName } from './conflict-copy.js';

/** Role of a workspace file, by its path. */
export type PageRole =
  | 'core'
  | 'persona'
  | 'host'
  | 'daily'
  | 'dump'
  | 'topic'
  | 'import'
  | 'bank'
  | 'opinions'
  | 'entity'
  | 'resource'
  | 'summary'
  | 'copy';

export interface Page {
  readonly role: PageRole;
  /** Day of the lines of the page, taken from the file name. Null without a date in the name. */
  readonly day: Day | null;
  /** Type of a bank page: `world`, `experience`, `opinions`, `preferences`, … */
  readonly pageType: string | null;
  /** Set if the file name looks like that of a conflict copy. Only the content of the file shows whether it is one. */
  readonly copy?: {
    /** Path of the original; null if there is no such file and the name alone shows that it is a copy. */
    readonly of: string | null;
    /**
     * The content of the file may show that it is not a copy. `otherwise` says which page it is then. Null: then the file is
     * no page at all.
     */
    readonly otherwise: Page | null;
  };
}

/** The two names of the core file, the canonical one first. */
export const CORE_FILE_NAMES = ['MEMORY.md', 'memory.md'] as const;
const PERSONA_NAMES: ReadonlySet<string> = new Set(['SOUL.md', 'USER.md', 'IDENTITY.md']);
/** Pages that an agent's host puts into conversations itself. They are only read. */
export const HOST_PAGES: readonly string[] = ['TOOLS.md', 'config/MEMORY.md'];

/** The section of a log into which `retain` writes its facts. */
export const RETAIN_HEADING = 'Retain';

/**
 * File that records which document was already applied to which page, one line for each pair. A Git merge keeps the lines of
 * both sides, so no clone applies a document again.
 */
export const APPLIED_PATH = 'bank/.applied.jsonl';

/** Top-level folders of a workspace that hold indexed pages. */
export const PAGE_FOLDERS = ['memory', 'bank', 'resources', 'journals'] as const;

/** Whether typed bullets on pages of this role are facts. Those of a dump, an import or a resource are other people's text. */
export function mayHaveFacts(role: PageRole): boolean {
  return (
    role !== 'dump' &&
    role !== 'import' &&
    role !== 'resource' &&
    role !== 'summary' &&
    role !== 'persona' &&
    role !== 'host' &&
    role !== 'copy'
  );
}

/** Whether this program may write the file at `path`: it is a page, and none that a person keeps for the host. */
export function mayWritePage(path: string): boolean {
  const role = pageOfPath(path)?.role;
  return role !== undefined && role !== 'persona' && role !== 'host';
}

/** Kind of a line that is not a fact, on a page with this role. */
export function lineKindOf(role: PageRole): UnitKind {
  switch (role) {
    case 'core':
    case 'summary':
    case 'entity':
      return role;
    case 'daily':
    case 'dump':
    case 'topic':
    case 'import':
    case 'copy':
      return 'log';
    default:
      return 'page';
  }
}

/** Whether a host puts pages of this role into every conversation. A person keeps such pages short and correct. */
export function isAlwaysRead(role: PageRole): boolean {
  return role === 'core' || role === 'persona';
}

/**
 * Returns the page at `path` (relative, with `/`), or undefined if it is not indexed: instructions for the agent
 * (AGENTS.md, HEARTBEAT.md, …), sidecars, proposals, tombstones, temporary files and conflict copies.
 */
export function pageOfPath(path: string): Page | undefined {
  if (PLAIN_LOG.test(path)) return noteOf(parseDay(path.slice(-DAY_FILE, -'.md'.length)));
  if (HOST_PAGES.includes(path)) return { role: 'host', day: null, pageType: null };
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts[0] === 'sessions')
    return SESSION_OVERVIEW.test(path) ? { role: 'summary', day: null, pageType: null } : undefined;
  const note = notePageOfFileName(name);
  if (note === undefined || parts.slice(0, -1).some(isSkippedFolder)) return undefined;
  if (parts.length === 1) return rootPage(name);
  const [top, second] = parts;
  if (top === 'memory') return memoryPage(parts, name, note);
  if (top === 'journals') return note;
  if (top === 'resources') return { role: 'resource', day: note.day, pageType: 'resource' };
  if (top !== 'bank' || second === 'proposals' || second === 'types' || path === 'bank/forgotten.md') return undefined;
  return bankPage(parts, name);
}

/** Whether a path is the generated summary of a folder of typed pages. */
export function isFolderSummary(path: string): boolean {
  return /^bank\/(?:.*\/)?\.(?:abstract|overview)\.md$/u.test(path);
}

/** Fast path for plain log names: most files of a large workspace match. */
const PLAIN_LOG = /^(?:memory|journals)\/\d{4}-\d{2}-\d{2}\.md$/;
const DAY_FILE = 'YYYY-MM-DD.md'.length;

/**
 * The page of a notes file, by its name alone: a dated log, or a note without a day. Undefined if it is not a page: not
 * Markdown, a drawing, a temporary file, or a conflict copy.
 */
export function notePageOfFileName(name: string): Page | undefined {
  if (!name.endsWith('.md') || name.endsWith('.excalidraw.md') || isTransientFile(name)) return undefined;
  return noteOf(dayOfName(name.slice(0, -'.md'.length)));
}

function noteOf(day: Day | null): Page {
  return { role: day === null ? 'topic' : 'daily', day, pageType: null };
}

/**
 * The page of a file in an extra folder: like {@link notePageOfFileName}, but undefined for the files that an agent's host reads
 * itself.
 */
export function extraFolderPage(path: string): Page | undefined {
  return /^(?:AGENTS|TOOLS|HEARTBEAT|BOOT[^/]*|SOUL|USER|IDENTITY|MEMORY|memory)\.md$/.test(path)
    ? undefined
    : notePageOfFileName(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * The name of a daily log: `2026-01-10`, `2026_01_10`, `20260110`. A weekday may follow: `2026-01-10 Saturday`, `2026-01-10
 * (Sat)`.
 */
const DAY_NAME = /^(\d{4})([-_]?)(\d{2})\2(\d{2})(?:[\s_,.(-]+([^\s_,.()].*?)\)?)?$/;

function dayOfName(stem: string): Day | null {
  const [, year, , month, date, rest] = DAY_NAME.exec(stem) ?? [];
  const day = parseDay(`${year}-${month}-${date}`);
  return rest === undefined || isWeekday(rest) ? day : null;
}

/** A name with a year, month and day in digits, in any order, with any separator. */
const DAY_LIKE =
  /^(?:\d{4}([-_.]?)\d{1,2}\1\d{1,2}|\d{1,2}([-_.])\d{1,2}\2\d{4}|\d{4}年\d{1,2}月\d{1,2}日)(?:[\s_,.(-]+([^\s_,.()]+)\)?)?$/;

/** Whether a name looks like a day but is not read as one: not in the calendar, or in another format. */
export function looksLikeDay(name: string): boolean {
  const stem = name.replace(/\.[^.]*$/, '').trim();
  const [whole, , , rest] = DAY_LIKE.exec(stem) ?? [];
  return whole !== undefined && (rest === undefined || isWeekday(rest)) && dayOfName(stem) === null;
}

/** Whether a file name is that of a temporary file of an editor or a sync tool, or of a conflict copy. */
export function isTransientFile(name: string): boolean {
  return isConflictCopyName(name) || /^(?:[.#~]|4913$)|[~#]$|\.(?:tmp|swp|swx|bak|orig|part)$/i.test(name);
}

/**
 * The page of a file that is named like a conflict copy; undefined for any other name.
 * @param original path of the file that it may be a copy of, by its name
 * @param pageOf returns the page of another file of the folder, by its path
 */
export function conflictCopyPage(
  path: string,
  original: string | undefined,
  pageOf: (path: string) => Page | undefined,
): Page | undefined {
  const of = original === undefined ? undefined : pageOf(original);
  if (of === undefined || original === undefined) {
    const isCopy = path.endsWith('.md') && isConflictCopyName(path.slice(path.lastIndexOf('/') + 1));
    return isCopy ? { ...COPY, copy: { of: null, otherwise: null } } : undefined;
  }
  // A file that is named like a copy but has other content is a page of its own: the page that its path names. If there is
  // none, it gets the role and day of the original.
  const otherwise = pageOf(path) ?? (path.includes('/') ? of : null);
  return { ...COPY, day: of.day, copy: { of: original, otherwise } };
}

const COPY = { role: 'copy', day: null, pageType: null } as const;

/** Whether a folder is skipped: hidden folders, those of other programs, and templates. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name === 'templates' || name === 'Templates';
}

function rootPage(name: string): Page | undefined {
  if (CORE_FILE_NAMES.some((core) => core === name)) return { role: 'core', day: null, pageType: null };
  return PERSONA_NAMES.has(name) ? { role: 'persona', day: null, pageType: 'persona' } : undefined;
}

function memoryPage(parts: readonly string[], name: string, note: Page): Page | undefined {
  if (parts[1] === 'dreaming') return undefined;
  if (parts[1] === 'imports' && parts.length > 2) return { role: 'import', day: null, pageType: null };
  if (note.day !== null || parts.length > 2) return note;
  const day = parseDay(/^(\d{4}-\d{2}-\d{2})-.+\.md$/.exec(name)?.[1]);
  return day === null ? note : { role: 'dump', day, pageType: null };
}

function bankPage(parts: readonly string[], name: string): Page {
  const stem = name.slice(0, -3);
  if (parts.length === 2) return { role: stem === 'opinions' ? 'opinions' : 'bank', day: null, pageType: stem };
  if (parts[1] === 'entities') return { role: 'entity', day: null, pageType: 'entity' };
  return { role: 'bank', day: null, pageType: parts[1] ?? stem };
}

// The overview of one archive of a session. A session may have several; the caller finds the newest completed one.
const SESSION_OVERVIEW = /^sessions\/[^/]*\/history\/archive_\d+\/\.overview\.md$/;

/** `viking://user/{space}/memories/X` and `viking://agent/…` both map to `bank/X`, whatever the space. */
const MEMORIES = /^viking:\/\/(?:user|agent)\/(?:[^/]*\/)?memories(?:\/|$)/u;
const ANYWHERE = /^viking:\/\//u;

/**
 * Turns a `viking://` URI into a path relative to the workspace. A text that is such a path already stays as it is. Nothing
 * is checked. Pure.
 */
export function workspacePath(uri: string): string {
  const path = MEMORIES.test(uri) ? uri.replace(MEMORIES, 'bank/') : uri.replace(ANYWHERE, '');
  return path.replace(/\/+$/u, '');
}

/** The result for a file with the name of a conflict copy: its page, and the text to read from it. */
interface ConflictCopyResult {
  /** The page, or the page that the file is a copy of. Null if the file is neither. */
  readonly page: Page | null;
  readonly text: string;
}

/**
 * Decides by the content of a file whether it really is the conflict copy that its name says. If so, only the lines that the
 * original does not have are read. Any other file is read in full. Pure.
 * @param original content of the original; undefined if there is none
 */
export function resolveConflictCopy(page: Page, text: string, original: string | undefined): ConflictCopyResult {
  if (page.copy === undefined) return { page, text };
  const { of, otherwise } = page.copy;
  if (original === undefined) return { page: of === null ? page : otherwise, text };
  const { isCopy, own } = compareWithOriginal(text, original);
  return isCopy ? { page, text: own } : { page: otherwise, text };
}

/** The notice that an answer or a check shows for a copy. */
export function conflictCopyNotice({ copy }: Page): string {
  return copy?.of == null ? 'is a conflict copy' : `is a conflict copy of ${copy.of}`;
}
