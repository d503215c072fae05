import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fail } from '../base/failure.js';
import { asRecord, type Fields } from '../base/json.js';
import type { FileChange } from '../workspace/changes.js';
import { editFile, readTextIfThere } from '../workspace/files.js';
import { parseJson5 } from '../workspace/openclaw-config.js';
import { SETTINGS_FILE } from '../workspace/settings.js';

/**
 * Sets one setting to a text, and leaves every other character of the file as a person wrote it.
 * @returns the change, made unless it is only shown
 * @throws MemoryError `settings` when the file can't be read, or none of its places takes it
 */
export async function writeSetting(root: string, key: string, value: string, dryRun = false): Promise<FileChange> {
  const path = join(root, SETTINGS_FILE);
  const before = readTextIfThere(path) ?? null;
  const after = before === null ? `{\n  ${key}: ${JSON.stringify(value)},\n}\n` : await edited(before, key, value);
  if (!dryRun && after !== before)
    editFile(path, (current) => ((current?.toString('utf8') ?? null) === before ? after : changedMeanwhile()));
  return { path: SETTINGS_FILE, before, after };
}

/** Where the key or a brace seems to stand may be a comment: the first place counts that makes what is wanted. */
async function edited(text: string, key: string, value: string): Promise<string> {
  const old = await parsed(text);
  const wanted = { ...old, [key]: value };
  if (isDeepStrictEqual(old, wanted)) return text;
  const said = JSON.stringify(value);
  const texts = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|null`;
  const places = new RegExp(`((["']?)\\b${key}\\2\\s*:\\s*)(?:${texts})|\\{`, 'g');
  for (const { 0: there, 1: label, index } of text.matchAll(places)) {
    const put = label === undefined ? `{\n  "${key}": ${said},` : label + said;
    const made = text.slice(0, index) + put + text.slice(index + there.length);
    if (isDeepStrictEqual(await parsed(made).catch(() => undefined), wanted)) return made;
  }
  return fail('settings', `${SETTINGS_FILE} could not be changed`, `write it there yourself: ${key}: ${said}`);
}

async function parsed(text: string): Promise<Fields> {
  try {
    return asRecord(await parseJson5(text));
  } catch {
    return fail('settings', `${SETTINGS_FILE} is not JSON5`, 'openclaw memory doctor names the place');
  }
}

function changedMeanwhile(): never {
  return fail('conflict', `${SETTINGS_FILE} was changed meanwhile`, 'run it again');
}
