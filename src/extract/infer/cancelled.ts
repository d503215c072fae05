import { join } from 'node:path';
import type { Day } from '../../base/clock.js';
import { tryWithFallback } from '../../base/failure.js';
import { readStatementTerms } from '../../language/words/terms.js';
import { pageOfPath } from '../../memory/pages.js';
import { decodeBytes } from '../../text/bytes.js';
import { sentencesOf } from '../../text/sentences.js';
import { readVersion } from '../../workspace/files.js';
import { hasCancellations } from './cues.js';
import { readLogOfDay } from './day.js';

/** A sentence of a log that cancels something: "The trip is called off." */
interface Cancellation {
  readonly day: Day;
  readonly terms: ReadonlySet<string>;
  readonly heading: string | undefined;
}

/** Finds the cancellations in the logs of a day and of all later days. Unreadable logs are skipped. */
export function findCancellations(root: string, paths: readonly string[], from: Day): readonly Cancellation[] {
  return paths.flatMap((path) => {
    const { role, day = null } = pageOfPath(path) ?? {};
    if (role !== 'daily' || day === null || day < from) return [];
    const bytes = tryWithFallback(() => readVersion(join(root, path))?.bytes, undefined);
    if (bytes === undefined) return [];
    return readLogOfDay(path, decodeBytes(bytes)).passages.flatMap(({ text, heading }) =>
      sentencesOf(text)
        .filter(hasCancellations)
        .map((said) => ({ day, terms: new Set(readStatementTerms(said)), heading })),
    );
  });
}

/**
 * Minimum number of words that a decision and its cancellation must share. If both stand below the same heading, one word is
 * enough.
 */
const SHARED = 2;

/**
 * Whether a cancellation is about a given decision. Normally both must share at least two words. If both stand below
 * the same heading, one shared word is enough, and a cancellation with at most two words needs none. Pure.
 * @param decided text of the decision
 * @param about heading above the decision
 */
export function isAboutDecision({ terms, heading }: Cancellation, decided: string, about: string | undefined): boolean {
  const shared = new Set(
    readStatementTerms(decided).filter((term) => terms.has(term) && !/^(?:decis|decid)/u.test(term)),
  );
  const isSame = heading !== undefined && about !== undefined && heading.toLowerCase() === about.toLowerCase();
  return shared.size >= (isSame ? 1 : SHARED) || (isSame && terms.size <= SHARED);
}
