import { totalmem } from 'node:os';
import { err, ok, type Result } from '../base/result.js';
import { failureOf } from './call.js';
import type { ToolModel } from './model.js';
import { refuseCloud } from './ollama/host.js';
import type { OllamaServer } from './ollama/ollama.js';

/**
 * Looks whether a chat model is there. Asks nobody but its server, and loads nothing yet.
 * @param numCtx the window that is asked for, in tokens: the same for every call, since another one loads the model again
 * @returns failures: `model_unavailable` with what mends it, `interrupted`
 */
export async function openChatModel(
  server: OllamaServer,
  name: string,
  numCtx: number | null,
  signal?: AbortSignal,
): Promise<Result<ToolModel>> {
  try {
    refuseCloud(name);
  } catch (error) {
    return err(failureOf(error));
  }
  const shown = await server.show(name, signal);
  if (!shown.ok) return shown;
  const { capabilities, contextLength: trained } = shown.value;
  if (capabilities.length > 0 && !capabilities.includes('completion')) {
    const message = `${name} is no chat model`;
    return err({ type: 'model_unavailable', message, hint: 'set "chatModel", for example to qwen3:4b-instruct' });
  }
  // What reads answers is only needed where somebody answers.
  const { ServedChatModel } = await import('./ask.js');
  const window = await contextWindow(server, name, { set: numCtx, trained }, signal);
  return ok(new ServedChatModel(server, name, window, capabilities.includes('tools')));
}

/** In tokens, of a window that nobody set. */
const LEAST = 8_192;
const MOST = 32_768;
/** Bytes that a token of the window takes beside a model of four billion weights. */
const BYTES_A_TOKEN = 150_000;
/** A server elsewhere does not say how much memory it has. */
const LOOPBACK = /^(?:127\.[\d.]+|\[::1\]|localhost)$/u;
/** Of the memory, for the window. */
const SHARE = 1 / 4;

/**
 * The window of a chat model in tokens, the same for every call: what was set, else what the server has loaded it with,
 * so that it is not loaded anew, else as much as the memory of this machine allows.
 * @param set null where nobody set one
 * @param trained the window that the model was trained for
 */
export async function contextWindow(
  server: OllamaServer,
  name: string,
  { set, trained = Number.POSITIVE_INFINITY }: { readonly set: number | null; readonly trained?: number | undefined },
  signal?: AbortSignal,
): Promise<number> {
  if (set !== null) return Math.min(set, trained);
  const loaded = await server.loadedWindow(name, signal);
  const window = loaded.ok ? (loaded.value ?? 0) : 0;
  if (window >= LEAST) return Math.min(window, trained);
  return Math.min(LOOPBACK.test(server.base.hostname) ? windowForMemory(totalmem()) : LEAST, trained);
}

/** The largest usual window that some memory allows. @param memory in bytes. Pure. */
export function windowForMemory(memory: number): number {
  const tokens = (memory * SHARE) / BYTES_A_TOKEN;
  return Math.min(MOST, Math.max(LEAST, 2 ** Math.floor(Math.log2(tokens))));
}
