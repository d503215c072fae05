import type { Block, MarkdownScan } from './block.js';
import { frontMatterEnd } from './front-matter.js';
import { type LinesWithOffsets, splitLines } from './lines.js';
import {
  HtmlEndFinder,
  isFenceEnd,
  type LeafBlockText,
  NO_OPEN_LEAF_BLOCK,
  type OpenLeafBlock,
  readAtxHeading,
  readFenceStart,
  readHtmlStart,
  readListMarker,
  readSetextUnderline,
  skipDefinitions,
  skipSpaces,
  thematicBreakStopOffset,
  trimEndOffset,
} from './scan/block-starts.js';
import { CommentReader } from './scan/comment-reader.js';
import { Cursor, OpenContainers, type OpenListItem } from './scan/containers.js';

/**
 * Reads the block structure of a Markdown text as CommonMark 0.31 defines it. Builds no syntax tree, reads the text
 * once, and takes linear time. YAML front matter at the very top is a block of its own.
 */
export function scanMarkdown(text: string): MarkdownScan {
  return new BlockScanner(splitLines(text)).scan();
}

const CODE_INDENT = 4;

class BlockScanner {
  readonly #text: string;
  readonly #cursor: Cursor;
  readonly #containers = new OpenContainers();
  readonly #comments: CommentReader;
  readonly #htmlEnds: HtmlEndFinder;
  readonly #blocks: Block[] = [];
  #leaf: OpenLeafBlock = NO_OPEN_LEAF_BLOCK;
  #line = 0;
  /**
   * An earlier test has shown that no thematic break (`---`) starts before this offset. Offsets before it are not tested
   * again, so that a line with many markers is scanned only once.
   */
  #noBreakTo = -1;

  constructor(private readonly source: LinesWithOffsets) {
    this.#text = source.text;
    this.#cursor = new Cursor(source.text);
    this.#comments = new CommentReader(source);
    this.#htmlEnds = new HtmlEndFinder(source.text);
  }

  scan(): MarkdownScan {
    const { lines, starts, ends } = this.source;
    const front = frontMatterEnd(lines);
    if (front > 0) this.#blocks.push({ type: 'frontMatter', startLine: 1, endLine: front });
    for (let index = front; index < lines.length; index++) {
      this.#line = index + 1;
      this.#cursor.startLine(starts[index] ?? 0, ends[index] ?? 0);
      this.#readLine();
    }
    this.#close(0);
    return { lines, blocks: this.#blocks, comments: this.#comments.comments };
  }

  #readLine(): void {
    const matched = this.#containers.match(this.#cursor, this.#line);
    const inside = matched === this.#containers.depth;
    if (inside && this.#continueLeaf()) return;
    if (this.#cursor.blank) {
      this.#close(matched);
      this.#containers.endEmptyItem(this.#line);
      return;
    }
    this.#readBlockStarts(matched);
    this.#containers.lastContent = this.#line;
  }

  /** Whether the line belongs to the open fence, HTML block or indented code; if so, adds the line to it. */
  #continueLeaf(): boolean {
    const { end } = this.#cursor;
    const leaf = this.#leaf;
    if (leaf.type === 'fence') {
      this.#extend(leaf.block);
      if (this.#cursor.indent < CODE_INDENT && isFenceEnd(this.#text, this.#cursor.next, end, leaf.start)) {
        this.#leaf = NO_OPEN_LEAF_BLOCK;
      }
      return true;
    }
    if (leaf.type === 'html') {
      if (this.#cursor.blank && this.#htmlEnds.atBlankLine(leaf.kind)) return false;
      this.#extend(leaf.block);
      leaf.segments.starts.push(this.#cursor.next);
      if (this.#htmlEnds.inLine(leaf.kind, this.#cursor.pos, end)) this.#closeLeaf();
      return true;
    }
    if (leaf.type !== 'code') return false;
    if (this.#cursor.blank) return true;
    if (this.#cursor.indent < CODE_INDENT) return false;
    this.#extend(leaf.block);
    return true;
  }

  #extend(block: { endLine: number }): void {
    block.endLine = this.#line;
    this.#containers.lastContent = this.#line;
  }

  /** Reads container markers and the start of a block from a line that is not blank. */
  #readBlockStarts(matched: number): void {
    let depth = matched;
    // A line that stays in all containers can continue the open paragraph. A line that leaves a container can do so only as
    // a lazy continuation line.
    const continues = matched === this.#containers.depth;
    // An empty item, or a list that starts at 2 or higher, can't directly follow a line of indented code. This holds even
    // after new container markers. The parser remark, with which we compare ours, does the same.
    const interrupts = continues && this.#leaf !== NO_OPEN_LEAF_BLOCK;
    while (this.#cursor.indent < CODE_INDENT && this.#openContainer(depth, interrupts)) {
      depth = this.#containers.depth;
      if (this.#cursor.blank) return;
    }
    const paragraph = this.#leaf.type === 'paragraph';
    if (this.#cursor.indent >= CODE_INDENT) {
      if (paragraph) this.#addText();
      else this.#openCode(depth);
      return;
    }
    if (continues && this.#readSetext()) return;
    if (this.#openLeaf(depth, paragraph)) return;
    if (!paragraph) {
      const item = this.#begin(depth);
      this.#leaf = { type: 'paragraph', segments: { firstLine: this.#line, starts: [] }, item };
    }
    this.#addText();
  }

  #openContainer(depth: number, interrupts: boolean): boolean {
    const { code } = this.#cursor;
    if (code === 62) {
      this.#close(depth);
      return this.#containers.openQuote(this.#cursor, this.#line);
    }
    // A list marker begins with `*`, `+`, `-` or a digit.
    if (code !== 42 && code !== 43 && code !== 45 && (code < 48 || code > 57)) return false;
    return this.#openItem(depth, interrupts);
  }

  #openItem(depth: number, interrupts: boolean): boolean {
    const cursor = this.#cursor;
    const marker = readListMarker(this.#text, cursor.next, cursor.end);
    if (marker === null || this.#atThematicBreak()) return false;
    const afterMarker = cursor.next + marker.length;
    const empty = skipSpaces(this.#text, afterMarker, cursor.end) === cursor.end;
    if (interrupts && (empty || !marker.interrupts)) return false;
    this.#close(depth);
    const outer = cursor.indent;
    cursor.skipCharacters(marker.length);
    const padding = empty || cursor.indent > CODE_INDENT ? 1 : cursor.indent;
    cursor.skipColumns(padding);
    const at = { startLine: this.#line, endLine: this.#line, textEndLine: this.#line };
    const item: OpenListItem = {
      type: 'item',
      ...at,
      level: this.#containers.level,
      ordered: marker.ordered,
      text: '',
    };
    this.#blocks.push(item);
    this.#containers.openItem(item, outer + marker.length + padding);
    return true;
  }

  #openCode(depth: number): void {
    const lazy = depth < this.#containers.depth;
    this.#begin(depth);
    const block = { type: 'code' as const, startLine: this.#line, endLine: this.#line };
    this.#blocks.push(block);
    // Indented code ends after its first line if that line leaves a container. The parser remark does the same.
    if (!lazy) this.#leaf = { type: 'code', block };
  }

  /** Opens a heading, thematic break, fence or HTML block if one starts here. */
  #openLeaf(depth: number, paragraph: boolean): boolean {
    const { code } = this.#cursor;
    if (code === 35) return this.#readHeading(depth);
    if (code === 96 || code === 126) return this.#openFence(depth);
    if (code === 60) return this.#openHtml(depth, paragraph);
    if (!this.#atThematicBreak()) return false;
    this.#begin(depth);
    return true;
  }

  #atThematicBreak(): boolean {
    const { next, end, code } = this.#cursor;
    if ((code !== 42 && code !== 45 && code !== 95) || next < this.#noBreakTo) return false;
    const stop = thematicBreakStopOffset(this.#text, next, end);
    if (stop >= 0) this.#noBreakTo = stop;
    return stop < 0;
  }

  #readHeading(depth: number): boolean {
    const { next, end } = this.#cursor;
    const heading = readAtxHeading(this.#text, next, end);
    if (heading === null) return false;
    this.#begin(depth);
    this.#blocks.push({ type: 'heading', startLine: this.#line, endLine: this.#line, ...heading });
    this.#comments.readInline({ firstLine: this.#line, starts: [next] });
    return true;
  }

  #openFence(depth: number): boolean {
    const start = readFenceStart(this.#text, this.#cursor.next, this.#cursor.end);
    if (start === null) return false;
    this.#begin(depth);
    const block = { type: 'fence' as const, startLine: this.#line, endLine: this.#line, info: start.info };
    this.#blocks.push(block);
    this.#leaf = { type: 'fence', block, start };
    return true;
  }

  #openHtml(depth: number, paragraph: boolean): boolean {
    const { next, end } = this.#cursor;
    const kind = readHtmlStart(this.#text, next, end, !paragraph);
    if (kind === null) return false;
    this.#begin(depth);
    const type = kind === 'comment' ? ('comment' as const) : ('html' as const);
    const block = { type, startLine: this.#line, endLine: this.#line };
    this.#blocks.push(block);
    this.#leaf = { type: 'html', block, kind, segments: { firstLine: this.#line, starts: [next] } };
    if (this.#htmlEnds.inLine(kind, next, end)) this.#closeLeaf();
    return true;
  }

  /** Turns the open paragraph into a heading when this line underlines it. */
  #readSetext(): boolean {
    const depth = readSetextUnderline(this.#text, this.#cursor.next, this.#cursor.end);
    const leaf = this.#leaf;
    if (depth === 0 || leaf.type !== 'paragraph') return false;
    const source = this.#join(leaf.segments);
    const start = skipDefinitions(source);
    if (start >= source.length) return false;
    const definitions = source.slice(0, start).trimEnd();
    const skipped = definitions === '' ? 0 : definitions.split('\n').length;
    if (leaf.item !== null && skipped > 0) {
      leaf.item.text = definitions;
      leaf.item.textEndLine = leaf.segments.firstLine + skipped - 1;
    }
    const startLine = leaf.segments.firstLine + skipped;
    this.#blocks.push({ type: 'heading', startLine, endLine: this.#line, depth, text: source.slice(start) });
    this.#comments.readInline(leaf.segments);
    this.#leaf = NO_OPEN_LEAF_BLOCK;
    return true;
  }

  #addText(): void {
    if (this.#leaf.type === 'paragraph') this.#leaf.segments.starts.push(this.#cursor.next);
  }

  /**
   * Begins a block inside the first `depth` containers. If the block is the first one of a list item, returns that
   * item.
   */
  #begin(depth: number): OpenListItem | null {
    this.#close(depth);
    return this.#containers.startBlock();
  }

  /** Closes the open leaf and the containers from `depth` on. */
  #close(depth: number): void {
    if (this.#leaf !== NO_OPEN_LEAF_BLOCK) this.#closeLeaf();
    this.#containers.closeTo(depth);
  }

  #closeLeaf(): void {
    const leaf = this.#leaf;
    this.#leaf = NO_OPEN_LEAF_BLOCK;
    if (leaf.type === 'html') this.#comments.readHtml(leaf.segments);
    if (leaf.type !== 'paragraph') return;
    this.#comments.readInline(leaf.segments);
    if (leaf.item === null) return;
    leaf.item.text = this.#join(leaf.segments);
    leaf.item.textEndLine = leaf.segments.firstLine + leaf.segments.starts.length - 1;
  }

  /** The lines of a paragraph without indents and trailing white space. */
  #join({ firstLine, starts }: LeafBlockText): string {
    return starts.map((start, index) => this.#textFrom(start, firstLine + index)).join('\n');
  }

  #textFrom(start: number, line: number): string {
    return this.#text.slice(start, trimEndOffset(this.#text, start, this.source.ends[line - 1] ?? start));
  }
}
