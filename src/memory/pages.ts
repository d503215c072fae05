import type { Day } from '../base/clock.js';
import { toDay } from '../language/time/calendar.js';
import { isWeekday } from '../language/words/names.js';
import { namesConflict } from './conflict-copy.js';

/** What a file of the workspace is, by its place. */
export type PageRole =
  | 'core'
  | 'persona'
  | 'daily'
  | 'dump'
  | 'topic'
  | 'bank'
  | 'opinions'
  | 'entity'
  | 'resource'
  | 'summary'
  | 'copy';

export interface Page {
  readonly role: PageRole;
  /** The day its lines are from, from a dated file name. */
  readonly day: Day | null;
  /** What a page of the bank is about: `world`, `experience`, `opinions`, `preferences`, … */
  readonly pageType: string | null;
  /** Of a file with the name of a conflict copy, whose content decides whether it is one. */
  readonly copy?: {
    /** Path of the page beside it; null when there is none, and the name alone shows that it is a copy. */
    readonly of: string | null;
    /** What it is when its content is another one; null: no page. */
    readonly otherwise: Page | null;
  };
}

/** The two spellings of the core file, the canonical one first. */
export const CORE_NAMES = ['MEMORY.md', 'memory.md'] as const;
const PERSONA_NAMES: ReadonlySet<string> = new Set(['SOUL.md', 'USER.md', 'IDENTITY.md']);

/** The section of a log that retain writes its facts into. */
export const RETAIN_HEADING = 'Retain';

/** Folders at the top of a workspace that hold indexed pages. */
export const PAGE_FOLDERS = ['memory', 'bank', 'resources', 'journals'] as const;

/** Roles whose typed bullets are facts. A dump's or a resource's bullets are somebody's text. */
export function holdsFacts(role: PageRole): boolean {
  return role !== 'dump' && role !== 'resource' && role !== 'summary' && role !== 'persona' && role !== 'copy';
}

/** Roles of the pages that a host puts before every conversation, which somebody keeps short and right. */
export function isAlwaysRead(role: PageRole): boolean {
  return role === 'core' || role === 'persona';
}

/**
 * What the file at `path` (relative, with `/`) is, or undefined when it is not indexed: instructions for the agent
 * (AGENTS.md, TOOLS.md, …), sidecars, proposals, tombstones, temporary files and sync conflict copies.
 */
export function pageAt(path: string): Page | undefined {
  if (PLAIN_LOG.test(path)) return noteOf(toDay(path.slice(-DAY_FILE, -'.md'.length)));
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts[0] === 'sessions')
    return SESSION_OVERVIEW.test(path) ? { role: 'summary', day: null, pageType: null } : undefined;
  const note = notePage(name);
  if (note === undefined || parts.slice(0, -1).some(isSkippedFolder)) return undefined;
  if (parts.length === 1) return rootPage(name);
  const [top, second] = parts;
  if (top === 'memory') return memoryPage(parts, name, note);
  if (top === 'journals') return note;
  if (top === 'resources') return { role: 'resource', day: note.day, pageType: 'resource' };
  if (top !== 'bank' || second === 'proposals' || second === 'types' || path === 'bank/forgotten.md') return undefined;
  return bankPage(parts, name);
}

/** Of ten thousand files nearly all are named so: they are known by this alone. */
const PLAIN_LOG = /^(?:memory|journals)\/\d{4}-\d{2}-\d{2}\.md$/;
const DAY_FILE = 'YYYY-MM-DD.md'.length;

/**
 * What a file of notes is by its name alone: the log of the day that it is named after, else a note without a day.
 * Undefined when it is no page: not Markdown, a drawing, or left behind by a program.
 */
export function notePage(name: string): Page | undefined {
  if (!name.endsWith('.md') || name.endsWith('.excalidraw.md') || isTransientFile(name)) return undefined;
  return noteOf(dayOfName(name.slice(0, -'.md'.length)));
}

function noteOf(day: Day | null): Page {
  return { role: day === null ? 'topic' : 'daily', day, pageType: null };
}

/** What a file of the folders that are read besides ours is: as {@link notePage}, without what is for the agent's host. */
export function extraPage(path: string): Page | undefined {
  return /^(?:AGENTS|TOOLS|HEARTBEAT|BOOT[^/]*|SOUL|USER|IDENTITY|MEMORY|memory)\.md$/.test(path)
    ? undefined
    : notePage(path.slice(path.lastIndexOf('/') + 1));
}

/** `2026-01-10`, `2026_01_10`, `20260110`; a weekday may follow: `2026-01-10 Saturday`, `2026-01-10 (Sat)`. */
const DAY_NAME = /^(\d{4})([-_]?)(\d{2})\2(\d{2})(?:[\s_,.(-]+([^\s_,.()].*?)\)?)?$/;

function dayOfName(stem: string): Day | null {
  const [, year, , month, date, rest] = DAY_NAME.exec(stem) ?? [];
  const day = toDay(`${year}-${month}-${date}`);
  return rest === undefined || isWeekday(rest) ? day : null;
}

/** Year, month and day in digits, in whatever order and with whatever between them. */
const DAY_LIKE =
  /^(?:\d{4}([-_.]?)\d{1,2}\1\d{1,2}|\d{1,2}([-_.])\d{1,2}\2\d{4}|\d{4}年\d{1,2}月\d{1,2}日)(?:[\s_,.(-]+([^\s_,.()]+)\)?)?$/;

/** Whether a name seems to be meant as a day's, and is not read as one: no day of the calendar, or written otherwise. */
export function looksLikeDay(name: string): boolean {
  const stem = name.replace(/\.[^.]*$/, '').trim();
  const [whole, , , rest] = DAY_LIKE.exec(stem) ?? [];
  return whole !== undefined && (rest === undefined || isWeekday(rest)) && dayOfName(stem) === null;
}

/** A file name that an editor or a sync tool left behind for a while, or a copy made of a conflict. */
export function isTransientFile(name: string): boolean {
  return namesConflict(name) || /^(?:[.#~]|4913$)|[~#]$|\.(?:tmp|swp|swx|bak|orig|part)$/i.test(name);
}

/**
 * What a file is that has the name of a conflict copy; undefined for any other.
 * @param original path of the page that it is a copy of, by its name
 * @param pageOf what another file of the folder is, by its path
 */
export function copyPage(
  path: string,
  original: string | undefined,
  pageOf: (path: string) => Page | undefined,
): Page | undefined {
  const of = original === undefined ? undefined : pageOf(original);
  if (of === undefined || original === undefined) {
    const isCopy = path.endsWith('.md') && namesConflict(path.slice(path.lastIndexOf('/') + 1));
    return isCopy ? { ...COPY, copy: { of: null, otherwise: null } } : undefined;
  }
  // What has the name of a copy and says something else is of the same kind and day as the page beside it.
  const otherwise = pageOf(path) ?? (path.includes('/') ? of : null);
  return { ...COPY, day: of.day, copy: { of: original, otherwise } };
}

const COPY = { role: 'copy', day: null, pageType: null } as const;

/** Folders that are never walked: hidden ones, other programs', and what notes are made from. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name === 'templates' || name === 'Templates';
}

function rootPage(name: string): Page | undefined {
  if (CORE_NAMES.some((core) => core === name)) return { role: 'core', day: null, pageType: null };
  return PERSONA_NAMES.has(name) ? { role: 'persona', day: null, pageType: 'persona' } : undefined;
}

function memoryPage(parts: readonly string[], name: string, note: Page): Page | undefined {
  if (parts[1] === 'dreaming') return undefined;
  if (note.day !== null || parts.length > 2) return note;
  const day = toDay(/^(\d{4}-\d{2}-\d{2})-.+\.md$/.exec(name)?.[1]);
  return day === null ? note : { role: 'dump', day, pageType: null };
}

function bankPage(parts: readonly string[], name: string): Page {
  const stem = name.slice(0, -3);
  if (parts.length === 2) return { role: stem === 'opinions' ? 'opinions' : 'bank', day: null, pageType: stem };
  if (parts[1] === 'entities') return { role: 'entity', day: null, pageType: 'entity' };
  return { role: 'bank', day: null, pageType: parts[1] ?? stem };
}

// Which of a session's archives is the newest completed one is for the walker to find out.
const SESSION_OVERVIEW = /^sessions\/[^/]*\/history\/archive_\d+\/\.overview\.md$/;

/** `viking://user/{space}/memories/X` and the agent's are `bank/X` of this workspace, whatever the space. */
const MEMORIES = /^viking:\/\/(?:user|agent)\/(?:[^/]*\/)?memories(?:\/|$)/u;
const ANYWHERE = /^viking:\/\//u;

/** A path relative to the workspace, from itself or from a `viking://` URI. Nothing is checked. Pure. */
export function workspacePath(uri: string): string {
  const path = MEMORIES.test(uri) ? uri.replace(MEMORIES, 'bank/') : uri.replace(ANYWHERE, '');
  return path.replace(/\/+$/u, '');
}
