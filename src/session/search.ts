import { fail } from '../base/failure.js';
import { addAll } from '../base/order.js';
import { list, maybe, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import { archiveDamage, readArchivedMessages, readArchiveText } from './archive/archives.js';
import { ARCHIVE_FILES } from './log/meta.js';
import type { MessagePart } from './message.js';
import { binaryPlaceholder, plainPartText, withoutBase64 } from './message.js';
import type { SearchOptions } from './requests.js';
import { listSessions, Session } from './session.js';

interface SessionMatch {
  readonly session: string;
  /** Id of the archive with the message (`archive_007`), or `live`. */
  readonly archive: string;
  /** 1-based position of the message in its archive, or line number in a Working Memory. */
  readonly position: number;
  readonly id: string;
  /** Role of the message; `overview` for a line of a Working Memory. */
  readonly role: string;
  /** Text of the message around the first hit. */
  readonly excerpt: string;
}

export const SESSION_MATCHES = {
  /** Missing if all sessions were searched. */
  session: maybe(text()),
  query: text(),
  /** Number of all matches. `matches` contains the matches from `offset` on, newest first. */
  found: number(),
  offset: number(),
  matches: list<SessionMatch>(),
  /** Warnings about damaged archives: matches in messages that can't be read are missing. */
  warnings: list(),
  /** Advice if nothing was found. */
  advice: maybe(text()),
} satisfies ReportFields;

export type SessionMatches = ReportOf<typeof SESSION_MATCHES>;

const ADVICE =
  'Try two or three concrete words of what was said (names, numbers, file names), then the same in other words.';

const SHOWN = 12;
/** Number of characters of an excerpt before and after the hit. */
const AROUND = 300;

/**
 * Finds messages by their text, newest first. A message matches if it contains every word of the query, in any case and
 * order; a text without spaces between words (Chinese, Japanese) must contain the query exactly as it is written. Parts that
 * are not text are not searched.
 * @throws MemoryError `not_found`, `usage` for a query without words
 */
export function searchSession(
  root: string,
  session: string,
  query: string,
  { archive: only, k = SHOWN, offset = 0 }: SearchOptions = {},
): SessionMatches {
  const words = normalise(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) fail('usage', 'the query is empty', 'write two or three words of the message');
  const matches: SessionMatch[] = [];
  let found = 0;
  const opened = Session.open(root, session);
  const logs = logsOf(opened, only);
  const warnings = logs.flatMap(({ damage }) => damage ?? []);
  for (const { name, messages } of logs.toReversed()) {
    for (const [index, message] of [...messages.entries()].reverse()) {
      const text = withoutBase64(message.parts.map(readable).join('\n'));
      const plain = normalise(text);
      if (!words.every((word) => plain.includes(word))) continue;
      found++;
      if (found <= offset || matches.length >= k) continue;
      const excerpt = cutAround(text, plain, words[0] ?? '');
      matches.push({ session, archive: name, position: index + 1, id: message.id, role: message.role, excerpt });
    }
  }
  if (found === 0 && only !== 'live') {
    const lines = overviewLines(opened, words, only);
    found = lines.length;
    addAll(matches, lines.slice(offset, offset + k));
  }
  return { session, query, found, offset, matches, warnings, ...(found === 0 ? { advice: ADVICE } : {}) };
}

/**
 * Like {@link searchSession}, but searches all sessions. The matches of the last updated session are first.
 * @throws MemoryError `usage`
 */
export function searchAllSessions(
  root: string,
  now: Date,
  query: string,
  { archive, k = SHOWN, offset = 0 }: SearchOptions = {},
): SessionMatches {
  if (archive !== undefined && archive !== 'live')
    fail('usage', 'an archive belongs to a session', 'name the session, too');
  const found = listSessions(root, now).map(({ session }) =>
    searchSession(root, session, query, { archive, k: offset + k }),
  );
  const count = found.reduce((sum, one) => sum + one.found, 0);
  return {
    query,
    found: count,
    offset,
    matches: found.flatMap(({ matches }) => matches).slice(offset, offset + k),
    warnings: found.flatMap(({ warnings }) => warnings),
    ...(count === 0 ? { advice: ADVICE } : {}),
  };
}

/** Matching lines of Working Memories, newest first, each once. Searched only if no message matches. */
function overviewLines(session: Session, words: readonly string[], only?: string): readonly SessionMatch[] {
  const seen = new Set<string>();
  const archives = only === undefined ? session.archives.toReversed() : [session.archive(only)];
  return archives.flatMap((archive) => {
    const lines = (readArchiveText(archive, ARCHIVE_FILES.overview) ?? '').split('\n');
    return lines.flatMap((line, at): readonly SessionMatch[] => {
      const plain = normalise(line);
      if (seen.has(plain) || !words.every((word) => plain.includes(word))) return [];
      seen.add(plain);
      const excerpt = cutAround(line, plain, words[0] ?? '');
      const id = `${archive.id}:${at + 1}`;
      return [{ session: session.id, archive: archive.id, position: at + 1, id, role: 'overview', excerpt }];
    });
  });
}

function readable(part: MessagePart): string {
  return part.type === 'other'
    ? (binaryPlaceholder(part.value, 'this message') ?? plainPartText(part))
    : plainPartText(part);
}

function logsOf(session: Session, only: string | undefined) {
  const archives = only === undefined ? session.archives : only === 'live' ? [] : [session.archive(only)];
  const logs = archives.map((archive) => {
    const messages = readArchivedMessages(archive);
    return { name: archive.id, messages, damage: archiveDamage(archive, messages.length) };
  });
  const live = { name: 'live', messages: session.live, damage: undefined };
  return only === undefined || only === 'live' ? [...logs, live] : logs;
}

function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function cutAround(text: string, plain: string, word: string): string {
  if (text.length <= 2 * AROUND) return text;
  // `at` is a position in the normalised text. It may differ a little from the position in the text, but the excerpt is
  // wide enough for that.
  const at = plain.indexOf(word);
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + word.length + AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
