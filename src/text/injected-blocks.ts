import type { InjectedTag, ToolOfTag } from './injected-tag.js';
import { findMatchEnd } from './ranges.js';

type ClosingTags = ReturnType<typeof closingTags>;

const BLANK_LINE = /[ \t]{0,9}\r?\n[ \t]{0,9}\r?\n/y;

/**
 * Reads all closing tags of a text in advance, and returns two functions that look for them. The ranges passed to
 * `blockEndsBetween` must be in the order of the text.
 */
export function closingTags(text: string, tags: readonly InjectedTag[]) {
  const last = new Map<ToolOfTag, number>();
  const ends: number[] = [];
  for (const { kind, family, at, end } of tags) {
    if (kind !== 'close') continue;
    last.set(family, at);
    if (findMatchEnd(BLANK_LINE, text, end) >= 0) ends.push(at);
  }
  let next = 0;
  return {
    /**
     * Whether the text has a closing tag of the family at `from` or later. Without such a closing tag, an opening tag
     * before `from` begins no block.
     */
    after: (from: number, family: ToolOfTag) => (last.get(family) ?? -1) >= from,
    /**
     * Whether a range contains a closing tag that a blank line follows. Memory tools write both between a block and the
     * text of the user. The caller asks this for a range that looks like code, for example because it is between two
     * backticks. If the answer is yes, and a block was closed before the range, the range is not code of the user. It
     * belongs to an injected memory, whose own text contained a closing tag and a backtick.
     */
    blockEndsBetween: (from: number, to: number) => {
      while ((ends[next] ?? Infinity) < from) next++;
      return (ends[next] ?? Infinity) < to;
    },
  };
}

/**
 * A block whose closing tag was found. `mark`: the position in the kept text at which the block was removed. `surplus`:
 * how many opening tags inside the block have no closing tag yet. Tags of different families are counted separately.
 * The family of the block itself always has a number, which may be 0.
 */
type Block = { readonly mark: KeptPartCount; readonly surplus: Map<ToolOfTag, number> };

/**
 * Decides which text each tag removes. A tag without a partner removes only itself. A block goes from its opening tag to
 * the first closing tag of its family. An injected memory may itself contain such tags as text. An opening tag in a memory
 * can't hide the user's text after the block, because the first closing tag ends the block. A closing tag in a memory can't
 * end the block too early either: a later closing tag extends the block, if its opening tag is inside the block or if it
 * has no opening tag at all.
 */
export class InjectedBlocks {
  private readonly open = new Map<ToolOfTag, { mark: KeptPartCount; surplus: number }>();
  private readonly closed: Block[] = [];
  // Two counts by family, which only save time. `known` counts the blocks in `closed` whose `surplus` has a number for
  // the family. `waiting` is the sum of those numbers. If a count is 0, `closed` need not be searched.
  private readonly known = new Map<ToolOfTag, number>();
  private readonly waiting = new Map<ToolOfTag, number>();

  constructor(
    private readonly kept: KeptParts,
    private readonly closingTags: ClosingTags,
  ) {}

  get inside(): boolean {
    return this.open.size > 0;
  }

  get anyClosed(): boolean {
    return this.closed.length > 0;
  }

  /**
   * Removes a tag. An opening tag begins a block; a closing tag removes the block that it ends. @param from start of the
   * text after the tag
   */
  take({ kind, family }: InjectedTag, from: number): void {
    if (kind === 'close') this.closing(family);
    else if (kind === 'open' && this.closingTags.after(from, family)) this.opening(family, this.kept.mark());
    this.kept.cutTo(this.kept.mark());
  }

  /**
   * Must be called when the kept text was shortened and now ends at `mark`. Blocks that began after `mark` then begin at
   * `mark`.
   */
  shortenedTo(mark: KeptPartCount): void {
    for (const block of this.open.values()) block.mark = Math.min(block.mark, mark);
    if ((this.closed[this.closed.length - 1]?.mark ?? 0) > mark) this.close(mark, new Map());
  }

  private opening(family: ToolOfTag, mark: KeptPartCount): void {
    const block = this.open.get(family);
    if (block) block.surplus++;
    else this.open.set(family, { mark, surplus: 0 });
  }

  private closing(family: ToolOfTag): void {
    const block = this.open.get(family);
    if (block) {
      this.open.delete(family);
      this.close(block.mark, new Map([[family, block.surplus]]));
      return;
    }
    const target = this.blockThatWentOn(family);
    if (target === undefined) return;
    const surplus = target.surplus.get(family) ?? 0;
    this.count(target, -1);
    target.surplus.set(family, Math.max(0, surplus - 1));
    this.count(target, 1);
    this.close(target.mark, new Map());
  }

  private blockThatWentOn(family: ToolOfTag): Block | undefined {
    if ((this.waiting.get(family) ?? 0) > 0) return this.closed.findLast((b) => (b.surplus.get(family) ?? 0) > 0);
    if ((this.known.get(family) ?? 0) > 0) return this.closed.findLast((b) => b.surplus.has(family));
    return undefined;
  }

  // Turns all text from `mark` up to now into one closed block and removes it. Blocks that were opened or closed inside it
  // become part of it.
  private close(mark: KeptPartCount, surplus: Map<ToolOfTag, number>): void {
    const add = (family: ToolOfTag, count: number) => surplus.set(family, (surplus.get(family) ?? 0) + count);
    for (const [family, block] of this.open) {
      if (block.mark < mark) continue;
      this.open.delete(family);
      add(family, block.surplus + 1);
    }
    for (let last = this.closed.at(-1); last !== undefined && last.mark >= mark; last = this.closed.at(-1)) {
      this.closed.pop();
      this.count(last, -1);
      for (const [family, count] of last.surplus) add(family, count);
    }
    const block = { mark, surplus };
    this.closed.push(block);
    this.count(block, 1);
    this.kept.cutTo(mark);
  }

  private count(block: Block, sign: 1 | -1): void {
    for (const [family, count] of block.surplus) {
      this.known.set(family, (this.known.get(family) ?? 0) + sign);
      this.waiting.set(family, (this.waiting.get(family) ?? 0) + sign * count);
    }
  }
}

/** A position in {@link KeptParts}: the number of parts before it. */
type KeptPartCount = number;

/**
 * A range of the text that is kept. `spaced`: a space is written before the range, so that removing text does not join two
 * words.
 */
type Piece = { readonly from: number; readonly to: number; readonly quoted: boolean; readonly spaced: boolean };

/**
 * The parts of a text that stay after injected memory is removed. The parts are stored as ranges of the text, so that
 * the last parts can be dropped quickly.
 */
export class KeptParts {
  private readonly pieces: Piece[] = [];
  private removed = false;

  constructor(private readonly source: string) {}

  keep(from: number, to: number, quoted = false): void {
    if (to <= from) return;
    this.pieces.push({ from, to, quoted, spaced: this.needsSpace(from) });
    this.removed = false;
  }

  mark(): KeptPartCount {
    return this.pieces.length;
  }

  /** Drops all parts that were kept after `mark`. */
  cutTo(mark: KeptPartCount): void {
    this.pieces.length = Math.min(this.pieces.length, mark);
    this.removed = true;
  }

  /** Drops the last `count` characters of the kept text. Returns the position where it now ends. */
  cutTail(count: number): KeptPartCount {
    let left = count;
    for (let piece = this.pieces.pop(); piece !== undefined; piece = left > 0 ? this.pieces.pop() : undefined) {
      const length = piece.to - piece.from;
      if (left < length) this.pieces.push({ ...piece, to: piece.to - left });
      left -= Math.min(left, length);
      if (left > 0 && piece.spaced) left--;
    }
    this.removed = true;
    return this.pieces.length;
  }

  /** The last `length` characters of the kept text, or a few more. Stops at quoted text, so the result may be shorter. */
  tail(length: number): string {
    let text = '';
    for (let i = this.pieces.length - 1; i >= 0 && text.length < length; i--) {
      const piece = this.pieces[i];
      if (piece === undefined || piece.quoted) break;
      text = (piece.spaced ? ' ' : '') + this.source.slice(Math.max(piece.from, piece.to - length), piece.to) + text;
    }
    return text;
  }

  /**
   * Whether a space must be written before the text at `from` if that text is kept next. True only if text was removed
   * before `from`, and two words would become one without the space.
   */
  needsSpace(from: number): boolean {
    const last = this.pieces[this.pieces.length - 1];
    return this.removed && last !== undefined && /^\S\S$/.test(`${this.source[last.to - 1]}${this.source[from]}`);
  }

  /** Whether the last line of the kept text contains only indentation and quote marks so far. */
  atLineStart(): boolean {
    let looked = 0;
    for (let i = this.pieces.length - 1; i >= 0; i--) {
      const { from, to } = this.pieces[i] ?? { from: 0, to: 0 };
      for (let at = to - 1; at >= from; at--) {
        const unit = this.source[at] ?? '';
        if (unit === '\n') return true;
        if (!/^[ \t>]$/.test(unit) || ++looked > 12) return false;
      }
    }
    return true;
  }

  toString(): string {
    return this.pieces.map(({ from, to, spaced }) => (spaced ? ' ' : '') + this.source.slice(from, to)).join('');
  }
}
