import { totalmem } from 'node:os';
import { err, ok, type Result } from '../base/failure.js';
import { failureOf, isLocalAddress } from './call.js';
import type { LevelFor } from './levels.js';
import type { ToolModel } from './model.js';
import type { OllamaServer } from './ollama.js';
import { refuseCloudModel } from './ollama.js';

interface ChatModelOptions {
  /**
   * Requested window in tokens. The same for all calls, because with another window the server would load the model again.
   */
  readonly numCtx: number | null;
  /** Digest of the model; '' if the server tells none. */
  readonly digest: string;
  /** What the model may do. */
  readonly levelFor: LevelFor;
}

/**
 * Checks that a chat model is installed, and returns it. Calls only the server; the model is not loaded yet.
 * @returns failures: `model_unavailable` with a hint how to fix it, `interrupted`
 */
export async function openChatModel(
  server: OllamaServer,
  name: string,
  { numCtx, digest, levelFor }: ChatModelOptions,
  signal?: AbortSignal,
): Promise<Result<ToolModel>> {
  try {
    refuseCloudModel(name);
  } catch (error) {
    return err(failureOf(error));
  }
  const shown = await server.show(name, signal);
  if (!shown.ok) return shown;
  const { capabilities, contextLength: trained } = shown.value;
  if (capabilities.length > 0 && !capabilities.includes('completion')) {
    const message = `${name} is not a chat model`;
    return err({ type: 'model_unavailable', message, hint: 'set "chatModel", for example to qwen3:4b-instruct' });
  }
  // This code is loaded only if there is a model.
  const { ServedChatModel } = await import('./ask.js');
  const window = await chooseContextWindow(server, name, { set: numCtx, trained }, signal);
  return ok(new ServedChatModel(server, name, digest, window, levelFor, capabilities.includes('tools')));
}

/** Smallest and largest default window, in tokens. */
const LEAST = 8_192;
const MOST = 32_768;
/** Bytes of memory that each token of the window needs, for a model with about four billion weights. */
const BYTES_A_TOKEN = 150_000;
/** Share of the machine's memory that the window may use. */
const SHARE = 1 / 4;

/**
 * Chooses the window of a chat model in tokens, the same for every call. A window in the settings comes first. Without one,
 * a model that is loaded already keeps its window, so that it is not loaded again. Otherwise the window is as large as the
 * memory of this machine allows. It is never larger than the window for which the model was trained.
 * @param set window in the settings; null if unset
 * @param trained window for which the model was trained
 */
export async function chooseContextWindow(
  server: OllamaServer,
  name: string,
  { set, trained = Number.POSITIVE_INFINITY }: { readonly set: number | null; readonly trained?: number | undefined },
  signal?: AbortSignal,
): Promise<number> {
  if (set !== null) return Math.min(set, trained);
  const loaded = await server.loadedWindow(name, signal);
  const window = loaded.ok ? (loaded.value ?? 0) : 0;
  if (window >= LEAST) return Math.min(window, trained);
  // A remote server does not say how much memory it has.
  return Math.min(isLocalAddress(server.base) ? contextWindowForMemory(totalmem()) : LEAST, trained);
}

/** The largest power of two that fits into the memory, between `LEAST` and `MOST`. Pure. @param memory in bytes */
export function contextWindowForMemory(memory: number): number {
  const tokens = (memory * SHARE) / BYTES_A_TOKEN;
  return Math.min(MOST, Math.max(LEAST, 2 ** Math.floor(Math.log2(tokens))));
}
