/**
 * Maximum length of a unit in characters. A longer line is cut at white space into several units, all citing the line.
 */
export const MAX_UNIT_CHARS = 2_000;

/** Text of a line without quote and list markers and surrounding white space. */
export function stripMarkers(line: string): string {
  return line.replace(/^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*/, '').trimEnd();
}

/** Whether a line ends in a colon, bold or not, and so introduces the lines below. */
export function introducesList(text: string): boolean {
  return /[:：][*_\s]*$/.test(text);
}

/**
 * Cuts a long line at white space. Without white space it cuts beside a character that is no letter or digit, so that no
 * word is cut.
 */
export function cutLongLine(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + MAX_UNIT_CHARS < text.length ? cutBefore(text, from, from + MAX_UNIT_CHARS) : text.length;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function cutBefore(text: string, from: number, limit: number): number {
  // The cut must not split a surrogate pair, which is one character.
  const to = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  const piece = text.slice(from, to);
  const space = piece.search(/\s\S*$/);
  if (space > 0) return from + space;
  const boundary = piece.search(/[^\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}]*$/u);
  return boundary > 0 ? from + boundary : to;
}
