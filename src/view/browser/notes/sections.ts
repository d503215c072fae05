import { DATA, lazy } from '../data.js';

/** A part of a note that a search finds. */
export interface Section {
  readonly note: number;
  /** Above it; empty at the beginning of a note. */
  readonly heading: string;
  readonly text: string;
}

/** A section that has grown so long, in characters, is followed by another one. */
const LONG = 2_000;

/** All notes by their headings, made when somebody searches first. */
export const sections = lazy(() => DATA.notes.flatMap(({ text }, note) => sectionsOf(note, text)));

function sectionsOf(note: number, text: string): readonly Section[] {
  const found: Section[] = [];
  let lines: string[] = [];
  let [heading, length] = ['', 0];
  const close = (): void => {
    if (length > 0 || heading !== '') found.push({ note, heading, text: lines.join('\n') });
    [lines, length] = [[], 0];
  };
  for (const line of text.split('\n')) {
    const [, title] = /^#{1,6} +(\S.*)$/.exec(line) ?? [];
    if (title !== undefined || length > LONG) close();
    if (title === undefined) {
      lines.push(line);
      length += line.length;
    } else heading = title;
  }
  close();
  return found;
}
