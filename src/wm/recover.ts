import { parseJson } from '../base/json.js';
import { SECTION_NAMES, type SectionName } from './sections.js';

type RecoveredOperations = Partial<Record<SectionName, Record<string, unknown>>>;

/**
 * Finds complete operations in an answer that is not valid JSON. It may be cut off or unbalanced, or its strings may
 * have raw line feeds or unescaped quotes. Reads tokens, so that an item may contain `]`, and an operation that is only
 * quoted in a string does not count. The first operation of a section wins. Content that is cut off is dropped; a list
 * that is cut off keeps its complete items. Takes time in proportion to the length of the text.
 */
export function recoverOperations(text: string): RecoveredOperations {
  const reader = new Reader(tokenise(text));
  const found: RecoveredOperations = {};
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    const name = token.kind === 'string' && token.closed ? SECTIONS.get(token.value) : undefined;
    if (name === undefined || !reader.take(':') || !reader.take('{')) continue;
    const operation = readOperationObject(reader);
    if (operation !== undefined) found[name] ??= operation;
  }
  return found;
}

const SECTIONS: ReadonlyMap<string, SectionName> = new Map(SECTION_NAMES.map((name) => [name, name]));

interface Token {
  readonly kind: 'string' | 'mark' | 'other';
  readonly value: string;
  /**
   * Whether the string ends at its own closing quote. False if it has no end, or if it has no closing quote and so includes
   * the JSON after it.
   */
  readonly closed: boolean;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  next(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  peek(offset = 0): Token | undefined {
    return this.#tokens[this.#at + offset];
  }

  isMark(mark: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === 'mark' && token.value === mark;
  }

  take(mark: string): boolean {
    if (!this.isMark(mark)) return false;
    this.#at++;
    return true;
  }
}

// Reads one operation. If it has anything other than `"key": value` pairs, a string nearby is broken, and the whole
// operation is rejected.
function readOperationObject(reader: Reader): Record<string, unknown> | undefined {
  const read = new Map<string, unknown>();
  let broken = false;
  for (let key = reader.peek(); key !== undefined && !reader.isMark('}'); key = reader.peek()) {
    // A key that is a section name begins the next operation. So the closing brace of this operation is missing.
    if (key.kind === 'string' && SECTIONS.has(key.value) && reader.isMark(':', 1)) break;
    reader.next();
    if (key.kind !== 'string' || !reader.take(':') || read.has(key.value)) {
      broken = true;
      continue;
    }
    read.set(key.value, readValue(reader));
    if (!reader.take(',') && !reader.isMark('}') && reader.peek() !== undefined) broken = true;
  }
  reader.take('}');
  const fields = Object.fromEntries(read);
  return !broken && typeof fields.op === 'string' && isComplete(fields.op, fields) ? fields : undefined;
}

function isComplete(op: string, fields: Readonly<Record<string, unknown>>): boolean {
  const name = op.toUpperCase();
  if (name === 'UPDATE') return typeof fields.content === 'string';
  return name === 'APPEND' ? Array.isArray(fields.items) && fields.items.length > 0 : name === 'KEEP';
}

function readValue(reader: Reader): unknown {
  const token = reader.next();
  if (token === undefined) return undefined;
  // A string at the end of the text may be cut off right after a quote that belongs to its content.
  if (token.kind === 'string') return token.closed && reader.peek() !== undefined ? token.value : undefined;
  return token.kind === 'mark' && token.value === '[' ? readItems(reader) : undefined;
}

function readItems(reader: Reader): readonly string[] {
  const items: string[] = [];
  for (let token = reader.peek(); token !== undefined && !reader.isMark(']'); token = reader.peek()) {
    if (token.kind === 'string' && reader.isMark(':', 1)) return items;
    reader.next();
    if (token.kind === 'string' && token.closed) items.push(token.value);
  }
  reader.take(']');
  return items;
}

function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = /[^\s"{}[\],:]+|["{}[\],:]/gu;
  const from = text.indexOf('{');
  if (from === -1) return tokens;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [value] = match;
    if (value === '"') {
      const end = stringEnd(text, match.index + 1, tokens.at(-1)?.value === ':' ? AFTER_VALUE : AFTER_KEY_OR_ITEM);
      const raw = text.slice(match.index + 1, end);
      tokens.push({ kind: 'string', value: unescapeString(raw), closed: end < text.length && !SWALLOWED.test(raw) });
      pattern.lastIndex = end + 1;
    } else tokens.push({ kind: MARKS.test(value) ? 'mark' : 'other', value, closed: true });
  }
  return tokens;
}

const MARKS = /^[{}[\],:]$/u;
const SWALLOWED = /(?<!\\)"\s{0,20}:\s{0,20}(?:[{[]|")/u;

/**
 * The index of the quote that ends the string which starts at `from`. It is the first unescaped quote after which JSON
 * goes on (`after`). If there is none, the length of the text.
 */
function stringEnd(text: string, from: number, after: RegExp): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"' && after.test(text.slice(at + 1, at + LOOK_AHEAD))) return at;
  }
  return text.length;
}

const LOOK_AHEAD = 60;
const AFTER_VALUE = /^\s*(?:[}\]]|$|,\s*(?:["{[\]}]|$))/u;
const AFTER_KEY_OR_ITEM = /^\s*(?:[:}\]]|$|,\s*(?:["{[\]}]|$))/u;

function unescapeString(raw: string): string {
  const strict = raw.replace(/(\\.)|[\u0000-\u001f"]/gsu, (found, escaped: string | undefined) => {
    return escaped ?? JSON.stringify(found).slice(1, -1);
  });
  const value = parseJson(`"${strict}"`);
  return typeof value === 'string' ? value : raw;
}
