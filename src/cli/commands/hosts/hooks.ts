import { findWorkspace } from '../../../app/open.js';
import { fail } from '../../../base/failure.js';
import type { RequestFields, RequestOf } from '../../../base/request.js';
import {
  buildClaudeHooks,
  formatHookCommand,
  formatHookLine,
  HOOK_HOSTS,
  HOOK_MOMENTS,
} from '../../../upkeep/hooks.js';
import { findInstalledPlugin } from '../../../upkeep/openclaw.js';
import { buildOwnProgramCommand } from '../../background.js';
import { type CommandContext, defineVerb, REQUIRED_ARGUMENT_FIELD } from '../../verb.js';
import { buildWorkspaceOptions, openAnyWorkspace } from '../../workspace.js';

const TAKES = {
  host: {
    ...REQUIRED_ARGUMENT_FIELD,
    type: 'choice',
    noun: 'host',
    choices: [...HOOK_HOSTS, 'openclaw'],
    doc: 'the host of the agent',
  },
  write: { type: 'boolean', doc: "write the hooks to the host's settings; other keys stay as they are" },
  remove: { type: 'boolean', doc: 'remove the hooks; with openclaw: remove the plugin' },
} as const satisfies RequestFields;

export const define = defineVerb({
  takes: TAKES,
  more: `claude-code: hooks for ~/.claude/settings.json
openclaw: our plugin, installed by the host's own commands
generic: one command line for each event`,
  examples: ['hooks claude-code --write'],
  run: settle,
});

async function settle(
  context: CommandContext,
  { host, write = false, remove = false }: RequestOf<typeof TAKES>,
): Promise<void> {
  const { out } = context;
  if (write && remove) fail('usage', "--write and --remove can't be used together", 'use only one of them');
  if (host === 'openclaw') {
    const { installOrRemovePlugin } = await import('./openclaw.js');
    const { config } = await findWorkspace(buildWorkspaceOptions(context));
    const action = remove ? 'remove' : write ? 'write' : 'print';
    const { text, json } = installOrRemovePlugin(context, action, findInstalledPlugin(config));
    return out.answer(text, json);
  }
  if (host === 'generic') return lines(context, write || remove);
  if (!write && !remove) return printed(context);
  const { changeConnectionPart } = await import('./connection.js');
  const { path, changed } = await changeConnectionPart(context, {
    host: 'claude-code',
    part: 'hooks',
    isGoing: remove,
  });
  const said = remove ? `removed from ${path}` : `written: ${path}`;
  const same = remove ? `${path} has no hooks of openclaw-memory` : `${path} has these hooks already`;
  out.answer(changed ? said : same, { path, written: changed });
}

async function called({ global, ...context }: CommandContext) {
  const { root } = await openAnyWorkspace({ ...context, global });
  const options = ['--workspace', root, ...(global.tz === undefined ? [] : ['--tz', global.tz])];
  return { program: buildOwnProgramCommand(), options };
}

async function lines(context: CommandContext, isWriting: boolean): Promise<void> {
  if (isWriting)
    fail(
      'usage',
      'the generic host has no settings file',
      'print the lines without --write, and add them to your own settings',
    );
  const command = formatHookLine(await called(context), 'generic');
  const events = HOOK_MOMENTS.map(({ event, seconds }) => ({ event, seconds, command }));
  context.out.answer(events.map(({ event }) => `${event}: ${command}`).join('\n'), { events });
}

async function printed(context: CommandContext): Promise<void> {
  const entries = buildClaudeHooks(formatHookCommand(await called(context), 'claude-code'));
  const settings = { hooks: Object.fromEntries(entries.map(([event, entry]) => [event, [entry]])) };
  context.out.answer(JSON.stringify(settings, undefined, 2), settings);
}
