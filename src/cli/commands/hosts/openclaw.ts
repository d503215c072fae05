import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../../base/failure.js';
import { isRecord } from '../../../base/json.js';
import {
  installation,
  installationAnew,
  type PresentPlugin,
  removal,
  SEARCH_BANK,
  shellOf,
} from '../../../upkeep/host-plugin.js';
import { npmPrefixOf, OWN_PREFIX } from '../../../upkeep/launcher.js';
import type { CommandContext } from '../../command.js';
import { findHost } from '../../host/find-host.js';

export type PluginAction = 'print' | 'write' | 'remove';

/** What a command has to say. */
export interface Said {
  readonly text: string;
  readonly json: object;
}

/** Installs our plugin in the host OpenClaw, takes it away, or says what would. */
export function hostPlugin(context: CommandContext, action: PluginAction, present?: PresentPlugin): Said {
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
  const host = findHost(context.io.env.PATH);
  const shared = npmPrefixOf(dirname(dirname(bin)));
  if (host === undefined)
    return fail(
      'not_found',
      'there is no host openclaw on PATH',
      shared === undefined
        ? 'run it where openclaw is installed, or print the lines without --write'
        : `where it can not be installed because of us: ${OWN_PREFIX}`,
    );
  if (shared?.hasHost) context.out.warn(`OpenClaw and we are both in ${shared.prefix}; ${OWN_PREFIX}`);
  const run = (lines: typeof commands) => {
    for (const command of lines) runHost(context, host, command);
  };
  try {
    run(commands);
  } catch (error) {
    // Where there is nothing to uninstall, settings that name it are still to go.
    if (action === 'remove') run(commands.slice(1));
    if (action === 'remove' || present === undefined) throw error;
    run(installationAnew(place, present));
  }
  const text =
    action === 'remove'
      ? 'The plugin is removed.'
      : `The plugin is installed. If the search of the host shall find the bank, too: ${SEARCH_BANK}`;
  return { text, json: { host, action, ran: commands.map(({ args }) => args), searchBank: SEARCH_BANK } };
}

/** Starting a host takes seconds, on a slow machine many. */
const LIMIT_MS = 180_000;

/**
 * Runs a command line of a host, and says so.
 * @param program its path; its name comes from there
 * @throws MemoryError `io` with what it said last, when it fails
 */
export function runHost(
  { out, io }: CommandContext,
  program: string,
  { args, input = '' }: { readonly args: readonly string[]; readonly input?: string },
): void {
  const line = `${program.slice(program.lastIndexOf('/') + 1)} ${args.join(' ')}`;
  out.note(line);
  try {
    execFileSync(program, [...args], { input, timeout: LIMIT_MS, env: io.env, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    fail('io', `${line} failed: ${saidBy(error)}`, 'run that line yourself to see more');
  }
}

/** The last line with words of what a program said when it failed. */
function saidBy(error: unknown): string {
  const said = isRecord(error) ? `${String(error.stderr ?? '')}${String(error.stdout ?? '')}`.trim() : '';
  const line = said.split('\n').findLast((text) => /\p{L}/u.test(text)) ?? '';
  return line.replace(/^[│\s]+|[│\s]+$/gu, '') || (error instanceof Error ? error.message : String(error));
}
