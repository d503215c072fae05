import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { isRecord, parseJson } from '../../base/json.js';
import { decodeReadableText } from '../../text/bytes.js';
import { entriesOf, readBytes } from '../../workspace/files.js';
import { findDiscordMessages, isDiscord, readDiscord, readDiscordData } from './discord.js';
import type { ExportChat } from './entry.js';
import { isKindle, readKindle } from './kindle.js';
import { findSlackFolder, readSlack } from './slack.js';
import { isTelegram, readTelegram } from './telegram.js';
import { isWhatsApp, readWhatsApp } from './whatsapp.js';

/** Maximum size of an export. A chat of this size, with short messages, takes about 1.7 GB of memory. */
const LARGEST_EXPORT = 64 * 1024 * 1024;

const FORMATS =
  'known formats: WhatsApp .txt, Telegram result.json, a Slack folder, Discord .json, Kindle My Clippings.txt, .eml, .mbox, .ics; for a chat with an agent: openclaw memory session import';

/** Maximum size of all files of an export that is a folder. */
const LARGEST_FOLDER = 4 * LARGEST_EXPORT;

/**
 * Reads an export of another program, by its content.
 * @param path absolute path of a file, or of a folder that an export consists of
 * @throws MemoryError `usage` for an unknown format, `refused` for a file that is too large, and the system's errors
 */
export async function readExport(path: string, clock: Clock): Promise<readonly ExportChat[]> {
  if (statSync(path).isDirectory()) return readFolder(path, clock);
  return (await readFile(path, readLimited(path), clock)) ?? failUnknown(path);
}

/** @throws MemoryError `refused` for a file that is too large, `usage` for one that is compressed */
function readLimited(path: string): Buffer {
  const bytes = readBytes(path, LARGEST_EXPORT);
  const unpack = PACKED.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))?.[1];
  if (unpack !== undefined) fail('usage', `${path} is compressed`, `${unpack} it first, then import what is in it`);
  return bytes;
}

const PACKED = [
  [Buffer.from('PK\x03\x04', 'latin1'), 'unzip'],
  [Buffer.from([0x1f, 0x8b]), 'gunzip'],
] as const;

/** Undefined for a file of an unknown format. */
async function readFile(path: string, bytes: Buffer, clock: Clock): Promise<readonly ExportChat[] | undefined> {
  const text = decodeReadableText(bytes);
  const json = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  if (isRecord(json) && isTelegram(json)) return readTelegram(json);
  if (isRecord(json) && isDiscord(json)) return [readDiscord(json, clock.zone)];
  if (CALENDAR.test(text)) return [(await import('./calendar.js')).readCalendar(path, text, clock.zone)];
  if (isKindle(text)) return readKindle(text);
  if (isMail(text)) return (await import('./mail.js')).readMail(bytes, clock.zone);
  return isWhatsApp(text) ? [readWhatsApp(path, text, clock)] : undefined;
}

const CALENDAR = /^\s*BEGIN:VCALENDAR\s/i;

/** Whether a text is a mail, or an mbox with mails. */
function isMail(text: string): boolean {
  const head = text.slice(0, 64_000).split(/\r?\n\r?\n/, 1)[0] ?? '';
  return (
    /^From \S.*\d{4}(?: [+-]\d{4})?\r?\n/.test(head) ||
    (/^[\w-]+: /.test(head) && /^from:/im.test(head) && /^date:/im.test(head))
  );
}

/** Reads a folder that is one export, or a folder with exports. Of these, unknown files are left out. */
async function readFolder(path: string, clock: Clock): Promise<readonly ExportChat[]> {
  let size = 0;
  const read = (file: string): Buffer => {
    const bytes = readLimited(file);
    size += bytes.length;
    const tooLarge = `${path} has more than ${LARGEST_FOLDER / 1024 / 1024} MB`;
    return size > LARGEST_FOLDER ? fail('refused', tooLarge, 'import its files or folders one by one') : bytes;
  };
  const readJson = (file: string): unknown => parseJson(decodeReadableText(read(file)));
  const slack = findSlackFolder(path);
  if (slack !== undefined) return readSlack(path, slack, readJson, clock.zone);
  const messages = findDiscordMessages(path);
  if (messages !== undefined) return readDiscordData(path, messages, readJson, clock.zone);
  const files = entriesOf(path).filter((entry) => entry.isFile() && EXPORT_NAME.test(entry.name));
  const chats: ExportChat[] = [];
  for (const { name } of files)
    chats.push(...((await readFile(join(path, name), read(join(path, name)), clock)) ?? []));
  return chats.length === 0 ? failUnknown(path) : chats;
}

const EXPORT_NAME = /\.(?:txt|json|ics|eml|mbox)$/i;

function failUnknown(path: string): never {
  if (/\.(?:md|markdown)$/i.test(path))
    fail('usage', `${path} is Markdown already`, 'copy it to memory/topics/, or name its folder in extraFolders');
  return fail('usage', `the format of ${path} is not known`, FORMATS);
}
