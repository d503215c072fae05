import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TemporaryWorkspace } from './workspace.js';

const REGISTER = new URL('./record-modules/register.mjs', import.meta.url).href;

let runs = 0;

/**
 * Runs a command and names the packages whose code Node loaded for it, from the bundle's chunks (esbuild notes above
 * each piece which file it came from) and from node_modules itself.
 */
export async function loadedPackages(
  workspace: TemporaryWorkspace,
  args: readonly string[],
): Promise<ReadonlySet<string>> {
  const record = join(workspace.base, `modules-${runs++}`);
  const result = await workspace.run(args, { env: { NODE_OPTIONS: `--import ${REGISTER}`, RECORD_MODULES: record } });
  if (result.code !== 0) throw new Error(result.stderr);
  const packages = new Set<string>();
  for (const url of readFileSync(record, 'utf8').trim().split('\n')) {
    if (!url.startsWith('file:')) continue;
    const path = fileURLToPath(url);
    if (path.includes('/node_modules/')) add(packages, path);
    else for (const [line] of readFileSync(path, 'utf8').matchAll(/^\/\/ \S*node_modules\/.*$/gm)) add(packages, line);
  }
  return packages;
}

function add(packages: Set<string>, path: string): void {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (name !== undefined) packages.add(name);
}
