import type { Workspace } from '../../../app/workspace.js';
import { ExitCode, exitCodeOf } from '../../../base/failure.js';
import type { RequestFields } from '../../../base/request.js';
import { formatUnsupportedLines } from '../../../memory/supported.js';
import type { FlushEvent, FlushReport } from '../../../session/flush.js';
import { decideFlush, type FlushDecision } from '../../../session/flush-decision.js';
import {
  AGENT_ANSWER_FIELD,
  FLUSH_APPLY_REQUEST,
  FLUSH_CHECK_REQUEST,
  FLUSH_REQUEST,
  SESSION_FIELDS,
} from '../../../session/requests.js';
import { readInput } from '../../io.js';
import { formatNumberOf, formatPrompt } from '../../text.js';
import { type CommandContext, defineGroup, defineVerb, WRITE_OPTIONS } from '../../verb.js';
import { finishWrite, openMemoryWorkspace, openSessions } from '../../workspace.js';

const OF_SESSION = {
  session: { type: 'text', required: true, value: 'id', doc: SESSION_FIELDS.session.doc },
} as const satisfies RequestFields;

const check = defineVerb({
  summary: 'decide whether memories should be saved now, before a compaction',
  takes: {
    session: {
      type: 'text',
      value: 'id',
      doc: 'use the counters, the size and the settings of this session, unless you give them',
    },
    ...FLUSH_CHECK_REQUEST,
  },
  examples: ['flush check --tokens 178000 --context-window 200000 --json'],
  run: async (context, { session, ...question }) => {
    const decision =
      session === undefined ? decideFlush(question) : await (await openSessions(context)).flushCheck(session, question);
    if (decision.warning !== undefined) context.out.warn(decision.warning);
    context.out.answer(decisionText(decision), decision);
  },
});

const run = defineVerb({
  summary: 'save important facts, once per compaction',
  takes: {
    ...OF_SESSION,
    strict: { type: 'boolean', doc: 'exit with code 1 if memories were not saved, or 3 if there is no model' },
    ...FLUSH_REQUEST,
    commit: WRITE_OPTIONS.commit,
  },
  more:
    'A failure does not stop the host: it is a warning, and the exit code is 0.\n' +
    'With --json: one event per line. The last one is memory_flush_end.',
  examples: ['flush run --session chat-1'],
  run: async (context, { session, strict, commit, ...options }) => {
    const { out } = context;
    const workspace = await openMemoryWorkspace(context);
    const sessions = await workspace.sessions(context.signal);
    const emit = (event: FlushEvent): void => {
      if (event.type !== 'memory_flush_start') return;
      if (out.json) out.line(JSON.stringify(event));
      else out.note('saving memories …');
    };
    const report = await sessions.flush(session, emit, options);
    const { failure } = report;
    for (const line of formatUnsupportedLines(report.refused ?? [])) out.detail(line);
    const json = await finished(context, workspace, report, commit);
    out.answer(inWords(report), { type: 'memory_flush_end', ...json });
    if (failure?.hint !== undefined) out.note(`hint: ${failure.hint}`);
    if (failure?.type === 'interrupted') return ExitCode.failed;
    return strict && failure !== undefined ? exitCodeOf(failure) : ExitCode.done;
  },
});

const prompt = defineVerb({
  summary: "print the prompt in parts, so that the calling agent's own model can answer it",
  takes: OF_SESSION,
  examples: ['flush prompt --session chat-1 --json'],
  run: async (context, { session }) => {
    const form = await (await openSessions(context)).flushPrompt(session);
    const until = form.parts > 1 ? ` --until ${form.until}` : '';
    context.out.note(`answer with: openclaw memory flush apply --session ${session}${until} --answer FILE`);
    if (form.parts > 1)
      context.out.note(`${form.parts} parts are left, this is the first; answer it, then ask for the next`);
    context.out.exact(formatPrompt(form), form);
  },
});

const apply = defineVerb({
  summary: "save the calling agent's answer to flush prompt",
  takes: {
    ...OF_SESSION,
    answer: { ...AGENT_ANSWER_FIELD.answer, doc: 'file with the answer; - for stdin' },
    ...FLUSH_APPLY_REQUEST,
    commit: WRITE_OPTIONS.commit,
  },
  examples: ['flush apply --session chat-1 --answer answer.json'],
  run: async (context, { session, answer, until, commit }) => {
    const { out, io } = context;
    const text = await readInput(answer, io);
    const workspace = await openMemoryWorkspace(context);
    const report = await (await workspace.sessions(context.signal)).flushApply(session, text, { until });
    out.answer(inWords(report), await finished(context, workspace, report, commit));
  },
});

const EXAMPLES = ['flush check --tokens 178000 --context-window 200000', 'flush run --session chat-1'];
const flush = defineGroup(EXAMPLES, { check, run, prompt, apply });

export const commands = { flush };

const REASONS: Readonly<Record<FlushDecision['reason'], string>> = {
  threshold_reached: 'flush now: the threshold is reached',
  transcript_size: 'flush now: the conversation is very long',
  below_threshold: 'not yet: below the threshold',
  already_flushed: 'no: already flushed since the last compaction',
  no_tokens: 'no: the number of tokens is unknown or zero',
  no_context_window: 'no: the context window is unknown; use --tokens and --context-window',
  switched_off: 'no: switched off in the settings',
};

const FROM = { given: '', settings: ', from the settings', assumed: ', which is assumed' } as const;

function decisionText({ reason, threshold, window }: FlushDecision): string {
  const of = window === undefined ? '' : `, context window ${window.tokens}${FROM[window.from]}`;
  return `${REASONS[reason]}${threshold > 0 ? ` (threshold ${threshold} tokens${of})` : ''}`;
}

async function finished(context: CommandContext, workspace: Workspace, report: FlushReport, commit = false) {
  const { changes, failure, ...json } = report;
  const subject = `save what ${report.session} is worth`;
  const written = await finishWrite(context, workspace, { commit }, changes, subject, report.warnings);
  return { ...json, ...(failure === undefined ? {} : { failure }), ...written };
}

function inWords({ status, saved, proposed }: FlushReport): string {
  const proposals = proposed === 0 ? '' : `, ${formatNumberOf(proposed, 'proposal')} for the core file`;
  if (status === 'done') return `${saved} ${saved === 1 ? 'fact' : 'facts'} saved${proposals}`;
  return { silent: 'nothing is worth saving', skipped: 'not run', failed: 'nothing saved' }[status];
}
