/** Formats words as one line for the shell `sh`, with quotes where needed. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

export function shellWord(word: string): string {
  return /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
