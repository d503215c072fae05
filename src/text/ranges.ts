/** A part of a text, and the text that replaces it. Without `by`, the part is removed. */
export type TextRange = { readonly start: number; readonly end: number; readonly by?: string };

/** Replaces parts of a text. The ranges must be in order and must not overlap. */
export function replaceRanges(text: string, ranges: readonly TextRange[]): string {
  let [made, from] = ['', 0];
  for (const { start, end, by = '' } of ranges) {
    made += text.slice(from, start) + by;
    from = end;
  }
  return made + text.slice(from);
}
