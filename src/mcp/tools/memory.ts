import { BUILD } from '../../context/build.js';
import { GET, type GetAnswer } from '../../recall/get.js';
import { BATCHED } from '../../recall/request.js';
import { FORGET } from '../../retain/forget.js';
import { RETAIN } from '../../retain/retain.js';
import { type McpTool, tool, withPaths } from '../tool.js';

const { trigger, about, withCore } = BUILD;
const RECORDS = { type: 'list', of: { type: 'record' } } as const;

// A dry run shows a diff. The answer of a tool has no diff, so this tool has no dry run.
const { dryRun: _, ...KEPT } = RETAIN;
const { dryRun: __, ...GONE } = FORGET;

export const MEMORY_TOOLS: readonly McpTool[] = [
  tool({
    name: 'recall',
    title: 'Recall',
    description:
      'Find what is known, before you answer: facts and log lines. Ask a plain question with concrete ' +
      'words (names, numbers, "last week"). No results or `answers: none`: nothing is known. ' +
      'Cite `source`; `superseded`: the fact that replaced it.',
    effect: 'reads',
    input: BATCHED,
    output: {
      string: ['query', 'mode', 'answers'],
      number: ['tokens', 'dropped'],
      boolean: ['stale'],
      array: ['results', 'warnings', 'explain'],
      any: ['window'],
    },
    run: (memory, request, signal) => memory.recall(request, signal),
  }),
  tool({
    name: 'get',
    title: 'Get',
    description:
      'What is at a place: an id, a page, or lines of it as `source` gives them, with what is around. Of a page, ' +
      '`linkedFrom`: the lines that link to it.',
    effect: 'reads',
    input: GET,
    output: { array: ['before', 'after', 'linkedFrom'], object: ['item'] },
    run: async (memory, request) => inPart(await memory.get(request)),
  }),
  tool({
    name: 'retain',
    title: 'Retain',
    description:
      'Append facts to the log of today, on disk when this returns. One fact each: `W @Peter: lives in Vienna` (W: the ' +
      'world, B: what you did, `O(c=0.8)`: an opinion, how sure, S: an observation). Whole sentences, to ' +
      'be read without this conversation; no secrets. What is there already is skipped.',
    effect: 'writes',
    input: KEPT,
    output: { array: ['retained', 'skipped', 'warnings', 'written'] },
    run: async (memory, request) => withPaths(await memory.retain(request)),
  }),
  tool({
    name: 'forget',
    title: 'Forget',
    description:
      'Take a statement out for good, wherever it stands. Only when the user asks for it. `id` as recall gives it; ' +
      '`remaining` names places that still have the text.',
    effect: 'removes',
    input: GONE,
    output: { string: ['id', 'content'], array: ['erased', 'remaining', 'written'] },
    run: async (memory, request) => withPaths(await memory.forget(request)),
  }),
  tool({
    name: 'context_build',
    title: 'Memories for a message',
    description:
      "The block of memories to put before a user's message: what is known about what it says, and lessons of earlier " +
      'work when it is a task. To answer a question, use recall.',
    effect: 'reads',
    input: {
      message: { type: 'text', required: true, doc: 'what the user said' },
      before: { ...RECORDS, doc: '{"role", "content"} each: the messages before it, oldest first' },
      trigger,
      about,
      withCore,
    },
    output: { string: ['block'], boolean: ['injected'], array: ['warnings'] },
    run: async (memory, { message, before = [], ...rest }, signal) => {
      const said = before.map((one) => ({ content: undefined, ...one, role: String(one.role) }));
      const messages = [...said, { role: 'user', content: message }];
      const { injected, block, warnings } = await memory.buildContext({ ...rest, messages }, signal);
      return { injected, block, warnings };
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
