// Compiling our code costs more than most commands do. V8 can keep what it compiled: a file per command in the user's
// cache folder, made at the end of its first run, with every part of the command line that it loaded. Node 22 has
// `module.enableCompileCache` for this, Node 20 has not; its environment variables mean the same here. Nothing depends
// on the cache: without one, code is compiled.
'use strict';

const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const PARTS = join(__dirname, '..', 'dist', 'cli');
const ENTRY = 'run.cjs';

/**
 * Runs the command line.
 * @param {'openclaw' | 'openclaw-memory'} bin
 */
exports.launch = function launch(bin) {
  const argv = process.argv.slice(2);
  return new Parts(cacheFile(argv)).require(ENTRY).main({ bin, argv });
};

/** The parts of the command line that are loaded, each once, as Node's own loader would. */
class Parts {
  constructor(cache) {
    this.cache = cache;
    this.kept = cache === undefined ? new Map() : read(cache.path);
    this.scripts = new Map();
    this.modules = new Map();
    this.outside = createRequire(join(PARTS, ENTRY));
    this.url = pathToFileURL(join(PARTS, ENTRY)).href;
    if (cache) process.once('exit', () => this.keep());
  }

  require(name) {
    const loaded = this.modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} };
    this.modules.set(name, module);
    const require = (id) => (id.startsWith('./') ? this.require(id.slice(2)) : this.outside(id));
    this.compile(name)(module.exports, require, module, this.url);
    return module.exports;
  }

  compile(name) {
    const filename = join(PARTS, name);
    const script = new vm.Script(readFileSync(filename, 'latin1'), {
      filename,
      cachedData: this.kept.get(name),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (script.cachedDataRejected) this.kept.delete(name);
    this.scripts.set(name, script);
    return script.runInThisContext();
  }

  keep() {
    const isNew = [...this.scripts.keys()].some((name) => !this.kept.has(name));
    if (!isNew) return;
    for (const [name, script] of this.scripts) this.kept.set(name, script.createCachedData());
    write(this.cache, this.kept);
  }
}

/** Named after everything that the code depends on: V8 itself only compares the length of the source. */
function cacheFile(argv) {
  const { env, versions, arch } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  // Its name for each other part changes with that part's content.
  const { size, mtimeMs } = statSync(join(PARTS, ENTRY));
  const folder = env.NODE_COMPILE_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'openclaw-memory');
  const command = argv.find((word) => /^[a-z]+$/.test(word) && word !== 'memory') ?? '';
  const build = `code-${versions.v8}-${arch}-${size}-${Math.round(mtimeMs)}-`;
  return { folder, build, path: join(folder, `${build}${command}`) };
}

/**
 * What was kept, by name of the part. The file begins with the length of its table, a line of JSON with the name and
 * length of each part, in the order in which they follow.
 */
function read(path) {
  const kept = new Map();
  try {
    const bytes = readFileSync(path);
    let at = 4 + bytes.readUInt32LE(0);
    for (const [name, length] of JSON.parse(bytes.toString('latin1', 4, at))) {
      kept.set(name, bytes.subarray(at, at + length));
      at += length;
    }
  } catch {
    // There is none yet, or it is no good: V8 would reject its parts.
  }
  return kept;
}

/** Renamed into place, so that nobody reads half of it; those of other builds are removed. */
function write({ folder, build, path }, kept) {
  const table = Buffer.from(JSON.stringify([...kept].map(([name, data]) => [name, data.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(table.length);
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temporary, Buffer.concat([length, table, ...kept.values()]), { mode: 0o600 });
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
