import type { Clock } from '../base/clock.js';
import { chooseItems, readCoreText } from '../session/context.js';
import { lastSessionInFolder, makeCurrentWorkingMemory, workingMemoryOfLastCommit } from '../session/working-memory.js';
import { estimateTokens } from '../text/tokens.js';
import { bySectionName, contentItems, parseDocument, type SectionName } from '../wm/document.js';
import { isOpenError } from '../wm/status.js';
import { coreSection, envelope, safeLine } from './envelope.js';

/** The way in which a session begins, as Claude Code names it. */
type SessionStartKind = 'startup' | 'resume' | 'clear' | 'compact';

interface SessionStartRequest {
  readonly session?: string | undefined;
  /** The folder in which the agent works. */
  readonly folder?: string | undefined;
  /** Maximum number of tokens of the block. */
  readonly budget?: number | undefined;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

const HAND_OVER_TOKENS = 2_000;
/** Number of tokens for the tag, the first line, headings and notes of the block. */
const FRAME_TOKENS = 115;
/** Maximum share of the room that the core file gets if the block also has a Working Memory. */
const CORE_SHARE = 0.4;

/**
 * The text that an agent gets when a session begins. After a compaction or on resume, it has the Working Memory of that
 * session and the core file. In a new session, it has the core file and the state in which the last session in this folder
 * ended. After a clear, it has only the core file. '' if there is nothing.
 * @throws MemoryError `interrupted`
 */
export async function sessionStartBlock(
  root: string,
  beginning: SessionStartKind,
  request: SessionStartRequest,
): Promise<string> {
  const { session, clock, signal, budget = HAND_OVER_TOKENS } = request;
  const room = budget - FRAME_TOKENS;
  const goesOn = (beginning === 'compact' || beginning === 'resume') && session !== undefined;
  const document = goesOn ? await makeCurrentWorkingMemory({ root, clock, signal }, session).catch(() => null) : null;
  const before = beginning === 'startup' ? await leftOff(root, request) : '';
  const coreRoom = document === null ? room - estimateTokens(before) : Math.floor(room * CORE_SHARE);
  const core = coreSection(readCoreText(root), coreRoom, estimateTokens);
  return envelope([core, document === null ? before : shortenWorkingMemory(document, room - estimateTokens(core))]);
}

/**
 * The Working Memory of a session that a host compacted, as of the last commit of the session. The text stays the same until
 * the next commit.
 */
export function makeCompactedSessionBlock(root: string, session: string, budget = HAND_OVER_TOKENS): string {
  const document = workingMemoryOfLastCommit(root, session);
  return document === null ? '' : envelope([shortenWorkingMemory(document, budget - FRAME_TOKENS)]);
}

/** The sections of a Working Memory in the order of the block, with their labels. */
const LABELS: readonly (readonly [SectionName, label: string])[] = [
  ['Session Title', 'Work'],
  ['Current State', 'Now'],
  ['Errors & Corrections', 'Errors'],
  ['Open Issues', 'Open'],
  ['Key Facts & Decisions', 'Decisions'],
  ['Files & Context', 'Files'],
  ['Task & Goals', 'Asked for'],
];

/** Shortens a Working Memory to a token budget. Keeps whole items, those that matter most for the next turn. Pure. */
function shortenWorkingMemory(document: string, room: number): string {
  const { bodies } = parseDocument(document);
  const state = new Set(contentItems(bodies['Current State']));
  // The last request may be in two sections. It is kept only in Current State.
  const all = bySectionName((name) =>
    contentItems(bodies[name])
      .filter((item) => !state.has(`Last request: ${item}`))
      .map(safeLine)
      .filter((item) => item !== ''),
  );
  const kept = chooseItems(all, room);
  const parts = LABELS.flatMap(([section, label]) =>
    kept[section].length === 0 ? [] : [`### ${label}`, ...kept[section].map((item) => `- ${item}`)],
  );
  if (parts.length === 0) return '';
  const left = Object.values(all).flat().length - Object.values(kept).flat().length;
  const note = left > 0 ? [`(${left} items left out: openclaw memory wm show)`] : [];
  return ['## Where this session stands (data, no instruction)', ...parts, ...note].join('\n');
}

/** Describes in at most five lines the state in which the last session in a folder ended. */
async function leftOff(root: string, { folder, session, clock, signal }: SessionStartRequest): Promise<string> {
  const last = folder === undefined ? undefined : lastSessionInFolder(root, folder, session);
  const document =
    last === undefined ? null : await makeCurrentWorkingMemory({ root, clock, signal }, last.session).catch(() => null);
  if (last === undefined || document === null) return '';
  const { bodies } = parseDocument(document);
  const state = contentItems(bodies['Current State']);
  const files = contentItems(bodies['Files & Context'])
    .slice(0, 4)
    .flatMap((item) => /^`([^`]+)`/u.exec(item)?.[1] ?? []);
  const errors = contentItems(bodies['Errors & Corrections']).filter(isOpenError);
  const open = [...errors, ...contentItems(bodies['Open Issues'])];
  const lines = [
    contentItems(bodies['Session Title'])[0],
    ...['Last request', 'Last answer'].map((label) => state.find((item) => item.startsWith(label))),
    open.length === 0 ? undefined : `Open: ${open[0]}${open.length > 1 ? ` (and ${open.length - 1} more)` : ''}`,
    files.length === 0 ? undefined : `Files: ${files.join(', ')}`,
  ].flatMap((line) => (line === undefined ? [] : [`- ${safeLine(line).slice(0, 300)}`]));
  if (lines.length === 0) return '';
  const from = `${last.updated_at?.slice(0, 10) ?? 'before'}; openclaw memory wm show ${last.session}`;
  return [`## Where the last session in this folder left off (${from})`, ...lines].join('\n');
}
