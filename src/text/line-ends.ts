/** The line end that most lines of a text have; LF for a text of one line. */
export function dominantEnd(text: string): '\n' | '\r\n' | '\r' {
  const count = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) if (end === '\n' || end === '\r\n' || end === '\r') count[end]++;
  if (count['\r\n'] > count['\n']) return count['\r\n'] >= count['\r'] ? '\r\n' : '\r';
  return count['\r'] > count['\n'] ? '\r' : '\n';
}
