import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { asRecord, type UnknownFields } from '../../base/json.js';
import {
  applySplice,
  failUnusableSettings,
  findLineEnd,
  type HostSettingsValue,
  type SettingsFormat,
  type Splice,
} from './splice.js';

/** The format TOML. Our table is at the end of the file; everything else in the file is never touched. */
export const TOML_FORMAT: SettingsFormat = { add, strip, find };

function add(text: string, piece: HostSettingsValue): Splice {
  parse(text);
  const end = findLineEnd(text);
  const gap = text === '' ? '' : text.endsWith('\n') ? end : end + end;
  const lines = Object.entries(asRecord(piece.value)).map(([key, value]) => `${key} = ${JSON.stringify(value)}${end}`);
  const splice = { at: text.length, before: '', after: `${gap}[${piece.keys.join('.')}]${end}${lines.join('')}` };
  // If the file already has an inline table of this name, our table can't extend it. Check that the result can be
  // parsed.
  parse(applySplice(text, splice));
  return splice;
}

function find(text: string, { keys }: HostSettingsValue): readonly unknown[] {
  const found = keys.reduce<unknown>((table, key) => asRecord(table)[key], parse(text));
  // Copy the value into a plain object, because the objects that the parser makes have no prototype.
  return found === undefined ? [] : [structuredClone(found)];
}

function strip(text: string, piece: HostSettingsValue): string {
  if (find(text, piece).length === 0) return text;
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
  const { [key]: tables, ...all } = parse(text);
  const { [name]: _, ...others } = asRecord(tables);
  const { [key]: left = {}, ...after } = parse(rest);
  if (!isDeepStrictEqual([all, others], [after, left]))
    return failUnusableSettings(`the end of [${piece.keys.join('.')}] is not clear`);
  return rest;
}

function parse(text: string): UnknownFields {
  try {
    return parseToml(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    return failUnusableSettings(
      `it is not TOML (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
    );
  }
}
