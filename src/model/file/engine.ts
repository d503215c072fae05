import { basename, dirname, join } from 'node:path';
import { type Failure, fail } from '../../base/failure.js';
import { asText, parseRecord } from '../../base/json.js';
import { err, ok, type Result, valueOrThrow } from '../../base/result.js';
import { copyFolder, makeFolder, readTextIfThere, removeFolder, replaceFolder } from '../../workspace/files.js';
import { packageFolder } from '../../workspace/templates.js';

/** The only engine version that `bin/engine.js` supports. */
export const ENGINE_VERSION = '3.22.1';

/** Binary packages of node-llama-cpp that need only a CPU, by platform. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'linux-riscv64': 'linux-riscv64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

export interface EmbedEngine {
  readonly version: string;
  /** Folder of the npm package that contains the engine. */
  readonly folder: string;
  /** Path of the native addon. */
  readonly addon: string;
}

/** Folder in which the engine of the user is installed, below the data folder. */
const FOLDER = 'engine';
const INSTALL = 'install it: openclaw memory models engine --install';

/** Name of the npm package with the engine for this machine. Failure: `model_unavailable`. */
export function enginePackageName(): Result<string> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name !== undefined) return ok(`@node-llama-cpp/${name}`);
  return err(away(`there is no engine for ${platform}`, 'use an embedding model of an Ollama server'));
}

/**
 * Finds the engine beside this program, then in the user's data folder. Never in a workspace or the current folder, because
 * anybody may have put a program there. Failures: `model_unavailable` with the command that installs it.
 */
export function findEngine(dataFolder: string): Result<EmbedEngine> {
  const name = enginePackageName();
  if (!name.ok) return name;
  const own = packageFolder();
  const beside = basename(dirname(own)) === 'node_modules' ? [dirname(own)] : [];
  let other: string | undefined;
  for (const modules of [join(own, 'node_modules'), ...beside, join(dataFolder, FOLDER, 'node_modules')]) {
    const folder = join(modules, name.value);
    const version = versionOf(folder);
    other ??= version;
    if (version === ENGINE_VERSION)
      return ok({ version, folder, addon: join(folder, 'bins', basename(folder), 'llama-addon') });
  }
  if (other === undefined) return err(away('the engine for model files is not installed', INSTALL));
  return err(away(`the engine for model files has version ${other}, but must have ${ENGINE_VERSION}`, INSTALL));
}

/** Version of the package in a folder; `undefined` if there is none. */
function versionOf(folder: string): string | undefined {
  return asText(parseRecord(readTextIfThere(join(folder, 'package.json')) ?? '')?.version);
}

function away(message: string, hint: string): Failure {
  return { type: 'model_unavailable', message, hint };
}

/**
 * Installs the engine for this user, and replaces another version. If the installation fails, nothing is changed.
 * @param fill puts the package into the `node_modules` of a folder
 * @throws MemoryError `model_unavailable` if there is no package for this machine, `refused` if its version is not supported
 */
export async function installEngine(
  dataFolder: string,
  fill: (folder: string, name: string) => Promise<void> | void,
): Promise<EmbedEngine> {
  const name = valueOrThrow(enginePackageName());
  const folder = join(dataFolder, FOLDER);
  const temporary = `${folder}.${process.pid}.tmp`;
  removeFolder(temporary);
  try {
    makeFolder(join(temporary, 'node_modules'));
    await fill(temporary, name);
    const came = versionOf(join(temporary, 'node_modules', name)) ?? 'no engine';
    if (came !== ENGINE_VERSION)
      fail('refused', `npm installed version ${came}, but ${ENGINE_VERSION} is needed`, 'nothing was changed');
    replaceFolder(temporary, folder);
  } finally {
    removeFolder(temporary);
  }
  return valueOrThrow(findEngine(dataFolder));
}

/** Copies the package from a folder in which it was installed or unpacked. @throws MemoryError `not_found` */
export function copyPackage(from: string, folder: string, name: string): void {
  const places = [join(from, 'node_modules', name), join(from, 'package'), from];
  const found = places.find((place) => versionOf(place) !== undefined);
  if (found === undefined)
    fail('not_found', `${from} does not contain ${name}`, 'see docs/models.md for how to make such a folder');
  copyFolder(found, join(folder, 'node_modules', name));
}
