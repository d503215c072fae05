/** Joins the words of a command to one line for the shell `sh`. Puts quotes around words that need them. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

export function shellWord(word: string): string {
  return /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
