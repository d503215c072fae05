import { fail, toFailure } from '../../../base/failure.js';
import { type MessageDraft, readDraft, readRecords } from '../../../session/message.js';
import { ADD, SESSION } from '../../../session/requests.js';
import { startResume } from '../../background.js';
import { readLoosely } from '../../io.js';
import { openToBegin } from '../../open.js';
import { count } from '../../text/shown.js';
import { verb } from '../../verb.js';
import { sayWhere } from '../../writing.js';

export const afterTurn = verb({
  summary: 'add the messages of a turn; commit in the background when that is due',
  takes: {
    ...SESSION,
    stdin: { type: 'boolean', doc: 'read the messages from standard input: a JSON list, or one JSON object a line' },
    idempotencyKey: ADD.idempotencyKey,
    history: ADD.history,
  },
  more: 'Injected context is taken out first. Messages with an id that the session has\nalready are not added again.',
  examples: ['session after-turn chat-1 --stdin < turn.jsonl'],
  run: async (context, { session, stdin, idempotencyKey, history }) => {
    const { out, io, signal } = context;
    if (stdin !== true) fail('usage', 'there are no messages', 'give them with --stdin');
    const messages = readTurn(await readLoosely(io, out.warn), out.warn);
    const workspace = await openToBegin(context);
    const sessions = await workspace.sessions(signal);
    const added = await sessions.add(session, { messages, idempotencyKey, history, onlyNewSources: true });
    if (added.added.length > 0) sayWhere(context, workspace.root);
    const commit_threshold = sessions.commitThreshold;
    const due = added.pending_tokens >= commit_threshold;
    const commit = due ? await sessions.commit(session, { defer: true }) : null;
    const background = commit !== null && commit.pending.length > 0 ? startResume(context, workspace, session) : null;
    for (const warning of commit?.warnings ?? []) out.warn(warning);
    const status = await sessions.status(session).catch(noneYet);
    const said = `${count(added.added.length, 'message')} added; pending: ${(status ?? added).pending_tokens} tokens`;
    const then = background === null ? '' : `; a commit was due: process ${background.pid} finishes it`;
    out.answer(said + then, { ...added, status, commit_threshold, commit, background });
  },
});

/** A first turn in which nobody said anything makes no session. */
function noneYet(error: unknown): null {
  if (toFailure(error).type !== 'not_found') throw error;
  return null;
}

/** Hosts have messages of their own among those of a turn: they are passed over, for what was said must not be lost. */
function readTurn(text: string, warn: (warning: string) => void): readonly MessageDraft[] {
  const strange = new Map<string, number>();
  const drafts = readRecords(text).flatMap(({ record }) => {
    const draft = readDraft(record);
    if (draft === undefined) strange.set(String(record.role), (strange.get(String(record.role)) ?? 0) + 1);
    return draft ?? [];
  });
  for (const [role, messages] of strange)
    warn(
      `${count(messages, 'message')} of the role "${role}" passed over: it is none of user, assistant, tool, system`,
    );
  return drafts;
}
