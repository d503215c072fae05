import { setImmediate as yieldToSignals } from 'node:timers/promises';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { Database } from '../db/open.js';
import { afterLeadingEntities } from '../markdown/bullet.js';
import { kindLetter } from '../markdown/fact-kinds.js';
import type { Forgettable, Forgotten } from '../memory/forgotten.js';
import type { UnitKind } from '../memory/unit.js';
import { parseDetail } from './detail.js';
import { currentHash, RACY_MS, readFile } from './read-file.js';
import { clearRows } from './schema.js';
import { inPathOrder, stateOf, type Tree, type TreeFile } from './tree.js';
import { IndexWriter } from './writer.js';

/** What differs between the index and the files. */
export interface Changes {
  /** New or changed files. */
  readonly stale: readonly TreeFile[];
  /** Paths that are indexed but gone. */
  readonly removed: readonly string[];
  /** Files whose content is what the index has, though their state changed or could not be trusted. */
  readonly same: readonly TreeFile[];
  readonly isNone: boolean;
}

export interface SyncReport {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly files: number;
  /** Which files these were; of a rebuild none is named. */
  readonly changes: readonly FileEvent[];
}

/** What happened to a file since the last sync. */
export interface FileEvent {
  readonly path: string;
  readonly event: 'added' | 'changed' | 'removed';
}

/** Where a sync reads from and who may stop it. */
export interface SyncSource {
  readonly root: string;
  readonly tree: Tree;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (done: number, all: number) => void;
}

/** Whether the files are as the last sync left them. What differs otherwise is better found under the writer lock. */
export function isUpToDate(db: Database, source: SyncSource): boolean {
  return hasDigest(db, source) && findChanges(db, source).isNone;
}

function hasDigest(db: Database, { tree, clock }: SyncSource): boolean {
  return metaOf(db, 'tree') === tree.digest && metaOf(db, 'dates') === datesOf(clock);
}

function metaOf(db: Database, key: string): unknown {
  return db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key);
}

/** By which rule dates in digits were read: with another one, every file reads differently. */
function datesOf({ dateOrder = 'auto' }: Clock): string {
  return dateOrder;
}

/**
 * Compares the tree with the index. A file that had been written less than 2 s before it was indexed is compared by
 * content; while the digest of the tree is the last sync's, no other file needs a look.
 */
export function findChanges(db: Database, source: SyncSource): Changes {
  const { root, tree, clock } = source;
  const racy = new Map(db.prepare<[], [string, string]>('SELECT path, hash FROM file WHERE racy = 1').raw().all());
  const isSameTree = hasDigest(db, source);
  const areSameDates = isSameTree || metaOf(db, 'dates') === datesOf(clock);
  const where = isSameTree ? 'WHERE racy = 1' : '';
  const known = new Map(db.prepare<[], [string, string]>(`SELECT path, state FROM file ${where}`).raw().all());
  const remembered = isSameTree ? NO_PATHS : touchedByForgetting(db, tree.forgotten);
  const stale: TreeFile[] = [];
  const same: TreeFile[] = [];
  for (const file of isSameTree ? tree.files.filter(({ path }) => racy.has(path)) : tree.files) {
    const state = known.get(file.path);
    known.delete(file.path);
    if (!areSameDates || state !== stateOf(file) || remembered.has(file.path)) stale.push(file);
    else if (racy.has(file.path)) {
      if (currentHash(root, file) !== racy.get(file.path)) stale.push(file);
      else if (clock.machineMs() - file.mtimeMs >= RACY_MS) same.push(file);
    }
  }
  const removed = [...known.keys()];
  // A digest that differs by nothing but files that are racy still is left as it is: the next sync settles it.
  const isNone = stale.length + removed.length + same.length === 0 && isSameTree;
  return { stale: inPathOrder(stale), removed, same, isNone };
}

const NO_PATHS: ReadonlySet<string> = new Set();

/** Files that another set of tombstones reads differently: those that have what is forgotten now, or had. */
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

/**
 * Brings the index up to date in one transaction: readers see the old rows until it ends. Only under the writer lock.
 * When it is interrupted, what was indexed is kept and the next sync goes on from there.
 * @throws MemoryError `interrupted`
 */
export async function applyChanges(db: Database, source: SyncSource, changes: Changes): Promise<SyncReport> {
  return inTransaction(db, async () => {
    const writer = new IndexWriter(db);
    for (const path of changes.removed) writer.remove(path);
    for (const file of changes.same) writer.touch(file, false);
    const changed = new Set<string>();
    const done = await addFiles(writer, source, changes.stale, (path) => {
      if (writer.remove(path)) changed.add(path);
    });
    if (done === changes.stale.length) setTree(writer, source);
    return {
      interrupted: done < changes.stale.length,
      report: {
        added: done - changed.size,
        changed: changed.size,
        removed: changes.removed.length,
        files: source.tree.files.length,
        changes: [
          ...changes.stale.slice(0, done).map(({ path }) => fileEvent(path, changed.has(path) ? 'changed' : 'added')),
          ...changes.removed.map((path) => fileEvent(path, 'removed')),
        ],
      },
    };
  });
}

/** Builds all rows anew, in one transaction. An interrupted rebuild leaves the old rows. Only under the writer lock. */
export async function rebuild(db: Database, source: SyncSource): Promise<SyncReport> {
  const { files } = source.tree;
  return inTransaction(db, async () => {
    clearRows(db);
    const writer = new IndexWriter(db);
    if ((await addFiles(writer, source, inPathOrder(files), () => {})) < files.length) return interrupted();
    setTree(writer, source);
    return {
      interrupted: false,
      report: { added: files.length, changed: 0, removed: 0, files: files.length, changes: [] },
    };
  });
}

function fileEvent(path: string, event: FileEvent['event']): FileEvent {
  return { path, event };
}

function setTree(writer: IndexWriter, { clock, tree: { digest, forgotten } }: SyncSource): void {
  writer.setMeta('tree', digest);
  writer.setMeta('dates', datesOf(clock));
  writer.setMeta('forgotten', forgotten.digest);
}

async function addFiles(
  writer: IndexWriter,
  { root, clock, signal, onProgress, tree }: SyncSource,
  files: readonly TreeFile[],
  before: (path: string) => void,
): Promise<number> {
  for (let done = 0; done < files.length; done++) {
    if (done % 64 === 63) {
      onProgress?.(done, files.length);
      await yieldToSignals();
      if (signal?.aborted) return done;
    }
    const file = files[done];
    if (file === undefined) break;
    before(file.path);
    const read = await readFile(root, file, clock, tree.forgotten);
    writer.add(read.file, read.units);
  }
  return files.length;
}

// better-sqlite3's own transactions can't wait for a promise.
async function inTransaction(
  db: Database,
  work: () => Promise<{ interrupted: boolean; report: SyncReport }>,
): Promise<SyncReport> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const { interrupted: stopped, report } = await work();
    db.exec('COMMIT');
    return stopped ? interrupted() : report;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function interrupted(): never {
  return fail('interrupted', 'indexing was interrupted', 'run it again; it goes on where it stopped');
}
