import { findManagedBlocks } from '../../../markdown/blocks.js';
import { splitLines } from '../../../markdown/lines.js';
import { looksLikeDay, pageOfPath } from '../../../memory/pages.js';
import { createProblem, type LintInput, type LintPage, type LintRule, type Problem } from '../problem.js';

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
  for (const { path, reason, isUnread, hint: mend } of notices) {
    if (reason.includes('both exist')) {
      const hint = 'move its text into the other file, then delete it';
      yield createProblem('two-core-files', 'warning', path, null, reason, hint);
    } else if (reason.includes('temporary')) {
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
