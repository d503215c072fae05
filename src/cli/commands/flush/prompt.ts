import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';
import { promptText } from '../../text/prompt-text.js';
import { SESSION } from './outcome.js';

export function definePrompt(flush: Command, run: Run): Command {
  return flush
    .command('prompt')
    .description("print the same turn for the calling agent's own model, in parts")
    .requiredOption(...SESSION)
    .addHelpText('after', '\nExample:\n  openclaw memory flush prompt --session chat-1 --json')
    .action(({ session }: { readonly session: string }) =>
      run(async (context) => {
        const sessions = await (await openFor(context)).sessions();
        const form = await sessions.flushPrompt(session);
        const until = form.parts > 1 ? ` --until ${form.until}` : '';
        context.out.note(`answer with: openclaw memory flush apply --session ${session}${until} --answer FILE`);
        if (form.parts > 1) context.out.note(`part 1 of ${form.parts} that are left; then ask for the next`);
        context.out.answer(promptText(form), form);
        return ExitCode.done;
      }),
    );
}
