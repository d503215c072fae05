import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/progress.js';
import type { Reads } from './reads.js';

/** A workspace as the verbs are given it. */
export interface WorkspaceContext {
  /** The folder of the workspace, absolute. */
  readonly root: string;
  /** What is derived, and locks. */
  readonly stateFolder: string;
  /** What is read beside the workspace's own folders; nothing when not given. */
  readonly reads?: Reads | undefined;
  readonly clock: Clock;
  /** Ends whatever waits: for a lock, for a model. */
  readonly signal?: AbortSignal | undefined;
  /** Is told how far long work is. */
  readonly onProgress?: OnProgress | undefined;
}
