import { fail } from '../base/failure.js';
import { addMessages } from './add.js';
import { withoutGatewayText, withoutNoise } from './import/noise.js';
import { activeBranch, readTranscript, withToolNames } from './import/records.js';
import { isSessionId } from './log/paths.js';
import type { SessionPlace } from './place.js';

/** `session import --json` */
export interface ImportReport {
  readonly session: string;
  readonly added: number;
  /** Messages that were imported before. */
  readonly known: number;
  /** Messages that nobody said to anybody: heartbeats, cron jobs, slash commands, … */
  readonly noise: number;
  /** Messages on branches that the conversation left. */
  readonly other_branches: number;
  readonly unreadable: number;
  readonly pending_tokens: number;
}

/**
 * Adds what is new in a transcript to a session, known by the ids that the transcript gives its messages.
 * @throws MemoryError `usage` when the transcript has no messages or no id for its session
 */
export async function importTranscript(place: SessionPlace, text: string, session?: string): Promise<ImportReport> {
  const transcript = readTranscript(text);
  const all = transcript.entries.flatMap(({ draft }) => (draft === null ? [] : [draft]));
  const branch = activeBranch(transcript).flatMap(({ draft }) => (draft === null ? [] : [draft]));
  if (all.length === 0)
    fail(
      'usage',
      'there are no messages in this transcript',
      'give JSON lines of OpenClaw, Claude Code, or {"role","content"}',
    );
  const id = session ?? transcript.session ?? '';
  if (!isSessionId(id)) fail('usage', 'the transcript does not say which session it is', 'name it with --session ID');
  const said = withoutNoise(branch.map(withoutGatewayText));
  const named = withToolNames(said);
  const report = await addMessages(place, id, { messages: named, onlyNewSources: true });
  return {
    session: id,
    added: report.added.length,
    known: report.duplicates,
    noise: branch.length - said.length + report.empty.length,
    other_branches: all.length - branch.length,
    unreadable: transcript.unreadable,
    pending_tokens: report.pending_tokens,
  };
}
