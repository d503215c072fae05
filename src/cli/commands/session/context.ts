import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { SessionContext } from '../../../session/context.js';
import { renderMessage } from '../../../session/render.js';
import { CONTEXT, CONTEXT_WINDOW, type ContextRequest } from '../../../session/requests.js';
import type { Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

export function defineContext(session: Command, run: Run): Command {
  return session
    .command('context')
    .description('assemble what to give a model for the next turn, within a budget')
    .argument('<id>', 'id of the session')
    .option('--budget <tokens>', "the model's window", String(CONTEXT_WINDOW))
    .addHelpText('after', '\nExample:\n  openclaw memory session context chat-1 --budget 32000 --json')
    .action((id: string, options: object) =>
      run(async (context) => {
        const { budget } = readFlags<ContextRequest>('session context', CONTEXT, { id, ...options });
        const workspace = await openFor(context);
        const built = await (await workspace.sessions(context.signal)).context(id, budget);
        for (const warning of built.warnings) context.out.warn(warning);
        context.out.answer(contextText(built), built);
        return ExitCode.done;
      }),
    );
}

function contextText(built: SessionContext): string {
  const { instruction, system_prompt_addition: rules, messages, tokens, left_out_messages, shortened_outputs } = built;
  const system = [instruction.trim(), rules].filter((text) => text !== '').join('\n\n');
  const said = messages.map(({ role, content, parts: rest }) =>
    content === undefined ? renderMessage({ role, parts: rest ?? [] }) : `[${role}]:\n${content}`,
  );
  const left = `${count(left_out_messages, 'message')} left out, ${count(shortened_outputs, 'message')} shortened`;
  return [...(system === '' ? [] : [`[system]:\n${system}`]), ...said, `(${tokens} tokens; ${left})`].join('\n\n');
}
