import { join } from 'node:path';
import { editFile, readVersion, removeFile } from '../workspace/files.js';
import type { Belief } from './beliefs/beliefs.js';

/**
 * Content hashes of the pages that reflection has seen, by path; of beliefs, by id, the day after which facts were judged
 * against them; and the names of entities that a model was not asked about in time, by `untold` and slug. Only of this machine, and may be lost: facts are then looked at again, and nothing is judged twice,
 * for verdicts are in `bank/evidence.jsonl`.
 */
export type Examined = ReadonlyMap<string, string>;

function examinedPath(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'examined.json');
}

export function readExamined(stateFolder: string): Examined {
  try {
    const value: unknown = JSON.parse(readVersion(examinedPath(stateFolder))?.bytes.toString('utf8') ?? '{}');
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

export function writeExamined(stateFolder: string, examined: Examined): void {
  const text = `${JSON.stringify(Object.fromEntries(examined))}\n`;
  editFile(examinedPath(stateFolder), (current) => (current?.toString('utf8') === text ? undefined : text));
}

/** Has everything looked at again by the next run. */
export function forgetExamined(stateFolder: string): void {
  removeFile(examinedPath(stateFolder));
}

/** Whether a belief is new here, or reaches back to another day: a first run looks at every fact anyway. */
export function isLate(belief: Belief, examined: Examined): boolean {
  return belief.page === null || (examined.size > 0 && examined.get(belief.id) !== reachOf(belief));
}

/** The day after which facts count for a belief. */
export function reachOf({ prior }: Belief): string {
  return prior.day ?? 'always';
}

const UNTOLD = 'untold ';

/** Entities that an earlier run had no time to ask a model about, with their names. */
export function untoldBefore(examined: Examined): readonly (readonly [slug: string, name: string])[] {
  return [...examined].flatMap(([key, name]) =>
    key.startsWith(UNTOLD) && name !== '' ? [[key.slice(UNTOLD.length), name] as const] : [],
  );
}

/** Remembers which of the entities that something is new about a model is still to be asked about. */
export function noteUntold(
  untold: ReadonlySet<string>,
  touched: ReadonlyMap<string, string>,
  examined: Examined,
  seen: Map<string, string>,
): void {
  for (const [slug, name] of touched) {
    if (untold.has(slug)) seen.set(UNTOLD + slug, name);
    else if (examined.has(UNTOLD + slug)) seen.set(UNTOLD + slug, '');
  }
}
