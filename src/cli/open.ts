import type { Workspace } from '../app/workspace.js';
import type { CommandContext } from './command.js';

/** Opens the workspace that the global options name. */
export async function openFor({ io, out, global, signal }: CommandContext): Promise<Workspace> {
  const { openWorkspace } = await import('../app/workspace.js');
  return openWorkspace({ ...workspaceOptions({ io, out, global }), signal });
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
