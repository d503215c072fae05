import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../../base/failure.js';
import { isRecord } from '../../../base/json.js';
import { installation, type PresentPlugin, removal, SEARCH_BANK, shellOf } from '../../../upkeep/host-plugin.js';
import type { CommandContext } from '../../command.js';
import { findHost } from '../../host/find-host.js';

export type PluginAction = 'print' | 'write' | 'remove';

/** What a command has to say. */
export interface Said {
  readonly text: string;
  readonly json: object;
}

/** Starting the host takes seconds, on a slow machine many. */
const LIMIT_MS = 180_000;

/** Installs our plugin in the host OpenClaw, takes it away, or says what would. */
export function hostPlugin({ out, io }: CommandContext, action: PluginAction, present?: PresentPlugin): Said {
  const bin = realpathSync(process.argv[1] ?? '');
  const place = {
    plugin: join(dirname(dirname(bin)), 'dist', 'plugin'),
    node: process.execPath,
    bin: join(dirname(bin), 'openclaw-memory.js'),
  };
  const commands = action === 'remove' ? removal() : installation(place, present);
  if (action === 'print') {
    const lines = [
      ...commands.map(shellOf),
      '# if the search of the host shall find the bank, too:',
      `# ${SEARCH_BANK}`,
    ];
    return { text: lines.join('\n'), json: { commands, searchBank: SEARCH_BANK } };
  }
  const host = findHost(io.env.PATH);
  if (host === undefined)
    return fail(
      'not_found',
      'there is no host openclaw on PATH',
      'run it where openclaw is installed, or print the lines without --write',
    );
  for (const { args, input } of commands) {
    out.note(`openclaw ${args.join(' ')}`);
    try {
      execFileSync(host, [...args], {
        input: input ?? '',
        timeout: LIMIT_MS,
        env: io.env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      fail('io', `openclaw ${args.join(' ')} failed: ${saidBy(error)}`, 'run that line yourself to see more');
    }
  }
  const text =
    action === 'remove'
      ? 'The plugin is removed.'
      : `The plugin is installed. If the search of the host shall find the bank, too: ${SEARCH_BANK}`;
  return { text, json: { host, action, ran: commands.map(({ args }) => args), searchBank: SEARCH_BANK } };
}

/** The last line of what a program said when it failed. */
function saidBy(error: unknown): string {
  const said = isRecord(error) ? `${String(error.stderr ?? '')}${String(error.stdout ?? '')}`.trim() : '';
  return said.split('\n').at(-1) || (error instanceof Error ? error.message : String(error));
}
