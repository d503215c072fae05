import { createScanner, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { isNestedTooDeep } from '../../base/json.js';
import {
  failUnusableSettings,
  findLineEnd,
  type HostSettingsValue,
  type SettingsFormat,
  type Splice,
} from './splice.js';

/** The format JSON. A file may have comments and trailing commas that a person or a host wrote. */
export const JSON_FORMAT: SettingsFormat = { add, strip, find };

function add(text: string, { keys, value, isElement }: HostSettingsValue): Splice {
  const root = parse(text);
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

function strip(text: string, piece: HostSettingsValue): string {
  for (let current = text; ; ) {
    const [node] = oursIn(parse(current), piece);
    if (node === undefined) return current;
    current = without(current, lonely(node));
  }
}

function find(text: string, piece: HostSettingsValue): readonly unknown[] {
  // Copy the values into plain objects, because the objects that the parser makes have no prototype.
  return oursIn(parse(text), piece).map((node) => structuredClone(getNodeValue(node)));
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
function parse(text: string): Node | undefined {
  // Replace a byte order mark, which is not JSON, by a space, so that offsets stay.
  const plain = text.replace(/^\uFEFF/u, ' ');
  if (plain.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = isNestedTooDeep(plain) ? undefined : parseTree(plain, errors, { allowTrailingComma: true });
  return root?.type === 'object' && errors.length === 0 ? root : failUnusableSettings('it is not a JSON object');
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}
