import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../base/json.js';
import { editFile, readVersion } from '../workspace/files.js';
import type { PageRef } from './operations/document.js';
import type { ExtractSource } from './page/sources.js';

const TEXT = z.string();
const KEPT = z.object({
  source: TEXT,
  pages: z.array(z.object({ page_id: z.number(), path: TEXT, hash: TEXT })),
  /** The source of each message, by the name of the message in the prompt: `m1`, `m2`, …. */
  sources: z.record(TEXT, z.object({ path: TEXT, label: TEXT, isTrusted: z.boolean() })),
  /**
   * Set if the conversation contains every new message of a session. When all `parts` are answered, the session counts as
   * extracted up to the message with the id `last`.
   */
  session: z.object({ id: TEXT, last: TEXT, parts: z.array(TEXT) }).optional(),
  /** Whether an answer to the prompt was applied. An answer that asks for no change counts as applied, too. */
  isAnswered: z.boolean().optional(),
});

/**
 * A prompt that we gave to an agent, with the pages and sources that it shows. Because the pages and sources are
 * stored, the agent's answer only has to repeat the id of the prompt.
 */
export type StoredPrompt = Readonly<Omit<z.infer<typeof KEPT>, 'sources' | 'pages'>> & {
  readonly id: string;
  readonly pages: readonly PageRef[];
  readonly sources: ReadonlyMap<string, ExtractSource>;
};

export function storePrompt(stateFolder: string, { id, sources, ...rest }: StoredPrompt): void {
  const kept = JSON.stringify({ ...rest, sources: Object.fromEntries(sources) });
  editFile(promptPath(stateFolder, id), () => kept);
}

/** Reads a stored prompt. Returns `undefined` for an unknown id, or if the state folder was deleted since. */
export function readStoredPrompt(stateFolder: string, id: string): StoredPrompt | undefined {
  if (!/^x-[0-9a-f]{13}$/u.test(id)) return undefined;
  const { data } = KEPT.safeParse(parseJson(readVersion(promptPath(stateFolder, id))?.bytes.toString('utf8') ?? ''));
  return data && { ...data, id, sources: new Map(Object.entries(data.sources)) };
}

function promptPath(stateFolder: string, id: string): string {
  return join(stateFolder, 'extract', 'prompts', `${id}.json`);
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

/** Id of the last message of a session that this machine has extracted. */
export function readLastExtractedMessage(stateFolder: string, session: string): string | undefined {
  return readVersion(progressPath(stateFolder, session))?.bytes.toString('utf8').trim();
}

export function storeLastExtractedMessage(stateFolder: string, session: string, message: string): void {
  editFile(progressPath(stateFolder, session), () => `${message}\n`);
}

function progressPath(stateFolder: string, session: string): string {
  return join(stateFolder, 'extract', 'sessions', session);
}
