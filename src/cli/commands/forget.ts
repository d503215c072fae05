import type { Workspace } from '../../app/api/workspace.js';
import { ExitCode, fail } from '../../base/failure.js';
import { normaliseText } from '../../memory/fact.js';
import type { ForgetReport } from '../../retain/forget.js';
import type { UndoReport } from '../../retain/unforget.js';
import type { CommandContext, DefineCommand } from '../command.js';
import { openFor } from '../open.js';
import { addWriteOptions, finishWrite, type WriteOptions } from '../writing.js';

interface Options extends WriteOptions {
  readonly query?: string;
  readonly undo?: boolean;
  /** commander's name for `--no-copy`. */
  readonly copy: boolean;
}

export const define: DefineCommand = (command, run) => {
  addWriteOptions(
    command
      .argument('[id]', 'id of a fact or line, as recall --json shows it')
      .option('--query <text>', 'forget the one fact that says this')
      .option('--undo', 'take a forget of this machine back')
      .option('--no-copy', 'keep no copy for --undo, for example of a secret'),
  )
    .addHelpText(
      'after',
      '\nThe line becomes a comment, and a hash in bank/forgotten.md keeps the\nstatement from coming back. Copies in other text, in sessions and in git\nhistory are named, not removed. Runs of reflect that hold it can\'t be taken\nback any more.\n\nExample:\n  openclaw memory forget --query "Peter lives in Vienna" --commit',
    )
    .action((id: string | undefined, options: Options) => run((context) => forgetCommand(context, id, options)));
};

async function forgetCommand(context: CommandContext, id: string | undefined, options: Options): Promise<ExitCode> {
  if ((id === undefined) === (options.query === undefined) && !options.undo)
    fail('usage', 'forget needs either an id or --query', 'recall --json shows ids');
  const workspace = await openFor(context);
  if (options.undo) return undo(context, workspace, id, options);
  const meant = id ?? (await idOf(workspace, options.query ?? ''));
  const report = await workspace.forget({ id: meant, dryRun: options.dryRun, keepCopy: options.copy });
  const written = await finishWrite(context, workspace, options, {
    changes: report.changes,
    subject: `memory: forget ${report.id}`,
  });
  const { changes: _, ...json } = report;
  context.out.answer(written.diff ?? text(report), { ...json, ...written });
  return ExitCode.done;
}

async function undo(
  context: CommandContext,
  workspace: Workspace,
  id: string | undefined,
  options: Options,
): Promise<ExitCode> {
  if (id === undefined)
    fail('usage', '--undo needs the id that was forgotten', 'git log or bank/forgotten.md say when');
  const report = await workspace.unforget(id, options.dryRun);
  for (const { path, text: gone } of report.homeless)
    context.out.warn(`its place in ${path} is gone; put it back by hand: ${gone}`);
  const written = await finishWrite(context, workspace, options, {
    changes: report.changes,
    subject: `memory: take back forget ${report.id}`,
  });
  const { changes: _, ...json } = report;
  context.out.answer(written.diff ?? undoText(report), { ...json, ...written });
  return ExitCode.done;
}

/** The one fact that says a text, whatever its kind. */
async function idOf(workspace: Workspace, query: string): Promise<string> {
  const { results } = await workspace.recall({ query, k: 20 });
  const facts = results.filter(({ id }) => /^[fo]-/.test(id));
  const wanted = normaliseText(query);
  const exact = facts.filter(({ content }) => normaliseText(content).includes(wanted));
  const [only, other] = exact.length > 0 ? exact : facts;
  if (exact.length === 0) {
    // Forgotten before, and back in a page.
    const standing = (await workspace.standing()).find(({ content }) => normaliseText(content).includes(wanted));
    if (standing !== undefined) return standing.id;
  }
  if (only === undefined) return fail('not_found', `no fact says "${query}"`, 'recall shows what there is');
  if (other === undefined && exact.length === 1) return only.id;
  const shown = (exact.length > 0 ? exact : facts).slice(0, 5).map(({ id, content }) => `${id} "${content}"`);
  return fail(
    'usage',
    exact.length > 1 ? `${exact.length} facts say that` : 'no fact says exactly that',
    `name one by its id: ${shown.join('; ')}`,
  );
}

function text({ id, content, erased, remaining }: ForgetReport): string {
  const lines = [`Forgotten: ${id}  ${content}`, ...erased.map((source) => `  ${source}`)];
  if (remaining.length > 0) lines.push('Still there, and not touched:');
  for (const { source, what } of remaining) {
    if (what === 'git history') lines.push('  git history: the commits that had it still have it');
    else lines.push(`  ${source}${what === 'session' ? '  (session log)' : ''}`);
  }
  if (remaining.some(({ source, what }) => what === 'text' && source.startsWith('bank/')))
    lines.push('What reflect has written there goes with the next reflect.');
  return lines.join('\n');
}

function undoText({ id, restored }: UndoReport): string {
  return [`Taken back: ${id}`, ...restored.map(({ path, text: line }) => `  ${path}: ${line}`)].join('\n');
}
