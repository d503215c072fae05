import { join } from 'node:path';
import { CORE_NAMES } from '../memory/pages.js';
import { estimateTokens } from '../text/tokens.js';
import { readVersion } from '../workspace/files.js';
import { readArchived } from './archive/archives.js';
import { fitMessages } from './context/fit.js';
import { repairPairs } from './context/pairs.js';
import { partition } from './context/partition.js';
import { fitSummary } from './context/summary.js';
import { readLogTail } from './log/read.js';
import type { SessionMessage } from './message.js';
import { Session } from './session.js';

/** What to give a model for the next turn of a session. `session context --json` prints exactly this. */
export interface SessionContext {
  readonly session: string;
  /** In tokens; `session` is what the messages may take. */
  readonly budget: {
    readonly total: number;
    readonly reserve: number;
    readonly instruction: number;
    readonly archive: number;
    readonly session: number;
  };
  /** The core file. */
  readonly instruction: string;
  /** Rules for the system prompt about the summary; empty when there is none. */
  readonly system_prompt_addition: string;
  /** The newest Working Memory within its budget, or null. */
  readonly latest_archive_overview: string | null;
  readonly pre_archive_abstracts: readonly [];
  /** The summary as a first message, then what was said. */
  readonly messages: readonly ContextMessage[];
  readonly tokens: number;
  readonly shortened_outputs: number;
  readonly left_out_messages: number;
}

export interface ContextMessage {
  readonly role: SessionMessage['role'];
  readonly content?: string;
  readonly parts?: SessionMessage['parts'];
  readonly id?: string;
}

/** More than this of a log is not read for each token of the budget, in bytes: most text has fewer. */
const BYTES_PER_TOKEN = 12;

/**
 * Assembles the context of a session within a budget: core file, summary of the archives, messages that no finished
 * archive covers. Reads no more of the log than can fit, from its end.
 * @param total in tokens
 * @throws MemoryError `not_found`
 */
export function buildContext(root: string, session: string, total: number): SessionContext {
  const at = Session.open(root, session);
  const instruction = coreText(root);
  const instructionTokens = estimateTokens(instruction);
  const shares = partition(total, Math.min(total, instructionTokens));
  const newest = at.overview;
  const overview = newest === undefined || shares.archive < 100 ? null : fitSummary(newest.text, shares.archive);
  const summary =
    overview === null ? [] : [{ role: 'user' as const, content: `[Session History Summary]\n${overview}` }];
  const summaryTokens = overview === null ? 0 : estimateTokens(summary[0]?.content ?? '');
  const room = Math.max(0, shares.total - shares.reserve - shares.instruction - summaryTokens);
  // Until a later commit covers them, messages of archives that failed or wait are part of the conversation.
  const uncovered = at.archives.filter(({ number }) => number > (newest?.archive.number ?? 0)).flatMap(readArchived);
  const tail = readLogTail(at.paths.log, room * BYTES_PER_TOKEN + 65_536);
  const fitted = fitMessages([...uncovered, ...tail.messages], room);
  const messages = repairPairs(fitted.messages).map(toContextMessage);
  return {
    session,
    budget: { ...shares, session: room },
    instruction,
    system_prompt_addition: overview === null ? '' : rules(session),
    latest_archive_overview: overview,
    pre_archive_abstracts: [],
    messages: [...summary, ...messages],
    tokens: instructionTokens + summaryTokens + fitted.tokens,
    shortened_outputs: fitted.shortened,
    left_out_messages: fitted.leftOut + (tail.isWhole ? 0 : Math.max(1, at.meta.live_count - tail.messages.length)),
  };
}

/** The four rules of the seed: what the summary is, what the messages are, which of them wins, what to do about gaps. */
function rules(session: string): string {
  return [
    '[Session History Summary] is a compressed summary of what was said earlier in this session: background that has lost detail. Read every section of it before you act.',
    'The messages after it are the newest part of the conversation, uncompressed.',
    'Where the summary and a message disagree, the message is right.',
    `For a detail that neither of them has, search first (openclaw memory session search ${session} "two or three words"), at least twice in different words; then ask the user. Do not guess.`,
  ].join('\n');
}

function coreText(root: string): string {
  for (const name of CORE_NAMES) {
    const version = readVersion(join(root, name));
    if (version !== undefined) return version.bytes.toString('utf8');
  }
  return '';
}

function toContextMessage({ id, role, parts }: SessionMessage): ContextMessage {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? { id, role, content: only.text } : { id, role, parts };
}
