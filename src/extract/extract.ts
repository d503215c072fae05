import type { Result } from '../base/failure.js';
import { type Failure, fail, MemoryError } from '../base/failure.js';
import { addAll } from '../base/order.js';
import { type PromptForm, toPromptForm } from '../model/answer.js';
import { isShortFormat } from '../model/format.js';
import type { ToolModel } from '../model/model.js';
import { UnusableAnswerLimit } from '../model/unusable.js';
import { estimateTokens, firstItemsWithin } from '../text/tokens.js';
import type { FileChange } from '../workspace/changes.js';
import { takeOverOldState } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { type ApplyReport, applyOperationsDocument, updateFolderSummaries } from './apply.js';
import { BankDraft } from './bank.js';
import { BANK_LOOKUP_TOOLS, BankReader, type ExtractInput } from './bank-tools.js';
import type { MemoryType } from './memory-type.js';
import {
  type OperationsDocument,
  type PageRef,
  parseOperationsJson,
  readPageOperations,
} from './operations/document.js';
import type { NamedMessages } from './operations/support.js';
import type { ExtractSource } from './page/sources.js';
import { ENTITIES_FOLDER } from './page/write-page.js';
import { prefetchPages } from './prefetch.js';
import {
  readStoredPrompt,
  resolveSource,
  type StoredPrompt,
  storeLastExtractedMessage,
  storePrompt,
} from './prompt-store.js';
import { buildOperationsQuestion, type Conversation, conversationParts, type SourceMessage } from './question.js';

interface ExtractOptions {
  /** Maximum number of times that the model may look up more pages before it must answer. */
  readonly rounds: number;
  readonly dryRun?: boolean | undefined;
  /** Absolute path of a second folder for the record of the run, for example the folder of an archived session. */
  readonly beside?: string | undefined;
}

/** The result of an extraction. `extract --json` prints it. */
export interface ExtractReport {
  readonly source: string;
  /** Number of questions to the model: one for each part of the conversation and each group of memory types. */
  readonly parts: number;
  /** Number of parts that are skipped, because they were extracted before. */
  readonly skipped: number;
  readonly runs: readonly Omit<ApplyReport, 'changes'>[];
  /** The reason for each part that failed. */
  readonly failures: readonly Failure[];
  readonly changes: readonly FileChange[];
}

const CUT_ANSWER: Failure = {
  type: 'invalid_answer',
  message: 'the answer ends too early: its last operation is left out, and the part stays open',
  hint: 'extract again, or use a larger model',
};
const ANSWER_TOKENS = 2_048;
/**
 * Share of the context window for the instructions and the memory types. If the types need more, they are split over
 * several questions. A type that alone needs more gets a question of its own.
 */
const RULES_SHARE = 0.45;
const LEAST_ROOM = 400;
/** The type of pages about tools. A conversation without tool calls has nothing for it. */
const OF_TOOLS = 'tools';
/** Maximum number of characters of a conversation that are read to find its language. */
const LANGUAGE_SAMPLE = 20_000;

/**
 * Extracts long-term memories from a conversation: shows the model related content of the bank, asks for operations, and
 * applies them. A model that may write freely can look up more before it answers. A part without a usable answer is reported
 * in `failures`. After too many of them the other parts stay open.
 * @throws MemoryError `model_unavailable`, `interrupted`, and as `applyOperationsDocument`
 */
export async function extractMemories(
  context: WorkspaceContext,
  conversation: Conversation,
  model: ToolModel,
  tools: ExtractInput,
  options: ExtractOptions,
): Promise<ExtractReport> {
  const runs: Omit<ApplyReport, 'changes'>[] = [];
  const failures: Failure[] = [];
  await takeOverOldState(context);
  const changes = options.dryRun ? [] : [...(await updateFolderSummaries(context, true))];
  const limit = new UnusableAnswerLimit();
  let skipped = 0;
  const { steps, rounds, mayWrite } = planForModel(conversation, tools, model, options.rounds);
  for (const [done, step] of steps.entries()) {
    context.onProgress?.(done, steps.length, 'parts');
    if (isAnswered(context, step.part.id)) {
      skipped++;
      continue;
    }
    const answer = await new Step(context, step, tools, model).answer(rounds);
    if (!answer.ok) {
      if (['model_unavailable', 'interrupted'].includes(answer.error.type)) throw new MemoryError(answer.error);
      limit.note(false);
      // The same failure of several parts is reported once.
      const { message } = answer.error;
      const same = failures.findIndex((failure) => failure.message === message);
      if (same >= 0) failures.splice(same, 1);
      const ends = `${message}; the model is not asked about the other parts`;
      failures.push(limit.isReached ? { ...answer.error, message: ends } : answer.error);
      if (limit.isReached) break;
      continue;
    }
    limit.note(true);
    const { changes: made, ...run } = await carryOut(context, tools, answer.value, step.part, { ...options, mayWrite });
    runs.push(run);
    if (answer.value.isCut) failures.push(CUT_ANSWER);
    addAll(changes, made);
  }
  return { source: conversation.source, parts: steps.length, skipped, runs, failures, changes };
}

/** A prompt for the calling agent's own model. `extract prompt --json` prints exactly this. */
export interface ExtractPrompt extends PromptForm {
  /** Id of this part of the conversation. The answer must repeat it, so that the same answer is not applied twice. */
  readonly id: string;
  /** The pages that the prompt shows, with their hashes. */
  readonly pages: readonly PageRef[];
  readonly part: number;
  readonly parts: number;
  /** Whether this part was extracted before. */
  readonly applied: boolean;
}

/** Builds the prompt for one part of a conversation; `undefined` if there is nothing to extract. */
export async function extractPrompt(
  context: WorkspaceContext,
  conversation: Conversation,
  tools: ExtractInput,
  { part, maxTokens }: { readonly part?: number | undefined; readonly maxTokens: number },
): Promise<ExtractPrompt | undefined> {
  await takeOverOldState(context);
  const steps = stepsOf(
    conversation,
    tools,
    maxTokens,
    groupsOf(tools.chosen, tools, maxTokens, () => true),
  );
  const next = steps.findIndex((step) => !isAnswered(context, step.part.id));
  const index = part === undefined ? Math.max(0, next) : part - 1;
  const step = steps[index];
  if (step === undefined && steps.length > 0)
    return fail('usage', `there is no part ${index + 1}`, `use a part from 1 to ${steps.length}`);
  if (step === undefined) return undefined;
  await updateFolderSummaries(context, true);
  const made = new Step(context, step, tools);
  const question = await made.question(false);
  const { id } = step.part;
  const { session: of, messages } = conversation;
  const parts = steps.map((one) => one.part.id);
  const session = of === undefined ? undefined : { id: of, last: messages.at(-1)?.id ?? '', parts };
  storePrompt(context.stateFolder, { ...step.part, pages: made.pages, session });
  return {
    ...toPromptForm(question),
    id,
    pages: made.pages,
    part: index + 1,
    parts: steps.length,
    applied: isAnswered(context, id),
  };
}

/**
 * Applies the answer of the calling agent's own model.
 * @throws MemoryError `usage` if the text contains no operations, and as `applyOperationsDocument`
 */
export async function applyExtraction(
  context: WorkspaceContext,
  text: string,
  tools: Pick<ExtractInput, 'types' | 'entityPaths'>,
  dryRun = false,
): Promise<ApplyReport> {
  const value = parseOperationsJson(text);
  const hint = 'answer with a JSON object; see its form: openclaw memory extract prompt';
  if (value === undefined) return fail('usage', 'the answer has no JSON object with operations', hint);
  const document = readPageOperations(value, tools.types.chosen());
  await takeOverOldState(context);
  const shown = readStoredPrompt(context.stateFolder, document.id);
  const known = new Set(document.pages.map(({ page_id }) => page_id));
  const pages = [...document.pages, ...(shown?.pages ?? []).filter(({ page_id }) => !known.has(page_id))];
  const part = { source: shown?.source ?? null, sources: shown?.sources ?? new Map() };
  const report = await carryOut(context, tools, { ...document, pages }, part, { dryRun });
  if (shown !== undefined && !dryRun && !document.isCut) noteAnswer(context, shown, report);
  return report;
}

/** Whether a part was extracted: an operation of an answer was applied, or the answer asked for no change. */
function isAnswered(context: WorkspaceContext, id: string): boolean {
  return new BankDraft(context.root).applied.has(id) || readStoredPrompt(context.stateFolder, id)?.isAnswered === true;
}

/**
 * Marks a prompt as answered, unless all operations of the answer were rejected. When all parts of a session are
 * answered, the id of the last message is stored. The next extraction of the session starts after this message.
 */
function noteAnswer(context: WorkspaceContext, shown: StoredPrompt, { rejected, pages, already }: ApplyReport): void {
  if (rejected.length > 0 && pages.length + already.length === 0) return;
  storePrompt(context.stateFolder, { ...shown, isAnswered: true });
  const { session } = shown;
  if (session?.parts.every((id) => isAnswered(context, id)))
    storeLastExtractedMessage(context.stateFolder, session.id, session.last);
}

async function carryOut(
  context: WorkspaceContext,
  tools: Pick<ExtractInput, 'types' | 'entityPaths'>,
  document: OperationsDocument,
  {
    source,
    sources,
    messages,
  }: Pick<StoredPrompt, 'sources'> & {
    readonly source: string | null;
    /** The messages that our own model was shown. */
    readonly messages?: readonly SourceMessage[];
  },
  { dryRun, beside, mayWrite }: Pick<ExtractOptions, 'dryRun' | 'beside'> & { readonly mayWrite?: boolean },
): Promise<ApplyReport> {
  const names = document.operations.flatMap((operation) =>
    operation.kind === 'write' && operation.type.directory === ENTITIES_FOLDER
      ? [String(operation.given[operation.type.identity[0] ?? ''] ?? '')]
      : [],
  );
  const paths = await tools.entityPaths(names.filter((name) => name !== ''));
  return applyOperationsDocument(context, tools.types, document, {
    source,
    sourceOf: (name) => resolveSource(context.root, name, sources),
    whole: wholeOf([...sources.values()]),
    messages: messages && namedMessages(messages),
    mayWrite,
    entityPath: (name) => paths.get(name),
    dryRun,
    beside,
  });
}

function namedMessages(messages: readonly SourceMessage[]): NamedMessages {
  return new Map(
    messages.map(({ role, text, day }, at) => [`m${at + 1}`, { text, day, speaker: role, entities: [role] }]),
  );
}

/**
 * Returns the source for statements that name no source: the whole file of the first source. The returned source is
 * trusted if at least one of the given sources is trusted.
 */
function wholeOf(sources: readonly ExtractSource[]): ExtractSource | undefined {
  const [first] = sources;
  const { path = '', label = '' } = first ?? {};
  const isTrusted = sources.some((source) => source.isTrusted);
  return first && { path: path.replace(/#.*$/u, ''), label, isTrusted, isWhole: true };
}

/** Splits the conversation into parts, so that each question about a group of types fits into the window. */
function stepsOf(
  conversation: Conversation,
  tools: ExtractInput,
  window: number,
  groups: readonly (readonly MemoryType[])[],
) {
  return groups.flatMap((types) => {
    const answer = Math.min(ANSWER_TOKENS, Math.floor(window / 4));
    const room = Math.max(LEAST_ROOM, Math.floor(window * 0.9) - systemTokens(types, tools) - answer);
    const names = types.map(({ name }) => name);
    // Maximum numbers of tokens. `bankBudget`: for the pages that the prompt shows from the start. `readBudget`: for
    // the results of the model's lookups.
    const [bankBudget, readBudget] = [Math.min(6_000, Math.floor(room * 0.35)), Math.floor(room * 0.2)];
    const parts = conversationParts(conversation, names, Math.max(LEAST_ROOM / 2, room - bankBudget - readBudget));
    // Names of the types that the other questions are about.
    const others = groups.flatMap((group) => (group === types ? [] : group.map(({ name }) => name)));
    return parts.map((part) => ({ part, types, others, bankBudget, readBudget }));
  });
}

/**
 * The questions to a model on this machine, and how often it may look up more. It is asked about the types that the
 * conversation can have, as many at once as have a short schema together. A model that may not write freely is asked about
 * one type at a time, looks up nothing, and can only copy lines of the messages.
 * @throws MemoryError `model_unavailable` if the model is not used in the language of the conversation
 */
function planForModel(conversation: Conversation, tools: ExtractInput, model: ToolModel, rounds: number) {
  const { messages } = conversation;
  const level = model.levelFor('facts', languageSample(messages));
  if (level === 'unused') {
    const message = `${model.name} is not used for facts in the language of this conversation`;
    fail('model_unavailable', message, 'answer yourself: openclaw memory extract prompt; or use another model');
  }
  const isFree = level === 'free';
  const hasCalls = messages.some(({ role, calls = [] }) => role === 'tool' || calls.length > 0);
  const others = tools.chosen.filter(({ name }) => name !== OF_TOOLS);
  const possible = hasCalls || others.length === 0 ? tools.chosen : others;
  const mayJoin = (types: readonly MemoryType[]) => isFree && isShortFormat(emptyQuestion(types, tools).schema);
  const groups = groupsOf(possible, tools, model.window, mayJoin);
  return { steps: stepsOf(conversation, tools, model.window, groups), rounds: isFree ? rounds : 0, mayWrite: isFree };
}

function groupsOf(
  types: readonly MemoryType[],
  tools: ExtractInput,
  window: number,
  mayJoin: (types: readonly MemoryType[]) => boolean,
): readonly (readonly MemoryType[])[] {
  const groups: MemoryType[][] = [];
  for (const type of types) {
    const last = groups.at(-1);
    const joined = [...(last ?? []), type];
    if (last !== undefined && systemTokens(joined, tools) <= window * RULES_SHARE && mayJoin(joined)) last.push(type);
    else groups.push([type]);
  }
  return groups;
}

/** The beginning of a conversation, which shows its language. */
function languageSample(messages: Conversation['messages']): string {
  return firstItemsWithin(messages, LANGUAGE_SAMPLE, ({ text }) => text.length)
    .map(({ text }) => text)
    .join('\n');
}

function systemTokens(types: readonly MemoryType[], tools: ExtractInput): number {
  const { system, user } = emptyQuestion(types, tools).prompt;
  return estimateTokens(system) + estimateTokens(user);
}

/** The question about a group of types, without a conversation. */
function emptyQuestion(types: readonly MemoryType[], { template }: ExtractInput) {
  const empty = { bank: '', conversation: '', read: '', mayRead: false, isForAgent: false };
  return buildOperationsQuestion({ id: 'x', types, template, ...empty });
}

/**
 * Extracts one part of a conversation for one group of memory types: builds the prompt, answers the model's lookups, and
 * returns the operations that the model asks for.
 */
class Step {
  private readonly reader: BankReader;
  private bank: string | undefined;
  private read = '';

  constructor(
    private readonly context: WorkspaceContext,
    private readonly input: ReturnType<typeof stepsOf>[number],
    private readonly tools: ExtractInput,
    private readonly model?: ToolModel,
  ) {
    this.reader = new BankReader(context.root, tools.find);
  }

  get pages(): readonly PageRef[] {
    return this.reader.pages;
  }

  async question(mayRead: boolean) {
    const { part, types } = this.input;
    const { id, transcript: conversation } = part;
    this.bank ??= await prefetchPages(this.tools, this.input, this.reader);
    const { bank, read } = this;
    const { template } = this.tools;
    const isForAgent = this.model === undefined;
    return buildOperationsQuestion({ id, types, template, bank, conversation, read, mayRead, isForAgent });
  }

  async answer(rounds: number): Promise<Result<OperationsDocument>> {
    for (let round = 0; round < rounds; round++) if (!(await this.round())) break;
    const first = await this.ask();
    if (!first.ok) return first;
    const again = await this.secondLook(first.value);
    if (again === '') return first;
    this.note(again);
    const second = await this.ask();
    return second.ok ? second : first;
  }

  /**
   * Asks the model once for tool calls, and carries them out. @returns whether the calls gave the model something new
   */
  private async round(): Promise<boolean> {
    const { prompt } = await this.question(true);
    const turn = await this.model?.act({ prompt, tools: BANK_LOOKUP_TOOLS, maxTokens: 512 }, this.context.signal);
    // If the model can't call tools, it must answer from the pages that the prompt shows already.
    if (turn?.ok !== true || turn.value.calls.length === 0) return false;
    let isNew = (turn.value.refused ?? []).map((why) => this.note(`(${why})`)).includes(true);
    for (const { tool, arguments: call } of turn.value.calls.slice(0, 8)) {
      const head = `${tool}(${JSON.stringify(call)})`;
      if (this.read.includes(head)) continue;
      isNew = this.note(`${head}\n${await this.reader.answer(tool, call)}`) || isNew;
    }
    return isNew;
  }

  private async ask(): Promise<Result<OperationsDocument>> {
    const { model } = this;
    if (model === undefined) throw new Error('a step without a model asks nothing');
    const question = { ...(await this.question(false)), maxTokens: Math.min(ANSWER_TOKENS, model.window >> 2) };
    const answer = await model.ask(question, this.context.signal);
    if (!answer.ok) return answer;
    const { part, others } = this.input;
    // Types that other questions ask about are left to these.
    const lists = Object.entries(answer.value).filter(([name]) => !others.includes(name));
    // Always use the id of the part, even if the model returns another id.
    const document = readPageOperations({ ...Object.fromEntries(lists), id: part.id }, this.tools.chosen);
    return { ok: true, value: { ...document, pages: this.pages } };
  }

  /**
   * Text that a second question adds to the prompt: pages that the answer would change although the model has not seen them,
   * and the reasons why operations were rejected. '' if there is nothing to add.
   */
  private async secondLook(document: OperationsDocument): Promise<string> {
    const tried = await carryOut(this.context, this.tools, document, this.input.part, { dryRun: true });
    const seen = new Set(this.pages.map(({ path }) => path));
    const changed = tried.pages.flatMap(({ path, operation }) => (operation === 'update' ? [path] : []));
    const paths = new Set([...changed, ...tried.rejected.flatMap(({ page }) => page ?? [])]);
    const unseen = [...paths].filter((path) => !seen.has(path)).flatMap((path) => this.reader.show(path) ?? []);
    const problems = tried.rejected.map(({ operation, reason }) => `- ${operation}: ${reason}`).join('\n');
    const why = `Of your answer, this can't be carried out:\n${problems}\nAnswer again with all operations.`;
    const pages = unseen.map(({ head, text }) => `${head}\n${text.trimEnd()}`);
    return [...pages, ...(problems === '' ? [] : [why])].join('\n\n');
  }

  /**
   * Adds a text to the prompt of the next question: the result of a lookup, or a remark. @returns false if the text
   * does not fit into the budget
   */
  private note(text: string): boolean {
    const next = this.read === '' ? text : `${this.read}\n\n${text}`;
    if (estimateTokens(next) > this.input.readBudget) return false;
    this.read = next;
    return true;
  }
}
