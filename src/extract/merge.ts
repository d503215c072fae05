import { err, ok, type Result } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { ALL_HAN_RANGES, KANA_RANGES, SOUTH_EAST_ASIAN_RANGES } from '../language/scripts.js';
import { dominantLineEnd } from '../text/bytes.js';
import { type FieldValue, isEmptyValue, type MemoryField, toFieldValue } from './memory-type.js';

export interface MergeContext {
  /**
   * Whether the writer has read the current version of the page. Only then may a new text replace the old text as a whole.
   */
  readonly isRead: boolean;
  /**
   * Whether another operation of the same operations document wrote the page. Then a new text is appended to the old one.
   */
  readonly isWritten?: boolean;
  /** How many values the current average was computed from. */
  readonly count?: number | undefined;
}

/**
 * Merges a value into a field by its merge operation, or returns why it can't. The result has the field's type. A
 * missing value changes nothing. Pure.
 */
export function mergeField(
  field: Pick<MemoryField, 'name' | 'type' | 'merge_op'>,
  current: FieldValue,
  given: unknown,
  context: MergeContext,
): Result<FieldValue, string> {
  if (given === null || given === undefined) return ok(current);
  if (field.type === 'string' && field.merge_op === 'patch') return mergeText(current, given, context);
  const value = toFieldValue(field.type, given);
  if (value === undefined) return err(`${field.name} must be ${field.type}, not ${JSON.stringify(given).slice(0, 80)}`);
  if (isEmptyValue(value)) return ok(current);
  switch (field.merge_op) {
    case 'immutable':
      if (isEmptyValue(current) || JSON.stringify(current) === JSON.stringify(value)) return ok(value);
      return err(`${field.name} is "${String(current)}" and can't be changed`);
    case 'sum':
      return typeof value === 'number' ? sum(field, current, value) : ok(value);
    case 'avg':
      return typeof value === 'number' ? ok(average(current, value, context.count ?? 0)) : ok(value);
    case 'append_unique':
      return ok(appended(current, value));
    case 'patch':
    case 'replace':
      return ok(value);
  }
}

/**
 * Appends a text to the old text. If the old text ends with a list item and the new text begins with a list item, the
 * items form one list.
 */
function below(old: string, text: string): string {
  const isList = [old.trimEnd().split('\n').at(-1), text.trimStart()].every((line) => /^\s*[-*+]\s/u.test(line ?? ''));
  return `${old.trimEnd()}${isList ? '\n' : '\n\n'}${text.trim()}`;
}

function mergeText(
  current: FieldValue,
  given: unknown,
  { isRead, isWritten }: MergeContext,
): Result<FieldValue, string> {
  const patch = readPatch(given);
  if (patch !== undefined && !patch.ok) return patch;
  const old = typeof current === 'string' ? current : '';
  if (patch !== undefined) return patchText(old, patch.value);
  const text = toFieldValue('string', given);
  if (typeof text !== 'string' || isRecord(given))
    return err(`must be a text or a patch, not ${JSON.stringify(given).slice(0, 80)}`);
  if (text.trim() === '' || text === old) return ok(current);
  if (old !== '' && isWritten) return ok(below(old, text));
  if (old !== '' && !isRead)
    return err('would replace a text that was not read, or has changed since: read the page again, or use a patch');
  return ok(text);
}

function patchText(old: string, blocks: readonly PatchBlock[]): Result<string, string> {
  const [only] = blocks;
  const creates = old === '' && blocks.length === 1 && only !== undefined && 'replace' in only && only.search === '';
  if (creates) return ok(only.replace);
  if (old === '' && blocks.every((block) => 'delete' in block)) return ok('');
  // A block without a search text is skipped if another block has a search text. If no block has a search text, all new
  // texts would be lost without a message. So reject the patch.
  const hasNoPlace = (block: PatchBlock) => 'replace' in block && block.search === '' && block.replace.trim() !== '';
  if (blocks.length > 0 && blocks.every(hasNoPlace)) return err('block 1 has no text to search for');
  return applyPatch(old, blocks);
}

/** Significant digits of floating-point results. Further digits are rounding errors. */
const DIGITS = 12;

function sum(
  field: Pick<MemoryField, 'name' | 'type'>,
  current: FieldValue,
  value: number,
): Result<FieldValue, string> {
  const before = isEmptyValue(current) ? 0 : current;
  if (typeof before !== 'number') return err(`${field.name} is not a number, so nothing can be added to it`);
  const total = field.type === 'int64' ? before + value : Number((before + value).toPrecision(DIGITS));
  return toFieldValue(field.type, total) === undefined ? err(`${field.name} would be too large`) : ok(total);
}

function average(current: FieldValue, value: number, count: number): number {
  const before = typeof current === 'number' ? current : 0;
  // The page may not store how many values the current average covers. Then the average counts as one value.
  const known = typeof current === 'number' ? Math.max(1, count) : 0;
  return Number((before + (value - before) / (known + 1)).toPrecision(DIGITS));
}

function appended(current: FieldValue, value: FieldValue): readonly string[] {
  const list = (one: FieldValue): readonly string[] =>
    typeof one === 'string' ? [one] : typeof one === 'object' && one !== null ? one : [];
  const key = (text: string): string =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\s+/gu, ' ')
      .replace(/[.。]$/u, '')
      .trim();
  const known = new Map(list(current).map((text) => [key(text), text]));
  for (const text of list(value)) if (!known.has(key(text))) known.set(key(text), text);
  return [...known.values()];
}

/**
 * One change of a text. Either a search text, which must occur once, is replaced. Or `delete` names whole lines to remove.
 */
type PatchBlock = { readonly search: string; readonly replace: string } | { readonly delete: string };

const MARKERS = /^\\(?=<<<<<<<|=======|>>>>>>>|-------|:start_line:|:end_line:)/gmu;

/**
 * Reads the blocks of a patch: an object with `blocks`, a list of blocks, or text with SEARCH/REPLACE markers. Returns
 * `undefined` for other values, an error message for an invalid block.
 */
export function readPatch(value: unknown): Result<readonly PatchBlock[], string> | undefined {
  if (typeof value === 'string') return classicBlocks(value);
  const blocks = isRecord(value) ? value.blocks : value;
  if (!Array.isArray(blocks)) return undefined;
  const read: PatchBlock[] = [];
  for (const [index, block] of blocks.entries()) {
    const one = readBlock(block);
    if (one === undefined) return err(`block ${index + 1} has neither "search" and "replace" nor "delete"`);
    read.push(one);
  }
  return ok(read);
}

function readBlock(value: unknown): PatchBlock | undefined {
  if (!isRecord(value)) return undefined;
  const { search, replace } = value;
  if (typeof value.delete === 'string' && search === undefined) return { delete: unescaped(value.delete) };
  return typeof search === 'string' && typeof replace === 'string'
    ? { search: unescaped(search), replace: unescaped(replace) }
    : undefined;
}

function unescaped(text: string): string {
  return text.replace(MARKERS, '');
}

const CLASSIC =
  /^<{7} ?(?:SEARCH|DELETE)[^\n]*\n(?::start_line:[^\n]*\n)?(?::end_line:[^\n]*\n)?(?:-{7}\n)?([\s\S]*?)(?:^={7}\n([\s\S]*?))?^>{7} ?(?:REPLACE|DELETE)[^\n]*$/gmu;

function classicBlocks(text: string): Result<readonly PatchBlock[], string> | undefined {
  if (!/^<{7} ?(?:SEARCH|DELETE)/mu.test(text)) return undefined;
  const lf = text.replaceAll('\r\n', '\n');
  const blocks = [...lf.matchAll(CLASSIC)].map(([, search = '', replace]): PatchBlock => {
    const wanted = unescaped(search.replace(/\n$/u, ''));
    return replace === undefined
      ? { delete: wanted }
      : { search: wanted, replace: unescaped(replace.replace(/\n$/u, '')) };
  });
  return lf.replace(CLASSIC, '').trim() === '' && blocks.length > 0
    ? ok(blocks)
    : err('its SEARCH and REPLACE markers are not in order');
}

/**
 * Applies all blocks in order, or none. A search text must occur once: exactly, or after normalising white space, quotes,
 * invisible characters and printed line numbers. It never matches a text that is only similar, a text with other capital
 * letters, or a part of a word. Line ends are kept. Blocks with an empty search text are skipped. Pure.
 */
export function applyPatch(text: string, blocks: readonly PatchBlock[]): Result<string, string> {
  let current = text;
  for (const [index, block] of blocks.entries()) {
    const wanted = 'delete' in block ? block.delete : block.search;
    if (wanted === '' || ('replace' in block && block.search === block.replace)) continue;
    const changed = applyBlock(current, block, wanted);
    if (!changed.ok) return err(`block ${index + 1}: ${changed.error}`);
    current = changed.value;
  }
  return ok(current);
}

function applyBlock(text: string, block: PatchBlock, wanted: string): Result<string, string> {
  const found = find(text, wanted);
  if (!found.ok) return found;
  const { from, to, numbered, trimmed } = found.value;
  if ('delete' in block) {
    const cut = wholeLines(text, from, to);
    return cut === undefined
      ? err('only whole lines can be deleted')
      : ok(text.slice(0, cut.from) + text.slice(cut.to));
  }
  const bare = numbered ? withoutNumbers(block.replace) : block.replace;
  const replace = (trimmed ? bare.trim() : bare).replace(/\r\n|\r|\n/gu, dominantLineEnd(text));
  return ok(text.slice(0, from) + replace + text.slice(to));
}

/**
 * Finds the only place of a search text. The result says how the search text had to be changed before it was found.
 * `numbered`: line numbers were removed. `trimmed`: white space at the ends was removed.
 */
function find(text: string, wanted: string) {
  const loose = looseView(text);
  const exact = places(text, wanted).map((place) => ({ ...place, numbered: false, trimmed: false }));
  const [plain, numbered] = [wanted, withoutNumbers(wanted)].map((bare) =>
    places(loose.text, looseView(bare).text.trim()).map(({ from, to }) => ({
      from: loose.at[from] ?? 0,
      // The place ends after its last matching character. White space that follows in the text does not belong to it.
      to: (loose.at[to - 1] ?? text.length - 1) + 1,
      numbered: bare !== wanted,
      trimmed: bare.trim() !== bare,
    })),
  );
  for (const [first, ...others] of [exact, plain ?? [], numbered ?? []]) {
    if (others.length > 0)
      return err(`its text occurs ${others.length + 1} times: add more lines, so that it occurs once`);
    if (first !== undefined) return ok(first);
  }
  return err(`its text does not occur${nearestLine(text, wanted)}`);
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Characters of unspaced scripts. There, a search text may begin or end at any character. */
const UNSPACED = new RegExp(`[${ALL_HAN_RANGES}${KANA_RANGES}${SOUTH_EAST_ASIAN_RANGES}]`, 'u');

function places(text: string, wanted: string): readonly { from: number; to: number }[] {
  if (wanted === '') return [];
  const found: { from: number; to: number }[] = [];
  for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + 1)) {
    const to = from + wanted.length;
    if (!isWithinWord(text, from) && !isWithinWord(text, to)) found.push({ from, to });
  }
  return found;
}

function isWithinWord(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)];
  return [before, after].every((unit) => WORD.test(unit) && !UNSPACED.test(unit));
}

const INVISIBLE = /[\u200b-\u200f\u2060\ufeff\u00ad]/u;
const QUOTES: ReadonlyMap<string, string> = new Map([
  ...[...'‘’‚‛′'].map((quote) => [quote, "'"] as const),
  ...[...'“”„‟″'].map((quote) => [quote, '"'] as const),
]);

/**
 * Normalises a text for comparison. A run of white space becomes one space, or one line feed if it contains a line end.
 * Curved quotes become plain quotes. Invisible characters are removed.
 */
function looseView(text: string) {
  const loose: string[] = [];
  /** Index in the original text, for each character of the normalised text. */
  const at: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    if (INVISIBLE.test(unit)) continue;
    const isBlank = /\s/u.test(unit);
    const shown = isBlank ? (/[\r\n]/u.test(unit) ? '\n' : ' ') : (QUOTES.get(unit) ?? unit);
    const last = loose.at(-1);
    if (!isBlank || (last !== ' ' && last !== '\n')) {
      loose.push(shown);
      at.push(i);
    } else if (shown === '\n') loose[loose.length - 1] = shown;
  }
  return { text: loose.join(''), at };
}

/** Removes the line numbers that the tool `read` prints before the lines. Does so only if every line has one. */
function withoutNumbers(text: string): string {
  const lines = text.split('\n');
  return lines.every((line) => /^\s*\d+\t/u.test(line))
    ? lines.map((line) => line.replace(/^\s*\d+\t/u, '')).join('\n')
    : text;
}

function wholeLines(text: string, from: number, to: number): { from: number; to: number } | undefined {
  let [start, end] = [from, to];
  while (/[ \t]/u.test(text.charAt(start - 1))) start--;
  while (/[ \t]/u.test(text.charAt(end))) end++;
  if (start > 0 && !/[\r\n]/u.test(text.charAt(start - 1))) return undefined;
  if (end < text.length && !/[\r\n]/u.test(text.charAt(end)) && !/[\r\n]/u.test(text.charAt(end - 1))) return undefined;
  const after = /^(?:\r\n|\r|\n)/u.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  if (after > 0) return { from: start, to: end + after };
  const before = /(?:\r\n|\r|\n)$/u.exec(text.slice(Math.max(0, start - 2), start))?.[0].length ?? 0;
  return { from: start - before, to: end };
}

/** The line that shares most words with the first line of the search text. Only for error messages. */
function nearestLine(text: string, wanted: string): string {
  const words = wordsOf(wanted.split('\n').find((line) => line.trim() !== '') ?? '');
  let best = { line: '', shared: 0 };
  for (const line of text.split('\n').slice(0, 2_000)) {
    const shared = [...wordsOf(line)].filter((word) => words.has(word)).length;
    if (shared > best.shared) best = { line: line.trim(), shared };
  }
  return best.shared === 0 ? '' : `; the nearest line is ${JSON.stringify(best.line.slice(0, 120))}`;
}

const UNIT = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}])+`, 'gu');

/** The words of a text. In unspaced scripts, each character counts as a word. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(UNIT) ?? []);
}
