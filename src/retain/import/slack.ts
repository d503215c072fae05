import { basename } from 'node:path';
import { asRecord, asText, isRecord, listOfRecords, type UnknownFields } from '../../base/json.js';
import { groupBy } from '../../base/order.js';
import { chatOf, type ExportChat, type ExportEntry, localTimeReader } from './entry.js';
import type { ExportFolder } from './folder.js';

/** Kinds of messages that a person or a bot wrote. Slack marks all other messages with a kind of their own. */
const WRITTEN_KINDS: ReadonlySet<unknown> = new Set([
  undefined,
  'thread_broadcast',
  'file_share',
  'me_message',
  'bot_message',
]);
/** Files with the names of conversations, each with their ids and members. */
const LISTS = ['channels.json', 'groups.json', 'dms.json', 'mpims.json'] as const;
const DAY_FILE = /^([^/]+)\/\d{4}-\d{2}-\d{2}\.json$/;

/** Whether a folder with these names is an export of Slack. */
export function isSlack(names: readonly string[]): boolean {
  return names.includes('users.json') && LISTS.some((list) => names.includes(list));
}

/** Reads an export of Slack. Ids of users become names. */
export function readSlack({ path, names, only, json }: ExportFolder, zone: string): ExportChat[] {
  const records = (name: string): readonly UnknownFields[] => (names.includes(name) ? listOfRecords(json(name)) : []);
  const users = new Map(records('users.json').map((user) => [asText(user.id) ?? '', nameOfUser(user)]));
  const titles = new Map(LISTS.flatMap(records).map((one) => titleOf(one, users)));
  const team = /^(.+?) Slack export/u.exec(basename(path))?.[1];
  const localTime = localTimeReader(zone);
  const toEntry = (message: UnknownFields): ExportEntry | undefined =>
    message.type !== 'message' || !WRITTEN_KINDS.has(message.subtype)
      ? undefined
      : {
          ...localTime(Number(message.ts) * 1_000),
          speaker: speakerOf(message, users),
          text: textOf(message, users),
          key: String(message.ts),
          isEdited: isRecord(message.edited),
        };
  const days = groupBy(
    names.filter((name) => DAY_FILE.test(name)),
    (name) => DAY_FILE.exec(name)?.[1] ?? '',
  );
  return [...days].flatMap(([folder, files]) => {
    if (only !== undefined && folder !== only) return [];
    const messages = files.flatMap((name) => listOfRecords(json(name)));
    const name = titles.get(folder) || folder;
    const sorted = messages.toSorted((a, b) => Number(a.ts) - Number(b.ts));
    return [chatOf('slack', team === undefined ? name : `${name} (${team})`, sorted, toEntry)];
  });
}

/** The name of the folder of a conversation, and its title. Direct messages have the names of their members. */
function titleOf({ id, name, members }: UnknownFields, users: ReadonlyMap<string, string>): readonly [string, string] {
  const folder = asText(name) ?? asText(id) ?? '';
  const isDirect = typeof name !== 'string' || name.startsWith('mpdm-');
  const who = Array.isArray(members) ? members.map((one) => users.get(String(one)) || String(one)) : [];
  return [folder, isDirect && who.length > 0 ? who.join(', ') : folder];
}

function nameOfUser({ name, real_name, profile }: UnknownFields): string {
  const { real_name: full, display_name: shown } = asRecord(profile);
  return asText(full) || asText(real_name) || asText(shown) || asText(name) || '';
}

function speakerOf(message: UnknownFields, users: ReadonlyMap<string, string>): string {
  const id = asText(message.user) ?? '';
  const known = users.get(id) || nameOfUser({ profile: message.user_profile });
  return known || asText(message.username) || asText(asRecord(message.bot_profile).name) || id || 'Unknown';
}

/** The text of a message, and the names of its files. A bot may write into attachments only. */
function textOf({ text, files, attachments }: UnknownFields, users: ReadonlyMap<string, string>): string {
  const attached = listOfRecords(attachments).map((one) => asText(one.text) || asText(one.fallback) || '');
  const said = asText(text) || attached.filter((one) => one !== '').join('\n');
  const named = listOfRecords(files).map(
    (file) => ` (file ${asText(file.name) ?? asText(file.title) ?? 'without a name'})`,
  );
  return decoded(said, users) + named.join('');
}

/** A text without the codes of Slack: `<@U1>`, `<#C1|name>`, `<https://example.org|label>`, `<!here>`, `&amp;`. */
function decoded(text: string, users: ReadonlyMap<string, string>): string {
  const plain = text.replace(/<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g, (_, sign: string, target: string, label = '') => {
    if (sign === '@') return users.get(target) || label || target;
    if (sign === '#') return `#${label || target}`;
    if (sign === '!') return label || `@${target.split('^')[0]}`;
    const address = target.replace(/^mailto:/, '');
    return label === '' || label === address ? address : `${label} (${address})`;
  });
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
