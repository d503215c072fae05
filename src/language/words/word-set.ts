/** The set of words in a table. White space separates the words. */
export function wordSet(table: string): ReadonlySet<string> {
  return new Set(wordList(table));
}

/** The words of a table in order. */
export function wordList(table: string): readonly string[] {
  return table.trim().split(/\s+/);
}

/** A pattern that matches any entry of a table; an entry is a word or a pattern. Longer entries must come first. */
export function anyWordPattern(table: string): RegExp {
  return new RegExp(wordList(table).join('|'), 'g');
}

/**
 * A case-insensitive pattern for whole words of any script. `_` in the table is white space. `anywhere` is a pattern that
 * may also match inside a word, for unspaced scripts.
 */
export function wholeWordPattern(table: string, anywhere = '(?!)'): RegExp {
  const alone = wordList(table).join('|').replaceAll('_', '\\s');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alone})(?![\\p{L}\\p{N}])|${anywhere}`, 'iu');
}

/** Maps the words of a table to numbers, by their places in the table. Words with the same number are separated by "/". */
export function mapWordsToNumbers(table: string, first = 1, step = 1): Readonly<Record<string, number>> {
  return Object.fromEntries(
    wordList(table).flatMap((words, i) => words.split('/').map((word) => [word, first + i * step])),
  );
}

/** Units that make a number an exact token ("512 MB", "20 ms", "3.5 kg"), as a pattern; longer ones first. */
export const MEASURE_UNITS =
  '[KMGT]i?B|[kMG]bit|[kMG]bps|kB|bytes?|MHz|GHz|kHz|Hz|kWh|kW|fps|rpm|tokens?|[mnµ]s|min|mins|hrs?|[kmcµ]?m|[kmµ]?g|mph|km/h|lbs?|oz|px|pt|dpi|°[CF]|%|€|USD|EUR|CNY|RMB|元|dollars?|euros?';
