import { join } from 'node:path';
import type { Day } from '../../base/clock.js';
import { attempt } from '../../base/result.js';
import { statementTerms } from '../../language/words/terms.js';
import { pageAt } from '../../memory/pages.js';
import { decodeBytes } from '../../text/bytes.js';
import { sentencesOf } from '../../text/sentences.js';
import { readVersion } from '../../workspace/files.js';
import { cancels } from './cues.js';
import { readLogOfDay } from './day.js';

/** A cancellation in a log. */
interface Cancellation {
  readonly day: Day;
  readonly terms: ReadonlySet<string>;
  readonly heading: string | undefined;
}

/** The cancellations in the logs from a day on. Unreadable logs are skipped. */
export function cancellationsIn(root: string, paths: readonly string[], from: Day): readonly Cancellation[] {
  return paths.flatMap((path) => {
    const { role, day = null } = pageAt(path) ?? {};
    if (role !== 'daily' || day === null || day < from) return [];
    const bytes = attempt(() => readVersion(join(root, path))?.bytes, undefined);
    if (bytes === undefined) return [];
    return readLogOfDay(path, decodeBytes(bytes)).passages.flatMap(({ text, heading }) =>
      sentencesOf(text)
        .filter(cancels)
        .map((said) => ({ day, terms: new Set(statementTerms(said)), heading })),
    );
  });
}

/** Minimum number of words that a decision and its cancellation share. Below the same heading one is enough. */
const SHARED = 2;

/** Whether a cancellation is about a decision. Pure. @param about heading of the decision */
export function isOfMatter({ terms, heading }: Cancellation, decided: string, about: string | undefined): boolean {
  const shared = new Set(statementTerms(decided).filter((term) => terms.has(term) && !/^(?:decis|decid)/u.test(term)));
  const isSame = heading !== undefined && about !== undefined && heading.toLowerCase() === about.toLowerCase();
  return shared.size >= (isSame ? 1 : SHARED) || (isSame && terms.size <= SHARED);
}
