import { createHash } from 'node:crypto';
import { isRecord, parseRecord, readKnownFields, type UnknownFields } from '../../../base/json.js';
import {
  contentItems,
  findSection,
  itemKey,
  parseDocument,
  SECTION_NAMES,
  type SectionName,
} from '../../../wm/document.js';
import { readCount } from '../../log/meta.js';

/** A run of a program: its folder and its words. */
export interface ProgramRun {
  readonly folder: string;
  /** The name of the program and its arguments, in order. */
  readonly words: readonly string[];
}

/** A line of a Working Memory that the rules wrote. */
export interface LedgerEntry {
  readonly section: SectionName;
  /** The text of the line, as the document has it. */
  readonly text: string;
  /** The number of the message that the entry comes from, counted over the whole session. It shows how old the entry is. */
  readonly at: number;
  /** For an open question: who asked it (`user` or `agent`), or `later` if the user wants to answer it later. */
  readonly asks?: 'user' | 'agent' | 'later';
  /** For a file: how often it was changed and read, and the last verb. */
  readonly file?: {
    readonly path: string;
    readonly edits: number;
    readonly reads: number;
    readonly last: string;
    /** True if a person named the file. */
    readonly isNamed?: true;
  };
  /** For an error: the runs that may have caused it and have not worked since. */
  readonly runs?: readonly ProgramRun[];
}

/**
 * The memory of the rules: which lines they wrote, and how old each line is. It is stored in a file next to the overview.
 */
export interface MemoryLedger {
  /** Number of messages of the session that were read for the lines in the ledger. */
  readonly messages: number;
  readonly entries: readonly LedgerEntry[];
}

/** The reason that is given for a line that was removed because its section is full. */
export const SECTION_FULL_REASON = 'the section is full: the oldest goes first';

export const EMPTY_LEDGER: MemoryLedger = { messages: 0, entries: [] };

/**
 * Formats a ledger for its file. If the document has the line of an entry, the entry is stored with a hash instead of its
 * text, so that only the document contains the text.
 */
export function formatLedger({ messages, entries }: MemoryLedger, document: string): string {
  const shown = shownLines(document);
  const written = entries.map((entry) => {
    const { text, ...rest } = entry;
    const key = keyOf(entry.section, text);
    return shown.has(key) ? { ...rest, key } : entry;
  });
  return `${JSON.stringify({ messages, entries: written })}\n`;
}

/**
 * Reads a ledger. Returns an empty one if it is missing or damaged; the program then does not know how old the lines are.
 */
export function parseLedger(text: string | undefined, document: string): MemoryLedger {
  const fields = parseRecord(text ?? '');
  const entries = Array.isArray(fields?.entries) ? fields.entries : [];
  const shown = shownLines(document);
  return { messages: readCount(fields?.messages), entries: entries.flatMap((entry) => readEntry(entry, shown)) };
}

/** The items of a document, each under the hash that a ledger stores instead of the item's text. */
function shownLines(document: string): ReadonlyMap<string, string> {
  const { bodies } = parseDocument(document);
  return new Map(SECTION_NAMES.flatMap((name) => contentItems(bodies[name]).map((item) => [keyOf(name, item), item])));
}

function keyOf(section: SectionName, text: string): string {
  return createHash('sha256')
    .update(`${section}\n${itemKey(text)}`)
    .digest('hex')
    .slice(0, 12);
}

function readEntry(value: unknown, shown: ReadonlyMap<string, string>): readonly LedgerEntry[] {
  if (!isRecord(value)) return [];
  const text = typeof value.key === 'string' ? shown.get(value.key) : value.text;
  if (typeof text !== 'string') return [];
  const section = findSection(String(value.section)) ?? SECTION_NAMES[3];
  const { asks, file, runs } = value;
  return [
    {
      section,
      text,
      at: readCount(value.at),
      ...((asks === 'user' || asks === 'agent' || asks === 'later') && { asks }),
      ...(isRecord(file) && typeof file.path === 'string' && { file: readFile(file) }),
      ...(Array.isArray(runs) && { runs: runs.filter(isRecord).map(readRun) }),
    },
  ];
}

const FILE = { path: String, edits: readCount, reads: readCount, last: String };

function readFile(file: UnknownFields): NonNullable<LedgerEntry['file']> {
  return { ...readKnownFields(FILE, file), ...(file.isNamed === true && { isNamed: true }) };
}

function readRun({ folder, words }: UnknownFields): ProgramRun {
  const given = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  return { folder: String(folder), words: given };
}
