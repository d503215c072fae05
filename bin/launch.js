// Compiling our bundle costs more than most commands do. V8 can keep the compiled code: a file per command in the
// user's cache folder, made at the end of its first run. Node 22 has `module.enableCompileCache` for this, Node 20 has
// not; its environment variables mean the same here. Nothing depends on the cache: without one, code is compiled.
'use strict';

const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const BUNDLE = join(__dirname, '..', 'dist', 'cli.cjs');

/**
 * Runs the command line.
 * @param {'openclaw' | 'openclaw-memory'} bin
 */
exports.launch = function launch(bin) {
  const argv = process.argv.slice(2);
  const cache = cacheFile(argv);
  const module = { exports: {} };
  load(cache)(module.exports, createRequire(BUNDLE), module, pathToFileURL(BUNDLE).href);
  return module.exports.main({ bin, argv });
};

function load(cache) {
  const source = `(function (exports, require, module, __url) {${readFileSync(BUNDLE, 'utf8')}\n})`;
  const cachedData = cache && read(cache.path);
  const script = new vm.Script(source, {
    filename: BUNDLE,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cache && (cachedData === undefined || script.cachedDataRejected)) {
    process.once('exit', () => keep(cache, script.createCachedData()));
  }
  return script.runInThisContext();
}

/** Named after everything that the code depends on: V8 itself only compares the length of the source. */
function cacheFile(argv) {
  const { env, versions, arch } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const { size, mtimeMs } = statSync(BUNDLE);
  const folder = env.NODE_COMPILE_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'openclaw-memory');
  const command = argv.find((word) => /^[a-z]+$/.test(word) && word !== 'memory') ?? '';
  const build = `code-${versions.v8}-${arch}-${size}-${Math.round(mtimeMs)}-`;
  return { folder, build, path: join(folder, `${build}${command}`) };
}

function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Renamed into place, so that nobody reads half of it; those of other builds are removed. */
function keep({ folder, build, path }, data) {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temporary, data, { mode: 0o600 });
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
    for (const name of readdirSync(folder)) {
      if (name.startsWith('code-') && !name.startsWith(build)) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The next run compiles again.
  }
}
