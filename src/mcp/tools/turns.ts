import { EXTRACT_PROMPT_REQUEST } from '../../app/requests.js';
import { list, nullable } from '../../base/report.js';
import { APPLY_REPORT } from '../../extract/apply.js';
import type { ExtractPrompt } from '../../extract/extract.js';
import { PROMPT_FORM } from '../../model/answer.js';
import { RESUME_REPORT } from '../../session/commit.js';
import { FLUSH_PART, FLUSH_REPORT } from '../../session/flush.js';
import { FLUSH_DECISION } from '../../session/flush-decision.js';
import {
  AGENT_ANSWER_FIELD,
  FLUSH_APPLY_REQUEST,
  SESSION_COMPACT_REQUEST,
  SESSION_FIELDS,
  WM_APPLY_REQUEST,
  WM_PROMPT_REQUEST,
} from '../../session/requests.js';
import { SESSION_WM_PROMPT } from '../../session/working-memory.js';
import { type McpTool, makeMcpTool } from '../tool.js';

const { session, status, saved, proposed, warnings } = FLUSH_REPORT;
const { run, document, pages, already, rejected } = APPLY_REPORT;

/**
 * Tools for work that needs a model, when the calling agent's own model does it. One tool gives the agent a prompt; another
 * tool checks the model's answer and applies it.
 */
export const AGENT_MODEL_TOOLS: readonly McpTool[] = [
  makeMcpTool({
    name: 'wm_prompt',
    title: 'Prompt for the Working Memory',
    description:
      'Get the prompt for the oldest archive of a session without a Working Memory. You answer it. If there are ' +
      'several `parts`, answer each one with wm_apply.',
    effect: 'reads',
    input: { ...SESSION_FIELDS, ...WM_PROMPT_REQUEST },
    output: SESSION_WM_PROMPT,
    run: async (memory, { session, ...options }, signal) => (await memory.sessions(signal)).wmPrompt(session, options),
  }),
  makeMcpTool({
    name: 'wm_apply',
    title: 'Update the Working Memory',
    description: 'Apply your answer to wm_prompt. Guards keep the items that you must not remove, with the reason.',
    effect: 'writes',
    input: { ...SESSION_FIELDS, ...AGENT_ANSWER_FIELD, ...WM_APPLY_REQUEST },
    output: RESUME_REPORT,
    run: async (memory, { session, answer, ...options }, signal) =>
      (await memory.sessions(signal)).wmApply(session, answer, options),
  }),
  makeMcpTool({
    name: 'flush_check',
    title: 'Is a flush due',
    description: 'Decide whether memories of a session should be saved now, before its conversation is compacted.',
    effect: 'reads',
    input: {
      ...SESSION_FIELDS,
      tokens: SESSION_COMPACT_REQUEST.tokens,
      contextWindow: SESSION_COMPACT_REQUEST.contextWindow,
    },
    output: FLUSH_DECISION,
    run: async (memory, { session, tokens, contextWindow }, signal) =>
      (await memory.sessions(signal)).flushCheck(session, { tokens, contextWindow }),
  }),
  makeMcpTool({
    name: 'flush_prompt',
    title: 'Prompt for a flush',
    description:
      'Get the prompt that asks you what to save of a session before its compaction. It is for the oldest waiting part; ' +
      'answer with flush_apply and its `until`.',
    effect: 'reads',
    input: SESSION_FIELDS,
    output: { ...FLUSH_PART, ...PROMPT_FORM },
    run: async (memory, { session }, signal) => (await memory.sessions(signal)).flushPrompt(session),
  }),
  makeMcpTool({
    name: 'flush_apply',
    title: 'Save what a flush found',
    description: 'Save your answer to flush_prompt in the log of the day. `[SILENT]` saves nothing.',
    effect: 'writes',
    input: { ...SESSION_FIELDS, ...AGENT_ANSWER_FIELD, ...FLUSH_APPLY_REQUEST },
    output: { session, status, saved, proposed, warnings, written: list() },
    run: async (memory, { session: id, answer, ...options }, signal) =>
      (await memory.sessions(signal)).flushApply(id, answer, options),
  }),
  makeMcpTool({
    name: 'extract_prompt',
    title: 'Prompt for an extraction',
    description:
      'Get the prompt that asks you for the lasting memories of a conversation (profile, preferences, events, lessons) as ' +
      'operations on typed pages. Answer each of its `parts` with extract_apply. Null if nothing is left.',
    effect: 'reads',
    input: EXTRACT_PROMPT_REQUEST,
    output: { prompt: nullable<ExtractPrompt>() },
    run: async (memory, request, signal) => ({ prompt: await (await memory.extraction(signal)).prompt(request) }),
  }),
  makeMcpTool({
    name: 'extract_apply',
    title: 'Write what was extracted',
    description:
      'Apply your answer to extract_prompt to the pages of the bank, exactly once. `rejected` lists what was not ' +
      'accepted, and why. It may change and remove text of pages; a run can be undone.',
    effect: 'removes',
    input: {
      answer: { type: 'text', required: true, doc: 'the answer, as JSON of the schema that the prompt came with' },
      dryRun: { type: 'boolean', doc: 'write nothing' },
    },
    output: { run, document, pages, already, rejected },
    run: async (memory, { answer, dryRun }, signal) => (await memory.extraction(signal)).apply(answer, dryRun),
  }),
];
