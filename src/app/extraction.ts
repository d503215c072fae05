import { err, fail, valueOrThrow } from '../base/failure.js';
import { checkRequest, readTypedRequest } from '../base/request.js';
import { formatApplyMessages, undoExtraction } from '../extract/apply.js';
import type { BatchedMemorySearch, ExtractInput } from '../extract/bank-tools.js';
import { applyExtraction, extractMemories, extractPrompt } from '../extract/extract.js';
import { readLastExtractedMessage, storeLastExtractedMessage } from '../extract/prompt-store.js';
import type { Conversation } from '../extract/question.js';
import { MemoryTypes } from '../extract/types.js';
import type { IndexSearch } from '../index/search.js';
import { requireAllRead } from '../index/tree.js';
import { ModelTimeLimit } from '../model/time-limit.js';
import { readDay } from '../query/day-options.js';
import { recall } from '../query/query.js';
import { type RecallResult, readRecallRequest } from '../query/request.js';
import { readArchiveConversation, readSessionConversation, readTextConversation } from '../session/conversations.js';
import type { ExtractionInput, ExtractMemories } from '../session/finish.js';
import { entitySlug } from '../text/slug.js';
import { today } from '../workspace/clock.js';
import { readTemplate } from '../workspace/templates.js';
import { answerQuestion, throwIfInterrupted, withIndex } from './asking.js';
import { chatModelOf } from './chat.js';
import type { WorkspaceParts } from './open.js';
import * as requests from './requests.js';
import { retainFacts } from './writing.js';

const MAX_TOKENS = 16_000;

/** Long-term memories out of conversations, as typed pages. */
export class Extraction {
  constructor(private readonly parts: WorkspaceParts) {}

  private get context() {
    return this.parts.context;
  }

  /**
   * Extracts from a conversation with the chat model.
   * @throws MemoryError `model_unavailable`, `usage`, `not_found`, `busy`, `interrupted`
   * @example
   * const { runs } = await extraction.run({ text: '[{"role": "user", "content": "hi"}]' });
   * runs.length; // => 2
   */
  async run(given: requests.ExtractRequest) {
    const request = readTypedRequest('extract', requests.EXTRACT_REQUEST, given);
    const { dryRun } = request;
    const tools = this.toolsFor(request.types);
    const conversation = await this.conversationOf(request);
    const model = valueOrThrow(await chatModelOf(this.parts, 'facts'));
    const rounds = this.parts.settings.extractRounds;
    const report = await extractMemories(this.context, conversation, model, tools, { rounds, dryRun });
    const isWhole = request.types === undefined && !dryRun && report.failures.length === 0;
    if (conversation.session !== undefined && isWhole) this.noteDone(conversation.session, conversation);
    return report;
  }

  /**
   * What a model would be asked about a part of a conversation, for the calling agent's own; null when nothing is left.
   * @throws MemoryError `usage`, `not_found`
   * @example
   * const prompt = await extraction.prompt({ text: '[{"role": "user", "content": "I like tea"}]' });
   * prompt?.parts; // => 1
   */
  async prompt(given: requests.ExtractFrom & requests.ExtractPromptRequest) {
    const request = readTypedRequest('extract prompt', requests.EXTRACT_PROMPT_REQUEST, given);
    const { types, part, maxTokens = MAX_TOKENS } = request;
    const { session, ...said } = await this.conversationOf(request);
    const conversation = types === undefined && session !== undefined ? { ...said, session } : said;
    return (await extractPrompt(this.context, conversation, this.toolsFor(types), { part, maxTokens })) ?? null;
  }

  /**
   * Carries out an operations document, such as a model's answer to `prompt`, exactly once.
   * @throws MemoryError `usage` when there is none in the text, `busy`, `conflict`
   * @example
   * const { pages } = await extraction.apply('{"preferences": [{"topic": "tea", "content": "- Likes green tea"}]}');
   * pages; // => [{ path: 'bank/preferences/tea.md', operation: 'add' }]
   */
  async apply(text: string, dryRun = false) {
    checkRequest('extract apply', { text: requests.TEXT_FIELD, dryRun: requests.YES_NO_FIELD }, { text, dryRun });
    return applyExtraction(this.context, text, this.toolsFor(), dryRun);
  }

  /**
   * Takes a run back; the last one when none is named.
   * @throws MemoryError `not_found`, `conflict` that names files that were changed since, `busy`
   * @example
   * await extraction.apply('{"preferences": [{"topic": "tea", "content": "- Likes green tea"}]}');
   * const { changes } = await extraction.undo();
   * changes[0]?.path; // => 'bank/preferences/tea.md'
   */
  async undo(run?: string, dryRun = false) {
    checkRequest('extract undo', { run: { type: 'text', doc: '' }, dryRun: requests.YES_NO_FIELD }, { run, dryRun });
    return undoExtraction(this.context, run, dryRun);
  }

  /**
   * Makes facts of what the narrative of some days says is to be remembered, decided, preferred or done: with the chat
   * model where there is one, else what the words themselves say is one of these.
   * @throws MemoryError `usage`, `busy`, `interrupted`
   * @example
   * const { retained } = await extraction.infer({ since: '7d' });
   * retained; // => []
   */
  async infer(given: requests.InferRequest = {}) {
    const request = readTypedRequest('retain --infer', requests.INFER_REQUEST, given);
    const { date, since, byRules, maxMinutes, dryRun } = request;
    const { clock } = this.context;
    if (date !== undefined && since !== undefined)
      fail('usage', "--date and --since can't be used together", 'use only one of them');
    const text = date ?? since;
    const name = date === undefined ? 'since' : 'date';
    const from = text === undefined ? today(clock) : await readDay(text, clock, 'since', name);
    const { inferFacts } = await import('../extract/infer.js');
    const scope = { from, to: date === undefined ? today(clock) : from, dryRun };
    return inferFacts(this.context, scope, {
      retain: (facts, check) => retainFacts(this.parts, { ...facts, ...check }),
      model: async () =>
        byRules ? err({ type: 'model_unavailable', message: 'by rules' }) : chatModelOf(this.parts, 'facts'),
      time: new ModelTimeLimit(maxMinutes),
      template: readTemplate('prompts/infer.md'),
      entities: () => this.read(async (search) => search.entities().map(({ name }) => name)),
    });
  }

  /**
   * The extraction of an archive, as a step of its commit.
   * @internal
   */
  async ofArchive({
    session,
    archive,
    folder,
    messages,
    overview,
    signal,
  }: ExtractionInput): ReturnType<ExtractMemories> {
    const context = { ...this.context, signal };
    const model = valueOrThrow(await chatModelOf(this.parts, 'facts'));
    const after = await readLastExtractedMessage(context, session);
    // What was extracted out of the live session is not extracted again.
    const open = new Set(readSessionConversation(context, session, after).messages.map(({ id }) => id));
    const fresh = messages.filter(({ id }) => open.has(id));
    if (fresh.length === 0) return { status: 'done' };
    const conversation = readArchiveConversation(session, archive, fresh, overview, context.clock);
    const options = { rounds: this.parts.settings.extractRounds, beside: folder };
    const report = await extractMemories(context, conversation, model, this.toolsFor(), options);
    const [failure] = report.failures;
    const notes = report.runs.flatMap(formatApplyMessages);
    const said = notes.length > 0 && { notes };
    return failure === undefined ? { status: 'done', ...said } : { status: 'failed', reason: failure.message, ...said };
  }

  private readonly lookUp: BatchedMemorySearch = (asked) =>
    withIndex(this.parts, 'extract', async (source, { tree }) => {
      const results: RecallResult[] = [];
      for (const request of asked) {
        results.push(...(await recall(source, await readRecallRequest(request, this.context.clock))).results);
        throwIfInterrupted(this.context.signal);
      }
      return { results, files: [...tree.files] };
    });

  /** Works on an index that is up to date, with all of the bank in it. */
  private read<T>(use: (search: IndexSearch) => Promise<T>): Promise<T> {
    return withIndex(this.parts, 'extract', ({ search }, { tree }) => {
      requireAllRead([...tree.notices, ...search.unreadFiles()].filter(({ path }) => /^bank(?:\/|$)/u.test(path)));
      return use(search);
    });
  }

  private noteDone(session: string, { messages }: Conversation): void {
    const last = messages.at(-1);
    if (last !== undefined) storeLastExtractedMessage(this.context.stateFolder, session, last.id);
  }

  private toolsFor(names?: readonly string[]): ExtractInput {
    const types = MemoryTypes.load(this.context.root);
    const entityPaths = (names: readonly string[]) => this.entityPaths(names);
    return {
      types,
      chosen: types.chosen(names),
      template: readTemplate('prompts/extract.md'),
      find: (request) => answerQuestion(this.parts, request, (answer) => answer),
      lookUp: this.lookUp,
      entityPaths,
    };
  }

  /** The pages of entities that have one, by the names that are asked for. */
  private async entityPaths(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map();
    return this.read(async (search) => {
      const found = names.map((name) => [name, search.entity(entitySlug(name))?.path] as const);
      return new Map(found.flatMap(([name, path]) => (path == null ? [] : [[name, path] as const])));
    });
  }

  private async conversationOf({ session, text, name = '-', since }: requests.ExtractFrom): Promise<Conversation> {
    const { clock } = this.context;
    const day = since === undefined ? undefined : await readDay(since, clock, 'since', 'since');
    if (session !== undefined && text !== undefined)
      fail('usage', "a session and a text can't be used together", 'use only one of them');
    if (session !== undefined) {
      const after = day === undefined ? await readLastExtractedMessage(this.context, session) : undefined;
      return readSessionConversation(this.context, session, after, day);
    }
    if (text === undefined)
      fail('usage', 'there is no session and no text', 'use a session or a text (--session, --file or --stdin)');
    return readTextConversation(text, name, clock, day);
  }
}
