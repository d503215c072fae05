import { basename } from 'node:path';
import type { Failure } from '../base/failure.js';
import { ok, type Result } from '../base/result.js';
import { checkAllowed } from '../model/file/check.js';
import { findEngine } from '../model/file/engine.js';
import type { ModelInfo } from '../model/ollama/ollama.js';
import type { UserFolders } from '../workspace/openclaw-config.js';
import type { Finding } from './doctor/check.js';

/** What is missing for the model file that is set, with the line that mends it; for `doctor`. Loads nothing. */
export async function fileChecks(
  path: string,
  folders: UserFolders,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const known = await checkAllowed(folders.config, path, signal);
  const engine = findEngine(folders.data);
  return [
    known.ok
      ? { check: 'embeddings', state: 'ok', message: `${basename(path)}, a file of ${megabytes(known.value.size)}` }
      : warning('embeddings', known.error),
    engine.ok
      ? { check: 'engine', state: 'ok', message: `${engine.value.version} in ${engine.value.folder}` }
      : warning('engine', engine.error),
  ];
}

/** What a model file says of itself, as a server does of its models. */
export async function fileInfo(
  path: string,
  folders: UserFolders,
  signal?: AbortSignal,
): Promise<{ readonly shown: Result<ModelInfo>; readonly problem: Failure | undefined }> {
  const known = await checkAllowed(folders.config, path, signal);
  if (!known.ok) return { shown: known, problem: known.error };
  const shown = ok({ name: basename(path), capabilities: ['embedding'], contextLength: known.value.window });
  return { shown, problem: undefined };
}

export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`;
}

function warning(check: string, { message, hint }: Failure): Finding {
  return { check, state: 'warning', message, ...(hint && { hint }) };
}
