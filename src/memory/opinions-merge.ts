import { addToGroup } from '../base/order.js';
import { type ConflictSide, nextConflictSide } from '../markdown/blocks.js';
import { firstLineEnd, joinLines, linesWithLineEnds, withLineEnd } from '../markdown/lines.js';
import { type PageOpinion, readOpinionsPage } from './opinions-page.js';

/**
 * Repairs the page of opinions after a Git merge. Both sides of a conflict are kept. Copies of one opinion are joined, with
 * the notes of all copies. A page without conflicts and copies stays unchanged. Pure.
 */
export function repairMergedOpinions(text: string) {
  const sides = readSides(text);
  /** Ids of the opinions that were joined from several versions. The confidence in their notes is no longer valid. */
  const merged = new Set<string>();
  // The conflict also has lines outside of list items, or its markers are broken: a person must resolve it.
  if (sides === undefined) return { text, merged, isUnsettled: true };
  let settled = sides === null ? text : withTheirs(sides, merged);
  let opinions = readOpinionsPage(settled);
  // One at a time, because each join changes the line numbers of the others.
  for (let pair = firstCopies(opinions); pair !== undefined; pair = firstCopies(opinions)) {
    merged.add(pair[0].id);
    settled = joined(settled, ...pair);
    opinions = readOpinionsPage(settled);
  }
  const lines: (string | null)[] = linesWithLineEnds(settled);
  for (const opinion of opinions) if (keepOneNoteEach(lines, opinion)) merged.add(opinion.id);
  return { text: lines.filter((line) => line !== null).join(''), merged, isUnsettled: false };
}

interface TheirLine {
  readonly line: string;
  /** Where the line belongs on our side: before our line with this index, counted from 0. */
  readonly at: number;
  /** The lines of our side in the same conflict. Null for a line that is in no conflict. */
  readonly beside: ReadonlySet<string> | null;
}

/**
 * Splits a page with Git conflicts into our side and their side. A conflict may begin in one opinion and end in another.
 * Null without a conflict. Undefined if a conflict has other lines than list items, or broken markers.
 */
function readSides(text: string) {
  if (!/^<{7} /m.test(text)) return null;
  const ours: string[] = [];
  const theirs: TheirLine[] = [];
  let beside = new Set<string>();
  let side: ConflictSide = 'none';
  for (const line of linesWithLineEnds(text)) {
    const bare = line.trimEnd();
    const next = nextConflictSide(side, bare);
    if (next === null) return undefined;
    const isMarker = next !== side;
    side = next;
    if (isMarker && side === 'ours') beside = new Set();
    if (isMarker || side === 'base') continue;
    if (side !== 'none' && !IN_LIST.test(bare)) return undefined;
    if (side === 'none') theirs.push({ line, at: ours.length, beside: null });
    if (side === 'theirs') theirs.push({ line, at: ours.length, beside });
    else ours.push(line);
    if (side === 'ours') beside.add(bare.trim());
  }
  return side === 'none' ? { ours, theirs } : undefined;
}

/**
 * Our side of the page, completed with everything that only their side has: opinions, notes under our opinions, and other
 * lines. Each is inserted at its place.
 */
function withTheirs(
  { ours, theirs }: { readonly ours: readonly string[]; readonly theirs: readonly TheirLine[] },
  merged: Set<string>,
): string {
  const mine = readOpinionsPage(ours.join(''));
  // Each map gives, for the index of one of our lines, the lines to insert before that line. `notes` are inserted before
  // `others`, because they belong to the opinion that ends there.
  const notes = new Map<number, readonly string[]>();
  const others = new Map<number, string[]>();
  /**
   * Inserts lines before one of our lines. If that line is in the middle of an opinion, they are inserted after the opinion.
   */
  const add = (index: number, some: readonly string[]): void => {
    const within = mine.find(({ startLine, endLine }) => startLine <= index && index < endLine);
    for (const line of some) addToGroup(others, within?.endLine ?? index, line);
  };
  const lines = theirs.map(({ line }) => line);
  const starts = new Map(readOpinionsPage(lines.join('')).map((opinion) => [opinion.startLine - 1, opinion]));
  let until = 0;
  for (const [index, { line, at, beside }] of theirs.entries()) {
    if (index < until) continue;
    const opinion = starts.get(index);
    if (opinion !== undefined) {
      const same = mine.find(({ id }) => id === opinion.id);
      if (same === undefined) add(at, lines.slice(index, opinion.endLine));
      else if (blockOf(ours, same) !== blockOf(lines, opinion)) {
        merged.add(same.id);
        notes.set(same.endLine, newNotes(ours, same, lines, opinion));
      }
      until = opinion.endLine;
    } else if (beside !== null && line.trim() !== '' && !beside.has(line.trim())) add(at, [line]);
  }
  const all = [...ours, ''].flatMap((line, index) => [...(notes.get(index) ?? []), ...(others.get(index) ?? []), line]);
  const shown = all.filter((line) => line !== '');
  return joinLines(shown, firstLineEnd(shown.join('')));
}

function blockOf(lines: readonly string[], { startLine, endLine }: PageOpinion): string {
  return lines
    .slice(startLine - 1, endLine)
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

/** Matches a line that the program can merge. A person must resolve a conflict that has any other line. */
const IN_LIST = /^(?:\s*[-+*]\s|\s+\S|\s*$|##?\s*(?:Retired|已退役)\s*$)/i;

function firstCopies(opinions: readonly PageOpinion[]): readonly [PageOpinion, PageOpinion] | undefined {
  const seen = new Map<string, PageOpinion>();
  for (const opinion of opinions) {
    const first = seen.get(opinion.id);
    if (first !== undefined) return [first, opinion];
    seen.set(opinion.id, opinion);
  }
  return undefined;
}

/**
 * Joins two copies of an opinion. The notes that only the second copy has are moved to the first copy. The rest of the
 * second copy is removed.
 */
function joined(text: string, first: PageOpinion, second: PageOpinion): string {
  const lines = linesWithLineEnds(text);
  const notes = newNotes(lines, first, lines, second);
  const kept = [...lines.slice(0, first.endLine), ...notes].map((line) => withLineEnd(line, firstLineEnd(text)));
  return [...kept, ...lines.slice(first.endLine, second.startLine - 1), ...lines.slice(second.endLine)].join('');
}

/** Lines under one version of an opinion that the other version does not have. */
function newNotes(
  lines: readonly string[],
  known: PageOpinion,
  otherLines: readonly string[],
  other: PageOpinion,
): readonly string[] {
  const notes = new Set(lines.slice(known.textEndLine, known.endLine).map((line) => line.trim()));
  const listed = new Set(known.evidence.map(({ fact, supports }) => `${supports} ${fact}`));
  const isListed = (line: number): boolean => {
    const here = other.evidence.filter((evidence) => evidence.line === line);
    return here.length > 0 && here.every(({ fact, supports }) => fact !== null && listed.has(`${supports} ${fact}`));
  };
  return otherLines
    .slice(other.textEndLine, other.endLine)
    .filter((line, i) => line.trim() !== '' && !notes.has(line.trim()) && !isListed(other.textEndLine + i + 1));
}

/**
 * Keeps one note of each type under an opinion: the `prior` and the `updated` note with the latest day, and one count of
 * further evidence. Sets the other notes to null.
 * @returns whether there were several notes of one type
 */
function keepOneNoteEach(lines: (string | null)[], { textEndLine, endLine }: PageOpinion): boolean {
  let isChanged = false;
  for (const note of [/^\s+[-+*]\s+prior\s*[:：]/i, /^\s+[-+*]\s+updated\s*[:：]/i, /^\s+[-+*]\s+and \d+ more:/]) {
    const notes = lines
      .slice(textEndLine, endLine)
      .flatMap((line, i) => (line !== null && note.test(line) ? [{ line, index: textEndLine + i }] : []));
    const [first, ...more] = notes;
    const [latest] = notes.toSorted((a, b) => (dayIn(a.line) < dayIn(b.line) ? 1 : -1));
    if (first === undefined || latest === undefined || more.length === 0) continue;
    lines[first.index] = latest.line;
    for (const { index } of more) lines[index] = null;
    isChanged = true;
  }
  return isChanged;
}

function dayIn(line: string): string {
  return `${/\d{4}-\d{2}-\d{2}/.exec(line)?.[0] ?? '0000'} ${line.trim()}`;
}
