import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { ExitCode, fail, MemoryError } from '../../../base/failure.js';
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
    return ExitCode.done;
  },
});

/** Only the one package: it needs no other, and what it leaves out could build. */
function fetchPackage({ io, out, signal }: CommandContext, folder: string, name: string): Promise<void> {
  const words = ['install', '--ignore-scripts', '--omit=optional', '--no-save', '--no-audit', '--no-fund'];
  out.note(`note: npm fetches ${name} ${ENGINE_VERSION}`);
  return new Promise((done, failed) => {
    // npm is a script on Windows, which only a shell starts.
    const isScript = process.platform === 'win32';
    const child = spawn('npm', [...words, '--prefix', '.', `${name}@${ENGINE_VERSION}`], {
      cwd: folder,
      env: io.env,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: isScript,
      signal,
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const hint = 'install it from a folder: openclaw memory models engine --install --from DIR; see docs/models.md';
    child.once('error', (error) => failed(toError(`npm could not be started: ${error.message}`, hint, signal)));
    child.once('close', (code) => {
      const why = /^npm (?:error|ERR!) (?!code)(.+)$/m.exec(said)?.[1] ?? `exit code ${code}`;
      if (code === 0) done();
      else failed(toError(`npm could not fetch ${name}: ${why}`, hint, signal));
    });
  });
}

function toError(message: string, hint: string, signal: AbortSignal): unknown {
  if (signal.aborted)
    return new MemoryError({ type: 'interrupted', message: 'nothing was installed', hint: 'run it again' });
  return new MemoryError({ type: 'model_unavailable', message, hint });
}
