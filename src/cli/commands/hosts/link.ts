import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { ExitCode } from '../../../base/failure.js';
import { launcherFolder, writeLauncher } from '../../../upkeep/launcher.js';
import type { CommandContext } from '../../command.js';
import { findHost } from '../../host/find-host.js';
import { verb } from '../../verb.js';

export const define = verb({
  takes: {
    dir: {
      type: 'text',
      value: 'folder',
      doc: 'write it here; without, into your first folder on PATH before the host',
    },
  },
  more: `Beside a host of the same name: "openclaw memory" with a verb of ours is ours;
"openclaw memory --host VERB" and everything else is the host's.`,
  examples: ['link --dir ~/.local/bin'],
  run: (context, { dir }) => link(context, dir),
});

function link({ out, io }: CommandContext, dir: string | undefined): ExitCode {
  const home = io.env.HOME ?? homedir();
  const folders = (io.env.PATH ?? '').split(delimiter);
  const host = findHost(io.env.PATH) ?? null;
  const folder = dir === undefined ? launcherFolder(folders, { home, host: host ?? undefined }) : resolve(io.cwd, dir);
  if (folder === undefined) {
    const line = 'export PATH="$HOME/.local/bin:$PATH"';
    const text = `No folder of yours is on PATH before ${host ?? 'others'}. Add this line to the start-up file of your shell:\n${line}\nThen: openclaw-memory link --dir ~/.local/bin`;
    out.answer(text, { path: null, written: false, host, line });
    return ExitCode.done;
  }
  const bin = join(dirname(realpathSync(process.argv[1] ?? '')), 'openclaw.js');
  const written = writeLauncher(folder, [process.execPath, bin]);
  const path = join(folder, 'openclaw');
  const [at, hostAt] = [folders.indexOf(folder), host === null ? -1 : folders.indexOf(dirname(host))];
  if (at < 0 || (hostAt >= 0 && hostAt < at)) {
    const order = at < 0 ? 'is not on PATH' : `comes after ${host} on PATH`;
    out.warn(`${folder} ${order}; add to the start-up file of your shell: export PATH="${folder}:$PATH"`);
  }
  out.answer(written ? `written: ${path}` : `${path} is there already`, { path, written, host });
  return ExitCode.done;
}
