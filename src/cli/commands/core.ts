import { fail } from '../../base/failure.js';
import type { RequestFields, RequestOf } from '../../base/request.js';
import { CORE_EDIT_FIELDS, type CoreEdit } from '../../memory/core-edit.js';
import type { Proposal } from '../../memory/proposals.js';
import type { WaitingProposal } from '../../retain/proposals.js';
import { readStdinText } from '../io.js';
import {
  type CommandContext,
  defineGroup,
  defineVerb,
  failBoth,
  REQUIRED_ARGUMENT_FIELD,
  WRITE_OPTIONS,
} from '../verb.js';
import { finishWrite, openAnyWorkspace, openMemoryWorkspace, type WriteOptions } from '../workspace.js';

const STDIN = { stdin: { type: 'boolean', doc: 'read the lines from standard input' } } as const;
const WHICH = {
  proposal: { ...REQUIRED_ARGUMENT_FIELD, doc: 'number of the proposal in "core proposals", or its id (p-…)' },
  ...WRITE_OPTIONS,
} as const satisfies RequestFields;

const show = defineVerb({
  summary: 'print the core file',
  takes: {},
  examples: ['core show'],
  run: async (context) => {
    const view = await (await openMemoryWorkspace(context)).core();
    context.out.note(`${view.path}: ${view.chars} of ${view.budget} characters`);
    context.out.answer(view.text, view);
  },
});

const append = defineVerb({
  summary: 'add lines at the end of the file, or of one section',
  takes: { ...CORE_EDIT_FIELDS.append, ...STDIN, ...WRITE_OPTIONS },
  examples: ['core append "- Peter lives in Vienna" --section People'],
  run: async (context, { section, ...request }) =>
    change(context, request, { type: 'append', text: await textOf(context, request), section }),
});

const replace = defineVerb({
  summary: 'replace a text that occurs exactly once',
  takes: { ...CORE_EDIT_FIELDS.replace, ...WRITE_OPTIONS },
  examples: ['core replace --old "in Graz" --new "in Vienna" --dry-run'],
  run: (context, { old, new: text, ...options }) => change(context, options, { type: 'replace', old, new: text }),
});

const insert = defineVerb({
  summary: 'insert lines before or after a line',
  takes: { ...CORE_EDIT_FIELDS.insert, ...STDIN, ...WRITE_OPTIONS },
  examples: ['core insert "- Anna plays chess" --after "- Peter"'],
  run: async (context, { after, before, line, ...request }) =>
    change(context, request, { type: 'insert', text: await textOf(context, request), after, before, line }),
});

const proposals = defineVerb({
  summary: 'list the proposed changes of the core file',
  takes: {},
  more: 'The proposals are checkboxes in bank/proposals/. A box that you tick by hand\nstays in the list until "core accept" makes the change.',
  examples: ['core proposals'],
  run: async (context) => {
    const { waiting, warnings } = (await (await openMemoryWorkspace(context)).proposals()).list();
    const json = waiting.map(({ proposal, ...rest }) => ({ ...rest, ...proposal }));
    context.out.answer(waiting.map(listed).join('\n') || 'No proposals.', { proposals: json, warnings });
  },
});

const accept = defineVerb({
  summary: 'make a proposed change, and tick off the proposal',
  takes: WHICH,
  more: 'Text that moves out of the core file goes to memory/topics/moved-from-core.md.',
  examples: ['core accept 1 --commit'],
  run: (context, request) => settle(context, 'accept', request),
});

const reject = defineVerb({
  summary: 'reject a proposal; it is not proposed again',
  takes: WHICH,
  examples: ['core reject 1 --commit'],
  run: (context, request) => settle(context, 'reject', request),
});

const MEMBERS = { show, append, replace, insert, proposals, accept, reject };
const core = defineGroup(['core append "- Peter lives in Vienna" --section People'], MEMBERS);

export const commands = { core };

async function textOf(
  { io }: CommandContext,
  { text, stdin }: { readonly text: string; readonly stdin?: boolean | undefined },
): Promise<string> {
  if (stdin && text !== '') failBoth('a text argument', '--stdin');
  const said = stdin ? await readStdinText(io) : text;
  if (said.trim() === '') fail('usage', 'there is no text', 'write the text as an argument, or send it with --stdin');
  return said;
}

async function change(context: CommandContext, options: WriteOptions, edit: CoreEdit): Promise<void> {
  const workspace = await openAnyWorkspace(context);
  const { changes, ...json } = await workspace.changeCore(edit, options.dryRun === true);
  const { path, chars, budget, warnings } = json;
  const written = await finishWrite(context, workspace, options, changes, `${edit.type} in ${path}`, warnings);
  context.out.answer(written.diff ?? `${path}: ${chars} of ${budget} characters`, { ...json, ...written });
}

async function settle(
  context: CommandContext,
  how: 'accept' | 'reject',
  { proposal: which, ...options }: RequestOf<typeof WHICH>,
): Promise<void> {
  const workspace = await openMemoryWorkspace(context);
  const { changes, proposal, ...rest } = await (await workspace.proposals())[how](which, options.dryRun === true);
  const written = await finishWrite(context, workspace, options, changes, `${how} ${rest.id}`);
  const text = `${how === 'accept' ? 'Accepted' : 'Rejected'}: ${inWords(proposal)}`;
  context.out.answer(written.diff ?? text, { ...rest, ...proposal, ...written });
}

function listed({ number, id, state, proposal, source }: WaitingProposal): string {
  const { reason, citations } = proposal;
  const grounds = [reason, citations.join(', ')].filter((part) => part !== '').join('; ');
  const ticked = state === 'ticked' ? ' [ticked, but not yet made]' : '';
  const lines = [`${number}. ${inWords(proposal)}${ticked}`, ...(grounds === '' ? [] : [`   ${grounds}`])];
  return [...lines, `   ${id}  ${source}`].join('\n');
}

function inWords(proposal: Proposal): string {
  if (proposal.action === 'add') return `add: ${proposal.text}`;
  if (proposal.action === 'move-out') return `move out: ${proposal.text}`;
  const what = proposal.action === 'shorten' ? 'shorten' : `change in ${proposal.page}`;
  return `${what}: ${proposal.old}\n   to: ${proposal.text}`;
}
