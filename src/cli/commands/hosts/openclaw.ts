import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fail } from '../../../base/failure.js';
import { isRecord } from '../../../base/json.js';
import * as plugin from '../../../upkeep/openclaw.js';
import {
  findLauncherFolder,
  findNpmPrefix,
  OWN_NPM_PREFIX_HINT,
  removeLaunchers,
  writeLaunchers,
} from '../../../upkeep/openclaw.js';
import { systemHome } from '../../../workspace/openclaw-config.js';
import { findHost, isOurProgram } from '../../host.js';
import { type CommandContext, defineVerb } from '../../verb.js';

/** The answer of a command, as text and as JSON. */
interface CommandAnswer {
  readonly text: string;
  readonly json: object;
}

const WITHOUT_HOST = 'run this where openclaw is installed, or print the lines without --write';
const BESIDE_US = `if npm can't install OpenClaw next to openclaw-memory: ${OWN_NPM_PREFIX_HINT}`;

/**
 * Installs or removes our plugin in OpenClaw, by commands of the host. With `print`, only returns the commands that
 * install it.
 */
export function installOrRemovePlugin(
  context: CommandContext,
  action: 'print' | 'write' | 'remove',
  present?: plugin.InstalledPlugin,
): CommandAnswer {
  const bin = realpathSync(process.argv[1] ?? '');
  const place = {
    plugin: join(dirname(dirname(bin)), 'dist', 'plugin'),
    node: process.execPath,
    bin: join(dirname(bin), 'openclaw-memory.js'),
  };
  const commands = action === 'remove' ? plugin.listRemovalCommands() : plugin.listInstallCommands(place, present);
  if (action === 'print') {
    const search = ["# to let the host's own search find the bank, too:", `# ${plugin.ADD_BANK_TO_SEARCH_COMMAND}`];
    const lines = [...commands.map(plugin.formatHostCommand), ...search];
    return { text: lines.join('\n'), json: { commands, searchBank: plugin.ADD_BANK_TO_SEARCH_COMMAND } };
  }
  const host = findHost(context.io.env.PATH);
  const shared = findNpmPrefix(dirname(dirname(bin)));
  if (host === undefined)
    return fail('not_found', 'OpenClaw is not on PATH', shared === undefined ? WITHOUT_HOST : BESIDE_US);
  if (shared?.hasHost)
    context.out.warn(`OpenClaw and openclaw-memory are both installed in ${shared.prefix}; ${OWN_NPM_PREFIX_HINT}`);
  const run = (lines: typeof commands) => {
    for (const command of lines) runHostCommand(context, host, command);
  };
  try {
    run(commands);
  } catch (error) {
    // The plugin can't be uninstalled if the host does not have it. The settings that name the plugin must still be
    // removed.
    if (action === 'remove') run(commands.slice(1));
    if (action === 'remove' || present === undefined) throw error;
    run(plugin.listFreshInstallCommands(place, present));
  }
  const installed = `The plugin is installed. To let the host's own search find the bank, too: ${plugin.ADD_BANK_TO_SEARCH_COMMAND}`;
  const text = action === 'remove' ? 'The plugin is removed.' : installed;
  return {
    text,
    json: { host, action, ran: commands.map(({ args }) => args), searchBank: plugin.ADD_BANK_TO_SEARCH_COMMAND },
  };
}

/** Time limit for a host command, in ms. A host takes seconds to start, longer on a slow machine. */
const LIMIT_MS = 180_000;

/**
 * Prints a command of a host as a message, then runs it.
 * @param program path of the program; the message shows only its file name
 * @throws MemoryError `io` with the program's last message, when it fails
 */
export function runHostCommand(
  { out, io }: CommandContext,
  program: string,
  { args, input = '' }: { readonly args: readonly string[]; readonly input?: string },
): void {
  const line = `${program.slice(program.lastIndexOf('/') + 1)} ${args.join(' ')}`;
  out.note(line);
  try {
    execFileSync(program, [...args], { input, timeout: LIMIT_MS, env: io.env, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    fail('io', `${line} failed: ${saidBy(error)}`, 'run this command yourself to see the details');
  }
}

/** The last non-empty line that a failed program printed. */
function saidBy(error: unknown): string {
  const said = isRecord(error) ? `${String(error.stderr ?? '')}${String(error.stdout ?? '')}`.trim() : '';
  const line = said.split('\n').findLast((text) => /\p{L}/u.test(text)) ?? '';
  return line.replace(/^[│\s]+|[│\s]+$/gu, '') || (error instanceof Error ? error.message : String(error));
}

const link = defineVerb({
  takes: {
    dir: {
      type: 'text',
      value: 'folder',
      doc: 'folder for the launcher (default: your first folder on PATH before the host, else ~/.local/bin)',
    },
    remove: { type: 'boolean', doc: 'remove the launcher from --dir, or from every folder on PATH' },
  },
  more: `For machines that also have OpenClaw. "openclaw memory" with a command of this
program runs this program. "openclaw memory --host COMMAND" and everything else
runs OpenClaw. If you uninstall this program, everything runs OpenClaw.`,
  examples: ['link --dir ~/.local/bin', 'link --remove'],
  run: async (context, { dir, remove = false }) => {
    if (!remove) {
      const { text, json } = linkLaunchers(context, dir);
      return context.out.answer(text, json);
    }
    const gone = unlinkLaunchers(context, { dir });
    const lines = gone.removed.map((path) => `removed: ${path}`);
    context.out.answer(lines.join('\n') || 'There is no launcher to remove.', gone);
  },
});

export const commands = { link };

/**
 * Finds the folder for our launchers, and the path of the host's program. `at` and `hostAt` are the positions of their
 * folders on PATH; -1 if a folder is not on PATH.
 */
export function findLauncherPlace({ io }: Pick<CommandContext, 'io'>, dir?: string) {
  const home = systemHome(io.env);
  const folders = (io.env.PATH ?? '').split(delimiter);
  const host = findHost(io.env.PATH) ?? null;
  const found =
    dir === undefined ? findLauncherFolder(folders, { home, host: host ?? undefined }) : resolve(io.cwd, dir);
  // If no folder on PATH is suitable, use one of these two. Most shells add `~/.local/bin` to PATH as soon as it
  // exists. If `~/.local/bin` already contains the host's program, use `~/.openclaw-memory/bin`.
  const [usual = '', other = ''] = ['.local', '.openclaw-memory'].map((name) => join(home, name, 'bin'));
  const isTaken = existsSync(join(usual, 'openclaw')) && !isOurProgram(join(usual, 'openclaw'));
  const folder = found ?? (isTaken ? other : usual);
  return { folder, host, at: folders.indexOf(folder), hostAt: host === null ? -1 : folders.indexOf(dirname(host)) };
}

/**
 * Writes our launchers into their folder. Warns if a shell would not find them first: when their folder is not on PATH,
 * or comes after the folder of the host's program.
 */
export function linkLaunchers({ out, io }: CommandContext, dir?: string): CommandAnswer {
  const { folder, host, at, hostAt } = findLauncherPlace({ io }, dir);
  const bin = dirname(realpathSync(process.argv[1] ?? ''));
  const written = writeLaunchers(folder, { node: process.execPath, bin, isOurs: isOurProgram });
  const path = join(folder, 'openclaw');
  if (at < 0 || (hostAt >= 0 && hostAt < at)) {
    const order = at < 0 ? 'is not on PATH' : `comes after ${host} on PATH`;
    out.warn(`${folder} ${order}; add this line to the start-up file of your shell: export PATH="${folder}:$PATH"`);
  }
  return { text: written ? `written: ${path}` : `${path} is already up to date`, json: { path, written, host } };
}

/**
 * Removes our launchers from `dir`, or else from the folders on PATH and `~/.local/bin`.
 * @returns the paths of the launchers that were removed; with `dryRun`, of those that would be removed
 */
export function unlinkLaunchers(
  { io }: CommandContext,
  { dir, dryRun = false }: { readonly dir?: string | undefined; readonly dryRun?: boolean } = {},
): { readonly removed: readonly string[] } {
  const folders = dir === undefined ? (io.env.PATH ?? '').split(delimiter) : [resolve(io.cwd, dir)];
  const usual = join(systemHome(io.env), '.local', 'bin');
  return { removed: removeLaunchers(dir === undefined ? [...folders, usual] : folders, dryRun) };
}
