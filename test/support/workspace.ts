import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Workspace } from '../../src/app/workspace.js';
import { openWorkspace } from '../../src/app/workspace.js';
import type { RecallAnswer } from '../../src/query/request.js';
import { type CliOptions, type CliResult, cli, type Surroundings } from './cli.js';
import { cliHere } from './cli-here.js';
import { awaitProcesses, removeTree } from './remove-tree.js';

/** The current time of every test workspace. */
export const NOW = '2026-03-15T12:00:00Z';

export type FileContents = Readonly<Record<string, string | Uint8Array>>;

/** A folder of Markdown files in a temporary place, with a home folder of its own beside it. */
export class TemporaryWorkspace {
  readonly base = mkdtempSync(join(tmpdir(), 'openclaw-memory-test-'));
  readonly root = join(this.base, 'workspace');
  readonly home = join(this.base, 'home');

  constructor(files: FileContents = {}) {
    // Marked as a workspace, as by `init`: an empty named folder would be refused.
    mkdirSync(join(this.root, '.memory'), { recursive: true });
    writeFileSync(join(this.root, '.memory', '.gitignore'), '*\n');
    mkdirSync(this.home);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  path(path: string): string {
    return join(this.root, path);
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Returns every Markdown page except the tombstones, with its text. */
  pages(): readonly { readonly path: string; readonly text: string }[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('.memory') && !path.endsWith('forgotten.md'))
      .map((path) => ({ path, text: this.read(path) }));
  }

  remove(path: string): void {
    rmSync(this.path(path), { recursive: true, force: true });
  }

  /** How long each wait for a model may take, in ms. Undefined: as long as the program allows. */
  modelWaitMs: number | undefined;

  /** What a chat model may do; the model of a fake server would fail its test. Undefined: as the settings say. */
  chatLevel: 'extractive' | 'free' | undefined = 'free';

  get env(): NodeJS.ProcessEnv {
    const wait = this.modelWaitMs === undefined ? {} : { OPENCLAW_MODEL_WAIT_MS: String(this.modelWaitMs) };
    const level = this.chatLevel === undefined ? {} : { OPENCLAW_CHAT_LEVEL: this.chatLevel };
    return { HOME: this.home, XDG_CACHE_HOME: join(this.home, 'cache'), ...level, ...wait };
  }

  /**
   * Runs the command line on this workspace at {@link NOW} in UTC, in this process. {@link start} is for behaviour that
   * needs a separate process.
   */
  run(args: readonly string[], options: Surroundings = {}): Promise<CliResult> {
    return cliHere(this.words(args), this.surroundings(options));
  }

  /** Runs a command like {@link run}; it must succeed. Returns its JSON. */
  async json<T>(args: readonly string[], options: Surroundings = {}): Promise<T> {
    return readJson(args, await this.run([...args, '--json'], options));
  }

  /** Returns the answer of `recall`, which must succeed. */
  recall(...args: readonly string[]): Promise<RecallAnswer> {
    return this.json<RecallAnswer>(['recall', ...args]);
  }

  /** Starts the built program on this workspace, as a process, and waits for its end. */
  start(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
    return cli(this.words(args), this.surroundings(options));
  }

  /** Like {@link json}, with the built program. */
  async startJson<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
    return readJson(args, await this.start([...args, '--json'], options));
  }

  /** Returns a command line and its environment for other runners. */
  command(args: readonly string[], options: Surroundings = {}) {
    return { args: this.words(args), options: this.surroundings(options) };
  }

  private words(args: readonly string[]): readonly string[] {
    return ['-w', this.root, '--now', NOW, '--tz', 'UTC', ...args];
  }

  private surroundings<Options extends Surroundings>(options: Options): Options {
    return { cwd: this.base, ...options, env: { ...this.env, ...options.env } };
  }

  /** The library on this workspace, in this process. */
  open(): Promise<Workspace> {
    return openWorkspace({ workspace: this.root, env: this.env, cwd: this.base, now: NOW, timezone: 'UTC' });
  }

  dispose(): void {
    // A log file shows that a command has started a background process.
    if (existsSync(this.path('.memory/logs'))) awaitProcesses(this.root);
    removeTree(this.base);
  }
}

function readJson<T>(args: readonly string[], { code, stdout, stderr }: CliResult): T {
  if (code !== 0) throw new Error(`${args.join(' ').slice(0, 200)} → ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
