import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Argument } from 'commander';
import { ExitCode, fail } from '../../../base/failure.js';
import {
  claudeHooks,
  HOOK_HOSTS,
  HOOK_MOMENTS,
  type HookHost,
  hookLine,
  withClaudeHooks,
} from '../../../upkeep/hooks.js';
import { makeFolder, readVersion, replaceFile } from '../../../workspace/files.js';
import { programWords } from '../../background.js';
import type { CommandContext, DefineCommand } from '../../command.js';
import { openFor } from '../../open.js';

interface HooksOptions {
  readonly write?: boolean;
  readonly remove?: boolean;
}

const HOSTS = [...HOOK_HOSTS, 'openclaw'] as const;

export const define: DefineCommand = (command, run) => {
  command
    .addArgument(new Argument('<host>', 'the host of the agent').choices(HOSTS))
    .option('--write', 'put them into the settings of the host; other keys stay as they are')
    .option('--remove', 'of openclaw: take the plugin away again')
    .addHelpText(
      'after',
      '\nclaude-code: settings for ~/.claude/settings.json\nopenclaw: installs our plugin with the commands of the host\ngeneric: a line for each event\n\n' +
        'Example:\n  openclaw memory hooks claude-code --write',
    )
    .action((host: HookHost | 'openclaw', options: HooksOptions) => run((context) => settle(context, host, options)));
};

async function settle(
  context: CommandContext,
  host: HookHost | 'openclaw',
  { write = false, remove = false }: HooksOptions,
): Promise<ExitCode> {
  if (write && remove) fail('usage', '--write and --remove exclude each other', 'leave one of them out');
  if (host === 'openclaw') {
    const { hostPlugin } = await import('./openclaw.js');
    return hostPlugin(context, remove ? 'remove' : write ? 'write' : 'print');
  }
  if (remove) fail('usage', `--remove is for openclaw`, `take our lines out of the settings of ${host} yourself`);
  return hooks(context, host, write);
}

async function hooks(context: CommandContext, host: HookHost, write: boolean): Promise<ExitCode> {
  const { out, io, global } = context;
  const { root } = await openFor(context);
  const options = ['--workspace', root, ...(global.tz === undefined ? [] : ['--tz', global.tz])];
  const line = hookLine({ program: programWords(), options }, host);
  if (host === 'generic') {
    if (write) fail('usage', 'there are no settings to write for this host', 'add the lines to yours');
    const events = HOOK_MOMENTS.map(({ event, seconds }) => ({ event, seconds, command: line }));
    out.answer(events.map(({ event, command }) => `${event}: ${command}`).join('\n'), { events });
    return ExitCode.done;
  }
  const settings = claudeHooks(line);
  if (!write) {
    out.answer(JSON.stringify(settings, undefined, 2), settings);
    return ExitCode.done;
  }
  const folder = io.env.CLAUDE_CONFIG_DIR ?? join(io.env.HOME ?? homedir(), '.claude');
  const path = linkTarget(join(folder, 'settings.json'));
  const before = readVersion(path);
  const text = withClaudeHooks(before?.bytes.toString('utf8'), line);
  if (text !== undefined) {
    makeFolder(folder);
    if (!replaceFile(path, before, text)) fail('conflict', `${path} changed meanwhile`, 'run the command again');
  }
  out.answer(text === undefined ? `${path} has them already` : `written: ${path}`, {
    path,
    written: text !== undefined,
  });
  return ExitCode.done;
}

/** Where the file itself is: many keep their settings elsewhere, with a link in its place. */
function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
