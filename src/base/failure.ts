/**
 * Describes what failed. `type` is a stable name that scripts may match; `message` says what happened; `hint` says what to
 * do about it.
 */
export type Failure = { readonly type: FailureType; readonly message: string; readonly hint?: string };

export type FailureType =
  | 'usage'
  | 'not_found'
  | 'workspace'
  | 'settings'
  | 'permission'
  | 'disk_full'
  | 'io'
  | 'busy'
  | 'conflict'
  | 'index'
  | 'refused'
  | 'model_unavailable'
  | 'invalid_answer'
  | 'check_failed'
  | 'interrupted'
  | 'internal';

/** Exit codes of the command line. They tell scripts who has to act next. */
export const ExitCode = { done: 0, failed: 1, usage: 2, modelNeeded: 3, problemsFound: 4 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code of a command that ends with this failure. */
export function exitCodeOf(failure: Failure): ExitCode {
  if (failure.type === 'usage' || failure.type === 'settings') return ExitCode.usage;
  if (failure.type === 'model_unavailable') return ExitCode.modelNeeded;
  if (failure.type === 'check_failed') return ExitCode.problemsFound;
  return ExitCode.failed;
}

/** An error that carries a {@link Failure}. The command line prints its message and hint, without a stack trace. */
export class MemoryError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.name = 'MemoryError';
    this.failure = failure;
  }
}

/** Throws a {@link MemoryError}. Because it is a function, it can be part of an expression: `value ?? fail(…)`. */
export function fail(type: FailureType, message: string, hint?: string, cause?: unknown): never {
  throw new MemoryError(hint === undefined ? { type, message } : { type, message, hint }, { cause });
}

/** Throws a failure again, with the name of the file or thing that failed in front of its message. */
export function throwWithName(what: string, error: unknown): never {
  const failure = toFailure(error);
  throw new MemoryError({ ...failure, message: `${what}: ${failure.message}` });
}

/** The `code` of a Node system error (`ENOENT`, `ENOSPC`, …), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a system error says that nothing exists at a path. */
export function isMissingPathError(error: unknown): boolean {
  return systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR';
}

/** Says why a file can't be read, for messages. */
export function unreadableReason(error: unknown): string {
  return `can't be read (${systemErrorCode(error) ?? toFailure(error).type})`;
}

/**
 * Error codes that say something about the path itself: nothing exists at the path, or the wrong type of file. All
 * other codes mean a temporary problem or a missing permission.
 */
const SAYS_WHAT_IT_IS = /^(?:ENOENT|ENOTDIR|EISDIR|ELOOP|ENAMETOOLONG|ENXIO|ENODEV|EINVAL)$/;

/**
 * Whether the code of a system error means that data may exist but can't be read now: too many open files, a failing disk,
 * no permission. A caller that decides something from the data must stop at such an error. Otherwise it would decide from a
 * part of the data.
 */
export function isReadErrorCode(code: string | undefined): boolean {
  return code !== undefined && /^E[A-Z]/.test(code) && !SAYS_WHAT_IT_IS.test(code);
}

/** Adds the path to a system error, because an error while reading from an open file does not contain it. */
export function addPathToError(error: unknown, path: string): unknown {
  return error instanceof Error && systemErrorCode(error) !== undefined ? Object.assign(error, { path }) : error;
}

type Said = readonly [type: FailureType, says: string, hint: string];
const PERMISSIONS = 'check the permissions of the file and its folder';
const SPACE = 'free some space and try again; no file was left half-written';

const SYSTEM_FAILURES: Readonly<Record<string, Said>> = {
  ENOENT: ['not_found', 'does not exist', 'check the path'],
  EACCES: ['permission', "can't be accessed: permission denied", PERMISSIONS],
  EPERM: ['permission', "can't be changed: not permitted", PERMISSIONS],
  EROFS: ['permission', 'is on a read-only file system', 'make it writable, or use another workspace'],
  ENOSPC: ['disk_full', 'could not be written: the disk is full', SPACE],
  EDQUOT: ['disk_full', 'could not be written: your disk quota is used up', SPACE],
  EIO: ['io', 'could not be read or written: input/output error', 'check the disk'],
  // In the path `a/b/c`, `a` or `b` is a file and not a folder. If the last name, `c`, is a file and should be a folder,
  // the caller reports that.
  ENOTDIR: ['workspace', "can't exist, because its parent is a file", 'move that file away, or use another path'],
  EISDIR: ['workspace', 'is a folder', 'name a file'],
  EEXIST: ['workspace', 'exists already, and is not a folder', 'use another folder, or move the file away'],
  EMFILE: ['io', 'could not be opened: too many open files', 'raise the limit (ulimit -n), or close other programs'],
  ELOOP: ['io', 'is a link that leads back to itself', 'fix the link'],
  ENAMETOOLONG: ['usage', 'has a name that is too long', 'use a shorter name'],
};

// Messages for disk errors of SQLite. The key is the first word after `SQLITE_` in the error code. These errors do not
// say which file is affected. So most messages name two files, the index and the lock.
const FILES = 'the index or the lock of the workspace';
const STATE = 'check the permissions of .memory/ and its files';
const REBUILD = 'rebuild it from the files: openclaw memory index --force';
const DAMAGED: Said = ['index', 'the index of the workspace is damaged', REBUILD];
const DISK = 'check the disk; your pages did not change';
const DATABASE_FAILURES: Readonly<Record<string, Said>> = {
  IOERR: ['io', `${FILES} could not be read or written: input/output error`, DISK],
  FULL: ['disk_full', `${FILES} could not be written: the disk is full`, SPACE],
  CANTOPEN: ['permission', `${FILES} can't be opened`, `${STATE}, and check that the disk is not full`],
  CORRUPT: DAMAGED,
  NOTADB: DAMAGED,
  READONLY: ['permission', `${FILES} can't be changed`, STATE],
};

/**
 * Turns any thrown value into a failure. The failure of a {@link MemoryError} stays as it is. A system error gets a
 * message for the user. Any other value becomes a failure of the type `internal`.
 */
export function toFailure(error: unknown): Failure {
  if (error instanceof MemoryError) return error.failure;
  const code = systemErrorCode(error) ?? '';
  const database = DATABASE_FAILURES[/^SQLITE_([A-Z]+)/.exec(code)?.[1] ?? ''];
  const known = database ?? SYSTEM_FAILURES[code];
  if (known !== undefined) {
    const [type, says, hint] = known;
    const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'a file';
    return { type, message: database === undefined ? `${path} ${says}` : says, hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && 'path' in error && isReadErrorCode(code))
    return { type: 'io', message, hint: 'check the disk, and which other program uses the file' };
  const hint = 'run it again with --verbose, and report this';
  return { type: 'internal', message: message.split('\n', 1)[0] ?? message, hint };
}

/** The outcome of an operation whose failure the caller must handle. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** The value of a result. For callers that can't handle the failure themselves. @throws MemoryError with the failure */
export function valueOrThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new MemoryError(result.error);
}

/** The result of some work, or a fallback if the work throws anything. */
export function tryWithFallback<T, E>(work: () => T, otherwise: E): T | E {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
