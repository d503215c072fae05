import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import type { TemporaryWorkspace } from './workspace.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REGISTER = new URL('./record-modules/register.mjs', import.meta.url).href;

/** Node names files by their real path, even if node_modules is a link. */
const SPLIT = join(realpathSync(join(ROOT, 'node_modules')), '.cache', 'openclaw-memory-split');
const STARTS = `import { main } from './src/cli/run.js'; await main({ bin: 'openclaw', argv: process.argv.slice(2) });`;

let runs = 0;
let splitBuild: ReturnType<typeof buildSplit> | undefined;

/**
 * Builds the command line with a file for each part loaded on demand, so that Node's loader shows what is loaded.
 * @returns the modules in each file
 */
async function buildSplit(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { output } = await build({
    cwd: ROOT,
    input: { split: 'split' },
    platform: 'node',
    external: ['sqlite-vec'],
    plugins: [
      {
        name: 'split',
        resolveId: (id) => (id === 'split' ? join(ROOT, 'split.js') : null),
        load: (id) => (id === join(ROOT, 'split.js') ? STARTS : null),
      },
    ],
    output: { dir: SPLIT },
  });
  return new Map(output.map((file) => [join(SPLIT, file.fileName), file.type === 'chunk' ? file.moduleIds : []]));
}

/**
 * Runs a command and returns the packages and Node modules that it loaded, from the chunks of a split build and from
 * node_modules.
 */
export async function loadedPackages(
  workspace: TemporaryWorkspace,
  args: readonly string[],
): Promise<ReadonlySet<string>> {
  const record = join(workspace.base, `modules-${runs++}`);
  splitBuild ??= buildSplit();
  const modules = await splitBuild;
  const result = await workspace.start(args, {
    bin: join(SPLIT, 'split.js'),
    env: { NODE_OPTIONS: `--import ${REGISTER}`, RECORD_MODULES: record },
  });
  if (result.code !== 0) throw new Error(result.stderr);
  const packages = new Set<string>();
  for (const url of readFileSync(record, 'utf8').trim().split('\n')) {
    if (url.startsWith('node:')) packages.add(url);
    if (!url.startsWith('file:')) continue;
    const path = fileURLToPath(url);
    for (const module of modules.get(path) ?? [path]) add(packages, module);
  }
  return packages;
}

function add(packages: Set<string>, path: string): void {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (name !== undefined) packages.add(name);
}
