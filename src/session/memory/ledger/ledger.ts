import { type Fields, isRecord, parseRecord } from '../../../base/json.js';
import { SECTION_NAMES, type SectionName, sectionOf } from '../../../wm/sections.js';

/** A program as it was run: where, and with what. */
export interface Run {
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
  /** When that was said, if it is known. */
  readonly said: string | null;
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
  readonly runs?: readonly Run[];
}

/** What the rules know of the lines that they wrote: the file beside an overview. */
export interface Ledger {
  /** How many messages of the session it covers. */
  readonly messages: number;
  readonly entries: readonly Entry[];
}

/** Why the oldest lines of a section go. */
export const SECTION_IS_FULL = 'the section is full: the oldest goes first';

export const EMPTY_LEDGER: Ledger = { messages: 0, entries: [] };

export function formatLedger({ messages, entries }: Ledger): string {
  return `${JSON.stringify({ messages, entries }, undefined, 1)}\n`;
}

/** Reads a ledger; an empty one when there is none or it is damaged: its lines then have no age. */
export function parseLedger(text: string | undefined): Ledger {
  const fields = parseRecord(text ?? '');
  const entries = Array.isArray(fields?.entries) ? fields.entries : [];
  return { messages: countOf(fields?.messages), entries: entries.flatMap(readEntry) };
}

function readEntry(value: unknown): readonly Entry[] {
  if (!isRecord(value) || typeof value.text !== 'string') return [];
  const section = sectionOf(String(value.section)) ?? SECTION_NAMES[3];
  const { asks, file, runs, said } = value;
  return [
    {
      section,
      text: value.text,
      at: countOf(value.at),
      said: typeof said === 'string' ? said : null,
      ...(asks === 'user' || asks === 'agent' || asks === 'later' ? { asks } : {}),
      ...(isRecord(file) && typeof file.path === 'string'
        ? {
            file: {
              path: file.path,
              edits: countOf(file.edits),
              reads: countOf(file.reads),
              last: String(file.last),
              ...(file.isNamed === true ? { isNamed: true } : {}),
            },
          }
        : {}),
      ...(Array.isArray(runs) ? { runs: runs.filter(isRecord).map(readRun) } : {}),
    },
  ];
}

function readRun({ folder, words }: Fields): Run {
  const given = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  return { folder: String(folder), words: given };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : 0;
}
