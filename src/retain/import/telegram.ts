import { asRecord, asText, isRecord, listOfRecords, type UnknownFields } from '../../base/json.js';
import { parseDay } from '../../language/time/calendar.js';
import { chatOf, type ExportChat, type ExportEntry } from './entry.js';

/** Whether JSON is an export of Telegram: one chat, or all chats of an account. */
export function isTelegram(json: UnknownFields): boolean {
  return isChat(json) || Array.isArray(asRecord(json.chats).list);
}

function isChat({ messages, type, id }: UnknownFields): boolean {
  return Array.isArray(messages) && typeof type === 'string' && typeof id === 'number';
}

/** Reads `result.json` as Telegram Desktop writes it. Its times are local times of the computer that exported it. Pure. */
export function readTelegram(json: UnknownFields): readonly ExportChat[] {
  const list = isChat(json) ? [json] : [asRecord(json.chats).list, asRecord(json.left_chats).list].flat();
  return list.filter(isRecord).map((chat) => {
    const title = asText(chat.name) || (chat.type === 'saved_messages' ? 'Saved messages' : `Chat ${String(chat.id)}`);
    return chatOf('telegram', title, listOfRecords(chat.messages), readMessage);
  });
}

function readMessage(message: UnknownFields): ExportEntry | undefined {
  if (message.type !== 'message') return undefined;
  const [day, time = ''] = (asText(message.date) ?? '').split('T');
  const forwarded = asText(message.forwarded_from);
  const parts = [
    forwarded === undefined ? '' : `(from ${forwarded})`,
    textOf(message.text),
    fileOf(message),
    asText(asRecord(message.poll).question) ?? '',
  ];
  return {
    day: parseDay(day),
    time: time.slice(0, 5),
    speaker: asText(message.from) || 'Deleted account',
    text: parts.filter((part) => part !== '').join(' '),
    key: String(message.id),
    isEdited: message.edited !== undefined,
  };
}

/** The text is a string, or a list of strings and of parts with a format. A link keeps its address. */
function textOf(text: unknown): string {
  if (typeof text === 'string') return text;
  if (!Array.isArray(text)) return '';
  return text
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      const { text: said, href } = asRecord(part);
      return typeof href === 'string' ? `${asText(said) ?? ''} (${href})` : (asText(said) ?? '');
    })
    .join('');
}

function fileOf({ file_name: name, file, photo, sticker_emoji: sticker }: UnknownFields): string {
  const path = asText(name) ?? asText(file) ?? asText(photo);
  if (sticker !== undefined) return asText(sticker) ?? '';
  // A file that was not exported has a sentence in parentheses in place of its path.
  return path === undefined || path.startsWith('(') ? '' : `(file ${path.slice(path.lastIndexOf('/') + 1)})`;
}
