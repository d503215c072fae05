import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { ExpandedArchive } from '../../../session/expand.js';
import { renderMessage } from '../../../session/render.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';

export function defineExpand(session: Command, run: Run): Command {
  return session
    .command('expand')
    .description('print every message of an archive, as it was')
    .argument('<id>', 'id of the session')
    .argument('<archive>', 'archive_001, or its number')
    .addHelpText('after', '\nExample:\n  openclaw memory session expand chat-1 archive_001')
    .action((id: string, archive: string) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const expanded = await (await workspace.sessions(context.signal)).expand(id, archive);
        if (expanded.state !== 'completed')
          context.out.warn(`${expanded.archive_id} is not finished (${expanded.state})`);
        context.out.answer(expandText(expanded, expanded.messages.map(renderMessage)), expanded);
        return ExitCode.done;
      }),
    );
}

function expandText({ archive_id, abstract }: ExpandedArchive, messages: readonly string[]): string {
  const head = [`## ${archive_id}`];
  if (abstract !== '') head.push(`**Summary**: ${abstract}`);
  head.push(`**Messages**: ${messages.length}`);
  return [...head, ...messages].join('\n\n');
}
