import { err, ok, type Result } from '../../base/failure.js';
import type { UserFolders } from '../../workspace/openclaw-config.js';
import { CallError, type Deadlines, embedInputFailure, embedTimeoutMs, withOneRetry } from '../call.js';
import type { EmbedServer } from '../embed.js';
import type { AllowedModelFile } from './model-file.js';

/**
 * Maximum number of tokens of one input, the same as Ollama's default batch. Lines of notes are never longer, and longer
 * texts need more memory.
 */
const MOST_TOKENS = 2_048;

/**
 * Embeds texts with a model file, in a separate process. A file from the settings is opened only if the user has allowed it.
 * @param tried entry of a file that a person has just named. This file is opened although it is not in the list of allowed
 * files yet
 */
export function fileEmbedServer(
  path: string,
  folders: UserFolders,
  deadlines: Deadlines,
  tried?: AllowedModelFile,
): EmbedServer {
  let checked = tried && Promise.resolve<Result<AllowedModelFile>>(ok(tried));
  const check = async (signal: AbortSignal | undefined): Promise<Result<AllowedModelFile>> => {
    checked ??= import('./model-file.js').then(({ checkModelFileAllowed }) =>
      checkModelFileAllowed(folders.config, path, signal),
    );
    const result = await checked;
    if (!result.ok) checked = undefined;
    return result;
  };
  return {
    digest: async (_, signal) => {
      const known = await check(signal);
      return known.ok ? ok(known.value.digest) : known;
    },
    embed: async (_, inputs, signal) => {
      const known = await check(signal);
      if (!known.ok) return known;
      const [{ findEngine }, { embedInProcess }] = await Promise.all([import('./engine.js'), import('./engine.js')]);
      const engine = findEngine(folders.data);
      if (!engine.ok) return engine;
      const { path: file, digest } = known.value;
      const task = { addon: engine.value.addon, file, digest, tokens: MOST_TOKENS };
      try {
        const ask = () => embedInProcess(task, inputs, embedTimeoutMs(deadlines, inputs.length), signal);
        return ok(await withOneRetry(ask, deadlines.retryAfterMs, signal));
      } catch (error) {
        if (error instanceof CallError) return err(embedInputFailure(error));
        throw error;
      }
    },
  };
}
