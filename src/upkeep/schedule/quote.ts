/** Words as one line for `sh`. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

export function shellWord(word: string): string {
  return /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** As {@link shellLine}, for a crontab: a bare `%` there begins what the command reads. */
export function cronLine(words: readonly string[]): string {
  return shellLine(words).replaceAll('%', '\\%');
}

/** Words for `ExecStart=`, where `%` and `$` stand for other things. */
export function systemdLine(words: readonly string[]): string {
  return words
    .map((word) => {
      const safe = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
      return /^[\w@+=:,./%-]+$/.test(safe) ? safe : `"${safe.replace(/[\\"]/g, '\\$&')}"`;
    })
    .join(' ');
}

export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
