import { join } from 'node:path';
import { CORE_NAMES } from '../memory/pages.js';
import { estimateTokens } from '../text/tokens.js';
import { readVersion } from '../workspace/files.js';
import { listArchives, newestOverview, readArchived } from './archives.js';
import { fitMessages } from './context/fit.js';
import { repairPairs } from './context/pairs.js';
import { partition } from './context/partition.js';
import { fitSummary } from './context/summary.js';
import { sessionPaths } from './layout.js';
import { readLogTail } from './log.js';
import type { SessionMessage } from './message.js';
import { requireSession } from './status.js';

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
  requireSession(root, session);
  const instruction = coreText(root);
  const shares = partition(total, Math.min(total, estimateTokens(instruction)));
  const archives = listArchives(sessionPaths(root, session));
  const newest = newestOverview(archives);
  const overview = newest === undefined || shares.archive < 100 ? null : fitSummary(newest.text, shares.archive);
  const summary =
    overview === null ? [] : [{ role: 'user' as const, content: `[Session History Summary]\n${overview}` }];
  const summaryTokens = overview === null ? 0 : estimateTokens(summary[0]?.content ?? '');
  const room = Math.max(0, shares.total - shares.reserve - shares.instruction - summaryTokens);
  // Until a later commit covers them, messages of archives that failed or wait are part of the conversation.
  const uncovered = archives.filter(({ number }) => number > (newest?.archive.number ?? 0)).flatMap(readArchived);
  const tail = readLogTail(sessionPaths(root, session).log, room * BYTES_PER_TOKEN + 65_536);
  const fitted = fitMessages([...uncovered, ...tail.messages], room);
  const messages = repairPairs(fitted.messages).map(toContextMessage);
  return {
    session,
    budget: { ...shares, session: room },
    instruction,
    system_prompt_addition: overview === null ? '' : RULES,
    latest_archive_overview: overview,
    pre_archive_abstracts: [],
    messages: [...summary, ...messages],
    tokens: shares.instruction + summaryTokens + fitted.tokens,
    shortened_outputs: fitted.shortened,
    left_out_messages: fitted.leftOut + tail.skipped,
  };
}

const RULES = [
  'The first message is a summary of what was said earlier in this session. It is background, and it has lost detail.',
  'Where it and a later message disagree, the message is right.',
  'Read every section of it before you act, and do not make up what it does not say.',
  'For a detail that is missing, search the archives (openclaw memory session search SESSION "two or three words"), at least twice in different words, before you say that it is not known.',
].join('\n');

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
