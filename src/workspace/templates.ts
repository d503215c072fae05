import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../base/failure.js';
import { readBytes } from './files.js';

/**
 * Reads a file of the package's `templates/` folder, for example `prompts/wm-update.md`. The folder is beside
 * `package.json`, above the bundle as well as above the sources.
 * @throws MemoryError `io` when the installation is incomplete.
 */
export function readTemplate(name: string): string {
  const path = join(templatesFolder(), name);
  try {
    return readBytes(path).toString('utf8');
  } catch (error) {
    return fail('io', `the template ${name} cannot be read`, 'reinstall openclaw-memory', error);
  }
}

/**
 * A template with values for its placeholders, `{{name}}`.
 * @throws MemoryError `io`
 */
export function filledTemplate(name: string, values: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(values));
  return readTemplate(name).replace(/\{\{(\w+)\}\}/g, (_, key: string) => known.get(key) ?? '');
}

/** The package's `templates/` folder. */
export function templatesFolder(): string {
  return join(packageFolder(), 'templates');
}

/** The folder of `package.json`. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
