import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { parseRecord, type UnknownFields } from '../../base/json.js';
import { openToRead, readVersion, withOpenFile } from '../../workspace/files.js';
import { parseMessage, type SessionMessage } from '../message.js';

/** A message, and where its line is in the log. */
export interface LogEntry {
  readonly message: SessionMessage;
  /** Byte offset of the beginning of the message's line. */
  readonly offset: number;
  /** Byte offset after the line feed of this line. */
  readonly end: number;
}

/** The result of {@link parseLog}: the messages of a log, its sizes in bytes, and the numbers of its unreadable lines. */
export type ParsedLog = ReturnType<typeof parseLog>;

const LINE_FEED = 0x0a;

/**
 * Reads the lines of a log. A last line without a line feed counts if it is a complete message. An incomplete last line is
 * ignored.
 * @param from byte offset of the first line in the whole log, added to all offsets
 */
export function parseLog(bytes: Buffer, from = 0) {
  const entries: LogEntry[] = [];
  /** 1-based numbers of lines without a valid message. They stay in the file. */
  const unreadable: number[] = [];
  /**
   * Number of bytes up to the last line feed. The bytes after it are a line without a line feed: a crash cut it off, or a
   * process is still writing it. It may still be a complete message.
   */
  let completeBytes = 0;
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const isTail = feed < 0;
    const end = isTail ? bytes.length : feed + 1;
    const text = bytes.toString('utf8', start, isTail ? end : feed);
    const message = text.trim() === '' ? undefined : parseMessage(text);
    if (message !== undefined) entries.push({ message, offset: from + start, end: from + end });
    else if (!isTail && text.trim() !== '') unreadable.push(line);
    if (!isTail) completeBytes = end;
    start = end;
  }
  return { entries, unreadable, bytes: from + bytes.length, completeBytes: from + completeBytes };
}

/** Reads a whole log file; returns an empty log if there is no file. */
export function readLogFile(path: string): ParsedLog {
  return parseLog(readVersion(path)?.bytes ?? Buffer.alloc(0));
}

/** Reads a log from a byte offset on; undefined when no line begins there. */
export function readLogFrom(path: string, offset: number): ParsedLog | undefined {
  return withOpenFile(openToRead(path), (file) => {
    const before = offset === 0 ? 0 : 1;
    const bytes = Buffer.alloc(fstatSync(file).size - offset + before);
    const length = readSync(file, bytes, 0, bytes.length, offset - before);
    if (before === 1 && bytes[0] !== LINE_FEED) return undefined;
    return parseLog(bytes.subarray(before, length), offset);
  });
}

/** Number of bytes read at a time from the end of a log. */
const CHUNK_BYTES = 256 * 1024;

/** The lines of a log that are not empty, last line first. Reads only as much of the file as the caller asks for. */
export function* linesFromEnd(path: string): Generator<string> {
  let position = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (position === 0) return;
  const file = openToRead(path);
  try {
    // The pieces of one line, in the order of the file. The beginning of this line is not read yet.
    let rest: Buffer[] = [];
    while (position > 0) {
      const from = Math.max(0, position - CHUNK_BYTES);
      const chunk = Buffer.allocUnsafe(position - from);
      const bytes = chunk.subarray(0, readSync(file, chunk, 0, chunk.length, from));
      position = from;
      // In UTF-8, the byte of a line feed is never part of another character. So the text between two line feeds has no cut
      // character.
      const first = from === 0 ? -1 : bytes.indexOf(LINE_FEED);
      if (first < 0 && from > 0) {
        rest = [bytes, ...rest];
        continue;
      }
      const text = Buffer.concat([bytes.subarray(first + 1), ...rest]).toString('utf8');
      for (const line of text.split('\n').reverse()) if (line.trim() !== '') yield line;
      rest = [bytes.subarray(0, Math.max(0, first))];
    }
  } finally {
    closeSync(file);
  }
}

function messagesIn(bytes: Buffer): readonly SessionMessage[] {
  return parseLog(bytes).entries.map(({ message }) => message);
}

/** The files of a session as they were read during one command. A file is parsed again only if its bytes have changed. */
export class ParsedFiles {
  readonly messages = rememberParsed(messagesIn);
  readonly fields = rememberParsed((bytes): UnknownFields => parseRecord(bytes.toString('utf8')) ?? {});
}

/** Reads and parses a file, which may be missing. If its bytes are those of the last time, returns what was parsed then. */
function rememberParsed<T>(parse: (bytes: Buffer) => T): (path: string) => T {
  const known = new Map<string, { readonly hash: string; readonly value: T }>();
  return (path) => {
    const { bytes, hash } = readVersion(path) ?? { bytes: Buffer.alloc(0), hash: '' };
    const before = known.get(path);
    if (before?.hash === hash) return before.value;
    const value = parse(bytes);
    known.set(path, { hash, value });
    return value;
  };
}
