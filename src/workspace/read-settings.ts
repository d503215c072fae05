import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { attempt } from '../base/result.js';
import { VERSION } from '../base/version.js';
import { contentHash, LARGEST_TEXT, readTextIfThere, readVersion, replaceFile } from './files.js';
import { parseJson5 } from './openclaw-config.js';
import { checkSettings, DEFAULT_SETTINGS, SETTINGS_FILE, type Settings } from './settings.js';

/**
 * Reads `memory.config.json5`. Its content is read once: the outcome is cached in the state folder under its hash, so that
 * no start pays for the parser of JSON5.
 * @throws MemoryError `settings` that names the key, the reason, and for an unknown key the nearest known one.
 */
export async function readSettings(root: string, stateFolder: string): Promise<Settings> {
  const version = readVersion(join(root, SETTINGS_FILE), LARGEST_TEXT);
  if (version === undefined) return DEFAULT_SETTINGS;
  const cached = readCached(stateFolder, version.hash);
  if (cached !== undefined) return cached;
  const settings = checkSettings((await parseSettings(version.bytes.toString('utf8'))).value);
  writeCached(stateFolder, version.hash, settings);
  return settings;
}

/**
 * The text of a settings file, and what it says. One with nothing, or nothing but comments, says nothing: it is given the
 * braces that it lacks.
 * @throws MemoryError `settings`
 */
export async function parseSettings(text: string): Promise<{ readonly text: string; readonly value: unknown }> {
  const whole = `${text}\n{}\n`;
  try {
    return { text, value: await parseJson5(text) };
  } catch (error) {
    const value = await parseJson5(whole).catch(() => {
      const reason = error instanceof Error ? error.message : error;
      return fail('settings', `${SETTINGS_FILE} is not JSON5: ${reason}`, 'mend it at the place named');
    });
    return { text: whole, value };
  }
}

// The program's version and its defaults are part of the key: another release may check or fill in otherwise.
function cacheKey(hash: string): string {
  return contentHash(`${VERSION} ${JSON.stringify(DEFAULT_SETTINGS)} ${hash}`);
}

function cachePath(stateFolder: string): string {
  return join(stateFolder, 'cache', 'settings.json');
}

function readCached(stateFolder: string, hash: string): Settings | undefined {
  return attempt(() => {
    // Whoever has written this key has checked these settings.
    const cached: { key?: unknown; settings?: Settings } = JSON.parse(readTextIfThere(cachePath(stateFolder)) ?? '');
    return cached.key === cacheKey(hash) ? cached.settings : undefined;
  }, undefined);
}

function writeCached(stateFolder: string, hash: string, settings: Settings): void {
  // Else checking again next time is all that is lost.
  attempt(() => {
    const path = cachePath(stateFolder);
    return replaceFile(path, readVersion(path), JSON.stringify({ key: cacheKey(hash), settings }));
  }, undefined);
}
