import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Proposal } from '../../../memory/proposals.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';
import { addWriteOptions, finishWrite, type WriteOptions } from '../../writing.js';

const VERBS = {
  accept: {
    summary: 'make a proposed change of the core or a page, and tick it off',
    more: 'What moves out of the core is kept in memory/topics/moved-from-core.md.',
  },
  reject: { summary: 'turn a proposal down; it is not made again', more: '' },
} as const;

export function defineSettle(core: Command, run: Run, verb: 'accept' | 'reject'): void {
  const { summary, more } = VERBS[verb];
  addWriteOptions(
    core.command(verb).summary(summary).argument('<n>', 'its number in "core proposals", or its id (p-…)'),
  )
    .addHelpText('after', `\n${more === '' ? '' : `${more}\n\n`}Example:\n  openclaw memory core ${verb} 1 --commit`)
    .action((which: string, options: WriteOptions) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const proposals = await workspace.proposals();
        const { changes, proposal, ...rest } = await proposals[verb](which, options.dryRun === true);
        const written = await finishWrite(context, workspace, options, {
          changes,
          subject: `memory: ${verb} ${rest.id}`,
        });
        const text = `${verb === 'accept' ? 'Accepted' : 'Rejected'}: ${change(proposal)}`;
        context.out.answer(written.diff ?? text, { ...rest, ...proposal, ...written });
        return ExitCode.done;
      }),
    );
}

export function change(proposal: Proposal): string {
  if (proposal.action === 'add') return `add: ${proposal.text}`;
  if (proposal.action === 'move-out') return `move out: ${proposal.text}`;
  const what = proposal.action === 'shorten' ? 'shorten' : `change in ${proposal.page}`;
  return `${what}: ${proposal.old}\n   to: ${proposal.text}`;
}
