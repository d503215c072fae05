import { ExitCode, fail } from '../../base/failure.js';
import type { EntityView } from '../../recall/entity-view.js';
import type { DefineCommand } from '../command.js';
import { openFor } from '../open.js';

export const define: DefineCommand = (command, run) => {
  command.addHelpText('after', '\nExample:\n  openclaw memory entity show Peter');
  command
    .command('show')
    .summary('page, facts and related entities of one entity')
    .argument('<name>', 'its name or an alias, with or without @')
    .option('--k <n>', 'most facts shown', '20')
    .addHelpText('after', '\nExample:\n  openclaw memory entity show Peter')
    .action((name: string, options: { k: string }) =>
      run(async (context) => {
        const most = Number(options.k);
        if (!Number.isInteger(most) || most < 1)
          fail('usage', `--k must be a whole number from 1 on, not "${options.k}"`, 'for example --k 50');
        const workspace = await openFor(context);
        const view = await workspace.entity(name);
        if (view === undefined)
          return fail('not_found', `nothing is known of "${name}"`, 'try recall, or another spelling');
        const shown = { ...view, facts: view.facts.slice(0, most) };
        context.out.answer(text(shown, view.facts.length), shown);
        return ExitCode.done;
      }),
    );
};

function text(view: EntityView, all: number): string {
  const lines = [`${view.name}${view.aliases.length > 0 ? ` (also ${view.aliases.join(', ')})` : ''}`];
  if (view.page !== null) lines.push(`page: ${view.page}`);
  if (view.firstMention !== null) lines.push(`mentioned: ${view.firstMention} to ${view.lastMention}`);
  for (const { text: summary, source } of view.summary) lines.push(`  ${summary}  [${source}]`);
  if (view.facts.length > 0) lines.push(`facts (${view.facts.length} of ${all}):`);
  for (const fact of view.facts) lines.push(`  ${fact.timestamp ?? '          '}  ${fact.content}  [${fact.source}]`);
  if (view.related.length > 0) {
    lines.push(
      `with: ${view.related
        .slice(0, 10)
        .map(({ name, facts }) => `${name} (${facts})`)
        .join(', ')}`,
    );
  }
  return lines.join('\n');
}
