import { fail } from '../base/failure.js';
import type { RecallSource } from '../recall/recall.js';
import type { SemanticSource } from '../recall/semantic.js';

/** What answers by meaning, or why there is none. */
export interface Semantic {
  readonly source?: SemanticSource;
  readonly warnings: readonly string[];
}

export function withSemantic(source: RecallSource, semantic: Semantic): RecallSource {
  return { ...source, warnings: [...source.warnings, ...semantic.warnings], semantic: semantic.source };
}

/** @throws MemoryError `interrupted` */
export function endIfInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) fail('interrupted', 'the answer was not waited for', 'run the command again');
}
