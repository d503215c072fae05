import * as z from 'zod';
import type { Day } from '../base/clock.js';
import type { Failure, Result } from '../base/failure.js';
import { err, ok } from '../base/failure.js';
import { isDay } from '../language/time/calendar.js';
import { makeSupportTest } from '../memory/supported.js';
import { buildChoiceQuestion } from '../model/choose.js';
import {
  CHAT_TASKS,
  type ChatTask,
  type ChatTestResults,
  type TaskResult,
  TESTED_LANGUAGES,
  type TestedLanguage,
} from '../model/levels.js';
import type { Question, ToolModel } from '../model/model.js';
import { buildBeliefChoice, buildStatementChoice, MOST_CHOSEN_PAIRS } from '../reflect/choices.js';
import {
  type BeliefTexts,
  buildBeliefQuestion,
  buildStatementQuestion,
  type ReflectTemplates,
} from '../reflect/questions.js';
import { makeDayFlushTurn } from '../session/flush.js';
import { sentencesOf } from '../text/sentences.js';
import { bySectionName, contentItems, parseDocument, renderDocument, SECTION_NAMES } from '../wm/document.js';
import { readOperations } from '../wm/operations.js';
import { buildWmQuestion, type TranscriptMessage, type WmTemplates } from '../wm/prompt.js';

const DAY = z.custom<Day>((value) => typeof value === 'string' && isDay(value));
const MESSAGE = z.object({ role: z.string(), text: z.string() });
const SAMPLES = z.object({
  beliefs: z.array(
    z.object({
      day: DAY,
      fact: z.string(),
      belief: z.string(),
      verdict: z.enum(['supports', 'contradicts', 'none']),
    }),
  ),
  statements: z.array(
    z.object({
      subject: z.string(),
      earlier: z.string(),
      earlierDay: DAY,
      later: z.string(),
      laterDay: DAY,
      relation: z.enum(['replaces', 'ends', 'both']),
    }),
  ),
  quiet: z.array(MESSAGE),
  facts: z.object({ messages: z.array(MESSAGE), expected: z.array(z.array(z.string())) }),
  memory: z.object({
    document: z.array(z.string()),
    changed: z.int(),
    messages: z.array(MESSAGE),
    added: z.array(z.string()),
  }),
});

/** The samples of a language: pairs, conversations and a Working Memory, each with the right answer. */
export type ChatTestSamples = z.infer<typeof SAMPLES>;

/** Parses a file of `templates/chat-test/`. @throws ZodError if it is damaged */
export function parseChatTestSamples(text: string): ChatTestSamples {
  return SAMPLES.parse(JSON.parse(text));
}

/** The prompts of the tasks that are tested. */
interface ChatTestTemplates {
  readonly reflect: Omit<ReflectTemplates, 'summary'>;
  readonly flush: string;
  readonly memory: WmTemplates;
  readonly choose: string;
}

interface ChatTestInput {
  readonly model: ToolModel;
  readonly templates: ChatTestTemplates;
  readonly samplesOf: (language: TestedLanguage) => ChatTestSamples;
  /** Results of an earlier run. They are not measured again. */
  readonly known: ChatTestResults;
  /** Gets each result at once, so that a test that is stopped goes on later. */
  readonly onResult: (found: { language: TestedLanguage; task: ChatTask; result: TaskResult }) => void;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  /** Aborts when the time of the test is over. */
  readonly signal: AbortSignal;
  /** Whether this is all the time that a test may take. Then a part that does not end in it is too slow. */
  readonly isWholeTime: boolean;
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/**
 * Tests what a chat model may do: 24 pairs and six replacements, two conversations, a Working Memory, in each tested
 * language. Parts with a known result are left out. A part whose time ends has no result, unless it had all of the time.
 * @returns failures: those of the model, except unusable answers, which count as wrong
 */
export async function testChatModel(input: ChatTestInput): Promise<Result<void>> {
  const parts = TESTED_LANGUAGES.flatMap((language) => CHAT_TASKS.map((task) => ({ language, task })));
  let measured = 0;
  for (const [done, { language, task }] of parts.entries()) {
    input.onProgress?.(done, parts.length);
    if (input.known[language]?.[task] !== undefined) continue;
    if (input.signal.aborted) return ok(undefined);
    const result = await TASK_TESTS[task](new Examinee(input.model, input.signal), input, input.samplesOf(language));
    if (!result.ok && !input.signal.aborted) return result;
    // A part that takes all of the time would never end, however often the test goes on.
    if (!result.ok && measured === 0 && input.isWholeTime && isTimeout(input.signal))
      input.onResult({ language, task, result: { level: 'unused', figures: 'too slow' } });
    if (!result.ok) return ok(undefined);
    input.onResult({ language, task, result: result.value });
    measured++;
  }
  return ok(undefined);
}

type TaskTest = (
  model: Examinee,
  input: Pick<ChatTestInput, 'templates'>,
  samples: ChatTestSamples,
) => Promise<Result<TaskResult>>;

/** A model under test. An unusable answer is the answer `undefined`. Other failures end the test. */
class Examinee {
  constructor(
    readonly model: ToolModel,
    private readonly signal: AbortSignal,
  ) {}

  async ask<T>(question: Question<T>): Promise<Result<T | undefined>> {
    return withoutUnusable(await this.model.ask(question, this.signal));
  }

  async act(turn: ReturnType<typeof makeDayFlushTurn>): Promise<Result<readonly string[] | undefined>> {
    const answer = withoutUnusable(await this.model.act(turn, this.signal));
    if (!answer.ok) return answer;
    return ok(answer.value?.calls.flatMap((call) => linesOf(call.arguments.content)));
  }
}

function withoutUnusable<T>(answer: Result<T, Failure>): Result<T | undefined> {
  if (answer.ok) return answer;
  return answer.error.type === 'invalid_answer' ? ok(undefined) : err(answer.error);
}

/** Minimum number of right verdicts of 24 for each level, and of right replacements of six. */
const LEAST_RIGHT = { free: 22, extractive: 18 } as const;
const LEAST_REPLACEMENTS = 5;
const PAIRS_A_CALL = 8;

async function testVerdicts(
  model: Examinee,
  { templates }: Pick<ChatTestInput, 'templates'>,
  samples: ChatTestSamples,
): Promise<Result<TaskResult>> {
  const written = await countVerdicts(samples, {
    beliefs: (pairs) => model.ask(buildBeliefQuestion(pairs, templates.reflect.judge)),
    statements: (pairs) => model.ask(buildStatementQuestion(numbered(pairs), templates.reflect.settle)),
    most: PAIRS_A_CALL,
  });
  if (!written.ok) return written;
  const { right, replacements, falseEnds, figures } = written.value;
  const isFree = right >= LEAST_RIGHT.free && replacements >= LEAST_REPLACEMENTS && falseEnds === 0;
  if (isFree) return ok({ level: 'free', figures });
  const chosen = await countVerdicts(samples, {
    beliefs: (pairs) => model.ask(buildBeliefChoice(pairs, templates.reflect.chooseVerdicts)),
    statements: (pairs) => model.ask(buildStatementChoice(pairs, templates.reflect.chooseRelations)),
    most: MOST_CHOSEN_PAIRS,
  });
  if (!chosen.ok) return chosen;
  const isFit = chosen.value.right >= LEAST_RIGHT.extractive && chosen.value.falseEnds === 0;
  return ok({ level: isFit ? 'extractive' : 'unused', figures: `chose ${chosen.value.figures}` });
}

const numbered = <T>(pairs: readonly T[]) => pairs.map((pair, index) => [index + 1, pair] as const);

/** How a model is asked about pairs. The answers are by index of a belief's pair, and by number of a statement's. */
interface VerdictForm {
  readonly beliefs: (pairs: readonly BeliefTexts[]) => Promise<Result<ReadonlyMap<number, string> | undefined>>;
  readonly statements: (
    pairs: ReturnType<typeof statementTexts>[],
  ) => Promise<Result<ReadonlyMap<number, { readonly relation: string }> | undefined>>;
  /** Maximum number of pairs of one question. */
  readonly most: number;
}

async function countVerdicts({ beliefs, statements }: ChatTestSamples, form: VerdictForm) {
  let right = 0;
  let [replacements, falseEnds] = [0, 0];
  for (let from = 0; from < beliefs.length; from += form.most) {
    const some = beliefs.slice(from, from + form.most);
    const texts = some.map(({ day, fact, belief }) => ({
      fact: { day, text: fact },
      belief: { text: belief, entities: [] },
    }));
    const answer = await form.beliefs(texts);
    if (!answer.ok) return answer;
    right += some.filter(({ verdict }, index) => answer.value?.get(index) === verdict).length;
  }
  for (let from = 0; from < statements.length; from += form.most) {
    const some = statements.slice(from, from + form.most);
    const answer = await form.statements(some.map(statementTexts));
    if (!answer.ok) return answer;
    for (const [index, { relation }] of some.entries()) {
      const said = answer.value?.get(index + 1)?.relation ?? '';
      if (relation !== 'both') replacements += Number(ENDS.has(said));
      else if (ENDS.has(said)) falseEnds++;
      else right += Number(said === 'both' || said === 'plan');
    }
  }
  const replaced = statements.filter(({ relation }) => relation !== 'both').length;
  const all = beliefs.length + statements.length - replaced;
  const figures = `${right} of ${all} pairs, ${replacements} of ${replaced} replacements, ${falseEnds} false ends`;
  return ok({ right, replacements, falseEnds, figures });
}

function statementTexts({ subject, earlier, earlierDay, later, laterDay }: ChatTestSamples['statements'][number]) {
  return {
    subject,
    earlier: { day: earlierDay, lead: '', text: earlier, statement: [] },
    later: { day: laterDay, lead: '', text: later },
  };
}

const SAMPLE_DAY: Day = '2026-05-04';
/** Relations that say that the earlier statement is over. */
const ENDS: ReadonlySet<string> = new Set(['replaces', 'ends', 'partly']);

/** Minimum number of the six facts that the model must keep for each level, and its maximum of other sentences. */
const LEAST_FACTS = { free: 5, extractive: 4 } as const;
const MOST_OTHERS = 1;

async function testFacts(
  model: Examinee,
  { templates }: Pick<ChatTestInput, 'templates'>,
  { quiet, facts: { messages, expected } }: ChatTestSamples,
): Promise<Result<TaskResult>> {
  const prompts = { template: templates.flush, systemPrompt: null, prompt: null };
  const turnOf = (said: ChatTestSamples['quiet']) => makeDayFlushTurn(SAMPLE_DAY, transcriptOf(said), prompts);
  const silent = await model.act(turnOf(quiet));
  if (!silent.ok) return silent;
  const written = await model.act(turnOf(messages));
  if (!written.ok) return written;
  const lines = written.value ?? [];
  const kept = countKept(lines, expected);
  const invented = lines.filter((line) => !isCarried(line, messages)).length;
  const extra = silent.value?.length ?? 0;
  const figures = `${kept} of ${expected.length} facts, ${invented} invented, ${extra} lines of an empty conversation`;
  if (kept >= LEAST_FACTS.free && invented === 0 && silent.value !== undefined && extra === 0)
    return ok({ level: 'free', figures });
  return testChoice(model, templates.choose, { quiet, messages, expected });
}

/** Tests whether a model that does not write well enough can choose sentences. */
async function testChoice(
  model: Examinee,
  template: string,
  { quiet, messages, expected }: Pick<ChatTestSamples, 'quiet'> & ChatTestSamples['facts'],
): Promise<Result<TaskResult>> {
  const chosen: (readonly string[])[] = [];
  for (const said of [quiet, messages]) {
    const sentences = said.flatMap(({ role, text }) =>
      sentencesOf(text).map((one) => ({ shown: `${role}: ${one}`, text })),
    );
    const shown = sentences.map((one) => one.shown);
    const choice = { sentences: shown, keys: { keep: 'what to keep' }, most: 8, template };
    const question = buildChoiceQuestion(choice, (indexes) => indexes.get('keep') ?? []);
    const answer = await model.ask(question);
    if (!answer.ok) return answer;
    // The words of a fact may stand in several sentences of a message. One of them is enough.
    chosen.push((answer.value ?? []).map((index) => sentences[index]?.text ?? ''));
  }
  const [ofQuiet = [], ofFacts = []] = chosen;
  const kept = countKept(ofFacts, expected);
  const others = ofFacts.filter((text) => countKept([text], expected) === 0).length;
  const figures = `chose ${kept} of ${expected.length} facts, ${others} other sentences, ${ofQuiet.length} of an empty conversation`;
  const isFit = kept >= LEAST_FACTS.extractive && others <= MOST_OTHERS && ofQuiet.length === 0;
  return ok({ level: isFit ? 'extractive' : 'unused', figures });
}

/** Minimum number of the lines of a Working Memory that the model must keep. */
const LEAST_LINES = 7;

async function testMemory(
  model: Examinee,
  { templates }: Pick<ChatTestInput, 'templates'>,
  samples: ChatTestSamples,
): Promise<Result<TaskResult>> {
  const { document, changed, messages, added } = samples.memory;
  const old = renderDocument(
    bySectionName((name) => (name === 'Key Facts & Decisions' ? document.map((line) => `- ${line}`).join('\n') : '')),
  );
  const question = buildWmQuestion(old, transcriptOf(messages), templates.memory);
  const answer = await model.ask(question);
  if (!answer.ok) return answer;
  const operations = readOperations(answer.value);
  const lines = operations.ok ? SECTION_NAMES.flatMap((name) => linesAfter(name, old, operations.value)) : [];
  const kept = document.filter((line, at) => at === changed || lines.some((one) => one.includes(line))).length;
  const fresh = lines.filter((line) => !document.includes(line));
  const invented = fresh.filter((line) => !isCarried(line, [...messages, { role: 'user', text: document.join('\n') }]));
  const isAdded = countKept(fresh, [added]) === 1;
  const figures = `${kept} of ${document.length} lines kept, ${invented.length} invented, the new fact ${isAdded ? 'added' : 'left out'}`;
  if (operations.ok && kept >= LEAST_LINES && invented.length === 0 && isAdded) return ok({ level: 'free', figures });
  return testChoice(model, templates.choose, { quiet: samples.quiet, ...samples.facts });
}

/** The items of a section after an operation of the model, without the guards that would mend it. */
function linesAfter(
  name: (typeof SECTION_NAMES)[number],
  old: string,
  operations: Extract<ReturnType<typeof readOperations>, { ok: true }>['value'],
): readonly string[] {
  const { operation } = operations[name];
  const before = contentItems(parseDocument(old).bodies[name]);
  if (operation.op === 'UPDATE') return contentItems(operation.content);
  return operation.op === 'APPEND' ? [...before, ...operation.items] : before;
}

const TASK_TESTS: Readonly<Record<ChatTask, TaskTest>> = {
  verdicts: testVerdicts,
  facts: testFacts,
  memory: testMemory,
};

function transcriptOf(messages: ChatTestSamples['quiet']): readonly TranscriptMessage[] {
  return messages.map(({ role, text }) => ({ role, body: text }));
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Number of facts of which one line has all words. */
function countKept(lines: readonly string[], expected: readonly (readonly string[])[]): number {
  const said = lines.map((line) => line.toLowerCase());
  return expected.filter((words) => said.some((line) => words.every((word) => line.includes(word.toLowerCase()))))
    .length;
}

function isCarried(line: string, messages: ChatTestSamples['quiet']): boolean {
  const sources = messages.map(({ role, text }) => ({ text, speaker: role, day: SAMPLE_DAY }));
  return makeSupportTest(sources)(line) === undefined;
}
