/** The words of a table, which are written with white space between them. */
export function wordSet(table: string): ReadonlySet<string> {
  return new Set(wordList(table));
}

/** {@link wordSet} in its order. */
export function wordList(table: string): readonly string[] {
  return table.trim().split(/\s+/);
}

/** A pattern that finds each of the words or patterns of a table; longer ones have to stand first. */
export function anyOf(table: string): RegExp {
  return new RegExp(wordList(table).join('|'), 'g');
}

/**
 * A pattern for words of any script that stand alone (`_` in a table is white space), and for what counts anywhere, as in
 * scripts without spaces between words. In any case.
 */
export function alonePattern(table: string, anywhere = '(?!)'): RegExp {
  const alone = wordList(table).join('|').replaceAll('_', '\\s');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alone})(?![\\p{L}\\p{N}])|${anywhere}`, 'iu');
}

/** Words by their place in a table, where words with one number are written with "/" between them. */
export function numbered(table: string, first = 1, step = 1): Readonly<Record<string, number>> {
  return Object.fromEntries(
    wordList(table).flatMap((words, i) => words.split('/').map((word) => [word, first + i * step])),
  );
}

/** Units that make a number an exact token ("512 MB", "20 ms", "3.5 kg"), as a pattern; longer ones first. */
export const UNITS =
  '[KMGT]i?B|[kMG]bit|[kMG]bps|kB|bytes?|MHz|GHz|kHz|Hz|kWh|kW|fps|rpm|tokens?|[mnµ]s|min|mins|hrs?|[kmcµ]?m|[kmµ]?g|mph|km/h|lbs?|oz|px|pt|dpi|°[CF]|%|€|USD|EUR|CNY|RMB|元|dollars?|euros?';
