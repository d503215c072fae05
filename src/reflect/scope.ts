import { hash } from 'node:crypto';
import type { IndexedFile } from '../index/search.js';
import { dayOfPath } from '../language/time/calendar.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import { encodeBytes } from '../text/bytes.js';
import type { ReflectProgress } from './progress.js';

export { EVIDENCE_PATH } from '../memory/evidence.js';
export const OPINIONS_PATH = 'bank/opinions.md';

/** The data that a run must check again, because opinions, evidence or logs have changed since the last run. */
export type DataToCheckAgain = ReturnType<typeof findDataToCheckAgain>;

/** Finds out what a run must read again. Pure. */
export function findDataToCheckAgain(
  progress: ReflectProgress,
  changed: readonly IndexedFile[],
  gone: readonly string[],
  texts: { readonly opinions: string; readonly evidence: string },
) {
  const days = [...changed.map(({ path }) => path), ...gone].flatMap((path) => dayOfPath(path) ?? []);
  const hasForeign = progress.get(EVIDENCE_PATH) !== pageHash(texts.evidence);
  const isLeft = !hasForeign && progress.get(OPINIONS_PATH) === pageHash(texts.opinions);
  return {
    /** Whether to check all opinions: the page of opinions or the evidence has changed since the last run. */
    all: !isLeft,
    /**
     * Whether the file of the evidence has changed since the last run of `reflect`. Then it may have verdicts that
     * `reflect` did not write: verdicts of a person, or verdicts that a merge brought from another machine.
     */
    hasForeign,
    /** Days whose logs have changed or were deleted. Facts that are evidence may be gone from these logs. */
    days: new Set(days),
  };
}

/** Appends lines to a text. If the text does not end with a line end, adds one first. */
export function addLinesToText(text: string, lines: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines}`;
}

/** Hash of a page's text, computed in the same way as in the index. */
export function pageHash(text: string): string {
  return hash('sha1', encodeBytes(text));
}
