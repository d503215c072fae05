import { GET, type GetAnswer } from '../../recall/get.js';
import { BATCHED, type RecallAnswer } from '../../recall/request.js';
import { FORGET, type ForgetReport } from '../../retain/forget.js';
import { RETAIN, type RetainReport } from '../../retain/retain.js';
import { type Tool, tool, withPaths } from '../tool.js';
import { RECALL_RESULT } from './results.js';

export const MEMORY_TOOLS: readonly Tool[] = [
  tool<RecallAnswer>()({
    name: 'recall',
    title: 'Recall',
    description:
      'Find what is known, before you answer from memory: facts and log lines with their file and line. Ask a plain ' +
      'question with its concrete words (names, numbers, a time such as "last week"). An empty list, or `answers: none`, ' +
      'means that nothing is known of it. Cite `source` when you use a result; `superseded` names the fact that replaced it, `standsFor` the ' +
      'lines that say the same.',
    effect: 'reads',
    input: BATCHED,
    output: {
      query: 'text',
      mode: 'text',
      window: { orNull: { since: { orNull: 'text' }, until: { orNull: 'text' } } },
      results: [RECALL_RESULT],
      answers: 'text',
      tokens: 'number',
      dropped: 'number',
      stale: 'yes/no',
      warnings: ['text'],
      'explain?': ['text'],
    },
    run: (memory, request, signal) => memory.recall(request, signal),
  }),
  tool<GetAnswer>()({
    name: 'get',
    title: 'Get a fact, lines or a page',
    description:
      'What stands at a place, to look around a result of recall or to read a page whole: by id, by `path`, or by ' +
      '`path#L4` and `path#L3-L9`, as `source` gives it. Of a page, `linkedFrom` names the lines that link to it.',
    effect: 'reads',
    input: GET,
    output: {
      item: 'any',
      before: [{ line: 'number', text: 'text' }],
      after: [{ line: 'number', text: 'text' }],
      linkedFrom: [{ id: 'text', content: 'text', source: 'text' }],
    },
    run: (memory, request) => memory.get(request),
  }),
  tool<Omit<RetainReport, 'changes'> & { readonly written: readonly string[] }>()({
    name: 'retain',
    title: 'Retain',
    description:
      'Append facts to the log of today, on disk when this returns. One fact each: `W @Peter: lives in Vienna` (W: the ' +
      'world, B: what you did, `O(c=0.8)`: an opinion and how sure it is, S: an observation). Whole sentences that ' +
      'can be read without this conversation; no secrets. What is there already is skipped.',
    effect: 'writes',
    input: RETAIN,
    output: {
      retained: [
        {
          id: 'text',
          kind: 'text',
          entities: ['text'],
          content: 'text',
          source: 'text',
          'nearDuplicateOf?': 'text',
        },
      ],
      skipped: [{ text: 'text', reason: 'text', duplicate: 'yes/no' }],
      warnings: ['text'],
      written: ['text'],
    },
    run: async (memory, request) => withPaths(await memory.retain(request)),
  }),
  tool<Omit<ForgetReport, 'changes'> & { readonly written: readonly string[] }>()({
    name: 'forget',
    title: 'Forget',
    description:
      'Take a statement out for good, wherever it stands. Only when the user asks for it. `id` as recall gives it; ' +
      '`remaining` names places that still have the text.',
    effect: 'removes',
    input: FORGET,
    output: {
      id: 'text',
      content: 'text',
      erased: ['text'],
      remaining: [{ source: 'text', what: 'text' }],
      written: ['text'],
    },
    run: async (memory, request) => withPaths(await memory.forget(request)),
  }),
];
