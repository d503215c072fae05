import type { ListItem } from '../block.js';

/** A list item that is still being read. In the result of the scan it is an {@link ListItem}. */
export type OpenListItem = { -readonly [K in keyof ListItem]: ListItem[K] };

interface Container {
  /** The list item; null if the container is a block quote. */
  readonly item: OpenListItem | null;
  /** Number of columns by which a line must be indented to stay in the item. */
  readonly width: number;
  /**
   * Last line with a block quote marker (`>`) inside of this container. An item does not end before that line, even if only
   * the marker is on it.
   */
  lastQuote: number;
  empty: boolean;
  /** Whether the item is complete: no further line with content belongs to it. */
  ended: boolean;
}

const QUOTE = 62;

/** The open block quotes and list items, outermost first. */
export class OpenContainers {
  readonly #stack: Container[] = [];
  /**
   * Positions of the block quotes in the stack, the outermost first. They show how many containers a blank line stays
   * in. A blank line stays in list items. It ends the outermost block quote whose marker it lacks, and all containers
   * inside of that block quote.
   */
  readonly #quotes: number[] = [];
  /** The last line with content (not only container markers). Open items end there. */
  lastContent = 0;

  get depth(): number {
    return this.#stack.length;
  }

  get level(): number {
    return this.#stack.length - this.#quotes.length;
  }

  /** The number of open containers that the line stays in. Moves the cursor past their markers and indents. */
  match(cursor: Cursor, line: number): number {
    let quotes = 0;
    for (const [depth, container] of this.#stack.entries()) {
      if (cursor.blank) return this.#quotes[quotes] ?? this.#stack.length;
      if (container.item === null) {
        if (!takeQuoteMarker(cursor)) return depth;
        container.lastQuote = line;
        quotes++;
      } else {
        if (container.ended || cursor.indent < container.width) return depth;
        cursor.skipColumns(container.width);
      }
    }
    return this.#stack.length;
  }

  /** Opens a block quote if its marker is at the cursor. */
  openQuote(cursor: Cursor, line: number): boolean {
    if (!takeQuoteMarker(cursor)) return false;
    this.#touch();
    this.#quotes.push(this.#stack.length);
    this.#stack.push({ item: null, width: 0, lastQuote: line, empty: true, ended: false });
    return true;
  }

  openItem(item: OpenListItem, width: number): void {
    this.#touch();
    this.#stack.push({ item, width, lastQuote: 0, empty: true, ended: false });
    this.lastContent = item.startLine;
  }

  /**
   * Records that a block starts in the innermost container. If the block is the first one of a list item, returns that
   * item.
   */
  startBlock(): OpenListItem | null {
    const inner = this.#stack.at(-1);
    if (inner === undefined || !inner.empty) return null;
    inner.empty = false;
    return inner.item;
  }

  /** An item that starts with a blank line ends at the second blank line. */
  endEmptyItem(line: number): void {
    const inner = this.#stack.at(-1);
    if (inner?.item && inner.empty && inner.item.startLine < line) inner.ended = true;
  }

  closeTo(depth: number): void {
    while (this.#stack.length > depth) {
      const closed = this.#stack.pop();
      if (closed === undefined) return;
      if (closed.item === null) this.#quotes.pop();
      else closed.item.endLine = Math.max(this.lastContent, closed.lastQuote);
      const parent = this.#stack.at(-1);
      if (parent !== undefined) parent.lastQuote = Math.max(parent.lastQuote, closed.lastQuote);
    }
  }

  #touch(): void {
    const inner = this.#stack.at(-1);
    if (inner !== undefined) inner.empty = false;
  }
}

function takeQuoteMarker(cursor: Cursor): boolean {
  if (cursor.indent > 3 || cursor.code !== QUOTE) return false;
  cursor.skipCharacters(1);
  cursor.skipColumns(1);
  return true;
}

const TAB = 9;
const SPACE = 32;
const TAB_STOP = 4;

/** True for space and tab, the characters with which CommonMark indents. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

/**
 * A position in one line. `pos` counts characters; `column` counts columns as CommonMark does, where a tab extends to the
 * next multiple of four. The indent of a container may be only a part of a tab. Then `pos` stays on the tab, and `column`
 * is in the middle of it.
 */
export class Cursor {
  pos = 0;
  column = 0;
  /** Offset after the last character of the line. The line end is not included. */
  end = 0;
  /** The next character that is not a space or tab; `end` when the rest is blank. */
  next = 0;
  #nextColumn = 0;

  constructor(private readonly text: string) {}

  startLine(start: number, end: number): void {
    this.pos = start;
    this.end = end;
    this.column = 0;
    this.#look();
  }

  /** Number of columns of white space before `next`. */
  get indent(): number {
    return this.#nextColumn - this.column;
  }

  get blank(): boolean {
    return this.next >= this.end;
  }

  /** The code unit at `next`, or -1 when the rest is blank. */
  get code(): number {
    return this.next < this.end ? this.text.charCodeAt(this.next) : -1;
  }

  /** Moves over `count` characters that are not tabs, starting at `next`. */
  skipCharacters(count: number): void {
    this.pos = this.next + count;
    this.column = this.#nextColumn + count;
    this.#look();
  }

  /** Moves over at most `columns` columns of the white space before `next`. */
  skipColumns(columns: number): void {
    let left = Math.min(columns, this.indent);
    while (left > 0) {
      const width = this.text.charCodeAt(this.pos) === TAB ? TAB_STOP - (this.column % TAB_STOP) : 1;
      if (width > left) {
        this.column += left;
        return;
      }
      this.column += width;
      this.pos++;
      left -= width;
    }
  }

  #look(): void {
    let pos = this.pos;
    let column = this.column;
    for (; pos < this.end; pos++) {
      const code = this.text.charCodeAt(pos);
      if (code === SPACE) column++;
      else if (code === TAB) column += TAB_STOP - (column % TAB_STOP);
      else break;
    }
    this.next = pos;
    this.#nextColumn = column;
  }
}
