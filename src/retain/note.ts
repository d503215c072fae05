import { dirname, posix, sep } from 'node:path';
import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { list, type ReportFields, type ReportOf, text } from '../base/report.js';
import { DRY_RUN_FIELD, type RequestFields, type RequestOf } from '../base/request.js';
import { readForgotten } from '../index/forgotten-page.js';
import { isDay } from '../language/time/calendar.js';
import { parseBullet } from '../markdown/bullet.js';
import { scanMarkdown } from '../markdown/scan.js';
import type { ForgottenStatements } from '../memory/forgotten.js';
import { type Page, pageOfPath, RETAIN_HEADING } from '../memory/pages.js';
import { readUnits } from '../memory/units.js';
import { dominantLineEnd, encodeBytes } from '../text/bytes.js';
import { redactSecrets } from '../text/redact.js';
import { INJECTED_REMOVED_WARNING, stripInjected } from '../text/strip.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { contentHash, findPathOnDisk, readVersion, resolveContainedPath } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import { realpathOrSame, type WorkspaceContext } from '../workspace/read-scope.js';
import { refuseConflictCopy, refuseUnreadPage, whyNotRead } from '../workspace/readable.js';
import { readEntry, storeEntries } from '../workspace/state.js';
import { TYPED_LINE } from './retain.js';

export const NOTE_REQUEST = {
  text: { type: 'text', required: true, instead: ['note', 'content', 'line'], doc: 'a line, or Markdown' },
  path: {
    type: 'text',
    isNeverEmpty: true,
    instead: ['file', 'page'],
    doc: 'a .md below memory/ (default: the log of today)',
  },
  replace: { type: 'boolean', doc: 'replace a page that only note has written' },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

export type NoteRequest = RequestOf<typeof NOTE_REQUEST>;

export const NOTE_REPORT = {
  /** Citation of the written text: `memory/2025-11-27.md#L14`. */
  source: text(),
  warnings: list(),
  /** The page before and after. */
  changes: list<FileChange>(),
} satisfies ReportFields;

export type NoteReport = ReportOf<typeof NOTE_REPORT>;

/** The kind of the entries with the hash of each page as `note` wrote it. A page with another hash has other writers, too. */
const WRITTEN = 'note';
const NOTES_HEADING = '## Notes';
/** Files that the host or a person keeps. A page with such a name could be taken for one of them. */
const HOST_FILES = /^(?:AGENTS|BOOT.*|HEARTBEAT|IDENTITY|MEMORY|SOUL|TOOLS|USER)\.md$/iu;
// Control characters except tabs and line feeds, halves of characters, and marks that reorder text on a screen.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Surrogate}]/u;

/**
 * Appends a text to a page below `memory/`, or makes the page. Replaces a whole page only if nobody else has written in it.
 * Returns when the bytes are on disk. Holds the writer lock while it reads and writes.
 * @throws MemoryError `usage` for a page that is not below `memory/`; `refused` if recall would not find the text, if it was
 * forgotten, or if others have written in a page to replace; `busy`, and file system errors
 */
export async function note(context: WorkspaceContext, request: NoteRequest): Promise<NoteReport> {
  const { root, stateFolder } = context;
  const { dryRun = false, replace = false } = request;
  const { path, page } = findNotePage(context, request.path ?? `memory/${today(context.clock)}.md`);
  const { text: given, warnings } = cleanText(request.text);
  return runWithLock({ ...context, command: 'note', dryRun }, () => {
    const forgotten = readForgotten(root);
    const unread = whyNotRead(context, path, readVersion(resolveContainedPath(root, path))?.bytes);
    if (unread !== undefined) refuseUnreadPage(path, unread);
    const written = readEntry<string>(stateFolder, WRITTEN, path);
    let isOwn = false;
    let lines = '';
    const edit = (before: string | null): string => {
      isOwn = before === null || contentHash(encodeBytes(before)) === written;
      if (replace && !isOwn)
        fail(
          'refused',
          `${path} also has text that note did not write`,
          'leave out replace; then the text is appended',
        );
      const made = addText(replace ? null : before, page.day ?? posix.basename(path, '.md'), given);
      checkIsFound({ path, page, ...made }, before ?? '', forgotten);
      lines = made.last > made.first ? `L${made.first}-L${made.last}` : `L${made.first}`;
      return made.after;
    };
    const change = editPage(root, path, edit, dryRun);
    if (isOwn && !dryRun && change.after !== null)
      storeEntries(stateFolder, [{ kind: WRITTEN, name: path, value: contentHash(encodeBytes(change.after)) }]);
    return { source: `${path}#${lines}`, warnings, changes: change.after === change.before ? [] : [change] };
  });
}

/** The page that a note goes to. @throws MemoryError `usage`, `refused` */
function findNotePage(
  { root, reads }: WorkspaceContext,
  given: string,
): { readonly path: string; readonly page: Page } {
  const written = given.replaceAll('\\', '/');
  const path = findPathOnDisk(root, posix.normalize(written));
  const page = written.split('/').includes('..') || CONTROL.test(written) ? undefined : pageOfPath(path);
  const name = posix.basename(path);
  const hint = 'use a page such as memory/topics/redis.md, or leave out path';
  const isNote = page !== undefined && path.startsWith('memory/') && page.role !== 'import' && !HOST_FILES.test(name);
  if (!isNote) return fail('usage', `a note can't be written to ${given}`, hint);
  const date = /^\d{4}-\d\d-\d\d/.exec(name)?.[0];
  if (date !== undefined && !isDay(date)) fail('usage', `there is no day ${date}`, 'use a date that exists');
  const top = resolveContainedPath(root, 'memory');
  const full = resolveContainedPath(root, path);
  if ([top, dirname(full), full].some((one) => realpathOrSame(one) !== one))
    fail('refused', `${path} is behind a link`, 'use the path that the link leads to');
  const extra = (reads?.extraFolders ?? []).map(realpathOrSame).filter((folder) => folder.startsWith(top + sep));
  if (extra.some((folder) => full.startsWith(folder + sep)))
    fail('refused', `${path} is in one of the extraFolders, which are only read`, hint);
  refuseConflictCopy(root, path);
  return { path, page };
}

/** The text to write: without secrets and injected memory, with LF line ends. @throws MemoryError `usage` */
function cleanText(given: string) {
  const own = stripInjected(given);
  const { text, found } = redactSecrets(
    own.replace(/\r\n?|[\u2028\u2029]/gu, '\n').replace(/^(?:[ \t]*\n)+|\s+$/gu, ''),
  );
  if (text === '') fail('usage', 'there is no text to write', 'give the note as text');
  if (CONTROL.test(text)) fail('usage', 'the text has control characters', 'remove them');
  const warnings = found.map(({ kind }) => `a secret (${kind}) was replaced by a placeholder`);
  return { text, warnings: own === given ? warnings : [INJECTED_REMOVED_WARNING, ...warnings] };
}

/**
 * Adds a text at the end of a page. A single line of prose becomes a list item, but not if its first word would then be read
 * as a kind ("B sides are rare"). The text never continues the section of the facts. Pure.
 * @returns the page, and the numbers of the first and the last line of the text
 */
function addText(before: string | null, title: Day | string, text: string) {
  const { blocks } = scanMarkdown(text);
  const isItem = parseBullet(text).type === 'plain' || TYPED_LINE.test(text);
  const body = blocks.length === 0 && !text.includes('\n') && isItem ? `- ${text}` : text;
  const [first] = blocks;
  const hasHead =
    first?.startLine === 1 && (first.type === 'frontMatter' || (first.type === 'heading' && first.depth < 3));
  const page = before ?? '';
  const end = dominantLineEnd(page);
  const start = page === '' || /[\r\n]$/u.test(page) ? page : page + end;
  const { lines, blocks: above } = scanMarkdown(start);
  const lead = lines.every((line) => line.trim() === '') ? (hasHead ? [] : [`# ${title}`, '']) : [''];
  const section = above.findLast((block) => block.type === 'heading' && block.depth < 3);
  const isItemAbove = above.some((block) => block.type === 'item' && block.endLine === lines.length);
  if (section?.type === 'heading' && section.text.trim() === RETAIN_HEADING && !hasHead) lead.push(NOTES_HEADING, '');
  else if (lines.at(-1)?.trim() === '' || (isItemAbove && body !== text)) lead.shift();
  const added = [...lead, ...body.split('\n')];
  const last = lines.length + added.length;
  const after = start + added.map((line) => line + end).join('');
  return { after, first: lines.length + lead.length + 1, last };
}

interface AddedText {
  readonly path: string;
  readonly page: Page;
  readonly after: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Checks that recall would find the text, and that nothing in it was forgotten.
 * @throws MemoryError `refused`
 */
function checkIsFound(
  { path, page, after, first, last }: AddedText,
  before: string,
  forgotten: ForgottenStatements,
): void {
  const read = readUnits(path, page, after, forgotten);
  const hint = 'the user has asked to forget it; leave it out';
  if (read.forgotten > readUnits(path, page, before, forgotten).forgotten)
    fail('refused', 'nothing was written: the text has a line that was forgotten', hint);
  const around = scanMarkdown(after).blocks.find(
    ({ type, startLine, endLine }) => type !== 'item' && startLine < first && endLine >= first,
  );
  const isRead = read.units.some(({ line }) => line >= first && line <= last);
  if (around !== undefined || !isRead)
    refuseUnreadPage(path, {
      reason:
        around === undefined
          ? 'would not show the text to recall'
          : `has a block without an end at line ${around.startLine}`,
      hint: 'write text that is no comment, or use another page',
    });
}
