import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TemporaryWorkspace } from './workspace.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REGISTER = new URL('./record-modules/register.mjs', import.meta.url).href;

let runs = 0;
let splitBuild: ReturnType<typeof buildSplit> | undefined;

/** The command line with a file for everything that is loaded on demand, so that Node's loader sees what is. */
async function buildSplit() {
  const { metafile } = await build({
    stdin: {
      contents: `import { main } from './src/cli/run.js'; await main({ bin: 'openclaw', argv: process.argv.slice(2) });`,
      resolveDir: ROOT,
      sourcefile: 'split.ts',
    },
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['sqlite-vec'],
    outdir: 'node_modules/.cache/openclaw-memory-split',
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  });
  return metafile.outputs;
}

/**
 * Runs a command and names the packages whose code Node loaded for it, from the chunks of a split build and from
 * node_modules itself.
 */
export async function loadedPackages(
  workspace: TemporaryWorkspace,
  args: readonly string[],
): Promise<ReadonlySet<string>> {
  const record = join(workspace.base, `modules-${runs++}`);
  splitBuild ??= buildSplit();
  const outputs = await splitBuild;
  const result = await workspace.run(args, {
    bin: join(ROOT, 'node_modules/.cache/openclaw-memory-split/stdin.js'),
    env: { NODE_OPTIONS: `--import ${REGISTER}`, RECORD_MODULES: record },
  });
  if (result.code !== 0) throw new Error(result.stderr);
  const packages = new Set<string>();
  for (const url of readFileSync(record, 'utf8').trim().split('\n')) {
    if (!url.startsWith('file:')) continue;
    const path = fileURLToPath(url);
    // Node names files by their real path, wherever node_modules is linked to.
    const chunk = outputs[relative(dirname(realpathSync(join(ROOT, 'node_modules'))), path)];
    if (chunk === undefined) add(packages, path);
    else for (const input of Object.keys(chunk.inputs)) add(packages, input);
  }
  return packages;
}

function add(packages: Set<string>, path: string): void {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (name !== undefined) packages.add(name);
}
