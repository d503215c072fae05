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

/** What a log says is cancelled. */
interface Cancellation {
  readonly day: Day;
  readonly terms: ReadonlySet<string>;
  readonly heading: string | undefined;
}

/** What the logs from a day on say is cancelled. A log that can't be read says nothing. */
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

/** So many words of a decision that is cancelled stand in what cancels it; one is enough below the same heading. */
const SHARED = 2;

/** Whether a cancellation is of what was decided. Pure. */
export function isOfMatter({ terms, heading }: Cancellation, decided: string, about: string | undefined): boolean {
  const shared = new Set(statementTerms(decided).filter((term) => terms.has(term) && !/^(?:decis|decid)/u.test(term)));
  const isSame = heading !== undefined && about !== undefined && heading.toLowerCase() === about.toLowerCase();
  return shared.size >= (isSame ? 1 : SHARED) || (isSame && terms.size <= SHARED);
}
