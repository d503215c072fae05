import { join } from 'node:path';
import { fail, tryWithFallback } from '../base/failure.js';
import { VERSION } from '../base/version.js';
import { contentHash, MAX_TEXT_FILE_BYTES, readTextIfThere, readVersion, replaceFile } from './files.js';
import { parseJson5 } from './openclaw-config.js';
import { checkSettings, DEFAULT_SETTINGS, SETTINGS_FILE, type Settings } from './settings.js';

/**
 * Reads `memory.config.json5`. The result is stored in the state folder with the hash of the file, so that the JSON5 parser
 * is loaded only if the file has changed.
 * @param onWarning gets one warning if the file has settings of older versions
 * @throws MemoryError `settings` that names the key, the reason, and for an unknown key the nearest known one.
 */
export async function readSettings(
  root: string,
  stateFolder: string,
  onWarning?: (message: string) => void,
): Promise<Settings> {
  const version = readVersion(join(root, SETTINGS_FILE), MAX_TEXT_FILE_BYTES);
  if (version === undefined) return DEFAULT_SETTINGS;
  const { hash, bytes } = version;
  const { settings, former } = readCached(stateFolder, hash) ?? (await checkFile(stateFolder, hash, bytes));
  if (former.length > 0) onWarning?.(`${SETTINGS_FILE}: settings without effect: ${former.join(', ')}`);
  return settings;
}

/** Checked settings, and the names of the settings of older versions that the file has. */
interface CheckedSettings {
  readonly settings: Settings;
  readonly former: readonly string[];
}

async function checkFile(stateFolder: string, hash: string, bytes: Buffer): Promise<CheckedSettings> {
  const former: string[] = [];
  const settings = checkSettings((await parseSettings(bytes.toString('utf8'))).value, (name) => former.push(name));
  writeCached(stateFolder, hash, { settings, former });
  return { settings, former };
}

/**
 * Parses the text of a settings file. If it is empty or has only comments, braces are added. Returns the text and its value.
 * @throws MemoryError `settings`
 */
export async function parseSettings(text: string): Promise<{ readonly text: string; readonly value: unknown }> {
  const whole = `${text}\n{}\n`;
  try {
    return { text, value: await parseJson5(text) };
  } catch (error) {
    const value = await parseJson5(whole).catch(() => {
      const reason = error instanceof Error ? error.message : error;
      return fail('settings', `${SETTINGS_FILE} is not JSON5: ${reason}`, 'fix the file at this place');
    });
    return { text: whole, value };
  }
}

// The key of the stored settings. It is computed from the hash of the settings file, the version of the program and the
// defaults. Another version may check settings or fill in defaults differently.
function cacheKey(hash: string): string {
  return contentHash(`${VERSION} ${JSON.stringify(DEFAULT_SETTINGS)} ${hash}`);
}

function cachePath(stateFolder: string): string {
  return join(stateFolder, 'cache', 'settings.json');
}

function readCached(stateFolder: string, hash: string): CheckedSettings | undefined {
  return tryWithFallback(() => {
    // Settings are checked before they are stored. So stored settings with the right key need no check here.
    const text = readTextIfThere(cachePath(stateFolder)) ?? '';
    const cached: CheckedSettings & { readonly key: unknown } = JSON.parse(text);
    return cached.key === cacheKey(hash) ? cached : undefined;
  }, undefined);
}

function writeCached(stateFolder: string, hash: string, checked: CheckedSettings): void {
  // Errors are ignored: the settings are then read and checked again next time.
  tryWithFallback(() => {
    const path = cachePath(stateFolder);
    return replaceFile(path, readVersion(path), JSON.stringify({ key: cacheKey(hash), ...checked }));
  }, undefined);
}
