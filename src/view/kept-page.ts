import { join } from 'node:path';
import { readVersion, removeFile } from '../workspace/files.js';
import { embedded } from './page.js';

/** Where a page is written when nobody names a file. */
export function keptPage(stateFolder: string): string {
  return join(stateFolder, 'view.html');
}

/** Removes the page that was made before, if it shows one of some forgotten texts. */
export function dropPage(stateFolder: string, texts: readonly string[]): void {
  const path = keptPage(stateFolder);
  const page = readVersion(path)?.bytes.toString('utf8').toLowerCase() ?? '';
  if (texts.some((text) => page.includes(embedded(text).slice(1, -1).toLowerCase()))) removeFile(path);
}
