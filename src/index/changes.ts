import { hash } from 'node:crypto';
import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import type { Database } from '../db/open.js';
import { afterLeadingEntities } from '../markdown/bullet.js';
import { kindLetter } from '../markdown/fact-kinds.js';
import type { Forgettable, Forgotten } from '../memory/forgotten.js';
import type { UnitKind } from '../memory/unit.js';
import { currentHash, RACY_MS, UNREADABLE } from './bytes.js';
import { parseDetail } from './row.js';
import type { Tree } from './tree.js';
import { inPathOrder, stateOf, type TreeFile, type TreeFiles } from './tree-files.js';

/** A file to read. */
export interface StaleFile extends TreeFile {
  /** The indexed hash, if the state of the file is the only reason to read it again. */
  readonly knownHash?: string | undefined;
}

/** The differences between the index and the files. */
export interface Changes {
  /** New and changed files, and files that must be read to find out. */
  readonly stale: readonly StaleFile[];
  /** Paths that are indexed but gone. */
  readonly removed: readonly string[];
  /** Files whose content equals the index, though their state changed or could not be trusted. */
  readonly same: readonly TreeFile[];
  readonly isNone: boolean;
}

/** The files that a sync reads, and the signal that stops it. */
export interface SyncSource {
  readonly root: string;
  readonly tree: Tree;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Whether the files are as the last sync left them. Other differences are better looked for under the writer lock. */
export function isUpToDate(db: Database, source: SyncSource): boolean {
  return hasDigest(db, source) && findChanges(db, source).isNone;
}

function hasDigest(db: Database, { tree, clock }: SyncSource): boolean {
  return metaOf(db, 'tree') === tree.digest && metaOf(db, 'dates') === datesOf(clock);
}

function metaOf(db: Database, key: string): unknown {
  return db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key);
}

/** The rule for dates in digits: with another rule, every file reads differently. */
export function datesOf({ dateOrder = 'auto' }: Clock): string {
  return dateOrder;
}

/**
 * Compares the tree with the index. A file is compared by content if it was written less than 2 s before it was indexed, or
 * could not be read. While the digest of the tree equals that of the last sync, no other file is compared.
 */
export function findChanges(db: Database, source: SyncSource): Changes {
  const { root, tree, clock } = source;
  const isSameTree = hasDigest(db, source);
  const areSameDates = isSameTree || metaOf(db, 'dates') === datesOf(clock);
  const racy = new Set(db.prepare<[], string>('SELECT path FROM file WHERE racy = 1').pluck().all());
  const remembered = isSameTree ? NO_PATHS : touchedByForgetting(db, tree.forgotten);
  const others = isSameTree ? [] : areSameDates ? changedSince(db, tree.files) : undefined;
  const told = others && new Set([...others.map(({ path }) => path), ...racy, ...remembered]);
  const files = told === undefined ? tree.files : tree.files.named(told);
  const known = statesIn(db, told);
  const hashOf = db.prepare<[string], string>('SELECT hash FROM file WHERE path = ?').pluck();
  const stale: StaleFile[] = [];
  const same: TreeFile[] = [];
  const compare = (file: TreeFile, hash: string): void => {
    if (hash !== hashOf.get(file.path)) stale.push(file);
    else if (hash !== UNREADABLE && clock.machineMs() - file.mtimeMs >= RACY_MS) same.push(file);
  };
  for (const file of files) {
    const state = known.get(file.path);
    known.delete(file.path);
    if (state === undefined || !areSameDates || remembered.has(file.path)) stale.push(file);
    else if (state !== stateOf(file)) stale.push({ ...file, knownHash: hashOf.get(file.path) });
    else if (racy.has(file.path)) compare(file, currentHash(root, file));
  }
  const removed = [...known.keys()];
  // If the digest differs only because of files that are still racy, do not update it now: the next sync does.
  const isNone = stale.length + removed.length + same.length === 0 && isSameTree;
  return { stale: inPathOrder(stale), removed, same, isNone };
}

/**
 * Indexed paths and states; for most files nothing else is compared.
 * @param paths undefined: all indexed files
 */
function statesIn(db: Database, paths: ReadonlySet<string> | undefined): Map<string, string> {
  const named = paths === undefined ? '' : 'WHERE path IN (SELECT value FROM json_each(?))';
  const rows = db.prepare<unknown[], [string, string]>(`SELECT path, state FROM file ${named}`).raw();
  return new Map(rows.all(...(paths === undefined ? [] : [JSON.stringify([...paths])])));
}

/** The paths and states of files, in order, as `meta` rows for the next comparison. */
export function fileStates({ paths, states }: TreeFiles): readonly (readonly [key: string, value: string | Buffer])[] {
  return [
    ['paths', pathsHash(paths)],
    ['states', Buffer.from(states.buffer, states.byteOffset, states.byteLength)],
  ];
}

/** Files whose state differs from that after the last sync; undefined if the set of files was another one then. */
function changedSince(db: Database, files: TreeFiles): readonly TreeFile[] | undefined {
  const before = metaOf(db, 'paths') === pathsHash(files.paths) ? metaOf(db, 'states') : undefined;
  if (!Buffer.isBuffer(before) || before.length !== files.states.byteLength) return undefined;
  return files.changedSince(new Float64Array(new Uint8Array(before).buffer));
}

function pathsHash(paths: readonly string[]): string {
  return hash('sha1', paths.join('\n'));
}

const NO_PATHS: ReadonlySet<string> = new Set();

/** Files that change with the set of tombstones: those that contain a forgotten statement now, or did before. */
function touchedByForgetting(db: Database, forgotten: Forgotten): ReadonlySet<string> {
  const before = metaOf(db, 'forgotten') ?? '';
  if (before === forgotten.digest) return new Set();
  const paths = new Set(db.prepare<[], string>('SELECT path FROM file WHERE forgotten > 0').pluck().all());
  if (forgotten.size === 0) return paths;
  const rows = db
    .prepare<[], [string, UnitKind, string, string | null, string | null]>(
      'SELECT path, kind, text, fact, detail FROM unit JOIN file ON file.id = unit.file',
    )
    .raw();
  for (const [path, kind, text, fact, detail] of rows.iterate()) {
    if (fact === null ? forgotten.hasLine(text) : forgotten.has(statementOf(kind, text, detail))) paths.add(path);
  }
  return paths;
}

function statementOf(kind: UnitKind, statement: string, detail: string | null): Forgettable {
  const entities = detail === null ? [] : (parseDetail(detail).entities ?? []);
  return { kind: kindLetter(kind), entities, text: afterLeadingEntities(statement) };
}
