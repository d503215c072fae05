import type { Workspace } from '../../../app/api/workspace.js';
import { startInBackground } from '../../background.js';
import type { CommandContext } from '../../command.js';

/** A process that finishes archives, and where its notes are. */
export interface Background {
  readonly pid: number;
  readonly log: string;
}

/** Another process, of its own process group, that finishes the archives of a session. */
export function startResume({ global, io }: CommandContext, workspace: Workspace, id: string): Background {
  const log = workspace.logPath(`session-${id}`);
  const { now, tz } = global;
  const options = ['--workspace', workspace.root, '--quiet', ...option('--now', now), ...option('--tz', tz)];
  return { pid: startInBackground([...options, 'session', 'resume', id], log, io.env), log };
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value];
}
