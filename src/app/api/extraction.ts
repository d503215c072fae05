import type { ApplyReport, UndoneExtraction } from '../../extract/apply.js';
import type { ExtractPrompt, ExtractReport } from '../../extract/extract.js';
import type { RetainReport } from '../../retain/retain.js';
import type { ExtractFrom, ExtractPromptRequest, ExtractRequest, InferRequest } from '../requests.js';

/** Long-term memories out of conversations, as typed pages. */
export interface Extraction {
  /**
   * Extracts from a conversation with the chat model.
   * @throws MemoryError `model_unavailable`, `usage`, `not_found`, `busy`, `interrupted`
   * @example
   * const { runs } = await extraction.run({ text: '[{"role": "user", "content": "hi"}]' });
   * runs.length; // => 1
   */
  run(request: ExtractRequest): Promise<ExtractReport>;

  /**
   * What a model would be asked about a part of a conversation, for the calling agent's own; null when nothing is left.
   * @throws MemoryError `usage`, `not_found`
   * @example
   * const prompt = await extraction.prompt({ text: '[{"role": "user", "content": "I like tea"}]' });
   * prompt?.parts; // => 1
   */
  prompt(request: ExtractFrom & ExtractPromptRequest): Promise<ExtractPrompt | null>;

  /**
   * Carries out an operations document, such as a model's answer to `prompt`, exactly once.
   * @throws MemoryError `usage` when there is none in the text, `busy`, `conflict`
   * @example
   * const { pages } = await extraction.apply('{"preferences": [{"topic": "tea", "content": "- Likes green tea"}]}');
   * pages; // => [{ path: 'bank/preferences/tea.md', operation: 'add' }]
   */
  apply(text: string, dryRun?: boolean): Promise<ApplyReport>;

  /**
   * Takes a run back; the last one when none is named.
   * @throws MemoryError `not_found`, `conflict` that names files that were changed since, `busy`
   * @example
   * await extraction.apply('{"preferences": [{"topic": "tea", "content": "- Likes green tea"}]}');
   * const { changes } = await extraction.undo();
   * changes[0]?.path; // => 'bank/preferences/tea.md'
   */
  undo(run?: string, dryRun?: boolean): Promise<UndoneExtraction>;

  /**
   * Makes facts of what the narrative of some days says is to be remembered, decided, preferred or done: with the chat
   * model where there is one, else what the words themselves say is one of these.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const { retained } = await extraction.infer({ since: '7d' });
   * retained; // => []
   */
  infer(request?: InferRequest): Promise<RetainReport>;
}
