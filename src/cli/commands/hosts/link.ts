import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { launcherFolder, removeLaunchers, writeLaunchers } from '../../../upkeep/launcher.js';
import { systemHome } from '../../../workspace/openclaw-config.js';
import type { CommandContext } from '../../command.js';
import { findHost, isOurs } from '../../host/find-host.js';
import { verb } from '../../verb.js';
import type { Said } from './openclaw.js';

export const define = verb({
  takes: {
    dir: {
      type: 'text',
      value: 'folder',
      doc: 'write it here; without, into your first folder on PATH before the host, else ~/.local/bin',
    },
    remove: { type: 'boolean', doc: 'take it away again, from --dir or from every folder on PATH' },
  },
  more: `Beside a host of the same name: "openclaw memory" with a verb of ours is ours;
"openclaw memory --host VERB" and everything else is the host's. Once this
program is gone, everything is.`,
  examples: ['link --dir ~/.local/bin', 'link --remove'],
  run: async (context, { dir, remove = false }) => {
    if (!remove) {
      const { text, json } = link(context, dir);
      return context.out.answer(text, json);
    }
    const gone = unlink(context, { dir });
    const lines = gone.removed.map((path) => `removed: ${path}`);
    context.out.answer(lines.join('\n') || 'There is no launcher of ours.', gone);
  },
});

/** Where launchers stand beside the host, and how far from the beginning of PATH; -1 for not on it. */
export function launcherPlace({ io }: Pick<CommandContext, 'io'>, dir?: string) {
  const home = systemHome(io.env);
  const folders = (io.env.PATH ?? '').split(delimiter);
  const host = findHost(io.env.PATH) ?? null;
  const found = dir === undefined ? launcherFolder(folders, { home, host: host ?? undefined }) : resolve(io.cwd, dir);
  // Most shells take the first of these as soon as it is there; the host may have been installed into it.
  const [usual = '', other = ''] = ['.local', '.openclaw-memory'].map((name) => join(home, name, 'bin'));
  const isTaken = existsSync(join(usual, 'openclaw')) && !isOurs(join(usual, 'openclaw'));
  const folder = found ?? (isTaken ? other : usual);
  return { folder, host, at: folders.indexOf(folder), hostAt: host === null ? -1 : folders.indexOf(dirname(host)) };
}

/** Writes launchers beside the host. */
export function link({ out, io }: CommandContext, dir?: string): Said {
  const { folder, host, at, hostAt } = launcherPlace({ io }, dir);
  const bin = dirname(realpathSync(process.argv[1] ?? ''));
  const written = writeLaunchers(folder, { node: process.execPath, bin, isOurs });
  const path = join(folder, 'openclaw');
  if (at < 0 || (hostAt >= 0 && hostAt < at)) {
    const order = at < 0 ? 'is not on PATH' : `comes after ${host} on PATH`;
    out.warn(`${folder} ${order}; add to the start-up file of your shell: export PATH="${folder}:$PATH"`);
  }
  return { text: written ? `written: ${path}` : `${path} is there already`, json: { path, written, host } };
}

/** Takes the launchers away. @returns their files */
export function unlink(
  { io }: CommandContext,
  { dir, dryRun = false }: { readonly dir?: string | undefined; readonly dryRun?: boolean } = {},
): { readonly removed: readonly string[] } {
  const folders = dir === undefined ? (io.env.PATH ?? '').split(delimiter) : [resolve(io.cwd, dir)];
  const usual = join(systemHome(io.env), '.local', 'bin');
  return { removed: removeLaunchers(dir === undefined ? [...folders, usual] : folders, dryRun) };
}
