import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { fail } from '../../../base/failure.js';
import type { Fields } from '../../../base/request.js';
import { orThrow } from '../../../base/result.js';
import { ENGINE_VERSION, findEngine } from '../../../model/file/engine.js';
import { copyPackage, installEngine } from '../../../model/file/install.js';
import { userFolders } from '../../../workspace/openclaw-config.js';
import type { CommandContext } from '../../command.js';
import { verb } from '../../verb.js';

const TAKES = {
  install: { type: 'boolean', doc: 'fetch it with npm (30 MB), into a folder of yours' },
  from: { type: 'text', value: 'dir', doc: 'with --install: out of this folder, without a network' },
} as const satisfies Fields;

export const engine = verb({
  summary: 'say where the engine is that runs model files, or install it',
  takes: TAKES,
  more: 'It is the compiled half of node-llama-cpp, in one exact version. Nothing is\nbuilt, and no script of a package runs.',
  examples: ['models engine', 'models engine --install'],
  run: async (context, { install, from }) => {
    if (from !== undefined && !install) fail('usage', '--from needs --install', 'models engine --install --from DIR');
    const { data } = userFolders({ env: context.io.env, profile: context.global.profile });
    const fill = (folder: string, name: string): Promise<void> | void =>
      from === undefined
        ? fetchPackage(context, folder, name)
        : copyPackage(resolve(context.io.cwd, from), folder, name);
    const found = install ? await installEngine(data, fill) : orThrow(findEngine(data));
    context.out.answer(`${install ? 'Installed' : 'There is'} ${found.version} in ${found.folder}`, found);
  },
});

/** Only the one package: it needs no other, and what it leaves out could build. */
async function fetchPackage({ io, out, signal }: CommandContext, folder: string, name: string): Promise<void> {
  const words = [
    'install',
    '--ignore-scripts',
    '--omit=optional',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    '.',
  ];
  out.note(`note: npm fetches ${name} ${ENGINE_VERSION}`);
  // npm is a script on Windows, which only a shell starts.
  const how = { cwd: folder, env: io.env, signal, shell: process.platform === 'win32' };
  try {
    await promisify(execFile)('npm', [...words, `${name}@${ENGINE_VERSION}`], how);
  } catch (error) {
    if (signal.aborted) fail('interrupted', 'nothing was installed', 'run it again');
    const [first = ''] = String(error).split('\n');
    const why = /^npm (?:error|ERR!) (?!code)(.+)$/m.exec(String(error))?.[1] ?? first;
    const hint = 'openclaw memory models engine --install --from DIR takes it from a folder; see docs/models.md';
    fail('model_unavailable', `npm could not fetch ${name}: ${why}`, hint);
  }
}
