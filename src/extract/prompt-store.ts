import { join } from 'node:path';
import { readVersion } from '../workspace/files.js';
import { takeOverOldState } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { readEntry, storeEntries } from '../workspace/state.js';
import type { PageRef } from './operations/document.js';
import type { ExtractSource } from './page/sources.js';

/**
 * A prompt that we gave to an agent, with the pages and sources that it shows. Because the pages and sources are
 * stored, the agent's answer only has to repeat the id of the prompt.
 */
export interface StoredPrompt {
  readonly id: string;
  readonly source: string;
  readonly pages: readonly PageRef[];
  /** The source of each message, by the name of the message in the prompt: `m1`, `m2`, …. */
  readonly sources: ReadonlyMap<string, ExtractSource>;
  /**
   * Set if the conversation contains every new message of a session. When all `parts` are answered, the session counts as
   * extracted up to the message with the id `last`.
   */
  readonly session?: { readonly id: string; readonly last: string; readonly parts: readonly string[] } | undefined;
  /** Whether an answer to the prompt was applied. An answer that asks for no change counts as applied, too. */
  readonly isAnswered?: boolean;
}

const PROMPT = 'extract prompt';
const SESSION = 'extract session';

export function storePrompt(stateFolder: string, { id, source, pages, sources, session, isAnswered }: StoredPrompt) {
  const kept = { source, pages, sources: Object.fromEntries(sources), session, isAnswered };
  storeEntries(stateFolder, [{ kind: PROMPT, name: id, value: kept }]);
}

/** Reads a stored prompt. Returns `undefined` for an unknown id, or if the state folder was deleted since. */
export function readStoredPrompt(stateFolder: string, id: string): StoredPrompt | undefined {
  type Kept = Omit<StoredPrompt, 'sources'> & { readonly sources: Readonly<Record<string, ExtractSource>> };
  const kept = readEntry<Kept>(stateFolder, PROMPT, id);
  return kept && { ...kept, id, sources: new Map(Object.entries(kept.sources)) };
}

/** Id of the last message of a session that this machine has extracted. */
export async function readLastExtractedMessage(
  context: WorkspaceContext,
  session: string,
): Promise<string | undefined> {
  await takeOverOldState(context);
  return readEntry(context.stateFolder, SESSION, session);
}

export function storeLastExtractedMessage(stateFolder: string, session: string, message: string): void {
  storeEntries(stateFolder, [{ kind: SESSION, name: session, value: message }]);
}

/** Finds the source that an operation names: a message of the prompt (`m3`), or an existing line of a log. */
export function resolveSource(
  root: string,
  name: string,
  shown: ReadonlyMap<string, ExtractSource>,
): ExtractSource | undefined {
  const bare = name.trim().replace(/^\[|\]$/gu, '');
  const message = shown.get(/^\d+$/u.test(bare) ? `m${bare}` : bare.toLowerCase());
  if (message !== undefined) return message;
  const line = /^(memory\/(?:[^\s()#/]+\/)*([^\s()#/]+)\.md)#L(\d+)/u.exec(bare);
  const text = line?.[1] === undefined ? undefined : readVersion(join(root, line[1]))?.bytes.toString('utf8');
  if (line === null || bare.includes('..') || (text?.split('\n').length ?? 0) < Number(line[3])) return undefined;
  return { path: `${line[1]}#L${line[3]}`, label: `${line[2]}#L${line[3]}`, isTrusted: true };
}
