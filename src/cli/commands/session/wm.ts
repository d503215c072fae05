import { fail, valueOrThrow } from '../../../base/failure.js';
import {
  AGENT_ANSWER_FIELD,
  SESSION_FIELDS,
  WM_APPLY_REQUEST,
  WM_PROMPT_REQUEST,
  type WmPromptOptions,
} from '../../../session/requests.js';
import { mergeWorkingMemory } from '../../../wm/merge.js';
import { parseOperations } from '../../../wm/operations.js';
import type { WmPrompt } from '../../../wm/prompt.js';
import { readTemplate } from '../../../workspace/templates.js';
import { readInput } from '../../io.js';
import { formatPrompt } from '../../text.js';
import { type CommandContext, defineGroup, defineVerb } from '../../verb.js';
import { openMemoryWorkspace, openSessions, reportWritePath } from '../../workspace.js';
import { exitCodeOfArchives, formatFinishedArchive } from './writing.js';

const OLD = {
  type: 'text',
  value: 'file',
  doc: 'file with the current Working Memory or an older summary, may be empty; - for stdin',
} as const;
const ANSWERED = {
  ...AGENT_ANSWER_FIELD.answer,
  doc: 'file with the operations, or with the whole answer of the model; - for stdin',
} as const;
const ONE = { type: 'text', place: 'argument' } as const;

const merge = defineVerb({
  summary: 'apply operations to a Working Memory and print the result; writes no file',
  takes: { old: { ...OLD, required: true }, answer: ANSWERED },
  examples: ['wm merge --old wm.md --answer answer.json --json'],
  run: async ({ io, out }, { old, answer }) => {
    if (old === '-' && answer === '-') twoFromStdin('--old and --answer');
    const document = await readInput(old, io);
    const { operations, recovered } = valueOrThrow(parseOperations(await readInput(answer, io)));
    if (recovered) out.warn('the operations are not valid JSON; only the readable part was used');
    const merged = mergeWorkingMemory(document, operations);
    for (const reminder of merged.reminders) out.note(reminder);
    out.answer(merged.document, merged);
  },
});

const prompt = defineVerb({
  summary: 'print the prompt and the JSON schema for updating a Working Memory',
  takes: {
    session: { ...ONE, doc: 'use the oldest waiting archive of this session (without it, name both files)' },
    old: OLD,
    messages: { type: 'text', value: 'file', doc: 'file with the new messages, JSON or JSON lines; - for stdin' },
    ...WM_PROMPT_REQUEST,
  },
  examples: ['wm prompt chat-1 --json', 'wm prompt --old wm.md --messages messages.jsonl --json'],
  run: async (context, { session, old, messages, ...options }) => {
    const built =
      session === undefined
        ? await promptOfFiles(context, old, messages)
        : await promptOf(context, session, options, old ?? messages);
    context.out.exact(formatPrompt(built), built);
  },
});

const apply = defineVerb({
  summary: 'finish the oldest waiting archive of a session with your answer',
  takes: { ...SESSION_FIELDS, answer: ANSWERED, ...WM_APPLY_REQUEST },
  examples: ['wm apply chat-1 --answer answer.json'],
  run: async (context, { session, answer, ...request }) => {
    const { out, io } = context;
    const text = await readInput(answer, io);
    const workspace = await openMemoryWorkspace(context);
    const report = await (await workspace.sessions(context.signal)).wmApply(session, text, request);
    reportWritePath(context, workspace.root);
    const taken = `accepted; get the next part: openclaw memory wm prompt ${session}`;
    out.answer(report.finished.map((each) => formatFinishedArchive(each, report.session)).join('\n') || taken, report);
    return exitCodeOfArchives(context, report.finished);
  },
});

const show = defineVerb({
  summary: 'print the Working Memory of a session',
  takes: SESSION_FIELDS,
  examples: ['wm show chat-1'],
  run: async (context, { session }) => {
    const { out } = context;
    const shown = await (await openSessions(context)).workingMemory(session);
    if (shown.document === null)
      out.note(`there is no Working Memory yet; make one: openclaw memory session commit ${session}`);
    if (shown.overview_by === 'deterministic')
      out.note(
        `the Working Memory of ${shown.archive} was made without a model; the next commit with a model will be better`,
      );
    out.answer(shown.document ?? '', shown);
  },
});

const MERGING = 'wm merge --old wm.md --answer answer.json > new-wm.md';
const PROMPTING = 'wm prompt --old wm.md --messages messages.jsonl > prompt.txt';
const wm = defineGroup([PROMPTING, MERGING], { merge, prompt, apply, show });

export const commands = { wm };

async function promptOfFiles({ io }: CommandContext, old: string | undefined, messages: string | undefined) {
  if (old === undefined || messages === undefined) {
    return fail('usage', 'there is no session and no files', 'name a session, or use both --old and --messages');
  }
  if (old === '-' && messages === '-') twoFromStdin('--old and --messages');
  const { wmPromptForMessages } = await import('../../../session/working-memory.js');
  const document = await readInput(old, io);
  return wmPromptForMessages(document, await readInput(messages, io), {
    update: readTemplate('prompts/wm-update.md'),
    create: readTemplate('prompts/wm-create.md'),
  });
}

async function promptOf(
  context: CommandContext,
  session: string,
  options: WmPromptOptions,
  file: string | undefined,
): Promise<WmPrompt> {
  if (file !== undefined)
    return fail('usage', "a session can't be used with --old or --messages", 'use only the session, or only the files');
  const built = await (await openSessions(context)).wmPrompt(session, options);
  const part = built.parts === 1 ? '' : `, part ${built.part} of ${built.parts}`;
  context.out.note(`for ${built.archive}${part}; answer with: openclaw memory wm apply ${session} --answer FILE`);
  return built;
}

function twoFromStdin(options: string): never {
  return fail('usage', `${options} can't both be read from stdin`, 'use a file for one of them');
}
