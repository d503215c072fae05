import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { EXTRACT_PROMPT_REQUEST, EXTRACT_SOURCE_REQUEST, type ExtractFrom } from '../../app/requests.js';
import { ExitCode, MemoryError } from '../../base/failure.js';
import type { RequestFields, RequestOf } from '../../base/request.js';
import { type ApplyReport, formatApplyMessages } from '../../extract/apply.js';
import type { MemoryType } from '../../extract/memory-type.js';
import { formatUnsupportedLines } from '../../memory/supported.js';
import { AGENT_ANSWER_FIELD } from '../../session/requests.js';
import { readInput, readStreamText } from '../io.js';
import { formatNumberOf, formatPrompt } from '../text.js';
import { type CommandContext, defineGroup, defineVerb, failBoth, UNDO_OPTION, WRITE_OPTIONS } from '../verb.js';
import { buildWorkspaceOptions, finishWrite, openAnyWorkspace, openMemoryWorkspace } from '../workspace.js';

const { text: _, name: __, ...OF } = EXTRACT_SOURCE_REQUEST;

const FROM = {
  session: OF.session,
  file: { type: 'text', value: 'file', doc: 'read messages (JSON or JSON lines) or a log from a file' },
  stdin: { type: 'boolean', doc: 'read messages from standard input' },
  types: OF.types,
  since: OF.since,
} as const satisfies RequestFields;

type FromOptions = RequestOf<typeof FROM>;

const RUN = { ...FROM, undo: UNDO_OPTION, ...WRITE_OPTIONS } as const satisfies RequestFields;

type RunOptions = RequestOf<typeof RUN>;

const run = defineVerb({
  takes: RUN,
  more: '"openclaw memory types" shows the types of pages. Without a model on this\nmachine, the calling agent can do the work: extract prompt, then extract apply.',
  examples: ['extract --session chat-1 --commit', 'extract --undo'],
  run: (context, options) => (options.undo === undefined ? runExtraction(context, options) : undo(context, options)),
});

const prompt = defineVerb({
  summary: "print the prompt, so that the calling agent's own model can answer it",
  takes: { ...FROM, part: EXTRACT_PROMPT_REQUEST.part, maxTokens: EXTRACT_PROMPT_REQUEST.maxTokens },
  examples: ['extract prompt --session chat-1 --json'],
  run: async (context, { part, maxTokens, ...options }) => {
    const { out } = context;
    const workspace = await openMemoryWorkspace(context);
    const from = await fromOf(context, workspace.root, options);
    const form = await (await workspace.extraction()).prompt({ ...from, part, maxTokens });
    if (form === null) out.note('there are no new messages to extract from');
    else out.note(`part ${form.part} of ${form.parts}; answer with: openclaw memory extract apply --answer FILE`);
    out.exact(form === null ? '' : formatPrompt(form), form ?? { parts: 0 });
  },
});

const apply = defineVerb({
  summary: 'apply an answer to extract prompt; the same answer is never applied twice',
  takes: {
    answer: {
      ...AGENT_ANSWER_FIELD.answer,
      doc: 'file with the operations, or with the whole answer of the model; - for stdin',
    },
    ...WRITE_OPTIONS,
  },
  examples: ['extract apply --answer answer.json --commit'],
  run: async (context, { answer, ...options }) => {
    const text = await readInput(answer, context.io);
    const workspace = await openAnyWorkspace(context);
    const { changes, ...report } = await (await workspace.extraction(context.signal)).apply(text, options.dryRun);
    for (const note of formatApplyMessages(report)) context.out.warn(note);
    const subject = `extract ${formatNumberOf(report.pages.length, 'page')}`;
    const written = await finishWrite(context, workspace, options, changes, subject);
    const done = inWords(report) || (report.already.length > 0 ? 'Applied already.' : 'Nothing to do.');
    context.out.answer(written.diff ?? done, { ...report, ...written });
    return report.rejected.length === 0 ? ExitCode.done : ExitCode.failed;
  },
});

const extract = defineGroup([], { prompt, apply }, run);

async function runExtraction(context: CommandContext, options: RunOptions): Promise<ExitCode> {
  const { out } = context;
  const workspace = await openAnyWorkspace(context);
  const from = await fromOf(context, workspace.root, options);
  const extraction = await workspace.extraction(context.signal);
  const { changes, ...report } = await orHint(extraction.run({ ...from, dryRun: options.dryRun }));
  for (const { message, hint } of report.failures) out.warn(hint === undefined ? message : `${message} (${hint})`);
  for (const note of report.runs.flatMap(formatApplyMessages)) out.warn(note);
  for (const line of formatUnsupportedLines(report.runs.flatMap(({ refused = [] }) => refused))) out.detail(line);
  const pages = report.runs.flatMap((run) => run.pages);
  const subject = `extract ${formatNumberOf(pages.length, 'page')}`;
  const written = await finishWrite(context, workspace, options, changes, subject);
  const nothing =
    report.parts === report.skipped ? 'There are no new messages to extract from.' : 'Nothing is worth remembering.';
  const done = report.runs.map(inWords).filter(Boolean).join('\n') || nothing;
  out.answer(written.diff ?? done, { ...report, ...written });
  const isClean = report.failures.length === 0 && report.runs.every(({ rejected }) => rejected.length === 0);
  return isClean ? ExitCode.done : ExitCode.failed;
}

/**
 * If an error says that no model is available, adds a hint: the model of the calling agent can extract. The rules can't
 * do this.
 */
async function orHint<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.failure.type !== 'model_unavailable') throw error;
    const own = 'to use your own model: openclaw memory extract prompt --json, then extract apply --answer FILE';
    const hint = [error.failure.hint, own].filter((part) => part !== undefined).join('; ');
    throw new MemoryError({ ...error.failure, hint });
  }
}

async function undo(context: CommandContext, options: RunOptions): Promise<void> {
  const workspace = await openMemoryWorkspace(context);
  const extraction = await workspace.extraction(context.signal);
  const which = typeof options.undo === 'string' ? options.undo : undefined;
  const { run, changes } = await extraction.undo(which, options.dryRun);
  const written = await finishWrite(context, workspace, options, changes, `take back ${run}`);
  const pages = changes.filter(({ path }) => !/\/\.[^/]*$/u.test(path)).map(({ path }) => path);
  const text = written.diff ?? `Undone: ${run}, ${formatNumberOf(pages.length, 'page')}`;
  context.out.answer(text, { run, written: pages, ...written });
}

async function fromOf({ io }: CommandContext, root: string, options: FromOptions): Promise<ExtractFrom> {
  const { session, file, stdin, types, since } = options;
  if ([session, file, stdin].filter((one) => one !== undefined).length > 1) failBoth('--session, --file', '--stdin');
  const rest = { session, since, types };
  if (stdin) return { ...rest, text: await readStreamText(io.stdin), name: '-' };
  if (file === undefined) return rest;
  const text = await readInput(file, io);
  const path = file === '-' ? '-' : relative(root, resolve(io.cwd, file)).replaceAll('\\', '/');
  return { ...rest, text, name: path.startsWith('..') ? file : path };
}

const SIGNS = { add: '+', update: '~', delete: '-' } as const;

function inWords({ pages, run }: Pick<ApplyReport, 'pages' | 'run'>): string {
  if (pages.length === 0) return '';
  return [
    ...pages.map(({ path, operation }) => `${SIGNS[operation]} ${path}`),
    ...(run === null ? [] : [`(${run})`]),
  ].join('\n');
}

const types = defineVerb({
  takes: { name: { type: 'text', place: 'argument', doc: 'show only this type' } },
  more: 'Put your own types into bank/types/NAME.yaml. Your type replaces a built-in type\nwith the same name.',
  examples: ['types', 'types preferences'],
  run: async (context, { name }) => {
    const { MemoryTypes } = await import('../../extract/types.js');
    const { findWorkspace } = await import('../../app/open.js');
    // Without a workspace, only the built-in types exist.
    const { root } = (await findWorkspace(buildWorkspaceOptions(context))).located;
    const types = MemoryTypes.load(existsSync(root) ? root : undefined);
    if (name === undefined) {
      const lines = types.all.map(lineOf).join('\n');
      context.out.answer(lines, { types: types.all.map(typeJson) });
    } else {
      const type = types.named(name);
      context.out.answer(typeText(type), typeJson(type));
    }
  },
});

export const commands = { extract, types };

function lineOf({ name, directory, description, enabled, source }: MemoryType): string {
  const notes = [enabled ? '' : 'off', source === 'built-in' ? '' : source].filter((note) => note !== '').join(', ');
  return `${name.padEnd(12)} ${`${directory}/`.padEnd(20)} ${description}${notes === '' ? '' : ` (${notes})`}`;
}

function typeText(type: MemoryType): string {
  const fields = type.fields.map(
    ({ name, type: of, merge_op, description }) => `  ${name} (${of}, ${merge_op})  ${description}`,
  );
  const parts = [
    `${type.name}: ${type.description}`,
    `pages: ${type.directory}/${type.filename_template}.md (${type.operation_mode}${type.enabled ? '' : ', off'}; ${type.source})`,
    `fields:\n${fields.join('\n')}`,
  ];
  for (const [title, lines] of [
    ['guidelines', type.guidelines],
    ['good', type.good_cases],
    ['bad', type.bad_cases],
  ] as const) {
    if (lines.length > 0) parts.push(`${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
  if (type.content_template !== null) parts.push(`template:\n${type.content_template.replace(/^/gmu, '  ')}`);
  return parts.join('\n');
}

function typeJson({ identity: _, fields, ...type }: MemoryType) {
  return { ...type, fields };
}
