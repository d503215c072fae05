import { join, relative, resolve } from 'node:path';
import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { largest } from '../base/order.js';
import { checkRequest, type RequestFields } from '../base/request.js';
import { type PageRunRecord, runsOfPage } from '../extract/apply.js';
import { expandId } from '../index/query/ids.js';
import type { IndexSearch } from '../index/search.js';
import { addDays } from '../language/time/calendar.js';
import { readFoldedWords } from '../language/words/terms.js';
import { splitLines } from '../markdown/lines.js';
import { workspacePath } from '../memory/pages.js';
import { readDay } from '../query/day-options.js';
import { decodeBytes } from '../text/bytes.js';
import { dayOf, openClock } from '../workspace/clock.js';
import { findPathOnDisk, readVersion, resolveContainedPath } from '../workspace/files.js';
import { type FileCommit, GitHistory } from '../workspace/git/history.js';
import { takeOverOldState } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';

/** A change with the commit that made it. Commit and time are null for changes that are not committed yet. */
export interface PageChange extends FileCommit {
  /** The day of the commit in the user's zone. */
  readonly day: Day | null;
}

/** The change of a line in one step: `old` is null if the line is new. */
type LineChange = { readonly old: string | null; readonly new: string };

export interface StatementChange extends LineChange, Omit<PageChange, 'diff'> {}

interface StatementHistory {
  readonly id: string;
  readonly changes: readonly StatementChange[];
}

export type HistoryReport =
  | {
      readonly page: string;
      readonly changes: readonly PageChange[];
      /** Extraction runs on this machine that changed the page, the newest first. */
      readonly runs: readonly PageRunRecord[];
    }
  | StatementHistory;

/** A page, or the line of a statement, as it was at the end of `day`: in the last commit up to then. */
export type PastReport = {
  readonly day: Day;
  readonly commit: string;
  readonly at: string;
  /** The name of the page at that time. */
  readonly path: string;
} & ({ readonly page: string; readonly bytes: Uint8Array } | { readonly id: string; readonly line: string });

const ID = /^\^?([fol]-[0-9a-z]{13})$/;
const CONTEXT_LINES = 3;
const NAMED = 'id of a fact, an opinion or a line, or a page such as bank/opinions.md';
const WHICH = { which: { type: 'text', required: true, place: 'argument', doc: NAMED } } as const;

export const HISTORY_REQUEST = {
  ...WHICH,
  at: { type: 'time', value: 'day', doc: 'print the page or line as it was at the end of this day' },
} as const satisfies RequestFields;

/** Calls a function with an index that is up to date with the files. */
type RunWithSearch = <T>(use: (search: Pick<IndexSearch, 'statements' | 'logLine' | 'idsWith'>) => T) => Promise<T>;

/** The git history of pages and of the lines of facts, opinions and log text, and the extraction runs of pages. */
export class History {
  constructor(
    private readonly context: Pick<WorkspaceContext, 'root' | 'stateFolder' | 'clock'>,
    private readonly withSearch: RunWithSearch,
  ) {}

  /**
   * The changes, the newest first.
   * @param which an id, or a page relative to the workspace
   * @throws MemoryError `workspace` without a repository, `not_found` if neither the files nor git know it
   * @example
   * const { changes } = await history.of('memory/2026-03-12.md');
   * changes.length; // => 1
   */
  async of(which: string): Promise<HistoryReport> {
    checkRequest('history', WHICH, { which });
    const id = await this.idOf(which);
    return id === undefined
      ? this.ofPage(pageOf(this.context.root, which))
      : this.ofStatement(await GitHistory.open(this.context.root), id);
  }

  /**
   * The page or line at the end of a day.
   * @param which an id, or a page relative to the workspace
   * @param at a day, or any other value of `--as-of`
   * @throws MemoryError `usage`, `workspace`, `not_found`
   * @example
   * const past = await history.at('MEMORY.md', '2026-03-14');
   * past.path; // => 'MEMORY.md'
   */
  async at(which: string, at: string): Promise<PastReport> {
    checkRequest('history', { ...WHICH, at: { ...HISTORY_REQUEST.at, required: true } }, { which, at });
    const day = await readDay(at, this.context.clock, 'until', 'at');
    const id = await this.idOf(which);
    const page = id ?? pageOf(this.context.root, which);
    const git = await GitHistory.open(this.context.root);
    if (id !== undefined) return this.statementAt(git, id, day);
    const past = await git.before(page, openClock(this.context.clock.zone, `${addDays(day, 1)}T00:00:00`).now());
    if (past === undefined)
      return fail(
        'not_found',
        `git has no version of ${page} from ${day} or earlier`,
        `see all versions: openclaw memory history ${page}`,
      );
    return { page, day, ...past };
  }

  /** The full id, if an id or its beginning was given; undefined for a page. */
  private async idOf(which: string): Promise<string | undefined> {
    const isId = /^\^?[fol]-[0-9a-z]+$/.test(which);
    return ID.exec(isId ? await this.withSearch((search) => expandId(search, which)) : which)?.[1];
  }

  private async ofPage(page: string): Promise<HistoryReport> {
    await takeOverOldState(this.context);
    const runs = runsOfPage(this.context.stateFolder, page);
    const opened = GitHistory.open(this.context.root);
    const git = await (runs.length === 0 ? opened : opened.catch(() => undefined));
    if (git === undefined) return { page, changes: [], runs };
    const commits = [...(await git.uncommitted(page, CONTEXT_LINES)), ...(await git.ofFile(page, CONTEXT_LINES))];
    if (commits.length === 0 && runs.length === 0 && readVersion(join(this.context.root, page)) === undefined)
      return fail(
        'not_found',
        `there is no page ${page}, neither in the workspace nor in git`,
        'use the path that recall shows',
      );
    return { page, changes: commits.map((commit) => ({ ...commit, day: this.dayOf(commit) })), runs };
  }

  private async ofStatement(git: GitHistory, id: string): Promise<StatementHistory> {
    const found = await this.withSearch((search) => placesOf(search, id));
    if (found.length === 0)
      return fail('not_found', `there is no line with the id ${id}`, 'for a deleted line, see the history of its page');
    // Git follows renames. So the histories of two pages may contain the same commit: count it once.
    const changes = new Map<string, StatementChange>();
    for (const { path, line } of found) {
      let text: string | null = textOfLine(this.context.root, path, line);
      const follow = (commits: readonly FileCommit[]) => {
        for (const { diff, ...commit } of commits) {
          const change = text === null ? undefined : changeOfLine(diff, text, `^${id}`);
          if (change === undefined) continue;
          text = change.old;
          const made = { ...commit, path: commit.path ?? path, day: this.dayOf(commit), ...change };
          changes.set(`${commit.commit} ${made.path}`, changes.get(`${commit.commit} ${made.path}`) ?? made);
        }
      };
      follow(await git.uncommitted(path, 0));
      if (text !== null) follow(await git.ofLine(path, text));
    }
    return { id, changes: [...changes.values()].sort((a, b) => timeOf(b) - timeOf(a)) };
  }

  private async statementAt(git: GitHistory, id: string, day: Day): Promise<PastReport> {
    const { changes } = await this.ofStatement(git, id);
    const last = changes.find((change) => change.day !== null && change.day <= day);
    if (last === undefined || last.commit === null || last.at === null || last.path === null)
      return fail(
        'not_found',
        `git has no line ${id} from ${day} or earlier`,
        `see all versions: openclaw memory history ${id}`,
      );
    return { id, day, commit: last.commit, at: last.at, path: last.path, line: last.new };
  }

  private dayOf({ at }: Pick<FileCommit, 'at'>): Day | null {
    return at === null ? null : dayOf(new Date(at), this.context.clock.zone);
  }
}

interface StatementLine {
  readonly path: string;
  /** 1-based number of the statement's line in the page. */
  readonly line: number;
}

function placesOf(search: Pick<IndexSearch, 'statements' | 'logLine'>, id: string): readonly StatementLine[] {
  const units = id.startsWith('l-') ? [search.logLine(id)] : search.statements(id);
  return units.flatMap((unit) => (unit === undefined ? [] : [{ path: unit.file.path, line: unit.line }]));
}

function textOfLine(root: string, path: string, line: number): string | null {
  const version = readVersion(join(root, path));
  return (version && splitLines(decodeBytes(version.bytes)).lines[line - 1]) ?? null;
}

/** Time of a change in ms. Changes that are not committed count as the newest. */
function timeOf({ at }: StatementChange): number {
  return at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at);
}

/**
 * The path of a page in the workspace. It is given as in a citation, with or without the line: `memory/2026-03-12.md#L3`.
 */
function pageOf(root: string, which: string): string {
  const written = workspacePath(which.replace(/#L\d+(?:-L\d+)?$/, ''));
  const page = relative(root, resolve(root, written)).replaceAll('\\', '/');
  resolveContainedPath(root, page);
  return findPathOnDisk(root, page);
}

/** Minimum share of words that an old line must have in common with the line that replaced it. */
const LEAST_SHARED = 0.4;

/**
 * Finds the change of a line in the hunks of a diff.
 * @param text the line after the change; in the hunks it has this text or the block id
 * @param mark block id, for example `^f-a1b2c3d4e5f6g`
 * @returns undefined if the diff does not change the line, or only moves it
 */
function changeOfLine(hunks: string, text: string, mark: string): LineChange | undefined {
  const isMeant = (line: string): boolean => line === text || hasBlockId(line, mark);
  const lines = hunks.split('\n').map((line) => line.replace(/\r$/, ''));
  const [removed = [], added = []] = ['-', '+'].map((sign) =>
    lines.flatMap((line) => (line.startsWith(sign) ? line.slice(1) : [])),
  );
  const now = added.find(isMeant);
  if (now === undefined) return undefined;
  const old = removed.find(isMeant) ?? partner(now, removed);
  return old === now ? undefined : { old, new: now };
}

/**
 * Whether a line has a block id: at its end or before other text. A longer id that begins in the same way does not count.
 */
function hasBlockId(line: string, mark: string): boolean {
  const at = line.indexOf(mark);
  return at >= 0 && !/[\w-]/.test(line.charAt(at + mark.length));
}

/** The line that was probably replaced by this one: it has the most words in common with it. */
function partner(line: string, candidates: readonly string[]): string | null {
  const words = new Set(readFoldedWords(line));
  const shares = candidates.map((text) => {
    const others = new Set(readFoldedWords(text));
    const common = [...words].filter((word) => others.has(word)).length;
    return (2 * common) / Math.max(1, words.size + others.size);
  });
  const most = largest(shares, LEAST_SHARED);
  return candidates[shares.indexOf(most)] ?? null;
}
