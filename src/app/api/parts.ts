import type { ApplyReport, UndoneExtraction } from '../../extract/apply.js';
import type { ExtractPrompt, ExtractReport } from '../../extract/extract.js';
import type { AppliedReport, ReflectPrompt } from '../../reflect/by-agent.js';
import type { ReflectReport, UndoneReflect } from '../../reflect/reflect.js';
import type { OpinionWhy } from '../../reflect/why.js';
import type { ProposalList, SettledProposal } from '../../retain/proposals.js';
import type { RetainReport } from '../../retain/retain.js';
import type { ModelList, ModelTrial } from '../../upkeep/embedding-models.js';
import type { HistoryReport, PastReport } from '../../upkeep/history.js';
import type { FileChange } from '../../workspace/changes.js';
import type {
  ExtractFrom,
  ExtractPromptRequest,
  ExtractRequest,
  InferRequest,
  ReflectApplyRequest,
  ReflectOptions,
  ReflectPromptRequest,
  UseModelRequest,
} from '../requests.js';

export type { AppliedReport, ReflectPrompt };

/** Reflection on the facts of a workspace. */
export interface Reflection {
  /**
   * Brings pages and beliefs up to date: with the chat model where there is one, else by rules.
   * @throws MemoryError `busy` when another run is on, `conflict`, `interrupted`
   * @example
   * const { written } = await reflection.run({ maxCalls: 0 });
   * written.includes('bank/entities/Peter.md'); // => true
   */
  run(options?: ReflectOptions): Promise<ReflectReport>;

  /**
   * The pairs of a fact and a belief that a run would judge now, as a question for the calling agent's own model; where
   * they do not fit into one prompt, a part of them.
   * @throws MemoryError `usage` for a part that there is not
   * @example
   * const { pairs } = await reflection.prompt();
   * pairs; // => 2
   */
  prompt(request?: ReflectPromptRequest): Promise<ReflectPrompt>;

  /**
   * Reflects with the verdicts that the calling agent's model answered; the rules judge what it left out, other parts
   * stay open.
   * @throws MemoryError `invalid_answer`, also without any verdict, `conflict` for a part out of turn, and as `run` does
   * @example
   * const verdict = { fact: 'f-8x2m5q7r9t1a3', opinion: 'o-7k3m2q9x1a4bc', verdict: 'none' };
   * const { facts } = await reflection.apply(JSON.stringify({ verdicts: [verdict] }));
   * facts; // => 3
   */
  apply(text: string, request?: ReflectApplyRequest): Promise<AppliedReport>;

  /**
   * Takes a run back; the last one when none is named.
   * @throws MemoryError `not_found`, `conflict` that names files that were changed since, `busy`, `interrupted`
   * @example
   * const { run } = await reflection.run({ maxCalls: 0 });
   * const undone = await reflection.undo(run);
   * undone.run === run; // => true
   */
  undo(run?: string, dryRun?: boolean): Promise<UndoneReflect>;

  /**
   * How the confidence of the opinions that an id or a text names came about.
   * @example
   * const [why] = await reflection.why('tea');
   * why?.confidence; // => 0.8
   */
  why(wanted: string): Promise<readonly OpinionWhy[]>;
}

/** How pages, and the lines of facts, opinions and log text, changed in git, and what extraction did to pages. */
export interface History {
  /**
   * The changes, the newest first.
   * @param which an id, or a page relative to the workspace
   * @throws MemoryError `workspace` without a repository, `not_found` for what neither the files nor git know
   * @example
   * const { changes } = await history.of('memory/2026-03-12.md');
   * changes.length; // => 1
   */
  of(which: string): Promise<HistoryReport>;

  /**
   * What it was at the end of a day.
   * @param which an id, or a page relative to the workspace
   * @param at a day, or what `--as-of` takes
   * @throws MemoryError `usage`, `workspace`, `not_found`
   * @example
   * const past = await history.at('MEMORY.md', '2026-03-14');
   * past.path; // => 'MEMORY.md'
   */
  at(which: string, at: string): Promise<PastReport>;
}

/** The proposals of a workspace, for the person who decides. */
export interface Proposals {
  /**
   * What waits, the oldest page first.
   * @example
   * const { waiting } = proposals.list();
   * waiting[0]?.proposal.text; // => 'Peter lives in Vienna.'
   */
  list(): ProposalList;

  /**
   * Makes the change in the core file, within its budget, and ticks the box wherever the proposal stands. What moves
   * out, or is shortened, is kept whole in `memory/topics/moved-from-core.md`.
   * @param which number or id
   * @throws MemoryError `not_found`, and as `changeCore` does
   * @example
   * const { settled } = await proposals.accept('1');
   * (await memory.core()).text.includes('Peter lives in Vienna.'); // => true
   */
  accept(which: string, dryRun?: boolean): Promise<SettledProposal>;

  /**
   * Marks a proposal as rejected wherever it stands: it is not made again.
   * @param which number or id
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * await proposals.reject('1');
   * proposals.list().waiting; // => []
   */
  reject(which: string, dryRun?: boolean): Promise<SettledProposal>;
}

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

export interface UsedModel {
  /** As it stands in the settings. */
  readonly embedModel: string;
  readonly changes: readonly FileChange[];
  /** What is missing before it answers. */
  readonly warnings: readonly string[];
}

/** The models of recall by meaning. */
export interface EmbeddingModels {
  /**
   * The models that are there: those of the server, and the files that were allowed. Loads none of them.
   * @throws MemoryError `interrupted`
   * @example
   * const { models } = await embeddingModels.list();
   * models.find(({ isSet }) => isSet)?.name; // => 'embeddinggemma'
   */
  list(): Promise<ModelList>;

  /**
   * Sets the embedding model: a name of the server's, or `file:` and a path from the root. That file is then allowed to be
   * opened, on this machine and as it is now.
   * @throws MemoryError `refused` for a file that is no embedding model, `model_unavailable`, `settings`, `interrupted`
   * @example
   * const { embedModel } = await embeddingModels.use({ model: 'embeddinggemma', dryRun: true });
   * embedModel; // => 'embeddinggemma'
   */
  use(request: UseModelRequest): Promise<UsedModel>;

  /**
   * What the embedding model that is set knows, and costs on this machine. Loads it.
   * @throws MemoryError `model_unavailable`, `interrupted`
   * @example
   * const { dimension } = await embeddingModels.test();
   * dimension; // => 768
   */
  test(): Promise<ModelTrial>;
}
