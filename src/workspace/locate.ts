import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../base/failure.js';
import {
  defaultWorkspaceFolder,
  expandHome,
  type HostEnvironment,
  homeFolder,
  type OpenClawConfig,
} from './openclaw-config.js';

export interface LocateInput extends HostEnvironment {
  readonly cwd: string;
  /** `--workspace` */
  readonly workspace?: string | undefined;
  /** `--agent` */
  readonly agent?: string | undefined;
}

/** Where a workspace was found, and by what. */
export interface Located {
  readonly root: string;
  readonly by: '--workspace' | '$OPENCLAW_WORKSPACE' | 'parent folder' | 'openclaw.json' | 'default';
}

/**
 * Which workspace is meant: `--workspace`, `$OPENCLAW_WORKSPACE`, the nearest folder upwards with a `.memory/`,
 * `openclaw.json`, `~/.openclaw/workspace`. A named agent skips the search upwards.
 * @throws MemoryError `usage` when `--agent` names an agent that openclaw.json does not have.
 */
export function locateWorkspace(input: LocateInput, config: OpenClawConfig | undefined): Located {
  const home = homeFolder(input);
  const at = (path: string): string => resolve(input.cwd, expandHome(path, home));
  if (input.workspace !== undefined) return { root: at(input.workspace), by: '--workspace' };
  if (input.env.OPENCLAW_WORKSPACE) return { root: at(input.env.OPENCLAW_WORKSPACE), by: '$OPENCLAW_WORKSPACE' };
  if (input.agent === undefined) {
    const above = nearestWithState(input.cwd);
    if (above !== undefined) return { root: above, by: 'parent folder' };
  }
  const configured = configuredWorkspace(input.agent, config);
  if (configured !== undefined) return { root: at(configured), by: 'openclaw.json' };
  return { root: defaultWorkspaceFolder(input), by: 'default' };
}

function configuredWorkspace(agent: string | undefined, config: OpenClawConfig | undefined): string | undefined {
  if (agent === undefined) {
    const main = config?.agents.find((entry) => entry.isDefault);
    return main?.workspace ?? config?.defaultWorkspace;
  }
  const named = config?.agents.find((entry) => entry.id === agent);
  if (named) return named.workspace ?? config?.defaultWorkspace;
  const known = config?.agents.map((entry) => entry.id).join(', ');
  return fail(
    'usage',
    `there is no agent "${agent}" in openclaw.json`,
    known ? `known agents: ${known}` : 'name the folder with --workspace',
  );
}

function nearestWithState(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (statSync(join(folder, '.memory'), { throwIfNoEntry: false })?.isDirectory()) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** @throws MemoryError `workspace` when the root is missing or is not a folder. */
export function checkWorkspace(root: string): void {
  let stat: ReturnType<typeof statSync> | undefined;
  try {
    stat = statSync(root, { throwIfNoEntry: false });
  } catch (error) {
    fail('permission', `the workspace ${root} can't be read`, 'check its permissions', error);
  }
  if (stat === undefined)
    fail('workspace', `there is no workspace at ${root}`, `create one: openclaw memory init ${root}`);
  if (!stat.isDirectory())
    fail('workspace', `the workspace ${root} is a file, not a folder`, 'name the folder with --workspace');
}
