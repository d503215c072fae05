import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { TemporaryWorkspace } from './workspace.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What esbuild says it put into each file of the bundle. */
const METAFILE = z.object({ outputs: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.unknown()) })) });
const REGISTER = new URL('./record-modules/register.mjs', import.meta.url).href;

let runs = 0;

/**
 * Runs a command and names the packages whose code Node loaded for it, from the bundle's chunks and from node_modules
 * itself.
 */
export async function loadedPackages(
  workspace: TemporaryWorkspace,
  args: readonly string[],
): Promise<ReadonlySet<string>> {
  const record = join(workspace.base, `modules-${runs++}`);
  const result = await workspace.run(args, { env: { NODE_OPTIONS: `--import ${REGISTER}`, RECORD_MODULES: record } });
  if (result.code !== 0) throw new Error(result.stderr);
  const { outputs } = METAFILE.parse(JSON.parse(readFileSync(join(ROOT, 'dist/meta.json'), 'utf8')));
  const packages = new Set<string>();
  for (const url of readFileSync(record, 'utf8').trim().split('\n')) {
    if (!url.startsWith('file:')) continue;
    const path = fileURLToPath(url);
    if (path.includes('/node_modules/')) add(packages, path);
    else for (const input of Object.keys(outputs[relative(ROOT, path)]?.inputs ?? {})) add(packages, input);
  }
  return packages;
}

function add(packages: Set<string>, path: string): void {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (name !== undefined) packages.add(name);
}
