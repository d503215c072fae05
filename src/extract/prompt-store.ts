import { join } from 'node:path';
import { isRecord, parseRecord } from '../base/json.js';
import { editFile, readVersion } from '../workspace/files.js';
import { type PageRef, readPages } from './operations/document.js';
import type { Source } from './page/sources.js';

/** What a prompt showed, so that an answer that names its id needs to repeat nothing. */
export interface ShownPrompt {
  readonly id: string;
  readonly source: string;
  readonly pages: readonly PageRef[];
  /** By the names that the prompt gave to messages. */
  readonly sources: ReadonlyMap<string, Source>;
  /** The session that it is of, when all of what is new in it was asked about. */
  readonly session?: AskedSession | undefined;
  /** Whether an answer was carried out, also one that there is nothing to do. */
  readonly isAnswered?: boolean;
}

/** A session that is extracted from when all of some prompts are answered. */
interface AskedSession {
  readonly id: string;
  /** Id of the last message of them. */
  readonly last: string;
  /** Ids of the prompts. */
  readonly parts: readonly string[];
}

export function keepPrompt(stateFolder: string, { id, sources, ...rest }: ShownPrompt): void {
  const kept = JSON.stringify({ ...rest, sources: Object.fromEntries(sources) });
  editFile(promptPath(stateFolder, id), () => kept);
}

/** Undefined for an id of nobody's, and after the state folder was deleted. */
export function shownPrompt(stateFolder: string, id: string): ShownPrompt | undefined {
  if (!/^x-[0-9a-f]{13}$/u.test(id)) return undefined;
  const kept = parseRecord(readVersion(promptPath(stateFolder, id))?.bytes.toString('utf8') ?? '');
  if (kept === undefined) return undefined;
  const sources = Object.entries(isRecord(kept.sources) ? kept.sources : {}).flatMap(([name, value]) => {
    const { path, label, isTrusted } = isRecord(value) ? value : {};
    return typeof path === 'string' && typeof label === 'string'
      ? [[name, { path, label, isTrusted: isTrusted === true }] as const]
      : [];
  });
  return {
    id,
    source: String(kept.source),
    pages: readPages(kept.pages),
    sources: new Map(sources),
    session: readSession(kept.session),
    isAnswered: kept.isAnswered === true,
  };
}

function readSession(value: unknown): AskedSession | undefined {
  const { id, last, parts } = isRecord(value) ? value : {};
  if (typeof id !== 'string' || typeof last !== 'string' || !Array.isArray(parts)) return undefined;
  return { id, last, parts: parts.map(String) };
}

function promptPath(stateFolder: string, id: string): string {
  return join(stateFolder, 'extract', 'prompts', `${id}.json`);
}

/** What a source that an operation names is: a message of the prompt, or a line of a log that has it. */
export function sourceOf(root: string, name: string, shown: ReadonlyMap<string, Source>): Source | undefined {
  const bare = name.trim().replace(/^\[|\]$/gu, '');
  const message = shown.get(/^\d+$/u.test(bare) ? `m${bare}` : bare.toLowerCase());
  if (message !== undefined) return message;
  const line = /^(memory\/(?:[^\s()#/]+\/)*([^\s()#/]+)\.md)#L(\d+)/u.exec(bare);
  const text = line?.[1] === undefined ? undefined : readVersion(join(root, line[1]))?.bytes.toString('utf8');
  if (line === null || bare.includes('..') || (text?.split('\n').length ?? 0) < Number(line[3])) return undefined;
  return { path: `${line[1]}#L${line[3]}`, label: `${line[2]}#L${line[3]}`, isTrusted: true };
}

/** The last message of a session that was extracted on this machine, by its id. */
export function extractedUpTo(stateFolder: string, session: string): string | undefined {
  return readVersion(progressPath(stateFolder, session))?.bytes.toString('utf8').trim();
}

export function noteExtracted(stateFolder: string, session: string, message: string): void {
  editFile(progressPath(stateFolder, session), () => `${message}\n`);
}

function progressPath(stateFolder: string, session: string): string {
  return join(stateFolder, 'extract', 'sessions', session);
}
