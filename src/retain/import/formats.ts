import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { isRecord, parseJson } from '../../base/json.js';
import { decodeReadableText } from '../../text/bytes.js';
import { readBytes } from '../../workspace/files.js';
import type { ExportChat } from './entry.js';
import { isTelegram, readTelegram } from './telegram.js';
import { isWhatsApp, readWhatsApp } from './whatsapp.js';

/** Maximum size of an export. Reading one takes about eight times its size in memory. */
const LARGEST_EXPORT = 64 * 1024 * 1024;

const FORMATS =
  'known formats: WhatsApp .txt, Telegram result.json, a Slack folder, Discord .json, Kindle My Clippings.txt, .eml, .mbox, .ics';

/**
 * Reads an export of another program, by its content.
 * @param path absolute path of a file, or of a folder that an export consists of
 * @throws MemoryError `usage` for an unknown format, `refused` for a file that is too large, and the system's errors
 */
export async function readExport(path: string, clock: Clock): Promise<readonly ExportChat[]> {
  if (statSync(path).isDirectory()) return readFolder(path, clock);
  const bytes = readBytes(path, LARGEST_EXPORT);
  const unpack = PACKED.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))?.[1];
  if (unpack !== undefined) fail('usage', `${path} is compressed`, `${unpack} it first, then import what is in it`);
  return (await readText(path, decodeReadableText(bytes), clock)) ?? failUnknown(path);
}

const PACKED = [
  [Buffer.from('PK\x03\x04', 'latin1'), 'unzip'],
  [Buffer.from([0x1f, 0x8b]), 'gunzip'],
] as const;

async function readText(path: string, text: string, clock: Clock): Promise<readonly ExportChat[] | undefined> {
  const json = /^\s*[[{]/.test(text) && extname(path).toLowerCase() === '.json' ? parseJson(text) : undefined;
  if (isRecord(json)) {
    if (isTelegram(json)) return readTelegram(json);
  }
  if (isWhatsApp(text)) return [readWhatsApp(path, text, clock)];
  return undefined;
}

async function readFolder(path: string, clock: Clock): Promise<readonly ExportChat[]> {
  const names = readdirSync(path);
  const main = ['result.json', '_chat.txt'].find((name) => names.includes(name));
  if (main !== undefined) return readExport(join(path, main), clock);
  return failUnknown(path);
}

function failUnknown(path: string): never {
  if (/\.(?:md|markdown)$/i.test(path))
    fail('usage', `${path} is Markdown already`, 'copy it to memory/topics/, or name its folder in extraFolders');
  if (/\.(?:jsonl|ndjson)$/i.test(path))
    fail(
      'usage',
      `${basename(path)} is no export that is known here`,
      'for a chat with an agent: openclaw memory session import',
    );
  return fail('usage', `the format of ${path} is not known`, FORMATS);
}
