import { basename } from 'node:path';
import { toFailure } from '../base/failure.js';
import { asText, isRecord, parseJson } from '../base/json.js';
import { isContinueRequest } from '../context/build.js';
import { isSessionId } from '../session/session.js';
import { HOOK_MOMENTS, type HookHost } from '../upkeep/hooks.js';
import { readVersion } from '../workspace/files.js';
import type { Workspace } from './workspace.js';

/** What a host gets for an event. */
interface HookOutcome {
  /** What goes to stdout, '' for nothing. */
  readonly output: string;
  /** A session whose archives wait for a process that finishes them. */
  readonly finish?: { readonly workspace: Workspace; readonly session: string };
  readonly warnings: readonly string[];
}

/** An event as hosts describe it. */
interface HookEvent {
  readonly name: string;
  readonly session: string | undefined;
  readonly transcript: string | undefined;
  readonly prompt: string;
  /** How a session begins: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string;
  readonly folder: string | undefined;
  /** Whether a helper of the agent does it, and no person. */
  readonly isHelper: boolean;
}

const NOTHING: HookOutcome = { output: '', warnings: [] };
/** What is kept of a moment for starting and ending, in ms. */
const SPARE_MS = 4_000;
/** Of the time before a compaction, so much is the model's; then the rules save what they can. */
const MODEL_SHARE = 0.6;

/**
 * Does what an event of a host asks for, within the time that the host gives it. An agent waits for this: whatever comes
 * in and whatever goes wrong, it ends well, with a warning.
 * @param open the workspace, under a signal that says when the time is over
 */
export async function runHostHook(
  host: HookHost,
  input: string,
  open: (signal: AbortSignal) => Promise<Workspace>,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const event = readEvent(input);
  const moment = HOOK_MOMENTS.find((each) => each.event === event?.name);
  if (event === undefined || moment === undefined) return NOTHING;
  const limit = moment.seconds * 1_000 - SPARE_MS;
  const over = AbortSignal.timeout(limit);
  const late = new Promise<HookOutcome>((resolve) => {
    const warning = `${event.name} did not finish within ${limit / 1_000} seconds`;
    over.addEventListener('abort', () => resolve({ output: '', warnings: [warning] }), { once: true });
  });
  const either = AbortSignal.any([signal, over]);
  const done = answer(host, event, limit, () => open(either), either).catch((error: unknown): HookOutcome => {
    return { output: '', warnings: [toFailure(error).message] };
  });
  return Promise.race([done, late]);
}

async function answer(
  host: HookHost,
  event: HookEvent,
  limit: number,
  open: () => Promise<Workspace>,
  signal: AbortSignal,
): Promise<HookOutcome> {
  if (event.name === 'UserPromptSubmit') return promptBlock(host, event, await open(), signal);
  if (event.name === 'SessionStart') return begins(host, event, await open(), signal);
  const { session, transcript } = event;
  if (session === undefined) return { ...NOTHING, warnings: ['the event has no session id'] };
  const workspace = await open();
  const sessions = await workspace.sessions(signal);
  const text = transcript === undefined ? undefined : readVersion(transcript)?.bytes.toString('utf8');
  if (text === undefined)
    return { ...NOTHING, warnings: [`there is no transcript at ${transcript ?? 'the path of the event'}`] };
  await sessions.importTranscript(text, session);
  if (event.name === 'PreCompact') {
    const { warnings } = await sessions.flush(session, () => {}, { maxWait: (limit * MODEL_SHARE) / 1_000 });
    // What the host compacts is archived; its Working Memory is made while the host goes on.
    const { pending } = await sessions.compact(session, { defer: true });
    return { output: '', warnings, ...(pending.length > 0 ? { finish: { workspace, session } } : {}) };
  }
  const { pending, warnings } = await sessions.commit(session, { threshold: true, defer: true });
  return { output: '', warnings, ...(pending.length > 0 ? { finish: { workspace, session } } : {}) };
}

const BEGINNINGS = ['startup', 'resume', 'clear', 'compact'] as const;

/** What the agent gets when a session of its user begins or goes on. */
async function begins(
  host: HookHost,
  { session, transcript, source, folder, isHelper }: HookEvent,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const beginning = BEGINNINGS.find((each) => each === source);
  if (beginning === undefined || isHelper) return NOTHING;
  const text = transcript === undefined ? undefined : readVersion(transcript)?.bytes.toString('utf8');
  if (session !== undefined && text !== undefined && (beginning === 'resume' || beginning === 'compact'))
    // Without it there is still what was imported before.
    await (await workspace.sessions(signal)).importTranscript(text, session).catch(() => {});
  const { sessionStartBlock } = await import('../context/session-start.js');
  const block = await sessionStartBlock(workspace.root, beginning, { session, folder, clock: workspace.clock, signal });
  return hookAnswer(host, 'SessionStart', block, []);
}

/** A block in the form of the host: Claude Code drops any other object without a word. */
function hookAnswer(host: HookHost, hookEventName: string, block: string, warnings: readonly string[]): HookOutcome {
  if (block === '' || host === 'generic') return { output: block, warnings };
  return { output: JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: block } }), warnings };
}

async function promptBlock(
  host: HookHost,
  event: HookEvent,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const { session, prompt } = event;
  const messages = [...(await saidBefore(event)), prompt].map((content) => ({ role: 'user', content }));
  const request = { messages, ...(session === undefined ? {} : { sessionKey: session }) };
  const { block, warnings } = await workspace.buildContext(request, signal);
  return hookAnswer(host, 'UserPromptSubmit', block, warnings);
}

/** What "continue" goes on with stands in the transcript. */
async function saidBefore({ prompt, transcript }: HookEvent): Promise<readonly string[]> {
  if (transcript === undefined || !isContinueRequest(prompt)) return [];
  try {
    const { lastUserTexts } = await import('../session/import.js');
    return lastUserTexts(readVersion(transcript)?.bytes.toString('utf8') ?? '');
  } catch {
    return [];
  }
}

function readEvent(input: string): HookEvent | undefined {
  const event = parseJson(input);
  if (!isRecord(event) || typeof event.hook_event_name !== 'string') return undefined;
  const transcript = asText(event.transcript_path) || undefined;
  const named = [asText(event.session_id), transcript && basename(transcript).replace(/\.jsonl$/u, '')];
  return {
    name: event.hook_event_name,
    session: named.find((id) => id !== undefined && isSessionId(id)),
    transcript,
    prompt: asText(event.prompt) ?? '',
    source: asText(event.source) ?? '',
    folder: asText(event.cwd) || undefined,
    isHelper: typeof event.agent_id === 'string',
  };
}
