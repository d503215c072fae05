import { tryWithFallback } from '../base/failure.js';
import type { Direction } from '../memory/evidence.js';
import { type Entry, readEntries, replaceEntries, storeEntries } from '../workspace/state.js';
import type { SaidRelation } from './questions.js';

/** A sentence of a model about an entity, with the ids of the facts that it cites. */
interface KeptSentence {
  readonly text: string;
  readonly facts: readonly string[];
}

/** What a model said: about a pair, or the sentences about an entity. */
type Said = Direction | SaidRelation | readonly KeptSentence[];

const ANSWERS = 'reflect answers';

/**
 * The answers of a model that no finished run has used. They are on disk as soon as they come, so that a run that is
 * stopped or killed loses at most one of them. The next run of the same model uses them.
 */
export class KeptAnswers {
  private readonly known: Map<string, Said>;

  /** @param model name and digest of the model. Answers of another model are not used */
  constructor(
    private readonly stateFolder: string,
    private readonly model: string,
  ) {
    this.known = new Map(readEntries<Said>(stateFolder, ANSWERS));
  }

  direction(key: string): Direction | undefined {
    const said = this.known.get(this.nameOf(key));
    return typeof said === 'string' ? said : undefined;
  }

  relation(key: string): SaidRelation | undefined {
    const said = this.known.get(this.nameOf(key));
    return typeof said === 'object' && 'relation' in said ? said : undefined;
  }

  sentences(key: string): readonly KeptSentence[] | undefined {
    const said = this.known.get(this.nameOf(key));
    return typeof said === 'object' && !('relation' in said) ? said : undefined;
  }

  /** Stores what one answer said. If the disk refuses it, the run still uses it. */
  add(said: readonly (readonly [key: string, said: Said])[]): void {
    const entries = said.map(([key, value]): Entry => ({ kind: ANSWERS, name: this.nameOf(key), value }));
    for (const [key, value] of said) this.known.set(this.nameOf(key), value);
    if (entries.length > 0) tryWithFallback(() => storeEntries(this.stateFolder, entries), undefined);
  }

  private nameOf(key: string): string {
    return `${this.model} ${key}`;
  }
}

/** Removes the kept answers, because a run has written what they say. */
export function removeKeptAnswers(stateFolder: string): void {
  replaceEntries(stateFolder, ANSWERS, new Map());
}
