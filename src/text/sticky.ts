/** Where the match of a sticky pattern at `from` ends; -1 if it does not match there. */
export function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
