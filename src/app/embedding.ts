import { toFailure } from '../base/failure.js';
import { openEmbedder } from '../model/embed.js';
import { serverUrl } from '../model/host.js';
import type { Embedder } from '../model/model.js';
import { ollamaEmbedServer } from '../model/ollama-embed.js';
import type { RecallMode } from '../recall/request.js';
import { openSemantic, type SemanticSource } from '../recall/semantic.js';
import type { Settings } from '../workspace/settings.js';

/** The embedding model of the settings. Asks nobody yet. */
export function embedderOf(settings: Settings, env: NodeJS.ProcessEnv): Embedder {
  const server = ollamaEmbedServer(serverUrl(settings.ollamaHost ?? env.OLLAMA_HOST));
  return openEmbedder(server, settings.embedModel);
}

/** What an answer by meaning needs, or why there is none; `auto` without vectors of the model has nothing to say. */
export function semanticOf(
  place: { readonly stateFolder: string; readonly settings: Settings; readonly env: NodeJS.ProcessEnv },
  mode: RecallMode,
): { readonly source?: SemanticSource; readonly warnings: readonly string[] } {
  const { stateFolder, settings, env } = place;
  try {
    const embedder = embedderOf(settings, env);
    const opened = openSemantic({ stateFolder, embedder, budgetMs: settings.recallEmbedBudgetMs });
    if (opened.ok) return { source: opened.value, warnings: [] };
    const { message, hint } = opened.error;
    return { warnings: mode === 'auto' ? [] : [`answered by words alone: ${message} (${hint})`] };
  } catch (error) {
    // Whatever is wrong with the vectors, words still answer.
    return { warnings: [`answered by words alone: ${toFailure(error).message}`] };
  }
}
