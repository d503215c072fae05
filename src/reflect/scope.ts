import { hash } from 'node:crypto';
import type { IndexedFile } from '../index/search.js';
import { dayOfPath } from '../language/time/calendar.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import { encodeBytes } from '../text/bytes.js';
import type { ReflectProgress } from './progress.js';

export { EVIDENCE_PATH } from '../memory/evidence.js';
export const OPINIONS_PATH = 'bank/opinions.md';

/** What of the past a run has to look at again. */
export type Scope = ReturnType<typeof runScope>;

/** Pure. */
export function runScope(
  progress: ReflectProgress,
  changed: readonly IndexedFile[],
  gone: readonly string[],
  texts: { readonly opinions: string; readonly evidence: string },
) {
  const days = [...changed.map(({ path }) => path), ...gone].flatMap((path) => dayOfPath(path) ?? []);
  const hasForeign = progress.get(EVIDENCE_PATH) !== pageHash(texts.evidence);
  const isLeft = !hasForeign && progress.get(OPINIONS_PATH) === pageHash(texts.opinions);
  return {
    /** The page of opinions or the evidence is not as the last run left it: every opinion is looked at. */
    all: !isLeft,
    /** The evidence is not as the last run left it: somebody else's has come in. */
    hasForeign,
    /** Days whose logs have changed or gone: evidence of these may have gone with them. */
    days: new Set(days),
  };
}

/** A text with lines at its end. */
export function appendLines(text: string, lines: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines}`;
}

/** As the index hashes a file. */
export function pageHash(text: string): string {
  return hash('sha1', encodeBytes(text));
}
