import type { Sessions } from '../app/sessions.js';
import type { Workspace } from '../app/workspace.js';
import type { Day } from '../base/clock.js';
import { checkBegun } from '../workspace/locate.js';
import type { CommandContext } from './command.js';

/** Opens the workspace that the global options name, also for what begins a memory in a folder without one. */
export async function openToBegin({ io, out, global, signal, onProgress }: CommandContext): Promise<Workspace> {
  const { openWorkspace } = await import('../app/workspace.js');
  const workspace = await openWorkspace({ ...workspaceOptions({ io, out, global }), signal, onProgress });
  io.useZone?.(workspace.clock.zone);
  return workspace;
}

/** Opens that workspace, in which a memory was begun. @throws MemoryError `workspace` that names `init` */
export async function openFor(context: CommandContext): Promise<Workspace> {
  const workspace = await openToBegin(context);
  checkBegun(workspace.root);
  return workspace;
}

/** The sessions of that workspace. */
export async function sessionsFor(context: CommandContext): Promise<Sessions> {
  return (await openFor(context)).sessions(context.signal);
}

/** The day that `--since` means. @throws MemoryError `usage` for what is no time */
export async function dayOf(
  { clock }: Workspace,
  { since }: { readonly since?: string | undefined },
): Promise<Day | undefined> {
  const { readDayOptions } = await import('../recall/day-options.js');
  return (await readDayOptions({ since }, clock)).since;
}

export function workspaceOptions({ io, out, global }: Pick<CommandContext, 'io' | 'out' | 'global'>) {
  return {
    workspace: global.workspace,
    agent: global.agent,
    profile: global.profile,
    now: global.now,
    timezone: global.tz,
    env: io.env,
    cwd: io.cwd,
    onWarning: out.warn,
  };
}
