// Bundles `dist/`: the command line as one file that V8 can keep compiled (see bin/launch.js), and the library.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  // It finds its compiled half beside itself.
  external: ['sqlite-vec'],
  logLevel: 'warning',
};

rmSync('dist', { recursive: true, force: true });
await build({
  ...COMMON,
  entryPoints: { cli: 'src/cli/run.ts' },
  outdir: 'dist',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '__url' },
  // Compiled code that comes from the cache can't import; what is not bundled is required.
  supported: { 'dynamic-import': false },
});
await build({
  ...COMMON,
  entryPoints: { index: 'src/app/index.ts' },
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json'], { stdio: 'inherit' });
