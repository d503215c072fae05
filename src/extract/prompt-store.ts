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
}

export function keepPrompt(stateFolder: string, { id, source, pages, sources }: ShownPrompt): void {
  editFile(promptPath(stateFolder, id), () => JSON.stringify({ source, pages, sources: Object.fromEntries(sources) }));
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
  return { id, source: String(kept.source), pages: readPages(kept.pages), sources: new Map(sources) };
}

function promptPath(stateFolder: string, id: string): string {
  return join(stateFolder, 'extract', 'prompts', `${id}.json`);
}

/** What a source that an operation names is: a message of the prompt, or a line of a log. */
export function sourceOf(name: string, shown: ReadonlyMap<string, Source>): Source | undefined {
  const bare = name.trim().replace(/^\[|\]$/gu, '');
  const message = shown.get(/^\d+$/u.test(bare) ? `m${bare}` : bare.toLowerCase());
  if (message !== undefined) return message;
  const line = /^(memory\/(?:[^\s()#/]+\/)*([^\s()#/]+)\.md)#L(\d+)/u.exec(bare);
  if (line === null || bare.includes('..')) return undefined;
  return { path: `${line[1]}#L${line[3]}`, label: `${line[2]}#L${line[3]}`, isTrusted: true };
}
