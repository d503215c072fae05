import { largest } from '../base/order.js';
import { readFoldedWords } from '../language/words/terms.js';

/** The change of a line in one step: `old` is null if the line is new, `new` is null if it was removed. */
export type LineChange = { readonly old: string | null; readonly new: string | null };

/** A group of removed and added lines in a diff. There is no unchanged line between the lines of a group. */
type Block = { readonly removed: string[]; readonly added: string[] };

/** Minimum share of words that an old line must have in common with the line that replaced it. */
const LEAST_SHARED = 0.4;

/**
 * Follows one line through the history of its file, from new to old. The line is found by its text, which may be different
 * in each version, and by its block id, if it has one.
 */
export class LineTracer {
  private text: string | null;

  /** @param line the current line; null if it is gone @param mark block id, for example `^f-a1b2c3d4e5f6g` */
  constructor(
    line: string | null,
    private readonly mark: string,
  ) {
    this.text = line === null ? null : withoutEnd(line);
  }

  /**
   * Finds the change of the line in the diff between a version of the file and the version before it. Call it for each
   * version, the newest first.
   * @returns undefined if the version did not change the line, or only moved it
   */
  step(hunks: string): LineChange | undefined {
    const blocks = readBlocks(hunks);
    const added = findIn(blocks, 'added', (line) => this.isMeant(line));
    const removed = findIn(blocks, 'removed', (line) => this.isMeant(line));
    if (added === undefined && removed === undefined) return undefined;
    const old = removed?.line ?? (added === undefined ? null : partner(added.line, added.block.removed));
    this.text = old;
    if (old !== null && old === added?.line) return undefined;
    return { old, new: added?.line ?? null };
  }

  private isMeant(line: string): boolean {
    return line === this.text || hasBlockId(line, this.mark);
  }
}

/**
 * Whether a line has a block id: at its end or before other text. A longer id that begins in the same way does not count.
 */
export function hasBlockId(line: string, mark: string): boolean {
  const at = line.indexOf(mark);
  return at >= 0 && !/[\w-]/.test(line.charAt(at + mark.length));
}

function readBlocks(hunks: string): readonly Block[] {
  const blocks: Block[] = [];
  let block: Block | undefined;
  for (const line of hunks.split('\n')) {
    const sign = line.charAt(0);
    if (sign === '\\') continue;
    if (sign !== '-' && sign !== '+') {
      block = undefined;
      continue;
    }
    if (block === undefined) {
      block = { removed: [], added: [] };
      blocks.push(block);
    }
    (sign === '-' ? block.removed : block.added).push(withoutEnd(line.slice(1)));
  }
  return blocks;
}

function findIn(blocks: readonly Block[], side: keyof Block, isMeant: (line: string) => boolean) {
  return blocks.flatMap((block) => block[side].filter(isMeant).map((line) => ({ line, block })))[0];
}

/** The line that was probably replaced by this one: it has the most words in common with it. */
function partner(line: string, candidates: readonly string[]): string | null {
  const words = new Set(readFoldedWords(line));
  const shares = candidates.map((text) => {
    const others = new Set(readFoldedWords(text));
    const common = [...words].filter((word) => others.has(word)).length;
    return (2 * common) / Math.max(1, words.size + others.size);
  });
  const most = largest(shares, LEAST_SHARED);
  return candidates[shares.indexOf(most)] ?? null;
}

function withoutEnd(line: string): string {
  return line.replace(/\r$/, '');
}
