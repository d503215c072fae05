import { join } from 'node:path';
import { asRecord, asText, isRecord, listOfRecords, type UnknownFields } from '../../base/json.js';
import { entriesOf } from '../../workspace/files.js';
import { type ExportChat, type ExportEntry, localTimeReader } from './entry.js';

/** Whether JSON is a channel as DiscordChatExporter writes it. */
export function isDiscord({ guild, channel, messages }: UnknownFields): boolean {
  return isRecord(guild) && isRecord(channel) && Array.isArray(messages);
}

/** Reads a channel as DiscordChatExporter writes it. Pure. */
export function readDiscord({ guild, channel, messages }: UnknownFields, zone: string): ExportChat {
  const localTime = localTimeReader(zone);
  const all = listOfRecords(messages);
  const said = all.filter(({ type }) => type === 'Default' || type === 'Reply');
  const entries = said.map(
    (message): ExportEntry => ({
      ...localTime(Date.parse(asText(message.timestamp) ?? '')),
      speaker: nameOf(asRecord(message.author)),
      text: textOf(message),
    }),
  );
  return { program: 'discord', title: titleOf(channel, guild), entries, leftOut: all.length - said.length };
}

/** The folder with the messages of the data that Discord sends to a user; undefined if a folder has none. */
export function findDiscordMessages(path: string): string | undefined {
  const named = entriesOf(path).find((entry) => entry.isDirectory() && entry.name.toLowerCase() === 'messages');
  const folder = named === undefined ? undefined : join(path, named.name);
  return folder !== undefined && entriesOf(folder).some(({ name }) => name === 'index.json') ? folder : undefined;
}

/**
 * Reads the data that Discord sends to a user. It has only that user's messages, in UTC.
 * @param path the folder of the data
 * @param messages the folder with the messages in it
 * @param readJson returns the value of a JSON file
 */
export function readDiscordData(
  path: string,
  messages: string,
  readJson: (path: string) => unknown,
  zone: string,
): ExportChat[] {
  const localTime = localTimeReader(zone);
  const json = (...parts: readonly string[]): unknown => readJson(join(...parts));
  const account = entriesOf(path).find(({ name }) => name.toLowerCase() === 'account')?.name;
  const user = account === undefined ? {} : asRecord(json(path, account, 'user.json'));
  const speaker = asText(user.global_name) || asText(user.username) || 'Me';
  return entriesOf(messages).flatMap(({ name }) => {
    const files = entriesOf(join(messages, name)).map((entry) => entry.name);
    if (!files.includes('messages.json') || !files.includes('channel.json')) return [];
    const channel = asRecord(json(messages, name, 'channel.json'));
    const all = listOfRecords(json(messages, name, 'messages.json')).toReversed();
    const entries = all.map((message): ExportEntry => {
      const written = (asText(message.Timestamp) ?? '').replace(' ', 'T');
      const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`);
      return { ...localTime(at), speaker, text: asText(message.Contents) ?? '' };
    });
    const id = asText(channel.id) ?? name;
    const indexed = asText(asRecord(json(messages, 'index.json'))[id]);
    const title = typeof channel.name === 'string' ? titleOf(channel, channel.guild) : (indexed ?? id);
    return [{ program: 'discord', title, entries, leftOut: 0 }];
  });
}

function titleOf(channel: unknown, guild: unknown): string {
  const name = asText(asRecord(channel).name) ?? 'channel';
  const server = asText(asRecord(guild).name) ?? '';
  return server === '' || asRecord(guild).id === '0' ? name : `${name} (${server})`;
}

function nameOf({ nickname, name }: UnknownFields): string {
  return asText(nickname) || asText(name) || 'Unknown';
}

/** The text of a message with the names of whom it mentions, or what it embeds, and the names of its files. */
function textOf({ content, mentions, embeds, attachments, stickers }: UnknownFields): string {
  const names = new Map(listOfRecords(mentions).map((one) => [asText(one.id), nameOf(one)]));
  const said = (asText(content) ?? '')
    .replace(/<@!?(\d+)>/g, (code, id: string) => names.get(id) ?? code)
    .replace(/<a?(:\w+:)\d+>/g, '$1');
  const shown = listOfRecords(embeds).map(
    ({ title, description }) => `${asText(title) ?? ''} ${asText(description) ?? ''}`,
  );
  const files = listOfRecords(attachments).map((file) => `(file ${asText(file.fileName) ?? 'without a name'})`);
  const signs = listOfRecords(stickers).map(({ name }) => `(sticker ${asText(name) ?? ''})`);
  return [said || shown.join('\n'), ...files, ...signs].filter((part) => part.trim() !== '').join(' ');
}
