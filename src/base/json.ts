/** A record whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields: no list, not null. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a value that is an object, else none. */
export function asRecord(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of a JSON object; undefined when the text is anything else. */
export function parseRecord(text: string): Fields | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}
