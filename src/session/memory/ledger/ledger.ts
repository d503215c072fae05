import { createHash } from 'node:crypto';
import { type Fields, isRecord, parseRecord, readKnownFields } from '../../../base/json.js';
import { parseDocument } from '../../../wm/document.js';
import { contentItems, itemKey } from '../../../wm/items.js';
import { SECTION_NAMES, type SectionName, sectionOf } from '../../../wm/sections.js';
import { readCount } from '../../log/meta.js';

/** A program as it was run: where, and with what. */
export interface ProgramRun {
  readonly folder: string;
  /** Its name and what it was given, in order. */
  readonly words: readonly string[];
}

/** A line of a Working Memory that the rules wrote. */
export interface Entry {
  readonly section: SectionName;
  /** As it stands in the document. */
  readonly text: string;
  /** The number of the message that it comes from, counted over the whole session. Its age. */
  readonly at: number;
  /** Whose question it is, of one that waits for an answer; `later` when the answer was put off. */
  readonly asks?: 'user' | 'agent' | 'later';
  /** What was done to a file. */
  readonly file?: {
    readonly path: string;
    readonly edits: number;
    readonly reads: number;
    readonly last: string;
    /** A person spoke of it. */
    readonly isNamed?: true;
  };
  /** What was run when it failed, of what may have failed, until that works. */
  readonly runs?: readonly ProgramRun[];
}

/** What the rules know of the lines that they wrote: the file beside an overview. */
export interface MemoryLedger {
  /** How many messages of the session it covers. */
  readonly messages: number;
  readonly entries: readonly Entry[];
}

/** Why the oldest lines of a section go. */
export const SECTION_IS_FULL = 'the section is full: the oldest goes first';

export const EMPTY_LEDGER: MemoryLedger = { messages: 0, entries: [] };

/**
 * A ledger as its file, beside the document that shows its lines: of those that stand there not their words but what
 * tells them, so that the document is all there is to read.
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

/** Reads a ledger; an empty one when there is none or it is damaged: its lines then have no age. */
export function parseLedger(text: string | undefined, document: string): MemoryLedger {
  const fields = parseRecord(text ?? '');
  const entries = Array.isArray(fields?.entries) ? fields.entries : [];
  const shown = shownLines(document);
  return { messages: readCount(fields?.messages), entries: entries.flatMap((entry) => readEntry(entry, shown)) };
}

/** The items of a document by what tells them. */
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

function readEntry(value: unknown, shown: ReadonlyMap<string, string>): readonly Entry[] {
  if (!isRecord(value)) return [];
  const text = typeof value.key === 'string' ? shown.get(value.key) : value.text;
  if (typeof text !== 'string') return [];
  const section = sectionOf(String(value.section)) ?? SECTION_NAMES[3];
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

function readFile(file: Fields): NonNullable<Entry['file']> {
  return { ...readKnownFields(FILE, file), ...(file.isNamed === true && { isNamed: true }) };
}

function readRun({ folder, words }: Fields): ProgramRun {
  const given = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  return { folder: String(folder), words: given };
}
