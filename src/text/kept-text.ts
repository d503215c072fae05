/** A position in {@link KeptText}: everything kept before it. */
export type Mark = number;

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
  /** A space stands before it, so that a removal does not join two words. */
  readonly spaced: boolean;
}

/** The parts of a text that stay, as ranges of it, so that taking some back costs nothing. */
export class KeptText {
  private readonly pieces: Piece[] = [];
  private removed = false;

  constructor(private readonly source: string) {}

  keep(from: number, to: number, quoted = false): void {
    if (to <= from) return;
    this.pieces.push({ from, to, quoted, spaced: this.needsSpace(from) });
    this.removed = false;
  }

  mark(): Mark {
    return this.pieces.length;
  }

  /** Takes back everything kept since `mark`. */
  cutTo(mark: Mark): void {
    this.pieces.length = Math.min(this.pieces.length, mark);
    this.removed = true;
  }

  /** Takes back the last `count` characters and returns the mark that is left. */
  cutTail(count: number): Mark {
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

  /** At least the last `length` characters, if there are as many, but none before or within quoted text. */
  tail(length: number): string {
    let text = '';
    for (let i = this.pieces.length - 1; i >= 0 && text.length < length; i--) {
      const piece = this.pieces[i];
      if (piece === undefined || piece.quoted) break;
      text = (piece.spaced ? ' ' : '') + this.source.slice(Math.max(piece.from, piece.to - length), piece.to) + text;
    }
    return text;
  }

  /** Whether a space will go before the text that begins at `from`, if that is what follows. */
  needsSpace(from: number): boolean {
    const last = this.pieces[this.pieces.length - 1];
    return this.removed && last !== undefined && /^\S\S$/.test(`${this.source[last.to - 1]}${this.source[from]}`);
  }

  /** Whether nothing but indentation and quote marks stands on the last line so far. */
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
