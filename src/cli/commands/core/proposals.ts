import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { WaitingProposal } from '../../../retain/proposals.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';
import { change } from './settle.js';

export function defineProposals(core: Command, run: Run): void {
  core
    .command('proposals')
    .summary('list what is proposed for the core')
    .addHelpText(
      'after',
      '\nThey stand in bank/proposals/ as checkboxes. A box that you ticked by hand is\nlisted until "core accept" has made the change.\n\nExample:\n  openclaw memory core proposals',
    )
    .action(() =>
      run(async (context) => {
        const workspace = await openFor(context);
        const { waiting, warnings } = (await workspace.proposals()).list();
        for (const warning of warnings) context.out.warn(warning);
        context.out.answer(waiting.map(listed).join('\n') || 'No proposals.', {
          proposals: waiting.map(({ proposal, ...rest }) => ({ ...rest, ...proposal })),
          warnings,
        });
        return ExitCode.done;
      }),
    );
}

function listed({ number, id, state, proposal, source }: WaitingProposal): string {
  const { reason, citations } = proposal;
  const grounds = [reason, citations.join(', ')].filter((part) => part !== '').join('; ');
  const ticked = state === 'ticked' ? ' [ticked, not made yet]' : '';
  const lines = [`${number}. ${change(proposal)}${ticked}`, ...(grounds === '' ? [] : [`   ${grounds}`])];
  return [...lines, `   ${id}  ${source}`].join('\n');
}
