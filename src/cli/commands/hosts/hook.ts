import { Argument, type Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import { HOOK_HOSTS, type HookHost } from '../../../upkeep/hooks.js';
import type { CommandContext, DefineCommand } from '../../command.js';
import { readAll } from '../../io.js';
import { openFor } from '../../open.js';

export const define: DefineCommand = (command: Command, run) => {
  command
    .addArgument(new Argument('<host>', 'whose event it is').choices(HOOK_HOSTS))
    .addHelpText(
      'after',
      '\nReads the event as JSON from standard input and goes by its hook_event_name:\n' +
        'UserPromptSubmit prints the memories for the prompt, PreCompact saves memories,\nStop and SessionEnd import the transcript. Always ends with exit code 0.\n\n' +
        'Example:\n  openclaw memory hook claude-code < event.json',
    )
    .action((host: HookHost) => run((context) => hook(context, host)));
};

async function hook(context: CommandContext, host: HookHost): Promise<ExitCode> {
  const { io, out, signal } = context;
  try {
    const { hostHook } = await import('../../../app/host-hook.js');
    const input = await readAll(io.stdin);
    const { output, finish, warnings } = await hostHook(
      host,
      input,
      (limit) => openFor({ ...context, signal: limit }),
      signal,
    );
    for (const warning of warnings) out.warn(warning);
    if (output !== '') out.line(output);
    if (finish !== undefined) {
      const { startResume } = await import('../session/background.js');
      startResume(context, finish.workspace, finish.session);
    }
  } catch (error) {
    out.warn(error instanceof Error ? error.message : String(error));
  }
  return ExitCode.done;
}
