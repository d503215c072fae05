import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { err, type Failure, fail, ok, type Result, valueOrThrow } from '../../base/failure.js';
import { asRecord, asText, parseRecord } from '../../base/json.js';
import { copyFolder, makeFolder, readTextIfThere, removeFolder, replaceFolder } from '../../workspace/files.js';
import { packageFolder } from '../../workspace/templates.js';
import { CallError, interruptedCallError, startTimeLimit } from '../call.js';

/** The only engine version that `bin/engine.js` supports. */
export const ENGINE_VERSION = '3.22.1';

/** Binary packages of node-llama-cpp that need only a CPU, by platform. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'linux-riscv64': 'linux-riscv64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

export interface EmbedEngine {
  readonly version: string;
  /** Folder of the npm package that contains the engine. */
  readonly folder: string;
  /** Path of the native addon. */
  readonly addon: string;
}

/** Folder in which the engine of the user is installed, below the data folder. */
const FOLDER = 'engine';
const INSTALL = 'install it: openclaw memory models engine --install';

/** Name of the npm package with the engine for this machine. Failure: `model_unavailable`. */
export function enginePackageName(): Result<string> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name !== undefined) return ok(`@node-llama-cpp/${name}`);
  return err(away(`there is no engine for ${platform}`, 'use an embedding model of an Ollama server'));
}

/**
 * Finds the engine beside this program, then in the user's data folder. Never in a workspace or the current folder, because
 * anybody may have put a program there. Failures: `model_unavailable` with the command that installs it.
 */
export function findEngine(dataFolder: string): Result<EmbedEngine> {
  const name = enginePackageName();
  if (!name.ok) return name;
  const own = packageFolder();
  const beside = basename(dirname(own)) === 'node_modules' ? [dirname(own)] : [];
  let other: string | undefined;
  for (const modules of [join(own, 'node_modules'), ...beside, join(dataFolder, FOLDER, 'node_modules')]) {
    const folder = join(modules, name.value);
    const version = versionOf(folder);
    other ??= version;
    if (version === ENGINE_VERSION)
      return ok({ version, folder, addon: join(folder, 'bins', basename(folder), 'llama-addon') });
  }
  if (other === undefined) return err(away('the engine for model files is not installed', INSTALL));
  return err(away(`the engine for model files has version ${other}, but must have ${ENGINE_VERSION}`, INSTALL));
}

/** Version of the package in a folder; `undefined` if there is none. */
function versionOf(folder: string): string | undefined {
  return asText(parseRecord(readTextIfThere(join(folder, 'package.json')) ?? '')?.version);
}

function away(message: string, hint: string): Failure {
  return { type: 'model_unavailable', message, hint };
}

/**
 * Installs the engine for this user, and replaces another version. If the installation fails, nothing is changed.
 * @param fill puts the package into the `node_modules` of a folder
 * @throws MemoryError `model_unavailable` if there is no package for this machine, `refused` if its version is not supported
 */
export async function installEngine(
  dataFolder: string,
  fill: (folder: string, name: string) => Promise<void> | void,
): Promise<EmbedEngine> {
  const name = valueOrThrow(enginePackageName());
  const folder = join(dataFolder, FOLDER);
  const temporary = `${folder}.${process.pid}.tmp`;
  removeFolder(temporary);
  try {
    makeFolder(join(temporary, 'node_modules'));
    await fill(temporary, name);
    const came = versionOf(join(temporary, 'node_modules', name)) ?? 'no engine';
    if (came !== ENGINE_VERSION)
      fail('refused', `npm installed version ${came}, but ${ENGINE_VERSION} is needed`, 'nothing was changed');
    replaceFolder(temporary, folder);
  } finally {
    removeFolder(temporary);
  }
  return valueOrThrow(findEngine(dataFolder));
}

/** Copies the package from a folder in which it was installed or unpacked. @throws MemoryError `not_found` */
export function copyPackage(from: string, folder: string, name: string): void {
  const places = [join(from, 'node_modules', name), join(from, 'package'), from];
  const found = places.find((place) => versionOf(place) !== undefined);
  if (found === undefined)
    fail('not_found', `${from} does not contain ${name}`, 'see docs/models.md for how to make such a folder');
  copyFolder(found, join(folder, 'node_modules', name));
}

/** Settings of a process that runs a model. */
interface EngineParameters {
  /** Path of the compiled part of the engine. */
  readonly addon: string;
  /** Path of the model file, and its digest. */
  readonly file: string;
  readonly digest: string;
  /** Maximum number of tokens of one text. */
  readonly tokens: number;
}

/** After this time without work, in ms, the process ends and frees its memory. */
const IDLE_MS = 15 * 60_000;
/** Number of threads. More threads than cores would be much slower, and one core stays free for the calling process. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/**
 * Environment variables that the process does not get. The host sets them for its own Node, and loading certificates costs
 * 0.1 s.
 */
const NOT_PASSED_ON = { NODE_OPTIONS: undefined, NODE_EXTRA_CA_CERTS: undefined, NODE_V8_COVERAGE: undefined };

const running = new Map<string, EngineProcess>();

/**
 * Embeds texts in the process that runs this model, and starts it if needed.
 * @throws CallError `unfit` if the model can't be loaded, `rejected` for a text that it refuses, `stopped` if its process
 * ended, `slow`, `interrupted`
 */
export function embedInProcess(
  task: EngineParameters,
  texts: readonly string[],
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Vectors> {
  const key = JSON.stringify(task);
  let engine = running.get(key);
  if (engine === undefined) {
    // Only one model stays in memory: end the processes of other models if they have no work.
    for (const other of running.values()) other.giveWay();
    engine = new EngineProcess(task, () => void (running.get(key) === engine && running.delete(key)));
    running.set(key, engine);
  }
  return engine.embed(texts, ms, signal);
}

type Vectors = readonly (readonly number[])[];

interface Waiting {
  readonly done: (vectors: Vectors) => void;
  readonly failed: (error: CallError) => void;
}

/**
 * A process that runs a model. It may be killed at any time. While it has no work, it does not keep our own process from
 * ending.
 */
class EngineProcess {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private readonly killWithUs = () => void this.child.kill('SIGKILL');
  private asked = 0;
  private isReady = false;

  constructor(
    private readonly task: EngineParameters,
    private readonly onEnd: () => void,
  ) {
    const how = JSON.stringify({ ...task, threads: THREADS, idleMs: IDLE_MS });
    this.child = spawn(process.execPath, [join(packageFolder(), 'bin', 'engine.js'), how], {
      // The system also searches for libraries in the current folder. So this is the folder of the addon, not that of the
      // caller.
      cwd: dirname(task.addon),
      env: { ...process.env, ...NOT_PASSED_ON },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (message: unknown) => this.hear(asRecord(message)));
    this.child.on('error', (error) => this.end(`could not be started: ${error.message}`));
    this.child.on('exit', (code, signal) => this.end(`ended (${signal ?? `exit code ${code}`})`));
    process.once('exit', this.killWithUs);
    this.hold();
  }

  async embed(texts: readonly string[], ms: number, signal: AbortSignal | undefined): Promise<Vectors> {
    const id = this.asked++;
    const limit = startTimeLimit(ms, signal);
    const onAbort = () => {
      const { reason } = limit.signal;
      this.waiting.get(id)?.failed(reason instanceof CallError ? reason : interruptedCallError());
      // After a timeout the process is killed, because it would still be busy with this request.
      if (!signal?.aborted) this.killWithUs();
    };
    const answer = new Promise<Vectors>((done, failed) => void this.waiting.set(id, { done, failed }));
    limit.signal.addEventListener('abort', onAbort);
    if (limit.signal.aborted) onAbort();
    // Errors of `send` are ignored: if the process has ended, the event `exit` reports it.
    else this.child.send({ id, texts }, () => {});
    try {
      this.hold();
      return await answer;
    } finally {
      limit.clear();
      limit.signal.removeEventListener('abort', onAbort);
      this.waiting.delete(id);
      this.hold();
    }
  }

  /** Ends the process if it has no work. */
  giveWay(): void {
    if (this.waiting.size === 0) this.killWithUs();
  }

  private hear({ id, vectors, refused, ready, failed }: Readonly<Record<string, unknown>>): void {
    if (ready !== undefined) this.isReady = true;
    const unfit = `${this.task.file} can't be loaded: ${failed}`;
    if (typeof failed === 'string')
      this.failAll(new CallError('unfit', unfit, 'download the file again, or choose another model'));
    const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (Array.isArray(vectors)) waiting?.done(vectors.map((one) => (one instanceof Float32Array ? [...one] : [])));
    else if (typeof refused === 'string') waiting?.failed(new CallError('rejected', refused, 'shorten the text'));
  }

  private end(how: string): void {
    this.onEnd();
    process.off('exit', this.killWithUs);
    const message = `the engine ${how}${this.isReady ? '' : ` while it loaded ${this.task.file}`}`;
    this.failAll(
      new CallError('stopped', message, 'run it again; if this happens again, choose another embedding model'),
    );
  }

  private failAll(error: CallError): void {
    for (const { failed } of this.waiting.values()) failed(error);
  }

  /** Keeps our own process alive while a request waits for its answer. Without such a request, our process may end. */
  private hold(): void {
    const how = this.waiting.size > 0 ? 'ref' : 'unref';
    this.child[how]();
    this.child.channel?.[how]();
  }
}
