/** Where what a sticky pattern finds at an offset ends; -1 where it finds nothing. */
export function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
