import type { Workspace } from '../../app/workspace.js';
import { ExitCode, type Failure, fail } from '../../base/failure.js';
import type { RequestFields, RequestOf } from '../../base/request.js';
import { normaliseText } from '../../memory/fact.js';
import type { RecallResult } from '../../query/request.js';
import { FORGET_REQUEST, type ForgetReport } from '../../retain/forget.js';
import { askToChoose, type CommandContext, canAsk, defineVerb, WRITE_OPTIONS } from '../verb.js';
import { finishWrite, openMemoryWorkspace, prepareShortIds } from '../workspace.js';

const { required: _, ...ID } = FORGET_REQUEST.id;

const TAKES = {
  id: ID,
  query: { type: 'text', value: 'text', doc: 'forget the fact with this text; if several match, you choose one' },
  undo: { type: 'boolean', doc: 'undo a forget that was made on this machine' },
  copy: FORGET_REQUEST.copy,
  ...WRITE_OPTIONS,
} as const satisfies RequestFields;

type Options = RequestOf<typeof TAKES>;

const forget = defineVerb({
  takes: TAKES,
  more: `The line becomes a comment. A hash in bank/forgotten.md keeps the statement
from coming back. Copies in other text, in sessions and in git history are
listed, but not removed. You can no longer undo a run of reflect that used the
statement.`,
  examples: ['forget --query "Peter lives in Vienna" --commit'],
  run: (context, options) => (options.undo ? undo(context, options) : forgetFact(context, options)),
});

export const commands = { forget };

async function forgetFact(context: CommandContext, options: Options): Promise<ExitCode> {
  const { id } = options;
  if (!id?.trim() === !options.query?.trim())
    fail('usage', 'forget needs either an id or --query', 'find the id with: openclaw memory recall --json');
  const workspace = await openMemoryWorkspace(context);
  const named = id === undefined ? await byWords(context, workspace, options.query ?? '') : { id };
  if (named.id === undefined) return notNamed(context, workspace, named);
  const meant = named.id;
  const { changes, ...report } = await workspace.forget({ id: meant, dryRun: options.dryRun, copy: options.copy });
  const written = await finishWrite(context, workspace, options, changes, `forget ${report.id}`);
  const readable = await prepareShortIds(context, workspace, [report.id]);
  context.out.answer(written.diff ?? text(report, readable), { ...report, ...written });
  return ExitCode.done;
}

async function undo(context: CommandContext, options: Options): Promise<void> {
  const { id } = options;
  if (!id?.trim())
    fail(
      'usage',
      '--undo needs the id of the forgotten statement',
      'the output of forget and its git commit have the id',
    );
  const workspace = await openMemoryWorkspace(context);
  const { changes, ...report } = await workspace.unforget(id, options.dryRun);
  for (const { path, text: gone } of report.homeless)
    context.out.warn(`the old place in ${path} no longer exists; put this line back by hand: ${gone}`);
  const written = await finishWrite(context, workspace, options, changes, `take back forget ${report.id}`);
  const readable = await prepareShortIds(context, workspace, [report.id]);
  const lines = [`Restored: ${readable(report.id)}`, ...report.restored.map((one) => `  ${one.path}: ${one.text}`)];
  context.out.answer(written.diff ?? lines.join('\n'), { ...report, ...written });
}

/**
 * The result if no fact, or more than one, has exactly the given text. `candidates` are the first results of recall, from
 * which a person can choose one.
 */
interface Unnamed {
  readonly id?: undefined;
  readonly message: string;
  readonly candidates: readonly RecallResult[];
}

const MOST_CANDIDATES = 5;

/**
 * Finds the one fact with this text, of any kind. If there is not exactly one, a person chooses one of the recall
 * results.
 */
async function byWords(
  context: CommandContext,
  workspace: Workspace,
  query: string,
): Promise<{ readonly id: string } | Unnamed> {
  const { results } = await workspace.recall({ query, k: 20 });
  const wanted = normaliseText(query);
  const says = ({ content }: { readonly content: string }) => normaliseText(content).includes(wanted);
  const exact = results.filter((result) => /^[fo]-/.test(result.id) && says(result));
  const [only, other] = exact;
  if (only !== undefined && other === undefined) return only;
  // Prefer a statement that is already forgotten, but whose text is in a page again.
  const standing = only === undefined ? (await workspace.standing()).find(says) : undefined;
  if (standing !== undefined) return standing;
  const found =
    only === undefined ? results.filter(({ id, beside }) => /^[fol]-/.test(id) && beside === undefined) : exact;
  if (found.length === 0)
    return fail('not_found', `no fact contains "${query}"`, 'find the fact with: openclaw memory recall');
  const candidates = found.slice(0, MOST_CANDIDATES);
  const message = only === undefined ? 'no fact contains exactly this text' : `${exact.length} facts contain this text`;
  if (!canAsk(context)) return { message, candidates };
  const lines = candidates.map(({ content, source }) => `${content}  [${source}]`);
  const chosen = await askToChoose(context, lines);
  return candidates[chosen ?? -1] ?? { message: 'no fact was chosen', candidates: [] };
}

async function notNamed(context: CommandContext, workspace: Workspace, { message: why, candidates }: Unnamed) {
  const message = `${why}; nothing was forgotten`;
  const failure: Failure = { type: 'not_found', message, hint: 'use the id of one fact' };
  const ids = candidates.map(({ id }) => id);
  const readable = await prepareShortIds(context, workspace, ids);
  const lines = candidates.map(({ id, content, source }) => `${readable(id)}  ${content}  [${source}]`);
  const said = candidates.map(({ id, content, source }) => ({ id, content, source }));
  context.out.answer(lines.join('\n'), { ok: false, error: failure, candidates: said });
  context.out.problem(failure);
  return ExitCode.failed;
}

function text({ id, content, erased, remaining }: Omit<ForgetReport, 'changes'>, readable: (id: string) => string) {
  const lines = [`Forgotten: ${readable(id)}  ${content}`, ...erased.map((source) => `  ${source}`)];
  if (remaining.length > 0) lines.push('Copies that were not removed:');
  for (const { source, what } of remaining) {
    if (what === 'git history') lines.push('  git history: old commits still have it');
    else lines.push(`  ${source}${what === 'session' ? '  (session log)' : ''}`);
  }
  if (remaining.some(({ source, what }) => what === 'text' && source.startsWith('bank/')))
    lines.push('The next reflect removes it from the pages that reflect writes.');
  return lines.join('\n');
}
