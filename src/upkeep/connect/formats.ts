import { isDeepStrictEqual } from 'node:util';
import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  type ParseOptions,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import * as toml from 'smol-toml';
import { fail } from '../../base/failure.js';
import { asRecord, isNestedTooDeep, type UnknownFields } from '../../base/json.js';

/** A change at one place of a text: at `at`, the text `before` is replaced by `after`. So the change can be undone. */
export interface Splice {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** A value that we write into the settings of a host. */
export interface HostSettingsValue {
  /** The keys that lead to the value in the settings. Missing keys are created. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Whether the value is one element of the list at these keys, or the value at the last key itself. */
  readonly isElement: boolean;
  /** Whether a value that was found at these keys calls us, too. A person or an earlier version may have written it. */
  readonly isOurs: (value: unknown, key: string) => boolean;
}

/**
 * The functions that edit settings files of one format. All are pure. They throw {@link failUnusableSettings} for a text of
 * another format.
 */
export interface SettingsFormat {
  /** Adds our value to a text. */
  readonly add: (text: string, piece: HostSettingsValue) => Splice;
  /** Removes all values that call us from the keys of `piece`, whether this program or a person wrote them. */
  readonly strip: (text: string, piece: HostSettingsValue) => string;
  /** Finds all values that call us at the keys of `piece`. */
  readonly find: (text: string, piece: HostSettingsValue) => readonly unknown[];
}

export function applySplice(text: string, { at, before, after }: Splice): string {
  return text.slice(0, at) + after + text.slice(at + before.length);
}

/** The text as it was before some changes; undefined if the changed text was edited meanwhile. */
export function undoSplices(text: string, splices: readonly Splice[]): string | undefined {
  let current = text;
  for (const { at, before, after } of splices.toReversed()) {
    const first = current.startsWith(after, at) ? at : current.indexOf(after);
    if (first < 0 || (first !== at && current.includes(after, first + 1))) return undefined;
    current = applySplice(current, { at: first, before: after, after: before });
  }
  return current;
}

/**
 * Fails for settings that can't be read, or that have another value in place of ours. The settings file is not changed.
 * @throws MemoryError `settings`
 */
function failUnusableSettings(what: string): never {
  return fail('settings', what, 'fix the file, then try again; nothing was written to it');
}

export function findLineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The format JSON, with comments and trailing commas that a person or a host wrote. */
export const LOOSE_JSON_FORMAT: SettingsFormat = { add: addJson, strip: stripJson, find: findJson };
/** The format JSON with comments, but without trailing commas. */
export const JSON_WITH_COMMENTS_FORMAT = strictFormat({ allowTrailingComma: false });
/** The format JSON as the standard has it. */
export const JSON_FORMAT = strictFormat({ allowTrailingComma: false, disallowComments: true });

/**
 * A format of hosts that read less than {@link LOOSE_JSON_FORMAT}. A host ignores a whole file that it can't read, so nothing is
 * written to such a file. Our values can still be removed from it.
 */
function strictFormat(options: ParseOptions): SettingsFormat {
  const check = (text: string): void => {
    const errors: ParseError[] = [];
    if (parseJsonc(text) !== undefined) parseTree(plainJson(text), errors, options);
    const [first] = errors;
    if (first === undefined) return;
    const what =
      printParseErrorCode(first.error) === 'InvalidCommentToken' ? 'a comment' : 'a comma before a closing bracket';
    const line = text.slice(0, first.offset).split('\n').length;
    failUnusableSettings(`the host can't read it: there is ${what} near line ${line}`);
  };
  return {
    add: (text, piece) => {
      check(text);
      return addJson(text, piece);
    },
    strip: stripJson,
    find: (text, piece) => {
      check(text);
      return findJson(text, piece);
    },
  };
}

function addJson(text: string, { keys, value, isElement }: HostSettingsValue): Splice {
  const root = parseJsonc(text);
  if (root === undefined) {
    const whole = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), isElement ? [value] : value);
    return { at: text.length, before: '', after: `${JSON.stringify(whole, undefined, '  ')}\n` };
  }
  let node = root;
  let depth = 0;
  for (let next = member(node, keys[0]); next !== undefined; next = member(node, keys[depth])) {
    node = next;
    depth++;
  }
  const [key, ...deeper] = keys.slice(depth);
  if (node.type !== (key === undefined ? 'array' : 'object'))
    return failUnusableSettings(
      `"${keys.slice(0, depth).join('.')}" is not ${key === undefined ? 'a list' : 'an object'}`,
    );
  const inner = deeper.reduceRight<unknown>((held, name) => ({ [name]: held }), isElement ? [value] : value);
  return key === undefined ? insert(text, node, '', value) : insert(text, node, `${JSON.stringify(key)}: `, inner);
}

/** Inserts our value after the last child of an object or a list, and keeps comments on their lines. */
function insert(text: string, node: Node, label: string, value: unknown): Splice {
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const isOneLine = last !== undefined && !text.slice(node.offset, close).includes('\n');
  if (isOneLine) {
    const at = last.offset + last.length;
    return { at, before: '', after: `, ${label}${JSON.stringify(value)}` };
  }
  const unit = /^[ \t]+(?=\S)/mu.exec(text)?.[0] ?? '  ';
  const outer = indentAt(text, node.offset);
  const start = `${findLineEnd(text)}${outer}${unit}`;
  const written = JSON.stringify(value, undefined, unit).replaceAll('\n', start);
  if (last === undefined) {
    const before = /\s*$/u.exec(text.slice(node.offset + 1, close))?.[0] ?? '';
    return { at: close - before.length, before, after: `${start}${label}${written}${findLineEnd(text)}${outer}` };
  }
  const at = last.offset + last.length;
  const comma = commaAfter(text, at);
  const before = text.slice(at, endOfLine(text, at));
  if (comma === undefined) return { at, before, after: `,${before}${start}${label}${written}` };
  const isLater = comma >= at + before.length;
  return isLater
    ? { at, before: '', after: `,${start}${label}${written}` }
    : { at, before, after: `${before}${start}${label}${written},` };
}

/** The position of the comma that follows a value; undefined if there is none before the next value or bracket. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text.slice(from), true);
  scanner.scan();
  const at = from + scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

/** Finds where the text ends that belongs to a value on the same line: commas and comments may follow the value. */
function endOfLine(text: string, from: number): number {
  const scanner = createScanner(text.slice(from), false);
  for (let end = from; ; ) {
    scanner.scan();
    const at = from + scanner.getTokenOffset();
    const token = text.slice(at, at + scanner.getTokenLength());
    if (!/^(?:,|\/[/*]|[ \t]+$)/u.test(token)) return end;
    if (token.trim() !== '') end = at + token.length;
  }
}

function stripJson(text: string, piece: HostSettingsValue): string {
  for (let current = text; ; ) {
    const [node] = oursIn(parseJsonc(current), piece);
    if (node === undefined) return current;
    current = without(current, lonely(node));
  }
}

function findJson(text: string, piece: HostSettingsValue): readonly unknown[] {
  // Copy the values into plain objects, because the objects that the parser makes have no prototype.
  return oursIn(parseJsonc(text), piece).map((node) => structuredClone(getNodeValue(node)));
}

/**
 * Finds the largest node to remove with a value. Usually this is the entry with the value. A list or object that would be
 * empty without the value is removed as a whole. The root stays, so that the file has at least `{}`.
 */
function lonely(node: Node): Node {
  const entry = node.parent?.type === 'property' ? node.parent : node;
  const holder = entry.parent;
  return holder?.children?.length === 1 && holder.parent !== undefined ? lonely(holder) : entry;
}

/**
 * Removes an entry of an object or list, and the comma after or before it. If the rest of the line is empty, removes the
 * line, too.
 */
function without(text: string, entry: Node): string {
  const siblings = entry.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(entry) - 1];
  const end = entry.offset + entry.length;
  const comma = commaAfter(text, end) ?? (previous && commaAfter(text, previous.offset + previous.length));
  const kept = (from: number, to: number) =>
    comma === undefined || comma < from || comma >= to
      ? text.slice(from, to)
      : text.slice(from, comma) + text.slice(comma + 1, to);
  const [head, rest] = [kept(0, entry.offset), kept(end, text.length)];
  return (/^[ \t]*(?:\r?\n|$)/u.test(rest) ? head.trimEnd() : head) + rest;
}

/**
 * Finds our values at the keys of `HostSettingsValue`. In a list, an entry may have several hooks. If all of them are ours,
 * returns the whole entry, otherwise only our hooks.
 */
function oursIn(root: Node | undefined, { keys, isElement, isOurs }: HostSettingsValue): readonly Node[] {
  const holderKeys = isElement ? keys : keys.slice(0, -1);
  const holder = holderKeys.reduce<Node | undefined>((node, key) => node && member(node, key), root);
  if (!isElement)
    return (holder?.type === 'object' ? (holder.children ?? []) : []).flatMap(({ children: [key, value] = [] }) =>
      value !== undefined && isOurs(getNodeValue(value), String(key?.value)) ? [value] : [],
    );
  return (holder?.type === 'array' ? (holder.children ?? []) : []).flatMap((entry) => {
    const hooks = member(entry, 'hooks')?.children ?? [];
    const ours = hooks.filter((hook) => isOurs(getNodeValue(hook), ''));
    return ours.length === hooks.length && ours.length > 0 ? [entry] : ours;
  });
}

/** The value at a key of an object. If the key occurs twice, the last value counts, as when a host reads the file. */
function member(node: Node, key: string | undefined): Node | undefined {
  if (node.type !== 'object' || key === undefined) return undefined;
  return node.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}

/** The syntax tree of a text; undefined for an empty text. */
function parseJsonc(text: string): Node | undefined {
  const plain = plainJson(text);
  if (plain.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = isNestedTooDeep(plain) ? undefined : parseTree(plain, errors, { allowTrailingComma: true });
  return root?.type === 'object' && errors.length === 0 ? root : failUnusableSettings('it is not a JSON object');
}

/** Replaces a byte order mark, which is not JSON, by a space, so that offsets stay. */
function plainJson(text: string): string {
  return text.replace(/^\uFEFF/u, ' ');
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}

/** The format TOML. Our table is at the end of the file; everything else in the file is never touched. */
export const TOML_FORMAT: SettingsFormat = { add: addToml, strip: stripToml, find: findToml };

function addToml(text: string, piece: HostSettingsValue): Splice {
  parseToml(text);
  const end = findLineEnd(text);
  const gap = text === '' ? '' : text.endsWith('\n') ? end : end + end;
  const lines = Object.entries(asRecord(piece.value)).map(([key, value]) => `${key} = ${JSON.stringify(value)}${end}`);
  const splice = { at: text.length, before: '', after: `${gap}[${piece.keys.join('.')}]${end}${lines.join('')}` };
  // If the file already has an inline table of this name, our table can't extend it. Check that the result can be
  // parsed.
  parseToml(applySplice(text, splice));
  return splice;
}

function findToml(text: string, { keys }: HostSettingsValue): readonly unknown[] {
  const found = keys.reduce<unknown>((table, key) => asRecord(table)[key], parseToml(text));
  // Copy the value into a plain object, because the objects that the parser makes have no prototype.
  return found === undefined ? [] : [structuredClone(found)];
}

function stripToml(text: string, piece: HostSettingsValue): string {
  if (findToml(text, piece).length === 0) return text;
  const kept: string[] = [];
  let isOurs = false;
  // Comments and blank lines before a header belong to the table below it.
  let held: string[] = [];
  for (const line of text.split(/(?<=\n)/u)) {
    const header = /^\s*\[([^[\]]+)\]/u.exec(line)?.[1] ?? (/^\s*\[\[/u.test(line) ? '' : undefined);
    if (header !== undefined) {
      const names = header.split('.').map((name) => name.trim().replace(/^(["'])(.*)\1$/u, '$2'));
      const isNext = piece.keys.every((key, i) => names[i] === key);
      if (!isNext) kept.push(...held);
      held = [];
      isOurs = isNext;
    }
    if (!isOurs) kept.push(line);
    else held = /^\s*(?:#|$)/u.test(line) ? [...held, line] : [];
  }
  const rest = [...kept, ...(isOurs ? held.filter((line) => line.trim() !== '') : [])].join('');
  const [key = '', name = ''] = piece.keys;
  const { [key]: tables, ...all } = parseToml(text);
  const { [name]: _, ...others } = asRecord(tables);
  const { [key]: left = {}, ...after } = parseToml(rest);
  if (!isDeepStrictEqual([all, others], [after, left]))
    return failUnusableSettings(`the end of [${piece.keys.join('.')}] is not clear`);
  return rest;
}

function parseToml(text: string): UnknownFields {
  try {
    return toml.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    return failUnusableSettings(
      `it is not TOML (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
    );
  }
}
