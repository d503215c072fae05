import { BUILT_CONTEXT, CONTEXT_BUILD_REQUEST } from '../../context/build.js';
import { AGENDA_ANSWER, AGENDA_REQUEST } from '../../query/agenda.js';
import { GET_ANSWER, GET_REQUEST, type GetAnswer } from '../../query/get.js';
import { RECENT_ANSWER, RECENT_REQUEST } from '../../query/recent.js';
import { BATCHED_REQUEST, RECALL_ANSWER } from '../../query/request.js';
import { FORGET_REPORT, FORGET_REQUEST } from '../../retain/forget.js';
import { NOTE_REPORT, NOTE_REQUEST } from '../../retain/note.js';
import { RETAIN_REPORT, RETAIN_REQUEST } from '../../retain/retain.js';
import { type McpTool, makeMcpTool, withWritten } from '../tool.js';

const { trigger, about, withCore } = CONTEXT_BUILD_REQUEST;
const { injected, block, warnings } = BUILT_CONTEXT;
const RECORDS = { type: 'list', of: { type: 'record' } } as const;

// A dry run shows a diff. The answer of a tool has no diff, so these tools have no dry run.
const { dryRun: _, ...KEPT } = RETAIN_REQUEST;
const { dryRun: __, ...NOTED } = NOTE_REQUEST;
const { dryRun: ___, ...GONE } = FORGET_REQUEST;

export const MEMORY_TOOLS: readonly McpTool[] = [
  makeMcpTool({
    name: 'recall',
    title: 'Recall',
    description:
      'Find facts and log lines before you answer. Ask a plain question. If words are `missing`, ask in others; ' +
      '`answers: none` then means: nothing is known. Cite `source`. `superseded`: the fact that replaced a result.',
    effect: 'reads',
    input: BATCHED_REQUEST,
    output: RECALL_ANSWER,
    run: (memory, request, signal) => memory.recall(request, signal),
  }),
  makeMcpTool({
    name: 'agenda',
    title: 'Agenda',
    description: 'Show what lies ahead and what is open: dates, tasks, birthdays.',
    effect: 'reads',
    input: AGENDA_REQUEST,
    output: AGENDA_ANSWER,
    run: (memory, request) => memory.agenda(request),
  }),
  makeMcpTool({
    name: 'recent',
    title: 'Recent',
    description: 'Show day by day what was written, decided and changed.',
    effect: 'reads',
    input: RECENT_REQUEST,
    output: RECENT_ANSWER,
    run: (memory, request) => memory.recent(request),
  }),
  makeMcpTool({
    name: 'get',
    title: 'Get',
    description:
      'Read an id, a page or a `source`, with the lines around it. For a page, ' +
      '`linkedFrom` has the lines that link to it.',
    effect: 'reads',
    input: GET_REQUEST,
    output: GET_ANSWER,
    run: async (memory, request) => inPart(await memory.get(request)),
  }),
  makeMcpTool({
    name: 'retain',
    title: 'Retain',
    description:
      'Save facts to the log of today, on disk when this returns. One fact each: `W @Peter: lives in Vienna` (W: the ' +
      'world, B: what you did, `O(c=0.8)`: an opinion and how sure, S: an observation). Write whole sentences that can ' +
      'be read without this conversation, and no secrets. Known facts are skipped.',
    effect: 'writes',
    input: KEPT,
    output: withWritten(RETAIN_REPORT),
    run: (memory, request) => memory.retain(request),
  }),
  makeMcpTool({
    name: 'note',
    title: 'Note',
    description:
      'Append a line or Markdown to the log of today, or to a page below memory/, which is made if it is missing. For ' +
      'plans, tasks and text that is no fact; recall finds it at once. No secrets.',
    // It replaces only what it has written itself.
    effect: 'writes',
    input: NOTED,
    output: withWritten(NOTE_REPORT),
    run: (memory, request) => memory.note(request),
  }),
  makeMcpTool({
    name: 'forget',
    title: 'Forget',
    description:
      'Remove a statement for good, everywhere. Only when the user asks for it. `id` is from recall; ' +
      '`remaining` lists places that still have the text.',
    effect: 'removes',
    input: GONE,
    output: withWritten(FORGET_REPORT),
    run: (memory, request) => memory.forget(request),
  }),
  makeMcpTool({
    name: 'context_build',
    title: 'Memories for a message',
    description:
      "Build the memories to put before a user's message: what is known about it, and lessons of earlier " +
      'tasks if it is a task. To answer a question, use recall.',
    effect: 'reads',
    input: {
      message: { type: 'text', required: true, doc: 'the message of the user' },
      before: { ...RECORDS, doc: 'the messages before it, oldest first, each {"role", "content"}' },
      trigger,
      about,
      withCore,
    },
    output: { injected, block, warnings },
    run: async (memory, { message, before = [], ...rest }, signal) => {
      const said = before.map((one) => ({ content: undefined, ...one, role: String(one.role) }));
      const messages = [...said, { role: 'user', content: message }];
      return memory.buildContext({ ...rest, messages }, signal);
    },
  }),
];

/** Maximum size of a returned page, in characters: some ten thousand tokens. */
const MOST_CHARS = 40_000;
const MOST_LINKS = 20;

/** The first part of a long page; `next` says where it continues. */
function inPart({ item, linkedFrom, ...around }: GetAnswer): GetAnswer & { readonly item: { readonly next?: string } } {
  const links = linkedFrom.slice(0, MOST_LINKS);
  if (item.content.length <= MOST_CHARS) return { item, linkedFrom: links, ...around };
  const lines = item.content.slice(0, MOST_CHARS).split('\n');
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  const endLine = item.startLine + whole.length - 1;
  const source = `${item.path}#L${item.startLine}-L${endLine}`;
  const rest = endLine < item.endLine ? { next: `${item.path}#L${endLine + 1}-L${item.endLine}` } : {};
  return { item: { ...item, content: whole.join('\n'), source, endLine, ...rest }, linkedFrom: links, ...around };
}
