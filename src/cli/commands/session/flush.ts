import type { Workspace } from '../../../app/workspace.js';
import { ExitCode, exitCodeOf } from '../../../base/failure.js';
import type { RequestFields } from '../../../base/request.js';
import type { FlushEvent, FlushReport } from '../../../session/flush.js';
import { decideFlush, type FlushDecision } from '../../../session/flush-decision.js';
import { ANSWER_ARGUMENT, FLUSH, FLUSH_APPLY, FLUSH_CHECK, SESSION } from '../../../session/requests.js';
import { readInput } from '../../io.js';
import { formatPrompt } from '../../text/format.js';
import { type CommandContext, group, verb, WRITES } from '../../verb.js';
import { finishWrite, openFor, sessionsFor } from '../../workspace.js';

const OF_SESSION = {
  session: { type: 'text', required: true, value: 'id', doc: SESSION.session.doc },
} as const satisfies RequestFields;

const check = verb({
  summary: 'should memories be saved now, before the conversation is compacted?',
  takes: {
    session: { type: 'text', value: 'id', doc: 'take counters, size and settings of this session where none is given' },
    ...FLUSH_CHECK,
  },
  examples: ['flush check --tokens 178000 --context-window 200000 --json'],
  run: async (context, { session, ...question }) => {
    const decision =
      session === undefined ? decideFlush(question) : await (await sessionsFor(context)).flushCheck(session, question);
    if (decision.warning !== undefined) context.out.warn(decision.warning);
    context.out.answer(decisionText(decision), decision);
  },
});

const run = verb({
  summary: 'let the model save what is worth remembering, once a compaction cycle',
  takes: {
    ...OF_SESSION,
    strict: { type: 'boolean', doc: 'end with exit code 1, or 3 without a model, when memories were not saved' },
    ...FLUSH,
    commit: WRITES.commit,
  },
  more:
    "A failure stands in nobody's way: it is a warning, and the exit code is 0.\n" +
    'With --json: one event a line, at last memory_flush_end.',
  examples: ['flush run --session chat-1'],
  run: async (context, { session, strict, commit, ...options }) => {
    const { out } = context;
    const workspace = await openFor(context);
    const sessions = await workspace.sessions(context.signal);
    const emit = (event: FlushEvent): void => {
      if (event.type !== 'memory_flush_start') return;
      if (out.json) out.line(JSON.stringify(event));
      else out.note('saving memories …');
    };
    const report = await sessions.flush(session, emit, options);
    const { failure } = report;
    const json = await finished(context, workspace, report, commit);
    out.answer(inWords(report), { type: 'memory_flush_end', ...json });
    if (failure?.hint !== undefined) out.note(`hint: ${failure.hint}`);
    if (failure?.type === 'interrupted') return ExitCode.failed;
    return strict && failure !== undefined ? exitCodeOf(failure) : ExitCode.done;
  },
});

const prompt = verb({
  summary: "print the same turn for the calling agent's own model, in parts",
  takes: OF_SESSION,
  examples: ['flush prompt --session chat-1 --json'],
  run: async (context, { session }) => {
    const form = await (await sessionsFor(context)).flushPrompt(session);
    const until = form.parts > 1 ? ` --until ${form.until}` : '';
    context.out.note(`answer with: openclaw memory flush apply --session ${session}${until} --answer FILE`);
    if (form.parts > 1) context.out.note(`part 1 of ${form.parts} that are left; then ask for the next`);
    context.out.exact(formatPrompt(form), form);
  },
});

const apply = verb({
  summary: "save what the calling agent's own model answered to flush prompt",
  takes: {
    ...OF_SESSION,
    answer: { ...ANSWER_ARGUMENT.answer, doc: 'the answer; - for stdin' },
    ...FLUSH_APPLY,
    commit: WRITES.commit,
  },
  examples: ['flush apply --session chat-1 --answer answer.json'],
  run: async (context, { session, answer, until, commit }) => {
    const { out, io } = context;
    const text = await readInput(answer, io);
    const workspace = await openFor(context);
    const report = await (await workspace.sessions(context.signal)).flushApply(session, text, { until });
    out.answer(inWords(report), await finished(context, workspace, report, commit));
  },
});

const EXAMPLES = ['flush check --tokens 178000 --context-window 200000', 'flush run --session chat-1'];
export const define = group(EXAMPLES, { check, run, prompt, apply });

const REASONS: Readonly<Record<FlushDecision['reason'], string>> = {
  threshold_reached: 'flush now: the threshold is reached',
  transcript_size: 'flush now: the conversation is very long',
  below_threshold: 'not yet: below the threshold',
  already_flushed: 'no: flushed already in this compaction cycle',
  no_tokens: 'no: the number of tokens is unknown or zero',
  no_context_window: 'no: the context window is unknown; give --tokens and --context-window',
  switched_off: 'no: switched off in the settings',
};

const FROM = { given: '', settings: ', by the settings', assumed: ', which nobody gave' } as const;

function decisionText({ reason, threshold, window }: FlushDecision): string {
  const of = window === undefined ? '' : ` of a window of ${window.tokens}${FROM[window.from]}`;
  return `${REASONS[reason]}${threshold > 0 ? ` (threshold ${threshold} tokens${of})` : ''}`;
}

async function finished(context: CommandContext, workspace: Workspace, report: FlushReport, commit = false) {
  const { changes, failure, ...json } = report;
  const subject = `memory: save what ${report.session} is worth`;
  const written = await finishWrite(context, workspace, { commit }, { changes, subject, warnings: report.warnings });
  return { ...json, ...(failure === undefined ? {} : { failure }), ...written };
}

function inWords({ status, saved, proposed }: FlushReport): string {
  const proposals = proposed === 0 ? '' : `, ${proposed} proposed for the core`;
  if (status === 'done') return `${saved} ${saved === 1 ? 'fact' : 'facts'} saved${proposals}`;
  return { silent: 'nothing worth saving', skipped: 'not run', failed: 'nothing saved' }[status];
}
