/**
 * What can go wrong, as a value. `type` is the stable name that scripts may match on; `message` says what happened;
 * `hint` says what to do about it.
 */
export interface Failure {
  readonly type: FailureType;
  readonly message: string;
  readonly hint?: string;
}

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

/** Exit codes of the command line; scripts tell by them whose turn it is. */
export const ExitCode = { done: 0, failed: 1, usage: 2, modelNeeded: 3, problemsFound: 4 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code that a failure ends a command with. */
export function exitCodeOf(failure: Failure): ExitCode {
  if (failure.type === 'usage' || failure.type === 'settings') return ExitCode.usage;
  if (failure.type === 'model_unavailable') return ExitCode.modelNeeded;
  if (failure.type === 'check_failed') return ExitCode.problemsFound;
  return ExitCode.failed;
}

/** A failure on its way up from an I/O edge. The command line prints it without a stack trace. */
export class MemoryError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.name = 'MemoryError';
    this.failure = failure;
  }
}

/** Throws a {@link MemoryError}. A function of its own so that it can stand in an expression. */
export function fail(type: FailureType, message: string, hint?: string, cause?: unknown): never {
  throw new MemoryError(hint === undefined ? { type, message } : { type, message, hint }, { cause });
}

/** The `code` of a Node system error (`ENOENT`, `ENOSPC`, …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a system error says that nothing stands at a path. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
}

/** What is said of a file that can't be read. */
export function whyUnread(error: unknown): string {
  return `can't be read (${systemCode(error) ?? toFailure(error).type})`;
}

/** What says of a path what it is, or that nothing is there. All else is of the moment or about rights. */
const SAYS_WHAT_IT_IS = /^(?:ENOENT|ENOTDIR|EISDIR|ELOOP|ENAMETOOLONG|ENXIO|ENODEV|EINVAL)$/;

/**
 * Whether a system error, by its code, keeps back what is there: too many open files, a disk that fails, no permission.
 * Who decides by what it reads stops at one: the rest is no answer.
 */
export function isWithheld(code: string | undefined): boolean {
  return code !== undefined && /^E[A-Z]/.test(code) && !SAYS_WHAT_IT_IS.test(code);
}

/** A system error that says which file it is about: those of reading from an open file do not. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && systemCode(error) !== undefined ? Object.assign(error, { path }) : error;
}

const SYSTEM_FAILURES: Readonly<Record<string, { type: FailureType; says: string; hint: string }>> = {
  ENOENT: { type: 'not_found', says: 'does not exist', hint: 'check the path' },
  EACCES: { type: 'permission', says: 'may not be accessed', hint: 'check the permissions of the file and its folder' },
  EPERM: { type: 'permission', says: 'may not be changed', hint: 'check the permissions of the file and its folder' },
  EROFS: {
    type: 'permission',
    says: 'is on a read-only file system',
    hint: 'mount it writable or use another workspace',
  },
  ENOSPC: {
    type: 'disk_full',
    says: 'could not be written: the disk is full',
    hint: 'free some space and try again; nothing was half-written',
  },
  EDQUOT: {
    type: 'disk_full',
    says: 'could not be written: the quota is used up',
    hint: 'free some space and try again; nothing was half-written',
  },
  EIO: { type: 'io', says: 'could not be read or written: input/output error', hint: 'check the disk' },
  ENOTDIR: { type: 'workspace', says: 'is not a folder', hint: 'name a folder' },
  EISDIR: { type: 'workspace', says: 'is a folder', hint: 'name a file' },
  EMFILE: {
    type: 'io',
    says: 'could not be opened: too many open files',
    hint: 'raise the limit (ulimit -n) or close other programs',
  },
  ELOOP: { type: 'io', says: 'is a symlink loop', hint: 'mend the symlink' },
  ENAMETOOLONG: { type: 'usage', says: 'is too long a name', hint: 'use a shorter name' },
};

// What SQLite says of the disk under it, by the first word of its code. It names no file.
const DAMAGED: Failure = {
  type: 'index',
  message: 'the index of the workspace is damaged',
  hint: 'openclaw memory index --force builds it anew from the files',
};
const DATABASE_FAILURES: Readonly<Record<string, Failure>> = {
  IOERR: {
    type: 'io',
    message: 'the index or lock of the workspace could not be read or written: input/output error',
    hint: 'check the disk; the pages are as they were',
  },
  FULL: {
    type: 'disk_full',
    message: 'the index or lock of the workspace could not be written: the disk is full',
    hint: 'free some space and try again; nothing was half-written',
  },
  CANTOPEN: {
    type: 'permission',
    message: "the index or lock of the workspace can't be opened",
    hint: 'check the permissions of .memory/ and what is in it, and that the disk is not full',
  },
  CORRUPT: DAMAGED,
  NOTADB: DAMAGED,
  READONLY: {
    type: 'permission',
    message: 'the index or lock of the workspace may not be changed',
    hint: 'check the permissions of .memory/ and what is in it',
  },
};

/** Turns any thrown value into a failure: typed ones as they are, system errors in words, the rest as `internal`. */
export function toFailure(error: unknown): Failure {
  if (error instanceof MemoryError) return error.failure;
  const database = DATABASE_FAILURES[/^SQLITE_([A-Z]+)/.exec(systemCode(error) ?? '')?.[1] ?? ''];
  if (database !== undefined) return database;
  const known = SYSTEM_FAILURES[systemCode(error) ?? ''];
  if (known && error instanceof Error) {
    const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
    return { type: known.type, message: `${path ?? 'a file'} ${known.says}`, hint: known.hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && 'path' in error && isWithheld(systemCode(error)))
    return { type: 'io', message, hint: 'check the disk, and what else uses the file' };
  return {
    type: 'internal',
    message: message.split('\n', 1)[0] ?? message,
    hint: 'run again with --verbose and report this',
  };
}
