import { basename, dirname, join } from 'node:path';
import { asRecord, asText, listOfRecords, type UnknownFields } from '../../base/json.js';
import { entriesOf } from '../../workspace/files.js';
import { type ExportChat, type ExportEntry, localTimeReader } from './entry.js';

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
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.json$/;

/** The folder of an export of Slack, if a path is such a folder or a channel in one. */
export function findSlackFolder(path: string): string | undefined {
  return [path, dirname(path)].find((folder) => {
    const names = entriesOf(folder).map(({ name }) => name);
    return names.includes('users.json') && LISTS.some((list) => names.includes(list));
  });
}

/**
 * Reads an export of Slack, unpacked. Ids of users become names.
 * @param path the folder of the export, or of one channel in it
 * @param readJson returns the value of a JSON file
 */
export function readSlack(path: string, root: string, readJson: (path: string) => unknown, zone: string): ExportChat[] {
  const records = (name: string): readonly UnknownFields[] =>
    entriesOf(root).some((entry) => entry.name === name) ? listOfRecords(readJson(join(root, name))) : [];
  const users = new Map(records('users.json').map((user) => [asText(user.id) ?? '', nameOfUser(user)]));
  const titles = new Map(LISTS.flatMap(records).map((one) => titleOf(one, users)));
  const team = /^(.+?) Slack export/u.exec(basename(root))?.[1];
  const localTime = localTimeReader(zone);
  const folders =
    path === root ? entriesOf(root).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])) : [basename(path)];
  return folders.map((folder) => {
    const days = entriesOf(join(root, folder))
      .map(({ name }) => name)
      .filter((name) => DAY_FILE.test(name))
      .toSorted();
    const all = days.flatMap((day) => listOfRecords(readJson(join(root, folder, day))));
    const said = all.filter(({ type, subtype }) => type === 'message' && WRITTEN_KINDS.has(subtype));
    const sorted = said.toSorted((a, b) => Number(a.ts) - Number(b.ts));
    const entries = sorted.map(
      (message): ExportEntry => ({
        ...localTime(Number(message.ts) * 1_000),
        speaker: speakerOf(message, users),
        text: textOf(message, users),
      }),
    );
    const name = titles.get(folder) || folder;
    const title = team === undefined ? name : `${name} (${team})`;
    return { program: 'slack', title, entries, leftOut: all.length - said.length };
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
