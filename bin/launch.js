// Compiling our code costs more than most commands do. V8 can keep what it compiled: a file per command in the user's
// cache folder, made at the end of its first run, with every part of the command line that it loaded. Node 22 has
// `module.enableCompileCache` for this, Node 20 has not; its environment variables mean the same here. Nothing depends
// on the cache: without one, code is compiled.
'use strict';

const { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const vm = require('node:vm');
const { openParts, packed, readParts } = require('./parts.js');

const FOLDER = join(__dirname, '..', 'dist', 'cli');
const PARTS = join(FOLDER, 'parts');
const ENTRY = 'run.cjs';

/**
 * Most commands end within a tenth of a second. By default V8 compiles a pattern for its first use and again, as machine
 * code, for its second, and it optimises functions that are done before it is. By major version of Node: a flag that V8
 * does not know is an error on stderr. Never taken back: V8 crashes on patterns that it compiled without them.
 */
const ONE_PASS = '--no-regexp-tier-up';
const LATE = '--interrupt-budget=1000000';
const SOON = '--interrupt-budget=67584';
const SHORT_LIVED = { 20: [ONE_PASS, LATE], 22: [ONE_PASS], 24: [ONE_PASS] };
const MAJOR = Number.parseInt(process.versions.node, 10);

/** Modules of Node that every command loads; `--version` needs none of them. */
const NEEDED = ['node:crypto', 'node:timers/promises', 'node:worker_threads'];

/**
 * Runs the command line.
 * @param {'openclaw' | 'openclaw-memory'} bin
 */
exports.launch = function launch(bin) {
  const argv = process.argv.slice(2);
  const build = statSync(PARTS, { throwIfNoEntry: false });
  if (build === undefined)
    return tell('this copy of openclaw-memory is not built', 'run "npm run build" in its folder');
  // Load Node's modules first: Node's own compiled code fits only the flags as they were. Without it, loading takes twice as
  // long.
  void process.stdout;
  if (wordOf(argv) !== undefined) for (const name of NEEDED) require(name);
  for (const flag of SHORT_LIVED[MAJOR] ?? []) setFlagsFromString(flag);
  let program;
  try {
    program = new Parts(cacheFile(argv, build)).require(ENTRY);
  } catch (error) {
    return tell(`this copy of openclaw-memory is damaged: ${error.message}`, 'install it again');
  }
  return program.main({ bin, argv });
};

/**
 * Runs a thread of the index; `bin/thread.js` calls it. The thread ends with the process that started it,
 * so it keeps no compiled code. Its work takes long: V8 optimises functions as early as by default again,
 * in all threads.
 */
exports.runThread = async function runThread() {
  if (SHORT_LIVED[MAJOR]?.includes(LATE)) setFlagsFromString(SOON);
  const { serveRequests } = await new Parts(undefined).require(ENTRY).loadIndexThread();
  await serveRequests();
};

/** The first word that can name a command. */
function wordOf(argv) {
  return argv.find((word) => /^[a-z]+$/.test(word) && word !== 'memory');
}

function tell(message, hint) {
  process.stderr.write(`error: ${message}\nhint: ${hint}\n`);
  process.exitCode = 1;
}

/** The parts of the command line that are loaded, each once, as Node's own loader would. */
class Parts {
  constructor(cache) {
    this.cache = cache;
    this.code = openParts(PARTS);
    this.kept = cache === undefined ? new Map() : read(cache.path);
    this.scripts = new Map();
    this.modules = new Map();
    this.outside = createRequire(join(FOLDER, ENTRY));
    this.url = pathToFileURL(join(FOLDER, ENTRY)).href;
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
    const filename = join(FOLDER, name);
    const script = new vm.Script(this.code(name).latin1Slice(), {
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
function cacheFile(argv, { size, mtimeMs }) {
  const { env, versions, arch } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = env.NODE_COMPILE_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'openclaw-memory');
  const build = `code-${versions.v8}-${arch}-${size}-${Math.round(mtimeMs)}-`;
  return { folder, build, path: join(folder, `${build}${wordOf(argv) ?? ''}`) };
}

/** The compiled code that the cache holds, by name of the part. */
function read(path) {
  try {
    return readParts(path);
  } catch {
    // There is none yet, or it is no good: V8 would reject its parts.
    return new Map();
  }
}

/** Renames the cache file into place, so that no process reads half of it. Removes the cache files of other builds. */
function write({ folder, build, path }, kept) {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temporary, packed(kept), { mode: 0o600 });
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
