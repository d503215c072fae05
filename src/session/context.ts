import { join } from 'node:path';
import { list, nullable, number, object, type ReportFields, type ReportOf, text } from '../base/report.js';
import { CORE_FILE_NAMES } from '../memory/pages.js';
import { decodeReadableText } from '../text/bytes.js';
import { estimateTokens } from '../text/tokens.js';
import { readVersion } from '../workspace/files.js';
import { readArchiveText } from './archive/archives.js';
import { chooseItems, countEssentialTokens, cutToTokens, fitSummary } from './context/cut.js';
import {
  countGroupTokens,
  countMinimumTokens,
  cutByAge,
  cutUserMessage,
  fitGroups,
  fitLastCalls,
  type MessageGroup,
  partitionBudget,
  restoreNewestGroups,
  type SizedMessage,
} from './context/fit.js';
import { LazyUserMessages, olderTurns } from './context/older.js';
import { type RecentMessages, readRecentMessages } from './context/recent.js';
import { logSourcesOf } from './context/timeline.js';
import { ARCHIVE_FILES } from './log/meta.js';
import type { SessionMessage } from './message.js';
import { Session } from './session.js';

export { chooseItems };

/** The context for the next turn of a session. `session context --json` prints exactly this. */
export const SESSION_CONTEXT = {
  session: text(),
  /** How the budget is divided, in tokens; `session` is the part for the messages. */
  budget: object<{
    readonly total: number;
    readonly reserve: number;
    readonly instruction: number;
    readonly archive: number;
    readonly session: number;
  }>(),
  /** The text of the core file. */
  instruction: text(),
  /** Text for the system prompt that explains the summary; empty if there is no summary. */
  system_prompt_addition: text(),
  /** The newest Working Memory, cut to its budget; null if there is none. */
  latest_archive_overview: nullable<string>(),
  /** Abstracts of older archives, newest first, as many as fit. */
  pre_archive_abstracts: list<ArchiveAbstract>(),
  /**
   * The messages for the model, in this order: the summary; as many older turns as fit; the recent messages, which the
   * summary does not contain yet.
   */
  messages: list<ContextMessage>(),
  /** Number of tokens of the texts and messages in the fields above; at most `total` minus `reserve`. */
  tokens: number(),
  /** Number of messages that were shortened. */
  shortened_outputs: number(),
  /** Number of messages that were left out for lack of room, including archived messages. */
  left_out_messages: number(),
  warnings: list(),
} satisfies ReportFields;

export type SessionContext = ReportOf<typeof SESSION_CONTEXT>;

interface ArchiveAbstract {
  readonly archive: string;
  readonly abstract: string;
}

export interface ContextMessage {
  readonly role: SessionMessage['role'];
  readonly content?: string;
  readonly parts?: SessionMessage['parts'];
  readonly id?: string;
  /** The archive that contains the message. */
  readonly archive?: string;
}

/** The user's last message always gets this share of the room, if it needs so much. */
const ASKED_SHARE = 0.4;
/**
 * Maximum share of the room that is reserved for open tool calls: calls after which the agent has not yet written an
 * answer.
 */
const OPEN_SHARE = 0.45;
const SUMMARY_LABEL = '[Session History Summary]\n';

/**
 * Assembles the context of a session within a budget. If room is short, this is the order of priority: the user's last
 * message and the calls after it; the core file, the rules and the Working Memory; messages that the Working Memory does not
 * contain yet, newest first; older turns since the last compaction. Reads the logs from their ends, and only as many messages as may fit.
 * @param total the budget, in tokens
 * @throws MemoryError `not_found`
 */
export function buildSessionContext(root: string, id: string, total: number): SessionContext {
  const session = Session.open(root, id);
  const core = readCoreText(root);
  const coreTokens = estimateTokens(core);
  const room = total - partitionBudget(total, 0).reserve;
  const shares = partitionBudget(total, Math.min(coreTokens, Math.floor(room / 2)));
  const sources = logSourcesOf(session);
  const whole = readRecentMessages(id, sources, room);
  const recent = { ...whole, units: cutByAge(whole.units, room) };
  const before = recent.isWhole ? sources.recallable : [...sources.open, ...sources.recallable];
  const asked = new LazyUserMessages(id, before, recent.isWhole ? [] : recent.read);
  const archive = archiveShare(session, shares.archive, room, room - coreTokens - otherTokens(recent, asked, room));
  const head = fitHead(session, { core, coreTokens, room, archive, need: neededTokens(recent, room) });
  const left = room - head.tokens;
  const cut = fitLive(recent, room, left, asked);
  const shown = new Set(cut.units.flatMap((unit) => unit.map(({ age }) => age)));
  const older = olderTurns(id, before, asked, shown, left - cut.tokens);
  const abstracts = olderAbstracts(session, left - cut.tokens - older.tokens);
  const live = widened(cut, whole.units, left - cut.tokens - older.tokens - abstracts.tokens);
  const units = [...live.units, ...older.units].sort((a, b) => (b[0]?.age ?? 0) - (a[0]?.age ?? 0));
  const messages = units.flat();
  const kept = messages.filter(({ message }) => !message.id.endsWith('-missing')).length;
  const summary: ContextMessage[] =
    head.overview === null ? [] : [{ role: 'user', content: SUMMARY_LABEL + head.overview }];
  return {
    session: id,
    budget: { ...shares, instruction: head.coreTokens, session: left },
    instruction: head.core,
    system_prompt_addition: head.rules,
    latest_archive_overview: head.overview,
    pre_archive_abstracts: abstracts.list,
    messages: [...summary, ...messages.map(toContextMessage)],
    tokens: head.tokens + live.tokens + older.tokens + abstracts.tokens,
    shortened_outputs: live.shortened,
    left_out_messages: Math.max(0, session.meta.live_count + session.meta.archived_count - kept),
    warnings: head.warnings,
  };
}

/**
 * Number of tokens that the messages need besides the Working Memory: all recent messages, with long outputs cut, and the
 * earlier messages of users.
 */
function otherTokens({ asked, units }: RecentMessages, before: LazyUserMessages, room: number): number {
  const recent = units.reduce((sum, unit) => sum + countGroupTokens(unit), asked?.tokens ?? 0);
  return recent >= room ? recent : recent + before.tokens(room);
}

/**
 * Maximum share of the room that the most important part of a Working Memory gets: title, state, open errors, recent files.
 */
const VITAL_SHARE = 0.35;

/**
 * The room of the Working Memory, in tokens: the largest of three numbers. These are: its normal share (`share`); the size
 * of its most important part, but at most {@link VITAL_SHARE} of the room; the room that nothing else needs (`unused`).
 */
function archiveShare({ overview }: Session, share: number, room: number, unused: number): number {
  const vital = overview === undefined ? 0 : countEssentialTokens(overview.text) + estimateTokens(SUMMARY_LABEL);
  return Math.max(share, Math.min(vital, Math.floor(VITAL_SHARE * room)), unused);
}

/** Makes shortened messages longer again, the newest first, as far as the remaining room allows. */
function widened(live: Live, whole: readonly MessageGroup[], room: number): Live {
  const { units, asking } = live;
  const fitted = units.slice(asking);
  const used = fitted.reduce((sum, unit) => sum + countGroupTokens(unit), 0);
  const wider = restoreNewestGroups(whole.slice(whole.length - fitted.length), fitted, used, used + room);
  return {
    asking,
    units: [...units.slice(0, asking), ...wider.units],
    tokens: live.tokens - used + wider.tokens,
    shortened: live.shortened + wider.shortened,
  };
}

/** Minimum number of tokens for the user's last request and the calls after it that have no answer yet. */
function neededTokens({ asked, units, openUnits }: RecentMessages, room: number): number {
  const asking = asked === undefined ? 0 : Math.min(asked.tokens, Math.floor(ASKED_SHARE * room));
  return asking + Math.min(openTokens(units, openUnits), Math.floor(OPEN_SHARE * room));
}

function openTokens(units: readonly MessageGroup[], openUnits: number): number {
  return units.slice(units.length - openUnits).reduce((sum, unit) => sum + countMinimumTokens(unit), 0);
}

/**
 * Fits the core file, the rules and the Working Memory into the room. `need` tokens of the room are kept for the user's last
 * request and the calls after it. Shortens the core file first, then the Working Memory.
 */
function fitHead(
  { id, overview: newest }: Session,
  given: { core: string; coreTokens: number; room: number; archive: number; need: number },
) {
  const warnings: string[] = [];
  const room = given.room - given.need;
  const cap = given.archive - estimateTokens(SUMMARY_LABEL);
  let overview = newest === undefined || given.archive < 100 ? null : fitSummary(newest.text, cap);
  let rules = overview === null ? '' : rulesFor(id);
  const rest = (): number => (overview === null ? 0 : estimateTokens(SUMMARY_LABEL + overview)) + estimateTokens(rules);
  const core = given.coreTokens + rest() <= room ? given.core : cutToTokens(given.core, Math.max(0, room - rest()));
  if (core !== given.core) warnings.push('the core file was shortened, because the newest messages need the room');
  if (newest !== undefined && overview !== null && core === '' && rest() > room) {
    const most = room - estimateTokens(rules) - estimateTokens(SUMMARY_LABEL);
    overview = most < 100 ? null : fitSummary(newest.text, most);
    rules = overview === null ? '' : rules;
    warnings.push('the Working Memory was shortened, because the newest messages need the room');
  }
  const coreTokens = estimateTokens(core);
  return { core, coreTokens, rules, overview, tokens: coreTokens + rest(), warnings };
}

type Live = ReturnType<typeof fitLive>;

/**
 * Fits the recent messages, which the Working Memory does not contain yet, into the room. The user's last message comes
 * first: it gets the room that the other messages leave, and at least {@link ASKED_SHARE}. Then the newest messages follow.
 * Long outputs are cut to keep room for earlier messages of users, but no message is dropped for that.
 * @param whole room of the whole context in tokens; `room` is the part of it that is left
 */
function fitLive(recent: RecentMessages, whole: number, room: number, before: LazyUserMessages) {
  const { asked, units, isWhole, openUnits } = recent;
  const least = units.reduce((sum, unit) => sum + countMinimumTokens(unit), 0);
  const open = Math.min(openTokens(units, openUnits), Math.floor(OPEN_SHARE * whole));
  const asking =
    asked === undefined
      ? []
      : [cutUserMessage(asked, Math.min(room - open, Math.max(Math.floor(ASKED_SHARE * whole), room - least)))];
  const left = room - countGroupTokens(asking);
  const reserved = before.tokens(Math.floor(left / 2));
  const most = isWhole && least <= left ? Math.max(left - reserved, least) : left - reserved;
  let fitted = fitGroups(units, most);
  const last = units.at(-1);
  if (fitted.units.length === 0 && last !== undefined) {
    const squeezed = fitLastCalls(last, left);
    fitted = {
      units: squeezed.length === 0 ? [] : [squeezed],
      tokens: countGroupTokens(squeezed),
      shortened: squeezed.length,
    };
  }
  return {
    /** Number of groups at the beginning that are the user's last request: 1 or 0. */
    asking: asking.length,
    units: asking.length === 0 ? fitted.units : [asking, ...fitted.units],
    tokens: countGroupTokens(asking) + fitted.tokens,
    /** 1 if the last request was shortened, else 0. The other messages are counted at the end. */
    shortened: asking[0] === asked ? 0 : 1,
  };
}

function olderAbstracts(session: Session, room: number) {
  const newest = session.overview?.archive.number ?? 0;
  const list: ArchiveAbstract[] = [];
  let tokens = 0;
  for (const archive of session.archives.toReversed()) {
    if (archive.number >= newest || archive.state !== 'completed') continue;
    const abstract = readArchiveText(archive, ARCHIVE_FILES.abstract)?.trim() ?? '';
    const size = estimateTokens(archive.id + abstract);
    if (tokens + size > room) break;
    tokens += size;
    if (abstract !== '') list.push({ archive: archive.id, abstract });
  }
  return { list, tokens };
}

/**
 * Explains to the model what the summary and the messages are. Also says which of them is right if they differ, and how to
 * find a detail that is missing in both.
 */
function rulesFor(session: string): string {
  return [
    '[Session History Summary] is a compressed summary of what was said earlier in this session: background that has lost detail. Read every section of it before you act.',
    'The messages after it are the newest part of the conversation, uncompressed.',
    'Where the summary and a message disagree, the message is right.',
    `For a detail that neither of them has, search first (openclaw memory session search ${session} "two or three words"), at least twice in different words; then ask the user. Do not guess.`,
  ].join('\n');
}

/** The text of the core file; '' if there is none. */
export function readCoreText(root: string): string {
  const version = CORE_FILE_NAMES.map((name) => readVersion(join(root, name))).find((each) => each !== undefined);
  return version === undefined ? '' : decodeReadableText(version.bytes);
}

function toContextMessage({ message: { id, role, parts }, archive }: SizedMessage): ContextMessage {
  const [only] = parts;
  const said = parts.length === 1 && only?.type === 'text' ? { content: only.text } : { parts };
  return { id, role, ...said, ...(archive === undefined ? {} : { archive }) };
}
