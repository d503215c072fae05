/**
 * The offset at which the match of `pattern` ends that begins exactly at `from`. -1 if the pattern does not match
 * there. The pattern must have the flag `y` (sticky).
 */
export function findMatchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
