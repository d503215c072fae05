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
