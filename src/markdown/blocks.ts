import { createHash } from 'node:crypto';
import { byteOrderMark } from '../text/bytes.js';
import { type LinesWithOffsets, splitLines } from './lines.js';

/** The side of a git conflict to which a line belongs; `none` outside of a conflict. */
export type ConflictSide = 'none' | 'ours' | 'base' | 'theirs';

/** The side of a git conflict that the lines after `line` belong to; null if `line` can't continue the conflict. */
export function nextConflictSide(side: ConflictSide, line: string): ConflictSide | null {
  if (isOurs(line)) return side === 'none' ? 'ours' : null;
  if (side === 'ours' && line.startsWith('||||||| ')) return 'base';
  if ((side === 'ours' || side === 'base') && line === '=======') return 'theirs';
  return side === 'theirs' && line.startsWith('>>>>>>> ') ? 'none' : side;
}

function isOurs(line: string | undefined): boolean {
  return line?.startsWith('<<<<<<< ') ?? false;
}

export type ManagedBlock = NonNullable<ReturnType<typeof readBlock>>;

const BEGIN = /^<!-- memory:begin ([\w.-]+) sha=([0-9a-f]{12}) -->[ \t]*$/;
const END = /^<!-- memory:end ([\w.-]+) -->[ \t]*$/;
const MARKER_START = '<!-- memory:';
const SHA_LENGTH = 12;

/**
 * The hash that a begin marker contains. It is computed from the content with LF line ends and without white space at the
 * end of each line and of the whole content.
 */
export function managedSha(content: string): string {
  return createHash('sha256').update(normalise(content)).digest('hex').slice(0, SHA_LENGTH);
}

/**
 * Finds the managed blocks of a page. A marker must be alone on its line. A marker inside a code fence counts too: otherwise
 * a fence that a person forgot to close would make every later run add another block.
 */
export function findManagedBlocks(text: string): ManagedBlock[] {
  if (!text.includes(MARKER_START)) return [];
  const source = splitLines(text);
  const blocks: ManagedBlock[] = [];
  for (let index = 0; index < source.lines.length; ) {
    const block = readBlock(source, index);
    if (block) blocks.push(block);
    index = block?.endLine ?? index + 1;
  }
  return blocks;
}

/** Renders a managed block with its markers, LF ends and no final line end. Markers inside the content are escaped. */
export function renderManagedBlock(name: string, content: string): string {
  const safe = normalise(content).replaceAll(MARKER_START, '&lt;!-- memory:');
  return `<!-- memory:begin ${name} sha=${managedSha(safe)} -->\n${safe === '' ? '' : `${safe}\n`}<!-- memory:end ${name} -->`;
}

/**
 * Puts new content into the block of that name, or adds the block at the end. Everything outside of it is kept byte for
 * byte, and the block uses the line ends of the page. If the page has several intact blocks of that name, only one of
 * them stays. A union merge of git may leave two such blocks.
 * @returns the new text and what was done; `edited` and `broken` mean that nothing was changed, because the program may
 * not write such a block
 */
export function replaceManagedBlock(
  text: string,
  name: string,
  content: string,
): { text: string; status: 'replaced' | 'added' | 'unchanged' | 'edited' | 'broken' } {
  const blocks = findManagedBlocks(text).filter((block) => block.name === name);
  const foreign = blocks.find((block) => block.state === 'broken' || block.state === 'edited');
  if (foreign?.state === 'edited' || foreign?.state === 'broken') return { text, status: foreign.state };
  const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const rendered = renderManagedBlock(name, content);
  const [first, ...copies] = blocks;
  if (first === undefined) return { text: append(text, rendered.replaceAll('\n', eol), eol), status: 'added' };
  if (copies.length === 0 && first.state === 'intact' && rendered === renderManagedBlock(name, first.content)) {
    return { text, status: 'unchanged' };
  }
  let replaced = text;
  for (const copy of copies.reverse()) replaced = removeLines(replaced, copy);
  replaced = replaced.slice(0, first.start) + rendered.replaceAll('\n', eol) + replaced.slice(first.end);
  return { text: replaced, status: 'replaced' };
}

function normalise(content: string): string {
  const lines = content.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
  return lines.join('\n').trimEnd();
}

function append(text: string, block: string, eol: string): string {
  if (text === byteOrderMark(text)) return `${text}${block}${eol}`;
  const ended = /[\r\n]$/.test(text) ? text : text + eol;
  const gap = /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)$/.test(ended) ? '' : eol;
  return `${ended}${gap}${block}${eol}`;
}

function removeLines(text: string, block: ManagedBlock): string {
  const after = /^(?:\r\n|\r|\n)/.exec(text.slice(block.end, block.end + 2))?.[0].length ?? 0;
  return text.slice(0, block.start) + text.slice(block.end + after);
}

/** Reads the block whose begin marker stands on line `index` (0-based). */
function readBlock(source: LinesWithOffsets, index: number) {
  const [, name, sha] = BEGIN.exec(source.lines[index] ?? '') ?? [];
  if (name === undefined || sha === undefined) return null;
  const inConflict = isOurs(source.lines[index - 1]);
  const found = blockEnd(source.lines, index, name, inConflict);
  const first = inConflict && found.last > index ? index - 1 : index;
  const content = source.lines.slice(index + 1, Math.max(found.last, index + 1)).join('\n');
  /**
   * `intact`: the block is as it was generated. `edited`: a person changed it and owns it now. `conflicted`: git left
   * conflict markers in it. `broken`: its end is missing, or the lines between two conflict markers include text outside of
   * the block.
   */
  const state: 'intact' | 'edited' | 'conflicted' | 'broken' =
    found.state ?? (managedSha(content) === sha ? 'intact' : 'edited');
  return {
    name,
    /** The hash in the begin marker. */
    sha,
    state,
    /** First and last line of the block, 1-based: the lines of its markers, or of git's conflict markers around them. */
    startLine: first + 1,
    endLine: found.last + 1,
    /** Offsets in the text: where `startLine` begins, and where `endLine` ends, before its line end. */
    start: source.starts[first] ?? 0,
    end: source.ends[found.last] ?? 0,
    /** The lines between the markers, joined by `\n`. */
    content,
  };
}

/**
 * Finds the end of a block.
 * @returns `last`: the index of the last line of the block, or of its begin marker if the block is broken; `state`: null if
 * the block is complete and has no conflict. The caller then compares the hash to decide between `intact` and `edited`
 */
function blockEnd(lines: readonly string[], begin: number, name: string, inConflict: boolean) {
  let side: ConflictSide | null = inConflict ? 'ours' : 'none';
  let conflicted = inConflict;
  for (let index = begin + 1; index < lines.length && side !== null; index++) {
    const line = lines[index] ?? '';
    if (END.exec(line)?.[1] === name) {
      if (side === 'none') return { last: index, state: conflicted ? ('conflicted' as const) : null };
      if (nextConflictSide(side, lines[index + 1] ?? '') === 'none')
        return { last: index + 1, state: 'conflicted' as const };
    }
    side = mayStand(line, lines[index - 1] ?? '', name, side) ? nextConflictSide(side, line) : null;
    conflicted ||= side === 'ours';
  }
  return { last: begin, state: 'broken' as const };
}

/**
 * Whether a line may be inside a block. Two lines are not allowed. First, a begin marker, unless it is the block's own
 * marker that git repeats on another side of a conflict. Second, any text after the block's end marker, unless it is the
 * line of git that begins another side or ends the conflict.
 */
function mayStand(line: string, previous: string, name: string, side: ConflictSide): boolean {
  const opened = BEGIN.exec(line)?.[1];
  if (opened !== undefined) return opened === name && (side === 'base' || side === 'theirs');
  return END.exec(previous)?.[1] !== name || nextConflictSide(side, line) !== side;
}
