import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/failure.js';
import { isRecord, parseJson } from '../../base/json.js';
import { decodeReadableText } from '../../text/bytes.js';
import { readBytes } from '../../workspace/files.js';
import { isDiscord, isDiscordData, readDiscord, readDiscordData } from './discord.js';
import type { ExportChat } from './entry.js';
import { ARCHIVE_HINT, type ExportFolder, LARGEST_EXPORT, openExportFolder } from './folder.js';
import { isKindle, readKindle } from './kindle.js';
import { isSlack, readSlack } from './slack.js';
import { isTelegram, readTelegram } from './telegram.js';
import { isWhatsApp, readWhatsApp } from './whatsapp.js';

const FORMATS =
  'known formats: WhatsApp .txt, Telegram result.json, a Slack folder, Discord .json, Kindle My Clippings.txt, .eml, .mbox, .ics, and a .zip of these; for a chat with an agent: openclaw memory session import';

/**
 * Reads an export of another program, by its content.
 * @param path absolute path of a file, of an archive, or of a folder that an export consists of
 * @throws MemoryError `usage` for an unknown format, `refused` for what is too large, and the system's errors
 */
export async function readExport(path: string, clock: Clock): Promise<readonly ExportChat[]> {
  const folder = openExportFolder(path, isSlack);
  const chats =
    folder === undefined
      ? await readFile(path, readBytes(path, LARGEST_EXPORT), clock)
      : await readFolder(folder, clock);
  return chats ?? failUnknown(path, folder?.isArchive === true);
}

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
async function readFolder(folder: ExportFolder, clock: Clock): Promise<readonly ExportChat[] | undefined> {
  if (isSlack(folder.names)) return readSlack(folder, clock.zone);
  if (isDiscordData(folder)) return readDiscordData(folder, clock.zone);
  const names = folder.names.filter((name) => EXPORT_NAME.test(name) && (folder.isArchive || !name.includes('/')));
  const chats: ExportChat[] = [];
  for (const name of names) chats.push(...((await readFile(join(folder.path, name), folder.read(name), clock)) ?? []));
  return chats.length === 0 ? undefined : chats;
}

const EXPORT_NAME = /\.(?:txt|json|ics|eml|mbox)$/i;

function failUnknown(path: string, isArchive: boolean): never {
  if (/\.(?:md|markdown)$/i.test(path))
    fail('usage', `${path} is Markdown already`, 'copy it to memory/topics/, or name its folder in extraFolders');
  if (/\.(?:gz|tgz|7z|rar|xz|bz2|tar)$/i.test(path)) fail('usage', `${path} is an archive`, ARCHIVE_HINT);
  const what = isArchive ? `nothing in ${path} has a known format` : `the format of ${path} is not known`;
  return fail('usage', what, FORMATS);
}
