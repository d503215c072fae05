import { decompress } from 'fzstd';
import { isRecord } from '../../base/json.js';
import { addAll, addToGroup } from '../../base/order.js';
import { type Database, openDatabase } from '../../db/open.js';
import { copyToTemporaryFolder } from '../../workspace/files.js';

/**
 * Reads the transcripts in OpenClaw's SQLite store. Reads a copy of the store and its write-ahead log. So no files are
 * created next to the host's, no write permission is needed, and the host can go on writing.
 * @param key the key of one session, as the host calls it
 */
export function readHostStore(path: string, key?: string) {
  const copy = copyToTemporaryFolder([path, `${path}-wal`]);
  try {
    const db = openDatabase(copy.path);
    try {
      return readSessions(db, key);
    } finally {
      db.close();
    }
  } finally {
    copy.remove();
  }
}

/** Sessions with their events as JSON lines, oldest first, and the names of transcripts in the host's own files. */
function readSessions(db: Database, key: string | undefined) {
  const tables = new Set(rows(db, "SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name));
  const wanted = key === undefined || !tables.has('session_windows') ? undefined : idsOf(db, key, tables);
  const isWanted = (id: string): boolean => wanted === undefined || wanted.has(id);
  const moved = ARCHIVES.filter(([table]) => tables.has(table))
    .flatMap(([table, at]) => rows(db, `SELECT session_id, archive_name, archive_blob FROM ${table} ORDER BY ${at}`))
    .filter(({ session_id }) => isWanted(String(session_id)));
  const sessions = moved.flatMap(({ session_id, archive_blob }) =>
    archive_blob instanceof Uint8Array ? [{ id: String(session_id), lines: archivedLines(archive_blob) }] : [],
  );
  if (tables.has('transcript_events')) addAll(sessions, readEvents(db, isWanted));
  const elsewhere = moved.filter(({ archive_blob }) => !(archive_blob instanceof Uint8Array));
  return { sessions, elsewhere: elsewhere.map(({ archive_name }) => String(archive_name)) };
}

/** Tables to which the host moves ended or old sessions. The transcript is in the row, or in a file that the row names. */
const ARCHIVES = [
  ['session_transcript_archives', 'created_at'],
  ['session_transcript_cold_archives', 'archived_at'],
] as const;

/** The first bytes of data that is compressed with zstd. */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function archivedLines(blob: Uint8Array): readonly string[] {
  const isPacked = ZSTD.equals(blob.subarray(0, ZSTD.length));
  return asText(isPacked ? decompress(blob) : blob)
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function readEvents(db: Database, isWanted: (id: string) => boolean) {
  const sessions = new Map<string, string[]>();
  const sql = 'SELECT session_id, event_json, event_zstd FROM transcript_events ORDER BY session_id, seq';
  for (const { session_id, event_json, event_zstd } of rows(db, sql)) {
    const id = String(session_id);
    if (!isWanted(id)) continue;
    const json = event_zstd instanceof Uint8Array ? asText(decompress(event_zstd)) : String(event_json);
    addToGroup(sessions, id, json);
  }
  return [...sessions].map(([id, lines]) => ({ id, lines }));
}

/** Ids of the current and earlier sessions of a key. If a session was deleted, its id is only in the table of archives. */
function idsOf(db: Database, key: string, tables: ReadonlySet<unknown>): ReadonlySet<string> {
  const now = rows(db, 'SELECT current_session_id AS id FROM session_nodes WHERE session_key = ?', key);
  const before = rows(db, 'SELECT session_id AS id FROM session_windows WHERE session_key = ?', key);
  const archived = tables.has('session_transcript_archives')
    ? rows(db, 'SELECT session_id AS id FROM session_transcript_archives WHERE session_key = ?', key)
    : [];
  return new Set([...now, ...before, ...archived].map(({ id }) => String(id)));
}

function rows(db: Database, sql: string, ...values: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  return db
    .prepare(sql)
    .all(...values)
    .filter(isRecord);
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
