import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../base/failure.js';
import { readBytes } from './files.js';

/**
 * Reads a file of the package's folder `templates/`, for example `prompts/wm-update.md`. The folder is beside
 * `package.json`, both for the built program and for the sources.
 * @throws MemoryError `io` if the installation is incomplete.
 */
export function readTemplate(name: string): string {
  const path = join(templatesFolder(), name);
  try {
    return readBytes(path).toString('utf8');
  } catch (error) {
    return fail('io', `the template ${name} cannot be read`, 'reinstall openclaw-memory', error);
  }
}

/** Reads a template, and replaces each placeholder `{{name}}` in it by the value with that name. @throws MemoryError `io` */
export function fillTemplate(name: string, values: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(values));
  return readTemplate(name).replace(/\{\{(\w+)\}\}/g, (_, key: string) => known.get(key) ?? '');
}

/** The folder `templates/` of the package. */
export function templatesFolder(): string {
  return join(packageFolder(), 'templates');
}

/** The folder of this package, which contains `package.json`. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
