import { NextOccurrenceFinder } from '../../text/ranges.js';
import type { Comment, Position } from '../block.js';
import { COMMENT_CLOSE as CLOSE, findInlineComments, COMMENT_OPEN as OPEN } from '../inline.js';
import type { LinesWithOffsets } from '../lines.js';
import type { LeafBlockText } from './block-starts.js';

/** Collects HTML comments from the leaf blocks of a document, given in order. */
export class CommentReader {
  readonly comments: Comment[] = [];
  readonly #opens: NextOccurrenceFinder;

  constructor(private readonly source: LinesWithOffsets) {
    this.#opens = new NextOccurrenceFinder(source.text, OPEN);
  }

  /** Collects the comments in a paragraph or heading. */
  readInline(segments: LeafBlockText): void {
    if (!this.#mayContain(segments)) return;
    const joined = new JoinedText(this.source, segments);
    for (const { start, end } of findInlineComments(joined.text)) this.comments.push(joined.comment(start, end));
  }

  /**
   * Collects the comments in an HTML block. If the block starts with a comment that does not end, the whole block is that
   * comment.
   */
  readHtml(segments: LeafBlockText): void {
    if (!this.#mayContain(segments)) return;
    const joined = new JoinedText(this.source, segments);
    const { text } = joined;
    const closers = new NextOccurrenceFinder(text, CLOSE);
    for (let start = text.indexOf(OPEN); start !== -1; ) {
      const close = closers.next(start + 2);
      if (close === Number.POSITIVE_INFINITY && start > 0) return;
      const end = Math.min(close + CLOSE.length, text.length);
      this.comments.push(joined.comment(start, end));
      start = text.indexOf(OPEN, end);
    }
  }

  #mayContain(segments: LeafBlockText): boolean {
    const end = this.source.ends[segments.firstLine + segments.starts.length - 2];
    const start = segments.starts[0];
    return start !== undefined && end !== undefined && this.#opens.next(start) < end;
  }
}

/**
 * The lines of a leaf block as one text. It also finds the line and column of an offset in that text. Offsets must not get
 * smaller from call to call.
 */
class JoinedText {
  readonly text: string;
  /**
   * Index of the line that contained the last requested offset, and the offset of its start in `text`. The next search
   * starts there.
   */
  #index = 0;
  #offset = 0;

  constructor(
    private readonly source: LinesWithOffsets,
    private readonly segments: LeafBlockText,
  ) {
    this.text = segments.starts
      .map((start, i) => source.text.slice(start, source.ends[segments.firstLine - 1 + i]))
      .join('\n');
  }

  comment(start: number, end: number): Comment {
    const inner = this.text.slice(start + OPEN.length, end);
    const text = (inner.endsWith(CLOSE) ? inner.slice(0, -CLOSE.length) : inner).trim();
    return { from: this.#place(start), to: this.#place(end), text };
  }

  #place(offset: number): Position {
    const { firstLine, starts } = this.segments;
    for (;;) {
      const line = firstLine + this.#index;
      const start = starts[this.#index] ?? 0;
      const length = (this.source.ends[line - 1] ?? start) - start;
      if (offset <= this.#offset + length || this.#index + 1 >= starts.length) {
        return { line, column: start - (this.source.starts[line - 1] ?? 0) + (offset - this.#offset) };
      }
      this.#offset += length + 1;
      this.#index++;
    }
  }
}
