/** Number of characters at the end of a text that are searched for a repetition. */
const LOOKED_AT = 8_000;
/** Minimum number of times that a span must stand in a row, and of characters that all its copies have together. */
const LEAST_TIMES = 8;
const LEAST_CHARACTERS = 300;

/**
 * Whether a text ends in the same span again and again, such as a line that a small model writes until its window is full.
 * The copies must be equal to the character, so rows of a table and similar items of a list are no repetition. Pure.
 */
export function endsInRepetition(text: string): boolean {
  const tail = text.slice(-LOOKED_AT);
  const backwards = Array.from({ length: tail.length }, (_, index) => tail.charCodeAt(tail.length - 1 - index));
  return prefixLengths(backwards).some(
    (length, period) => length + period >= Math.max(LEAST_CHARACTERS, LEAST_TIMES * period),
  );
}

/**
 * The Z-function: for each index, how many items from there on equal the items at the start. 0 for index 0. Takes linear
 * time.
 */
function prefixLengths(items: readonly number[]): readonly number[] {
  const lengths = new Array<number>(items.length).fill(0);
  let [start, end] = [0, 0];
  for (let at = 1; at < items.length; at++) {
    let length = at < end ? Math.min(end - at, lengths[at - start] ?? 0) : 0;
    while (at + length < items.length && items[length] === items[at + length]) length++;
    lengths[at] = length;
    if (at + length > end) [start, end] = [at, at + length];
  }
  return lengths;
}
