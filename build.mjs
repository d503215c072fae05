// Bundles `dist/`: the command line in parts that are loaded when they are needed (see bin/launch.js), and the library.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, transform } from 'esbuild';

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  format: 'esm',
  splitting: true,
  // It finds its compiled half beside itself.
  external: ['sqlite-vec'],
  logLevel: 'warning',
};

/** Commander could start commands that are programs of their own; ours are not, and what starts programs loads slowly. */
const NO_PROGRAMS = {
  name: 'no-programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'none', namespace: 'no-programs' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-programs' }, () => ({ contents: 'module.exports = {};' }));
  },
};

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist/cli', { recursive: true });
const { outputFiles } = await build({
  ...COMMON,
  entryPoints: { run: 'src/cli/run.ts' },
  outdir: 'dist/cli',
  chunkNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '__url' },
  plugins: [NO_PROGRAMS],
  write: false,
});
for (const { path, text } of outputFiles) {
  // Compiled code that comes from the cache can't import: it requires.
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    supported: { 'dynamic-import': false },
  });
  const wrapped = `(function(exports,require,module,__url){${asciiOf(code)}\n})`;
  writeFileSync(`dist/cli/${basename(path)}`, wrapped);
}
await build({
  ...COMMON,
  entryPoints: { index: 'src/app/index.ts' },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json'], { stdio: 'inherit' });

/** V8 reads text of one byte a character twice as fast. Beyond ASCII are only patterns left, where an escape is the same. */
function asciiOf(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
