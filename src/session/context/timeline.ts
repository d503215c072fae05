import { join } from 'node:path';
import { readOrigin } from '../archive/archives.js';
import { ARCHIVE_FILES } from '../log/meta.js';
import { linesFromEnd } from '../log/read.js';
import { type MessageRole, parseMessage, type SessionMessage } from '../message.js';
import type { Session } from '../session.js';

/** A log file of a session. `archive` is set for the log of an archive. */
export interface LogSource {
  readonly path: string;
  readonly archive: string | undefined;
  /**
   * Age of the newest message in the log; a greater number is older. In {@link PlacedMessage}: age of the message itself.
   */
  readonly age: number;
}

/** A message with its place in the logs. */
export type PlacedMessage = Pick<LogSource, 'archive' | 'age'> & { readonly message: SessionMessage };

const NONE: ReadonlySet<number> = new Set();

/**
 * The age of a log's newest message is this much higher than that of the next newer log. No log has so many lines, so the
 * ages of two logs never overlap.
 */
const LINES = 2 ** 32;

/**
 * The logs of a session in lists, each with the newest log first. `covered`: the archives whose messages the newest overview
 * summarises. `open`: the live log and all newer archives. `recallable`: the covered archives that are newer than the last
 * compaction. A compaction takes older turns out of the conversation, so the context does not repeat them.
 */
export function logSourcesOf({ paths, archives, overview, meta }: Session) {
  const upTo = overview?.archive.number ?? 0;
  const newest = archives.toReversed();
  const live: LogSource = { path: paths.log, archive: undefined, age: 0 };
  const sources = newest.map(({ id: archive, folder }, index): LogSource => {
    return { path: join(folder, ARCHIVE_FILES.log), archive, age: (index + 1) * LINES };
  });
  const open = newest.filter(({ number }) => number > upTo).length;
  const compacted = meta.compaction_count === 0 ? -1 : newest.findIndex((archive) => readOrigin(archive)?.compaction);
  const isNewer = (_: LogSource, at: number): boolean => compacted < 0 || open + at < compacted;
  const covered = sources.slice(open);
  return { open: [live, ...sources.slice(0, open)], covered, recallable: covered.filter(isNewer) };
}

/**
 * The messages of some logs, newest first. A message is read only when the caller asks for it.
 * @param role returns only messages of this role; most messages of other roles are not even parsed
 * @param skip ages of messages to skip
 * @param holding only lines that match this pattern are read
 */
export function* messagesByNewest(
  sources: readonly LogSource[],
  role?: MessageRole,
  skip: ReadonlySet<number> = NONE,
  holding?: RegExp,
): Generator<PlacedMessage> {
  for (const { path, archive, age: from } of sources) {
    let age = from;
    for (const line of linesFromEnd(path)) {
      age++;
      // A line that we wrote begins with id and role. Any other line must be parsed to know its role.
      const written = /^\{"id":"[^"]{0,200}","role":"(\w+)"/.exec(line)?.[1] ?? role;
      if (skip.has(age) || (role !== undefined && written !== role) || holding?.test(line) === false) continue;
      const message = parseMessage(line);
      if (message !== undefined && (role === undefined || role === message.role)) yield { message, archive, age };
    }
  }
}
