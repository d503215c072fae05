/** The end of a sticky pattern's match at an offset; -1 without a match. */
export function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
