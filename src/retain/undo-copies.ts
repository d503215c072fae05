import { join } from 'node:path';
import type { Day } from '../base/clock.js';
import { isRecord, parseJson } from '../base/json.js';
import { compareText } from '../base/order.js';
import { namesIn, readVersion, replaceFile } from '../workspace/files.js';

/** What this machine keeps of an act of forgetting, outside of git. */
export interface UndoCopy {
  readonly nonce: string;
  readonly day: Day;
  readonly id: string;
  readonly removed: readonly { readonly path: string; readonly text: string }[];
}

/** What stands where a statement was. It names the act, so that taking it back finds the place again. */
export function comment(day: Day, nonce: string): string {
  return `<!-- forgotten ${day} n-${nonce} -->`;
}

export function keepForUndo(stateFolder: string, copy: UndoCopy): void {
  replaceFile(join(stateFolder, 'forgotten', `${copy.nonce}.json`), undefined, `${JSON.stringify(copy)}\n`);
}

/** All of them, the newest first. */
export function undoCopies(stateFolder: string): readonly UndoCopy[] {
  const copies: UndoCopy[] = [];
  for (const name of namesIn(join(stateFolder, 'forgotten'))) {
    if (!/^[0-9a-f]{8}\.json$/.test(name)) continue;
    const copy = parseJson(readVersion(join(stateFolder, 'forgotten', name))?.bytes.toString('utf8') ?? '');
    if (isUndoCopy(copy)) copies.push(copy);
  }
  return copies.sort((a, b) => compareText(b.day, a.day));
}

function isUndoCopy(value: unknown): value is UndoCopy {
  if (!isRecord(value)) return false;
  const { nonce, day, id, removed } = value;
  return typeof nonce === 'string' && typeof day === 'string' && typeof id === 'string' && Array.isArray(removed);
}
