import { asRecord, asText, isRecord, listOfRecords, type UnknownFields } from '../../base/json.js';
import { chatOf, type ExportChat, type ExportEntry, localTimeReader } from './entry.js';
import type { ExportFolder } from './folder.js';

/** Whether JSON is a channel as DiscordChatExporter writes it. */
export function isDiscord({ guild, channel, messages }: UnknownFields): boolean {
  return isRecord(guild) && isRecord(channel) && Array.isArray(messages);
}

/** Reads a channel as DiscordChatExporter writes it. Pure. */
export function readDiscord({ guild, channel, messages }: UnknownFields, zone: string): ExportChat {
  const localTime = localTimeReader(zone);
  return chatOf('discord', titleOf(channel, guild), listOfRecords(messages), (message) =>
    message.type !== 'Default' && message.type !== 'Reply'
      ? undefined
      : {
          ...localTime(Date.parse(asText(message.timestamp) ?? '')),
          speaker: nameOf(asRecord(message.author)),
          text: textOf(message),
          key: String(message.id),
          isEdited: typeof message.timestampEdited === 'string',
        },
  );
}

/** A file of the data that Discord sends to a user: the name of its folder, then those of a channel and of the file. */
const DATA_FILE = /^(messages)\/([^/]+)\/messages\.json$/i;

/** Whether a folder is the data that Discord sends to a user. */
export function isDiscordData({ names }: ExportFolder): boolean {
  return names.some((name) => /^messages\/index\.json$/i.test(name));
}

/** Reads the data that Discord sends to a user. It has only that user's messages, in UTC, the newest first. */
export function readDiscordData({ names, json }: ExportFolder, zone: string): ExportChat[] {
  const localTime = localTimeReader(zone);
  const account = names.find((name) => /^account\/user\.json$/i.test(name));
  const user = asRecord(account && json(account));
  const speaker = asText(user.global_name) || asText(user.username) || 'Me';
  return names.flatMap((name) => {
    const [, folder = '', own = ''] = DATA_FILE.exec(name) ?? [];
    if (!names.includes(`${folder}/${own}/channel.json`)) return [];
    const channel = asRecord(json(`${folder}/${own}/channel.json`));
    const id = asText(channel.id) ?? own;
    const indexed = asText(asRecord(json(`${folder}/index.json`))[id]);
    const title = typeof channel.name === 'string' ? titleOf(channel, channel.guild) : (indexed ?? id);
    const toEntry = (message: UnknownFields): ExportEntry => {
      const written = (asText(message.Timestamp) ?? '').replace(' ', 'T');
      const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`);
      return { ...localTime(at), speaker, text: asText(message.Contents) ?? '' };
    };
    return [chatOf('discord', title, listOfRecords(json(name)).toReversed(), toEntry)];
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
