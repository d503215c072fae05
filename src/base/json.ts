/** A record whose fields are not known yet. */
export type UnknownFields = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields: not a list and not null. */
export function isRecord(value: unknown): value is UnknownFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value itself if it is an object with fields. An empty record for any other value. */
export function asRecord(value: unknown): UnknownFields {
  return isRecord(value) ? value : {};
}

/** The value if it is a string, else undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The records in a list. Empty for any value that is no list. */
export function listOfRecords(value: unknown): readonly UnknownFields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Maximum nesting. A recursive walk through deeper values would overflow the stack. */
const MOST_DEPTH = 200;

/**
 * The value of a JSON text; undefined if it is invalid or nested too deep. Accepts a leading byte order mark, which some
 * editors write.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return isNestedTooDeep(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Whether a JSON text is nested deeper than the limit. Counts the opening brackets first. A text with fewer of them
 * than the limit can't be nested too deep, and most texts have few.
 */
export function isNestedTooDeep(text: string): boolean {
  let brackets = 0;
  for (const sign of ['{', '[']) {
    for (let at = text.indexOf(sign); at >= 0 && brackets <= MOST_DEPTH; at = text.indexOf(sign, at + 1)) brackets++;
  }
  return brackets > MOST_DEPTH && measureJsonNesting(text).deepest > MOST_DEPTH;
}

/**
 * Returns the number of brackets that are still open at the end of a JSON text, the deepest nesting, and whether the text
 * ends inside a string. Takes linear time.
 */
export function measureJsonNesting(json: string): {
  readonly open: number;
  readonly deepest: number;
  readonly inText: boolean;
} {
  let [open, deepest] = [0, 0];
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      at = findJsonTextEnd(json, at);
      if (at < 0) return { open: Math.max(0, open), deepest, inText: true };
    } else if (unit === 0x7b || unit === 0x5b) deepest = Math.max(deepest, ++open);
    else if (unit === 0x7d || unit === 0x5d) open--;
  }
  return { open: Math.max(0, open), deepest, inText: false };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The offset of the quote that closes the JSON string whose first quote is at `start`; -1 if no quote closes it. */
export function findJsonTextEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** Parses a JSON text that contains an object. Undefined if the text contains another value or is not valid. */
export function parseRecord(text: string): UnknownFields | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/**
 * For each field of a record, the function that reads its value. It must accept any value, also `undefined` for a missing
 * field.
 */
type Readers = Readonly<Record<string, (value: unknown) => unknown>>;
export type FieldsOf<R extends Readers> = { readonly [K in keyof R]: ReturnType<R[K]> };

/** The fields of a record that have a reader, in the order of the readers. */
export function readKnownFields<R extends Readers>(readers: R, fields: UnknownFields): FieldsOf<R> {
  const entries = Object.entries(readers).map(([name, read]) => [name, read(fields[name])]);
  return Object.fromEntries(entries);
}
