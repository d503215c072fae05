import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ExitCode, fail } from '../../../base/failure.js';
import type { Fields, RequestOf } from '../../../base/request.js';
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
import type { CommandContext } from '../../command.js';
import { openFor } from '../../open.js';
import { verb } from '../../verb.js';

const TAKES = {
  host: {
    type: 'choice',
    noun: 'host',
    choices: [...HOOK_HOSTS, 'openclaw'],
    required: true,
    place: 'argument',
    doc: 'the host of the agent',
  },
  write: { type: 'boolean', doc: 'put them into the settings of the host; other keys stay as they are' },
  remove: { type: 'boolean', doc: 'of openclaw: take the plugin away again' },
} as const satisfies Fields;

export const define = verb({
  takes: TAKES,
  more: `claude-code: settings for ~/.claude/settings.json
openclaw: installs our plugin with the commands of the host
generic: a line for each event`,
  examples: ['hooks claude-code --write'],
  run: settle,
});

async function settle(
  context: CommandContext,
  { host, write = false, remove = false }: RequestOf<typeof TAKES>,
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
