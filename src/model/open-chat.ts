import { err, ok, type Result } from '../base/result.js';
import { CallError } from './call-error.js';
import type { ToolModel } from './model.js';
import { refuseCloud } from './ollama/host.js';
import type { OllamaServer } from './ollama/ollama.js';

export interface ChatModelOptions {
  readonly server: OllamaServer;
  readonly name: string;
  /** The window that is asked for, in tokens: the same for every call, since another one loads the model again. */
  readonly numCtx: number | null;
}

/**
 * Looks whether a chat model is there. Asks nobody but its server, and loads nothing yet.
 * @returns failures: `model_unavailable` with what mends it, `interrupted`
 */
export async function openChatModel(options: ChatModelOptions, signal?: AbortSignal): Promise<Result<ToolModel>> {
  const { server, name, numCtx } = options;
  try {
    refuseCloud(name);
  } catch (error) {
    if (error instanceof CallError) return err(error.failure);
    throw error;
  }
  const shown = await server.show(name, signal);
  if (!shown.ok) return shown;
  const { capabilities, contextLength: trained } = shown.value;
  if (capabilities.length > 0 && !capabilities.includes('completion')) {
    const message = `${name} is no chat model`;
    return err({ type: 'model_unavailable', message, hint: 'set "chatModel", for example to qwen3:4b-instruct' });
  }
  // What reads answers is only needed where somebody answers.
  const [{ ServedChatModel }, { windowOf }] = await Promise.all([import('./ask.js'), import('./ollama/window.js')]);
  const window = await windowOf(server, name, { set: numCtx, trained }, signal);
  return ok(new ServedChatModel(server, name, window, capabilities.includes('tools')));
}
