import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { valueOrThrow } from '../../../src/base/failure.js';
import { ENGINE_VERSION, enginePackageName } from '../../../src/model/file/engine.js';
import { PROBE_MEANINGS } from '../understood.js';
import type { TemporaryWorkspace } from '../workspace.js';
import { gguf } from './gguf.js';

const ADDON = fileURLToPath(new URL('addon.cjs', import.meta.url));

/**
 * Writes a package like the engine's into a folder with `node_modules`.
 * @returns the folder of its loaded files
 */
export function writeEngine(
  folder: string,
  { version = ENGINE_VERSION, synonyms = {} }: { version?: string; synonyms?: Readonly<Record<string, string>> } = {},
): string {
  const root = join(folder, 'node_modules', valueOrThrow(enginePackageName()));
  const bins = join(root, 'bins', root.slice(root.lastIndexOf('/') + 1));
  mkdirSync(bins, { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: valueOrThrow(enginePackageName()), version }));
  writeFileSync(join(bins, 'meaning.json'), JSON.stringify({ answers: Object.fromEntries(PROBE_MEANINGS), synonyms }));
  copyFileSync(ADDON, join(bins, 'llama-addon.js'));
  return bins;
}

/** The double of the engine in a user's folder, and the record of its processes. */
export class EngineDouble {
  /** The folder of its loaded files. */
  readonly bins: string;

  constructor(workspace: TemporaryWorkspace, synonyms: Readonly<Record<string, string>> = {}) {
    this.bins = writeEngine(join(workspace.home, '.local/share/openclaw-memory/engine'), { synonyms });
  }

  /** The ids of all processes that loaded a model, in order. */
  get pids(): readonly number[] {
    return this.lines('pids').map(Number);
  }

  /** Every embedded text, each preceded by its number of threads. */
  get texts(): readonly string[] {
    return this.lines('texts');
  }

  /** Blocks every load of a model until it is called with false. */
  hold(isHeld: boolean): void {
    if (isHeld) writeFileSync(join(this.bins, 'held'), '');
    else rmSync(join(this.bins, 'held'));
  }

  private lines(name: string): readonly string[] {
    const path = join(this.bins, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  }
}

/**
 * Writes a model file into a workspace's home.
 * @returns its path
 */
export function modelIn(
  workspace: TemporaryWorkspace,
  content: Uint8Array = gguf(),
  name = 'models/some model.gguf',
): string {
  const path = join(workspace.home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
