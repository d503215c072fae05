/** A part of a text, and its replacement: empty if none is given. */
export type TextRange = { readonly start: number; readonly end: number; readonly by?: string };

/** A text with some ranges replaced. Ranges must be in order and must not overlap. */
export function replaceRanges(text: string, ranges: readonly TextRange[]): string {
  let [made, from] = ['', 0];
  for (const { start, end, by = '' } of ranges) {
    made += text.slice(from, start) + by;
    from = end;
  }
  return made + text.slice(from);
}
