import { join } from 'node:path';
import { fail } from '../../base/failure.js';
import { orThrow } from '../../base/result.js';
import { copyFolder, makeFolder, removeFolder, replaceFolder } from '../../workspace/files.js';
import { ENGINE_VERSION, type Engine, engineFolder, enginePackage, findEngine, versionOf } from './engine.js';

/**
 * Installs the engine for this user, in place of another version: complete, or not at all.
 * @param fill puts the package into the `node_modules` of a folder
 * @throws MemoryError `model_unavailable` when there is none for this machine, `refused` when it is not the one version
 */
export async function installEngine(
  dataFolder: string,
  fill: (folder: string, name: string) => Promise<void> | void,
): Promise<Engine> {
  const name = orThrow(enginePackage());
  const temporary = `${engineFolder(dataFolder)}.${process.pid}.tmp`;
  removeFolder(temporary);
  try {
    makeFolder(join(temporary, 'node_modules'));
    await fill(temporary, name);
    const version = versionOf(join(temporary, 'node_modules', name));
    if (version !== ENGINE_VERSION)
      fail('refused', `${version ?? 'no engine'} came, and ${ENGINE_VERSION} is needed`, 'nothing was changed');
    replaceFolder(temporary, engineFolder(dataFolder));
  } finally {
    removeFolder(temporary);
  }
  return orThrow(findEngine(dataFolder));
}

/** Copies the package out of a folder: one that was installed in elsewhere, or that a package was unpacked in. */
export function copyPackage(from: string, folder: string, name: string): void {
  const places = [join(from, 'node_modules', name), join(from, 'package'), from];
  const found = places.find((place) => versionOf(place) !== undefined);
  const missing = () => fail('not_found', `${from} holds no ${name}`, 'docs/models.md says how to make such a folder');
  copyFolder(found ?? missing(), join(folder, 'node_modules', name));
}
