import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../base/clock.js';
import { tryWithFallback } from '../../base/failure.js';
import { findFirstNotBelow } from '../../base/order.js';
import { addDays, daysBetween } from '../../language/time/calendar.js';
import { findUnreadDate } from '../../line/day.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { hintAboutLongerName, joinEntityName, KIND_LETTERS, parseBullet } from '../../markdown/bullet.js';
import { splitLines } from '../../markdown/lines.js';
import { looksLikeDay, mayHaveFacts, pageOfPath } from '../../memory/pages.js';
import { decodeBytes } from '../../text/bytes.js';
import { redactSecrets } from '../../text/redact.js';
import { entitySlug } from '../../text/slug.js';
import { readVersion } from '../../workspace/files.js';
import { createProblem, type LintInput, type LintPage, type LintRule, type Problem } from './problem.js';

/** Maximum length of a line in characters; a longer one is hard to review and to cite. */
const LONG_LINE = 2_000;

const longLines: LintRule = function* ({ pages }) {
  for (const { path, scan } of pages) {
    for (const [index, line] of scan.lines.entries()) {
      if (line.length <= LONG_LINE) continue;
      const message = `the line has ${line.length} characters, more than ${LONG_LINE}`;
      yield createProblem('long-line', 'warning', path, index + 1, message, 'split the line');
    }
  }
};

const brokenTypes: LintRule = function* ({ brokenTypes }) {
  for (const { path, line, message, hint } of brokenTypes)
    yield createProblem('broken-type', 'error', path, line, `extract does not work: ${message}`, hint);
};

/** Reports conflict markers of git. */
const mergeMarkers: LintRule = function* ({ pages }) {
  for (const { path, text, scan } of pages) {
    if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) continue;
    for (const [index, line] of scan.lines.entries()) {
      if (!/^(?:<{7}|>{7})(?: |$)/.test(line)) continue;
      const message = 'there is an unresolved git merge conflict here';
      const hint = 'keep the right lines of both sides, and remove the markers';
      yield createProblem('merge-marker', 'error', path, index + 1, message, hint);
    }
  }
};

const BLOCK_STATES = {
  broken: ['error', 'has no end marker', 'restore its end marker, or remove its begin marker'],
  conflicted: ['warning', 'has a merge conflict', 'the next reflect writes it again'],
  edited: [
    'info',
    'was edited by hand, so reflect no longer changes it',
    'to keep your text, remove its markers; to let reflect write it, restore it from git',
  ],
} as const;

const MARKER = /^[ \t]*<!-- memory:(?:begin|end)\b/;

const managedBlocks: LintRule = function* ({ pages }) {
  for (const { path, text } of pages) {
    if (!text.includes('<!-- memory:')) continue;
    const blocks = findManagedBlocks(text);
    for (const [index, content] of splitLines(text).lines.entries()) {
      const line = index + 1;
      if (!MARKER.test(content) || blocks.some(({ startLine, endLine }) => startLine <= line && line <= endLine))
        continue;
      const message = 'this marker is malformed, or its second marker is missing; it is read as plain text';
      yield createProblem('managed-block', 'warning', path, line, message, 'remove the marker; reflect writes its own');
    }
    for (const { name, state, startLine } of blocks) {
      if (state === 'intact') continue;
      const [severity, says, hint] = BLOCK_STATES[state];
      yield createProblem('managed-block', severity, path, startLine, `the block "${name}" ${says}`, hint);
    }
  }
};

const coreBudget: LintRule = function* ({ pages, coreBudgetChars }) {
  for (const { path, page, text } of pages) {
    if (page.role !== 'core' || text.length <= coreBudgetChars) continue;
    const message = `the core file has ${text.length} characters, ${text.length - coreBudgetChars} more than its budget`;
    const hint =
      'move the lines that are not needed every day to bank/ or memory/topics/, or raise the setting coreBudgetChars';
    yield createProblem('core-budget', 'error', path, null, message, hint);
  }
};

/** Reports pages whose name looks like a day, but can't be read as one. */
export function* findOddDayNames({
  pages,
}: {
  readonly pages: Iterable<Pick<LintPage, 'path' | 'page'>>;
}): Iterable<Problem> {
  for (const { path, page } of pages) {
    if (page.day !== null || !looksLikeDay(path.slice(path.lastIndexOf('/') + 1))) continue;
    const message = 'the file name looks like a date, but is not read as one';
    yield createProblem('day-name', 'warning', path, null, message, 'use a name like 2026-01-10.md');
  }
}

/**
 * Reports forgotten statements that a merge or an edit brought back. No answer shows them, but their text is in a file.
 */
export function* findForgottenInFiles({ standing }: Pick<LintInput, 'standing'>): Iterable<Problem> {
  for (const { path, line, id } of standing) {
    const message = 'this statement was forgotten, but its text is still here';
    const hint = pageOfPath(path) === undefined ? 'delete the line' : `remove it: openclaw memory forget ${id}`;
    yield createProblem('forgotten-text', 'warning', path, line, message, hint);
  }
}

/** Reports files that the index leaves out, or reads with a warning. */
export function* findSkippedFiles({ notices }: Pick<LintInput, 'notices'>): Iterable<Problem> {
  for (const { path, reason, isUnread, isNormal, hint: mend } of notices) {
    if (reason.includes('both exist')) {
      const hint = 'move its text into the other file, then delete it';
      yield createProblem('two-core-files', 'warning', path, null, reason, hint);
    } else if (isNormal) {
      yield createProblem('left-out', 'info', path, null, reason);
    } else if (isUnread && !reason.includes('extraFolders')) {
      const hint = "recall can't find its lines; fix the permissions or the link, or replace it by a file";
      yield createProblem('unreadable', 'error', path, null, reason, hint);
    } else {
      const hint = mend === undefined ? undefined : `recall can't find its lines; ${mend}`;
      yield createProblem('left-out', 'warning', path, null, reason, hint);
    }
  }
}

const MOST_SHOWN = 120;

/**
 * Reports conflict copies that a sync program left. Lists every line that the page lacks, so that a person can move the
 * lines and remove the copy.
 */
const conflictCopies: LintRule = function* ({ copies }) {
  for (const { path, of, lines } of copies) {
    const what = of === null ? 'this conflict copy, whose page does not exist' : `this conflict copy of ${of}`;
    if (lines.length === 0)
      yield createProblem('conflict-copy', 'warning', path, null, `${what} has no lines of its own`, 'delete it');
    for (const { line, text } of lines) {
      const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
      const hint = `copy the line to ${of ?? 'a page'} if it is right, then delete the copy`;
      yield createProblem('conflict-copy', 'warning', path, line, `only in ${what}: ${shown}`, hint);
    }
  }
};

export const FILE_RULES: readonly LintRule[] = [
  ...[longLines, mergeMarkers, managedBlocks, coreBudget],
  ...[findOddDayNames, findSkippedFiles, conflictCopies, findForgottenInFiles, brokenTypes],
];

/** Reports list items that were probably meant as facts, but are not facts. Recall still finds them as log text. */
const malformedBullets: LintRule = function* ({ pages }) {
  for (const page of pages) if (mayHaveFacts(page.page.role)) yield* ofPage(page);
};

function* ofPage({ path, scan }: LintPage): Generator<Problem> {
  for (const block of scan.blocks) {
    if (block.type !== 'item' || block.text === '') continue;
    const parsed = parseBullet(block.text);
    if (parsed.type !== 'malformed') continue;
    const line = scan.lines[block.startLine - 1] ?? '';
    const mended = block.textEndLine === block.startLine ? mend(block.text) : undefined;
    const hint = 'write: - KIND @Entity: text, for example: - W @Peter: lives in Vienna';
    const fix = mended === undefined ? undefined : line.replace(block.text, () => mended);
    yield createProblem('malformed-bullet', 'warning', path, block.startLine, parsed.reason, hint, fix);
  }
}

/** Reports facts whose entity is only the first word of a longer name, as in `@Anna Schmidt: is our tax adviser`. */
const cutNames: LintRule = function* ({ pages }) {
  const known = new Set(pages.flatMap(({ entity }) => (entity === null ? [] : [entity.slug, ...entity.aliases])));
  for (const { path, facts } of pages)
    for (const { line, text, detail } of facts) {
      const [first] = detail?.entities ?? [];
      const hint = known.has(entitySlug(joinEntityName(first, text) ?? ''))
        ? undefined
        : hintAboutLongerName(first, text);
      if (hint !== undefined) yield createProblem('cut-name', 'info', path, line, hint);
    }
};

export const BULLET_RULES: readonly LintRule[] = [malformedBullets, cutNames];

/**
 * Patterns to correct list items. `KIND` and `HEAD` match the beginning of a fact. `SLIPS` has common mistakes, each with
 * its correction. The corrections are applied in order until the list item is a fact.
 */
const KIND = `([${KIND_LETTERS}])`;
const HEAD = String.raw`([${KIND_LETTERS}](?:\(c=[^()]{0,20}\))?`;
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`^(?:\*\*|__|\*|_)${KIND}(?:\*\*|__|\*|_)(?=\s*@)`), '$1'],
  [new RegExp(String.raw`^${KIND}\s*[(（]\s*[cC]\s*[=＝:]\s*([\d.]+)\s*[)）]`), '$1(c=$2)'],
  [new RegExp(`^${HEAD}:?)(?=[@＠])`), '$1 '],
  [new RegExp(String.raw`^${HEAD}:?\s+)＠`), '$1@'],
  [new RegExp(String.raw`^${HEAD}):(?=[^\s\\/])`), '$1: '],
];
const LOWER_CASE = new RegExp(String.raw`^[${KIND_LETTERS.toLowerCase()}](?=\(c=|\s*:?\s*@)`);

function mend(text: string): string | undefined {
  let mended = text.replace(LOWER_CASE, (letter) => letter.toUpperCase());
  for (const [slip, meant] of SLIPS) {
    if (parseBullet(mended).type === 'fact') return mended;
    mended = mended.replace(slip, meant);
  }
  return mended !== text && parseBullet(mended).type === 'fact' ? mended : undefined;
}

/** Reports dates in the future or of a wrong year. That is the most common mistake of models that write logs. */
export const findOddDates: LintRule = function* (view) {
  const days = view.pages.flatMap(({ page }) => (page.role === 'daily' && page.day !== null ? [page.day] : [])).sort();
  for (const page of view.pages) {
    const day = page.page.day;
    if (day === null) continue;
    // Allow one day after today: in another time zone it may be tomorrow already.
    const odd = day > addDays(view.today, 1) ? `${day} is in the future: today is ${view.today}` : yearOff(day, days);
    if (odd !== undefined) yield createProblem('odd-date', 'warning', page.path, null, odd, 'rename the file');
    yield* oddFacts(page, day);
  }
};

/** Reports pages with dates such as 3/4/2026 that have no day for the index, because nothing shows which part is the month. */
export const findUnreadDates: LintRule = function* ({ pages }) {
  for (const { path, scan } of pages) {
    const line = findUnreadDate(scan);
    if (line === undefined) continue;
    const message = 'nothing on the page shows whether its dates with slashes begin with the day or the month';
    yield createProblem('undecided-date', 'info', path, line, message, 'write the dates as 2026-03-04');
  }
};

/**
 * Returns a message if a log seems to have the wrong year: no other log is near its day, but some are near the same day
 * of the next or last year. In January, writers often use the old year.
 */
function yearOff(day: Day, days: readonly Day[]): string | undefined {
  if (distanceTo(days, day) <= 20) return undefined;
  const meant = [addDays(day, 365), addDays(day, -365)].find((at) => distanceTo(days, at) <= 3);
  return meant === undefined
    ? undefined
    : `no other log has a date near ${day}, but some have one a year earlier or later`;
}

/**
 * Number of days to the nearest other day.
 * @param days sorted
 */
function distanceTo(days: readonly Day[], at: Day): number {
  const from = findFirstNotBelow(days.length, (place) => (days[place] ?? '') < at);
  const around = [days[from - 1], days[from] === at ? days[from + 1] : days[from]];
  return Math.min(...around.map((other) => (other === undefined ? Infinity : Math.abs(daysBetween(at, other)))));
}

/** Reports facts whose date is about one year before or after the day of their log (within ten days). */
function* oddFacts({ path, facts }: LintPage, day: Day): Generator<Problem> {
  for (const { line, validFrom, isPeriod } of facts) {
    if (validFrom === null || !isPeriod) continue;
    const distance = Math.abs(daysBetween(day, validFrom));
    if (distance < 355 || distance > 375) continue;
    const message = `${validFrom} is a year away from the day of this log; check the year`;
    yield createProblem('odd-date', 'info', path, line, message);
  }
}

/** Folders with texts that are not pages: logs and archives of sessions, proposals, verdicts. */
const FOLDERS = ['sessions', 'bank'];
const TEXT_FILE = /\.(?:jsonl?|md)$/;

/** Finds secrets in files, including files that are not pages. The report never contains the secrets themselves. */
export function* findSecretsInFiles({ root, pages }: Pick<LintInput, 'root' | 'pages'>): Iterable<Problem> {
  for (const { path, text } of pages) yield* secretsIn(path, text, 'then forget the line with --no-copy');
  const seen = new Set(pages.map(({ path }) => path));
  for (const path of FOLDERS.flatMap((folder) => textFilesIn(root, folder))) {
    if (seen.has(path)) continue;
    const bytes = tryWithFallback(() => readVersion(join(root, path))?.bytes, undefined);
    if (bytes !== undefined) yield* secretsIn(path, decodeBytes(bytes), 'then remove it from the file');
  }
}

function textFilesIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  const names = tryWithFallback(() => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }), []);
  return names.filter((name) => TEXT_FILE.test(name)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

function* secretsIn(path: string, text: string, advice: string): Iterable<Problem> {
  let [line, from] = [1, 0];
  for (const { kind, index } of redactSecrets(text).found) {
    line += text.slice(from, index).split(/\r\n|\r|\n/).length - 1;
    from = index;
    const hint = `revoke it where it was issued, ${advice}`;
    yield createProblem('secret', 'error', path, line, `there is a secret (${kind})`, hint);
  }
}
