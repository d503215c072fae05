import { hash } from 'node:crypto';
import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import type { Database } from '../db/open.js';
import type { UnitKind } from '../line/unit.js';
import { kindLetter, textAfterLeadingEntities } from '../markdown/bullet.js';
import type { Forgettable, ForgottenStatements } from '../memory/forgotten.js';
import { currentHash, RACY_WINDOW_MS, UNREADABLE_HASH } from './bytes.js';
import { parseDetail } from './row.js';
import type { FileTree } from './tree.js';
import { fileState, sortByPath, type TreeFile, type TreeFiles } from './tree-files.js';

/** A file that must be read, because the index may not match it. */
export interface StaleFile extends TreeFile {
  /**
   * Hash of the content that the index has. Set if the file is in the index, but its size, times or inode differ. If the
   * content still has this hash, the file is unchanged.
   */
  readonly knownHash?: string | undefined;
}

/** The differences between the index and the files. */
export interface IndexChanges {
  /** New and changed files, and files that must be read to find out. */
  readonly stale: readonly StaleFile[];
  /** Paths of indexed files that no longer exist. */
  readonly removed: readonly string[];
  /**
   * Files that were indexed so soon after a write that their times could not show another change. Now enough time has
   * passed, and their content still matches the index.
   */
  readonly same: readonly TreeFile[];
  readonly isNone: boolean;
}

/** The files that a sync reads, and the signal that stops it. */
export interface SyncSource {
  readonly root: string;
  readonly tree: FileTree;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Whether no file has changed since the last sync. If a file has changed, the caller takes the writer lock before it
 * looks for the differences.
 */
export function isIndexUpToDate(db: Database, source: SyncSource): boolean {
  return hasDigest(db, source) && findChanges(db, source).isNone;
}

function hasDigest(db: Database, { tree, clock }: SyncSource): boolean {
  return metaOf(db, 'tree') === tree.digest && metaOf(db, 'dates') === dateOrderOf(clock);
}

function metaOf(db: Database, key: string): unknown {
  return db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key);
}

/** The setting for the order of day and month in dates such as 3/4/2026. If it changes, every file must be read again. */
export function dateOrderOf({ dateOrder = 'auto' }: Clock): string {
  return dateOrder;
}

/**
 * Compares the files with the index. The content of a file is always compared if the file was written less than 2 s before
 * it was indexed, or if it could not be read then. If the digest of all files equals that of the last sync, no other file
 * is compared.
 */
export function findChanges(db: Database, source: SyncSource): IndexChanges {
  const { root, tree, clock } = source;
  const isSameTree = hasDigest(db, source);
  const areSameDates = isSameTree || metaOf(db, 'dates') === dateOrderOf(clock);
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
    else if (hash !== UNREADABLE_HASH && clock.machineMs() - file.mtimeMs >= RACY_WINDOW_MS) same.push(file);
  };
  for (const file of files) {
    const state = known.get(file.path);
    known.delete(file.path);
    if (state === undefined || !areSameDates || remembered.has(file.path)) stale.push(file);
    else if (state !== fileState(file)) stale.push({ ...file, knownHash: hashOf.get(file.path) });
    else if (racy.has(file.path)) compare(file, currentHash(root, file));
  }
  const removed = [...known.keys()];
  // The digest may differ although no file has changed, for example because the tombstones changed. Then `isNone` is false,
  // so that the sync stores the new digest.
  const isNone = stale.length + removed.length + same.length === 0 && isSameTree;
  return { stale: sortByPath(stale), removed, same, isNone };
}

/**
 * Reads the paths and states of indexed files. For most files, the state alone shows that they have not changed.
 * @param paths the files to read; undefined for all
 */
function statesIn(db: Database, paths: ReadonlySet<string> | undefined): Map<string, string> {
  const named = paths === undefined ? '' : 'WHERE path IN (SELECT value FROM json_each(?))';
  const rows = db.prepare<unknown[], [string, string]>(`SELECT path, state FROM file ${named}`).raw();
  return new Map(rows.all(...(paths === undefined ? [] : [JSON.stringify([...paths])])));
}

/**
 * Rows of the table `meta` for the next comparison: a hash of all paths, and the states of the files in the order of these
 * paths.
 */
export function fileStates({ paths, states }: TreeFiles): readonly (readonly [key: string, value: string | Buffer])[] {
  return [
    ['paths', pathsHash(paths)],
    ['states', Buffer.from(states.buffer, states.byteOffset, states.byteLength)],
  ];
}

/** Files whose state differs from that after the last sync. Undefined if files were added or removed since. */
function changedSince(db: Database, files: TreeFiles): readonly TreeFile[] | undefined {
  const before = metaOf(db, 'paths') === pathsHash(files.paths) ? metaOf(db, 'states') : undefined;
  if (!Buffer.isBuffer(before) || before.length !== files.states.byteLength) return undefined;
  return files.changedSince(new Float64Array(new Uint8Array(before).buffer));
}

function pathsHash(paths: readonly string[]): string {
  return hash('sha1', paths.join('\n'));
}

const NO_PATHS: ReadonlySet<string> = new Set();

/**
 * Files whose rows change when the tombstones change: those that contain a forgotten statement now, or contained one before.
 */
function touchedByForgetting(db: Database, forgotten: ForgottenStatements): ReadonlySet<string> {
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
  return { kind: kindLetter(kind), entities, text: textAfterLeadingEntities(statement) };
}
