import type { PairVerdict } from '../../memory/threads/verdicts.js';
import type { FactReader } from '../facts.js';

/** What a judge has said of a statement: it holds no more, in part, or a later one stands for it. */
export interface SettledLine extends Omit<PairVerdict, 'at'> {
  /** The earlier one, and the later one. */
  readonly text: string;
  readonly source: string;
  readonly later: string;
}

/** The verdicts that change what is shown, with the statements that they are about. */
export function settledLines(given: readonly PairVerdict[], reader: FactReader): readonly SettledLine[] {
  return given.flatMap(({ at: _, ...verdict }) => {
    const [earlier, later] = [reader.byId(verdict.of), reader.byId(verdict.fact)];
    if (earlier === undefined || later === undefined || LEAVING.has(verdict.relation)) return [];
    return [{ ...verdict, text: earlier.text, source: earlier.source, later: later.text }];
  });
}

const LEAVING: ReadonlySet<PairVerdict['relation']> = new Set(['both', 'plan', 'undone']);
